"""Draw the picture of the README: the demo's report in a browser.

Run `python docs/pictures.py`. It needs what `make test-full` installs: playwright and Debian's chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).parent / "_static"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
]


def main() -> None:
    """Run the demo and take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ordeval", "demo"]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)  # noqa: S603 - our own command
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=ARGUMENTS
            )
            size = {"width": 1280, "height": 1000}
            tab = browser.new_page(viewport=size)
            tab.goto((Path(folder) / "ordeval-demo" / "report.html").as_uri())
            tab.screenshot(path=STATIC / "report.png")
            browser.close()


if __name__ == "__main__":
    main()
