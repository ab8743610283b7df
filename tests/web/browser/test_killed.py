"""A server process that is killed in the middle of an evening, and started again."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

from .pages import expect
from .test_board import CURRENT, TEN, load_file


@contextmanager
def process(port):
    """A real server; gives its address and the process."""
    words = ["serve", "--port", str(port), "--engines", "1", "--hash", "1"]
    command = [sys.executable, "-m", "quiesce", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            yield server.stdout.readline().split()[4], server
        finally:
            server.kill()


@pytest.mark.timeout(120)
def test_a_killed_server_loses_nothing(browser, tmp_path):
    """Moves and comments made before and while it was away are kept over a reload; then the engine works again."""
    file = tmp_path / "evening.pgn"
    file.write_text(TEN)
    page = browser.new_page()
    with process(0) as (address, server):
        page.goto(f"{address}#analyse")
        load_file(page, file)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("c")
        page.keyboard.type("before")
        page.keyboard.press("Escape")
        server.kill()
        server.wait()
    page.keyboard.press("m")
    page.keyboard.type("c5")
    page.keyboard.press("Enter")
    expect(page.locator(CURRENT)).to_have_text("c5")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.type("while it was away")
    page.keyboard.press("Escape")
    with process(int(address.rstrip("/").rsplit(":", 1)[1])):
        page.reload()
        expect(page.locator(CURRENT)).to_have_text("c5")
        expect(page.get_by_label("Comment on this move")).to_have_value("while it was away")
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_label("Comment on this move")).to_have_value("before")
        page.get_by_role("switch", name="Engine").click()
        expect(page.locator("#panel-analyse .lines")).to_contain_text("e5", timeout=30_000)
        page.close()
