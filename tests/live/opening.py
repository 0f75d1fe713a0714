"""How long Chromium takes to open a report: `python -m tests.live.opening FILE`, or nine times ten thousand programs.

Prints the page's size, and the time from the start of loading to the end of the load event, the median of five. Exits
with 1 when the page is larger than 2 MB or takes longer than a second.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import reports
from tests.reports.test_trend import nine

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MOST_BYTES, MOST_SECONDS, TIMES = 2_000_000, 1.0, 5
_ASKED = "(() => { const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime; })()"


class Browser:
    """A headless browser that is spoken to over two pipes, as its developer tools do."""

    def __init__(self, profile: str) -> None:
        name = next((found for one in BROWSERS if (found := shutil.which(one))), None)
        if name is None:
            raise SystemExit(f"none of {', '.join(BROWSERS)} is installed")
        self._number, self._session = 0, ""
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        self._process = subprocess.Popen(
            [
                "/bin/sh", "-c", f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}', name, "--headless", "--no-sandbox",
                "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={profile}",
            ],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._rest = b""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to one command."""
        self._number += 1
        asked: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._to, json.dumps(asked).encode() + b"\0")
        return self._next(lambda said: said.get("id") == self._number)["result"]

    def _next(self, wanted: Any) -> dict[str, Any]:
        while True:
            while b"\0" not in self._rest:
                more = os.read(self._from, 1 << 16)
                if not more:
                    raise SystemExit("the browser is gone")
                self._rest += more
            line, _, self._rest = self._rest.partition(b"\0")
            said = json.loads(line)
            if wanted(said):
                return said

    def seconds(self, page: Path) -> float:
        """From the start of loading to the end of the load event."""
        self.ask("Page.navigate", url=page.resolve().as_uri())
        self._next(lambda said: said.get("method") == "Page.loadEventFired")
        return self.ask("Runtime.evaluate", expression=_ASKED, returnByValue=True)["result"]["value"] / 1000

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait()


def main(arguments: list[str]) -> int:
    """Measure; 0 when the page is small and fast enough."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(arguments[0]) if arguments else Path(folder) / "index.html"
        if not arguments:
            first, *others = nine()
            reports.write_html(others[0], page, others=[first, *others[1:]])
        browser = Browser(str(Path(folder) / "profile"))
        took = statistics.median(browser.seconds(page) for _ in range(TIMES))
        browser.close()
        size = page.stat().st_size
    print(f"{size:,} bytes, opened in {took:.2f} s (median of {TIMES})")
    return 0 if size < MOST_BYTES and took < MOST_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
