"""What people do on the page, for the tests of all tabs."""

import chess
import pytest

expect = pytest.importorskip("playwright.sync_api", reason="PLAYWRIGHT IS NOT INSTALLED: no browser tests").expect


def square(page, name, panel="play"):
    """The middle of a square on the screen, White below."""
    box = page.locator(f"#panel-{panel} cg-board").bounding_box()
    side = box["width"] / 8
    file, rank = chess.FILE_NAMES.index(name[0]), int(name[1]) - 1
    return box["x"] + (file + 0.5) * side, box["y"] + (7.5 - rank) * side


def click_move(page, uci, panel="play"):
    """Make a move as people do: click the man, click where it goes."""
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
    return dialog


def moves(page, panel="play"):
    """The moves in the list, in SAN."""
    return page.locator(f"#panel-{panel} .moves .move")
