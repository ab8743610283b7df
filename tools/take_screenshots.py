"""Take the pictures of the web board that the README and the pages show: docs/images/board.png, why.png and tree.png.

Needs the built page (`make web`), chromium and Playwright, as the browser tests do.
"""

import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

from playwright.sync_api import sync_playwright

from quiesce.web.tour import CAPTURES

FOLDER = Path(__file__).parent.parent / "docs" / "images"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
POISONED_PAWN = "e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6,c1g5,e7e6,f2f4,d8b6,d1d2,b6b2"
POISONED_GRAB = "c2c4,c7c5,g1f3,d7d6,b1c3,g8f6,e2e4,f6e4"
TRIED = (("ArrowLeft", ""), ("m", "Be7"), ("c", "declines"), ("m", "O-O-O"))
"""Keys and what is typed after them: a variation with a comment."""
THINKING_MS, SETTLING_MS, COMPILING_MS = 6_000, 1_000, 300_000


def opened(browser, size, address, tab, **query):
    """A page of this size with a tab open."""
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)), reduced_motion="reduce")
    page.goto(f"{address}#{tab}?{urllib.parse.urlencode(query)}")
    return page


def take_board(browser, address):
    """Open the analysis of a game, let it think a while, and keep what the screen shows."""
    page = opened(browser, (1300, 800), address, "analyse", moves=POISONED_PAWN)
    page.locator("#panel-analyse cg-board piece").first.wait_for()
    for key, said in TRIED:
        page.keyboard.press(key)
        page.keyboard.type(said)
        page.keyboard.press("Enter" if key == "m" else "Escape")
        page.keyboard.press("Escape")
    for _ in TRIED:
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.evaluate("window.scrollTo(0, 0)")
    page.wait_for_timeout(THINKING_MS)
    page.screenshot(path=FOLDER / "board.png")
    page.close()


def take_why(browser, address):
    """Ask why a pawn should not be taken, and keep the answer with its tree."""
    page = opened(browser, (1280, 860), address, "analyse", moves=POISONED_GRAB)
    page.locator("#panel-analyse cg-board piece").first.wait_for()
    page.keyboard.press("w")
    page.locator("#panel-analyse .why .node").first.wait_for(timeout=COMPILING_MS)
    page.wait_for_timeout(SETTLING_MS)
    page.screenshot(path=FOLDER / "why.png")
    page.close()


def take_tree(browser, address):
    """Open a tree of quiescence, once the kernels that record it are there."""
    page = opened(browser, (1280, 860), address, "quiescence", fen=CAPTURES)
    page.locator("#panel-quiescence .node").first.wait_for(timeout=COMPILING_MS)
    page.wait_for_timeout(SETTLING_MS)
    page.screenshot(path=FOLDER / "tree.png")
    page.close()


def address_of(server):
    """Where the server says it listens."""
    return next(word for line in server.stdout for word in line.split() if word.startswith("http://"))


def main():
    """Serve the board, take the pictures, end it."""
    command = [sys.executable, "-m", "quiesce", "serve", "--port", "0", "--engines", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        try:
            address = address_of(server)
            take_board(browser, address)
            take_tree(browser, address)
            take_why(browser, address)
        finally:
            browser.close()
            server.terminate()


if __name__ == "__main__":
    main()
