"""Take the pictures of the web board that the README and the pages show: docs/images/board.png.

Needs the built page (`make web`), chromium and Playwright, as the browser tests do.
"""

import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent.parent / "docs" / "images"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
SIZE = {"width": 1180, "height": 760}
FRIED_LIVER = "r1bqkb1r/ppp2ppp/2n5/3np1N1/2B5/8/PPPP1PPP/RNBQK2R w KQkq - 0 6"
THINKING_MS = 6_000


def address_of(server):
    """Where the server says it listens."""
    return next(word for line in server.stdout for word in line.split() if word.startswith("http://"))


def take(address):
    """Open the analysis of a position, let it think a while, and keep what the screen shows."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        page.goto(f"{address}#analyse?{urllib.parse.urlencode({'fen': FRIED_LIVER})}")
        page.locator("#panel-analyse cg-board piece").first.wait_for()
        page.keyboard.press("Space")
        page.wait_for_timeout(THINKING_MS)
        page.screenshot(path=FOLDER / "board.png")
        browser.close()


def main():
    """Serve the board, take the pictures, end it."""
    command = [sys.executable, "-m", "quiesce", "serve", "--port", "0", "--engines", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            take(address_of(server))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
