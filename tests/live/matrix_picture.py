"""The matrix of a report as a picture: `python -m tests.live.matrix_picture REPORT/index.html docs/third-parties.png`.

Opens the report in Chromium, turns its matrix so that the groups go down and the tapes across, which can be read in
the width of a page, and keeps nothing but that table.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

from tests.live.opening import Browser

WIDTH, MARGIN, SCALE = 2_400, 16, 1.5
_TURNED = """(() => {
    const head = [...document.querySelectorAll('h2')].find(one => one.textContent.startsWith('Implementations'));
    const rows = [...head.parentElement.querySelector('table').rows];
    const turned = document.createElement('table');
    turned.className = 'matrix';
    for (let at = 0; at < rows[0].cells.length; at += 1) {
        const made = turned.insertRow();
        for (const row of rows.filter(one => one.cells[at])) {
            const cell = row.cells[at].cloneNode(true);
            [cell.rowSpan, cell.colSpan] = [cell.colSpan, 1];
            cell.querySelectorAll('small').forEach(one => one.remove());
            Object.assign(cell.style, {position: 'static', minWidth: 0, textAlign: 'left', verticalAlign: 'top',
                padding: '3px 14px 3px 0', whiteSpace: cell.rowSpan > 1 ? 'normal' : 'nowrap'});
            made.append(cell);
        }
    }
    Object.assign(turned.style, {width: 'max-content', margin: '16px'});
    document.body.replaceChildren(turned);
    const {left, top, right, bottom} = turned.getBoundingClientRect();
    return [left, top + scrollY, right, bottom + scrollY];
})()"""


def picture(browser: Browser, page: Path) -> bytes:
    """The matrix of a report as PNG."""
    browser.ask("Emulation.setDeviceMetricsOverride", width=WIDTH, height=900, deviceScaleFactor=1, mobile=False)
    browser.seconds(page)
    left, top, right, bottom = browser.ask("Runtime.evaluate", expression=_TURNED, returnByValue=True)["result"][
        "value"
    ]
    clip = {
        "x": left - MARGIN, "y": top - MARGIN, "width": right - left + 2 * MARGIN,
        "height": bottom - top + 2 * MARGIN, "scale": SCALE,
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
