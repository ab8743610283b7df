"""A club player's evening: a file of ten games, three walked, one of them on a phone, and a killed server."""

import io
import subprocess
import sys
from contextlib import contextmanager

import chess.pgn
import pytest

from .pages import expect, load, moves
from .test_board import CURRENT, TEN, load_file

PHONE = {"width": 390, "height": 844}


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


def say(page, move):
    """Type a move."""
    page.keyboard.press("m")
    page.keyboard.type(move)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def comment(page, text):
    """Comment on the move shown."""
    page.keyboard.press("c")
    page.keyboard.type(text)
    page.keyboard.press("Escape")


def saved(page):
    """The games of the file that the page writes."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save PGN").click()
    text = io.StringIO(download.value.path().read_text())
    return list(iter(lambda: chess.pgn.read_game(text), None))


def walk_the_first(page, server):
    """The first game by keyboard: a variation with a comment, and a mark, before and after the server has gone."""
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(CURRENT)).to_have_text("Nf3")
    page.keyboard.press("ArrowLeft")
    say(page, "f4")
    comment(page, "the King's Gambit")
    server.kill()
    server.wait()
    say(page, "exf4")
    comment(page, "taken while nobody served")
    expect(page.locator("#panel-analyse .variation .move")).to_have_text(["f4", "exf4"])


def walk_the_second(page):
    """The second game, once the engine works again: two tries at one place, one of them taken back by a key."""
    page.reload()
    expect(page.locator(CURRENT)).to_have_text("exf4")
    expect(page.get_by_label("Comment on this move")).to_have_value("taken while nobody served")
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator("#panel-analyse .lines .move").first).to_be_visible(timeout=30_000)
    page.keyboard.press("]")
    expect(page.get_by_role("button", name="Game 2 of 10")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    say(page, "Nf6")
    page.keyboard.press("ArrowLeft")
    say(page, "d6")
    page.keyboard.press("Delete")
    expect(page.locator("#panel-analyse .variation .move")).to_have_text(["Nf6"])


def walk_the_third(page):
    """The third game, with a finger: by the buttons under the board, with a try on the board itself."""
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").tap()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").tap()
    load(page, TEN)
    page.get_by_role("button", name="Game 1 of 10").tap()
    page.get_by_role("dialog", name="Games").get_by_role("button", name="3. White3").tap()
    steps = page.locator("#panel-analyse .steps")
    for _ in range(2):
        steps.get_by_role("button", name="One move forward").tap()
    expect(page.locator(CURRENT)).to_have_text("e5")
    board = page.locator("#panel-analyse cg-board").bounding_box()
    side = board["width"] / 8
    for file, rank in ((1, 0), (2, 2)):
        page.touchscreen.tap(board["x"] + (file + 0.5) * side, board["y"] + (7.5 - rank) * side)
    expect(page.locator(CURRENT)).to_have_text("Nc3")
    page.get_by_text("Comment, marks, variations").tap()
    page.get_by_label("Comment on this move").fill("by thumb")
    page.get_by_label("Comment on this move").blur()
    box = page.locator("#panel-analyse cg-board").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= PHONE["height"]


@pytest.mark.timeout(180)
def test_an_evening(browser, tmp_path):
    """Lines are tried and commented in three of ten games; a kill and reloads lose nothing; the PGN has it all."""
    file = tmp_path / "evening.pgn"
    file.write_text(TEN)
    page = browser.new_page()
    with process(0) as (address, server):
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        page.goto(f"{address}#analyse")
        load_file(page, file)
        walk_the_first(page, server)
    with process(port):
        walk_the_second(page)
        games = saved(page)
        assert len(games) == 10
        assert [game.headers["White"] for game in games] == [f"White{number}" for number in range(1, 11)]
        gambit = games[0].next().next().variations[1]
        assert (gambit.san(), gambit.comment) == ("f4", "the King's Gambit")
        assert (gambit.next().san(), gambit.next().comment) == ("exf4", "taken while nobody served")
        assert [node.san() for node in games[1].end().parent.variations] == ["a6", "Nf6"]
        assert all(len(list(game.mainline_moves())) == 6 for game in games)
        page.close()
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        phone = context.new_page()
        phone.goto(f"{address}#analyse")
        expect(moves(phone, "analyse")).to_have_count(0)
        walk_the_third(phone)
        phone.reload()
        expect(phone.locator(CURRENT)).to_have_text("Nc3")
        third = saved(phone)[2]
        assert [node.san() for node in third.next().next().variations] == ["Nf3", "Nc3"]
        assert third.next().next().variations[1].comment == "by thumb"
        context.close()
