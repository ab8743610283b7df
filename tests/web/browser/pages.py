"""What people do on the page, for the tests of all tabs."""

import json

import chess
import pytest

from tests.web.browser.conftest import READY, drawn

expect = pytest.importorskip("playwright.sync_api", reason="PLAYWRIGHT IS NOT INSTALLED: no browser tests").expect


CLIPBOARD = ["clipboard-read", "clipboard-write"]
"""What a browser must be allowed for links and games to be copied."""
ANSWERED = """() => {
    const dialog = document.querySelector("dialog[open]");
    return !dialog || dialog.querySelector(".trouble").textContent;
}"""
"""Did the server take what a dialog asked for, or refuse it?"""


def square(page, name, panel="play"):
    """The middle of a square on the screen, White below."""
    box = page.locator(f"#panel-{panel} cg-board").bounding_box()
    side = box["width"] / 8
    file, rank = chess.FILE_NAMES.index(name[0]), int(name[1]) - 1
    return box["x"] + (file + 0.5) * side, box["y"] + (7.5 - rank) * side


def click_move(page, uci, panel="play"):
    """Make a move as people do: click the piece, click where it goes."""
    for name in (uci[:2], uci[2:4]):
        page.mouse.click(*square(page, name, panel))


def drag_move(page, uci, panel="play"):
    """Make a move by dragging."""
    page.mouse.move(*square(page, uci[:2], panel))
    page.mouse.down()
    page.mouse.move(*square(page, uci[2:4], panel), steps=4)
    page.mouse.up()


def new_game(page, fen="", side="White", strength=None):
    """Start a game by the dialog."""
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Your side").select_option(label=side)
    dialog.get_by_label("FEN").fill(fen)
    if strength is not None:
        dialog.get_by_role("slider", name="Strength").fill(strength)
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_function(ANSWERED)
    return dialog


def moves(page, panel="play"):
    """The moves in the list, in SAN."""
    return page.locator(f"#panel-{panel} .moves .move")


def load(page, text):
    """Load a FEN or a PGN by the dialog."""
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("FEN or PGN").fill(text)
    dialog.get_by_role("button", name="Load").click()
    expect(dialog).to_be_hidden()


class Between:
    """Stands between a page and the server: counts what is asked, changes what is answered, holds it back if told.

    The page is loaded again, and waited for unless it cannot get ready.
    """

    def __init__(self, page, change=lambda said: said, hold=lambda asked: False, gets_ready=True):  # noqa: ARG005
        self.asked = []
        self.held = []
        self._change = change
        self._hold = hold
        self._late = set()
        page.route_web_socket("**/socket", self._pass_on)
        page.reload()
        drawn(page)
        if gets_ready:
            page.wait_for_function(READY)

    def count(self, todo):
        """How often something was asked for."""
        return sum(asked["do"] == todo for asked in self.asked)

    def lose(self):
        """Break the connection as a server does that is gone."""
        self._route.close()

    def release(self):
        """Send the answer that was held back first."""
        self.held.pop(0)()

    def _pass_on(self, route):
        server = route.connect_to_server()
        self._route = route

        def ask(message):
            asked = json.loads(message)
            self.asked.append(asked)
            if self._hold(asked):
                self._late.add(asked["number"])
            server.send(message)

        def answer(message):
            said = json.loads(message)
            text = json.dumps(self._change(said))
            if said.get("number") in self._late:
                self.held.append(lambda: route.send(text))
            else:
                route.send(text)

        route.on_message(ask)
        server.on_message(answer)


def until(page, is_so, patience=10_000):
    """Let the page live until something is so."""
    for _ in range(patience // 20):
        if is_so():
            return
        page.wait_for_timeout(20)
    pytest.fail("it did not come to be")
