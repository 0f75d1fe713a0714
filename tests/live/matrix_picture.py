"""The matrix of a report as a picture: `python -m tests.live.matrix_picture REPORT/index.html docs/third-parties.png`.

Opens the report in Chromium as wide as its matrix is, and keeps what stands under the matrix's heading.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

from tests.live.opening import Browser

WIDTH, MARGIN, SCALE = 3_040, 16, 1
_PLACE = """(() => {
    const head = [...document.querySelectorAll('h2')].find(one => one.textContent.startsWith('Implementations'));
    const from = head.getBoundingClientRect();
    const to = head.parentElement.querySelector('table').getBoundingClientRect();
    return [from.left, from.top + scrollY, to.right, to.bottom + scrollY];
})()"""


def picture(browser: Browser, page: Path) -> bytes:
    """The matrix of a report as PNG."""
    browser.ask("Emulation.setDeviceMetricsOverride", width=WIDTH, height=900, deviceScaleFactor=SCALE, mobile=False)
    browser.seconds(page)
    left, top, right, bottom = browser.ask("Runtime.evaluate", expression=_PLACE, returnByValue=True)["result"]["value"]
    clip = {
        "x": left - MARGIN, "y": top - MARGIN, "width": right - left + 2 * MARGIN, "height": bottom - top + 2 * MARGIN,
        "scale": 1,
    }  # fmt: skip
    made = browser.ask("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
    return base64.b64decode(made["data"])


def main(arguments: list[str]) -> None:
    """Write the picture."""
    page, out = map(Path, arguments)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(str(Path(folder) / "profile"))
        out.write_bytes(picture(browser, page))
        browser.close()
    print(f"{out}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
