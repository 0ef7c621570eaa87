"""Draw the pictures of the README: the demo's report in a browser, and the demo in a terminal.

Run `python docs/pictures.py`. It needs what `make test-full` installs: playwright and Debian's chromium.
"""

import html
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

STATIC = Path(__file__).parent / "_static"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
]
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #12161b; }}
pre {{ margin: 0; padding: 20px 24px; width: max-content; color: #e6e9ec;
  font: 14px/1.42 "DejaVu Sans Mono", monospace; }}
i {{ color: #4fd1a5; font-style: normal; }}
</style><pre><i>$</i> ordeval demo
{text}</pre>"""
LINES = 44  # of the terminal, at most


def main() -> None:
    """Run the demo and take both pictures."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "COLUMNS": "80"}
        command = [sys.executable, "-m", "ordeval", "demo"]
        demo = subprocess.run(  # noqa: S603 - our own command
            command, cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        lines = demo.stdout.splitlines()[:LINES]
        screen = Path(folder) / "terminal.html"
        screen.write_text(
            TERMINAL.format(text=html.escape("\n".join([*lines, "..."]))), encoding="utf-8"
        )
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=ARGUMENTS
            )
            picture(
                browser,
                Path(folder) / "ordeval-demo" / "report.html",
                "report.png",
                width=1180,
                height=2170,
                scale=0.85,
            )
            picture(browser, screen, "terminal.png", width=760)
            browser.close()


def picture(
    browser: Browser,
    page: Path,
    name: str,
    *,
    width: int,
    height: int | None = None,
    scale: float = 1,
) -> None:
    """Save a picture of a page from its top down to a height; None: down to its end."""
    tab = browser.new_page(viewport={"width": width, "height": 900}, device_scale_factor=scale)
    tab.goto(page.as_uri())
    full = height or int(tab.evaluate("document.documentElement.scrollHeight"))
    area = {"x": 0, "y": 0, "width": width, "height": full}
    tab.screenshot(path=STATIC / name, full_page=True, clip=area)
    tab.close()


if __name__ == "__main__":
    main()
