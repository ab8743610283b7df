"""Studies: chapters made, named, deleted and kept in the browser; colours of the board; accuracy of a game."""

import io
import re

import chess.pgn

from .pages import expect, load, moves, new_game


def saved(page):
    """The games of the file that the page writes."""
    with page.expect_download() as download:
        page.locator("#panel-analyse").get_by_role("button", name="Save PGN").click()
    text = io.StringIO(download.value.path().read_text())
    return list(iter(lambda: chess.pgn.read_game(text), None))


def opened(page):
    """The dialog of the games."""
    page.locator("body").press("g")
    return page.get_by_role("dialog", name="Games")


def say(page, move):
    """Type a move."""
    page.keyboard.press("m")
    page.keyboard.type(move)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def test_a_study_is_begun_named_and_written(visit):
    """Two chapters, the second from a position with its moves; a reload keeps them, the PGN has them."""
    page = visit("#analyse")
    opened(page).get_by_role("button", name="New study").click()
    expect(moves(page, "analyse")).to_have_count(0)
    say(page, "e4")
    expect(moves(page, "analyse")).to_have_text(["e4"])
    dialog = opened(page)
    dialog.get_by_label("Name of this study").fill("French")
    dialog.get_by_label("Name of this chapter").fill("The start")
    dialog.get_by_role("button", name="Add from this position").click()
    expect(page.get_by_role("button", name="Game 2 of 2")).to_be_visible()
    say(page, "e6")
    page.reload()
    expect(moves(page, "analyse")).to_have_text(["e6"])
    dialog = opened(page)
    expect(dialog.get_by_label("Name of this study")).to_have_value("French")
    listed = dialog.get_by_role("list", name="Games of this file").get_by_role("button")
    expect(listed).to_have_text(["1. The start", "2. Chapter 2"])
    dialog.get_by_role("button", name="Close").click()
    first, second = saved(page)
    assert (first.headers["Event"], first.next().san()) == ("The start", "e4")
    assert (second.headers["Event"], second.next().san()) == ("Chapter 2", "e6")
    assert second.board().fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_a_chapter_without_a_move_keeps_its_position(visit):
    """It is come back to as it was set up."""
    page = visit("#analyse")
    load(page, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    opened(page).get_by_role("button", name="Add from this position").click()
    opened(page).get_by_role("button", name="Add a chapter").click()
    expect(page.locator("#panel-analyse cg-board piece")).to_have_count(32)
    page.locator("body").press("[")
    expect(page.locator("#panel-analyse cg-board piece")).to_have_count(3)


def test_a_chapter_is_deleted(visit):
    """Those after it move up; the last one cannot be."""
    page = visit("#analyse")
    load(
        page, "\n\n".join(f'[White "{name}"]\n[Black "Z"]\n\n1. {move} *' for name, move in (("A", "e4"), ("B", "d4")))
    )
    opened(page).get_by_role("button", name="Delete this chapter").click()
    expect(moves(page, "analyse")).to_have_text(["d4"])
    [left] = saved(page)
    assert left.headers["White"] == "B"
    expect(opened(page).get_by_role("button", name="Delete this chapter")).to_be_hidden()


def test_names_with_quotes_stay_as_they_are(visit):
    """In games that were never opened, too: quotes and backslashes neither end a header nor add one."""
    page = visit("#analyse")
    names = ('A \\"x\\" B', "x\\\\", '[Evil \\"y\\"]')
    load(page, "\n\n".join(f'[White "{name}"]\n[Black "Z"]\n\n1. e4 *' for name in names))
    expect(page.get_by_role("button", name="Game 1 of 3")).to_be_visible()
    games = saved(page)
    assert tuple(game.headers["White"] for game in games) == names  # python-chess leaves them escaped, as they came
    assert not any("Evil" in game.headers for game in games)


def test_a_board_has_colours(visit):
    """Each press brings others; a reload keeps them."""
    page = visit("#play")
    root = page.locator("html")
    seen = set()
    for _ in range(4):
        page.get_by_role("button", name="Colours of the board").click()
        seen.add(page.locator("cg-board").first.evaluate("board => getComputedStyle(board).backgroundImage"))
    assert len(seen) == 4
    page.get_by_role("button", name="Colours of the board").click()
    expect(root).to_have_attribute("data-board", "green")
    page.reload()
    expect(root).to_have_attribute("data-board", "green")


def test_accuracy_of_both_sides_is_told(visit):
    """After a review, with the marks counted, and again after a reload."""
    page = visit("#analyse")
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    page.get_by_role("button", name="Review the game").click()
    told = page.get_by_text(re.compile(r"^White: accuracy [\d.]+ %, .*1 blunder\. Black: accuracy [\d.]+ %"))
    expect(told).to_be_visible(timeout=30_000)
    page.reload()
    expect(told).to_be_visible()


def test_chess960_begins_from_a_start_by_lot(visit):
    """Without a FEN; kings between rooks, bishops on both colours, and seldom the same twice."""
    page = visit("#play")
    found = set()
    for _ in range(3):
        page.get_by_role("button", name="New game").click()
        page.get_by_role("dialog", name="New game").get_by_label("Chess960").check()
        page.get_by_role("dialog", name="New game").get_by_role("button", name="Cancel").click()
        new_game(page)
        page.get_by_role("button", name="Analyse this game").click()
        board = chess.Board(page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('fen')"), chess960=True)
        assert board.is_valid()
        assert board.chess960_pos() is not None
        found.add(board.chess960_pos())
        page.get_by_role("tab", name="Play").click()
    assert len(found) > 1
