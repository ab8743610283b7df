"""The tab to analyse on: lines that grow and end, games loaded and reviewed."""

import re

from tests.web.conftest import KIWIPETE, settled, status

from .pages import expect, moves

UNSEEN = 1_000
"""Milliseconds in which an engine would have been started."""


def test_analysis_starts_and_stops(visit, address):
    """Lines grow while the switch is on; off, elsewhere or closed, nothing runs."""
    page = visit(f"#analyse?fen={KIWIPETE}")
    assert status(address)["running"] == 0
    switch = page.get_by_role("switch", name="Engine")
    switch.click()
    lines = page.locator("#panel-analyse .lines li")
    expect(lines).to_have_count(3)
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile(r"Depth \d+/\d+ · .* nodes · .*/s"))
    page.get_by_label("Lines", exact=True).select_option("5")
    expect(lines).to_have_count(5)
    settled(address, running=1)
    switch.click()
    settled(address, running=0)
    page.locator("#panel-analyse .facts").click()
    page.keyboard.press("Space")
    settled(address, running=1)
    page.get_by_role("tab", name="Play").click()
    settled(address, running=0)
    page.get_by_role("tab", name="Analyse").click()
    settled(address, running=1)
    page.close()
    settled(address, running=0, browsers=0)


def test_a_line_is_played_onto_the_board(visit):
    """Clicking the second move of a line plays two moves, and the address follows."""
    page = visit("#analyse")
    page.get_by_role("switch", name="Engine").click()
    second = page.locator("#panel-analyse .lines li").first.locator(".move").nth(1)
    second.wait_for()
    page.get_by_role("switch", name="Engine").click()
    page.get_by_label("Lines", exact=True).select_option("1")
    page.get_by_role("switch", name="Engine").click()
    second.click()
    expect(moves(page, "analyse")).to_have_count(2)
    assert "moves=" in page.url


def test_a_game_is_loaded_and_reviewed(visit):
    """PGN in, a graph with the blunder marked, keys to walk through."""
    page = visit("#analyse")
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("FEN or PGN").fill("1. Ke5 *")
    dialog.get_by_role("button", name="Load").click()
    expect(dialog.get_by_role("alert")).to_contain_text("the game cannot be read")
    dialog.get_by_label("FEN or PGN").fill('[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1')
    dialog.get_by_role("button", name="Load").click()
    expect(moves(page, "analyse")).to_have_count(4)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#panel-analyse .graph .mark.blunder")).to_have_count(1)
    expect(moves(page, "analyse").nth(2)).to_have_text("g4??")
    page.locator("body").press("End")
    expect(page.locator("#panel-analyse .facts")).to_have_text("checkmate, 0-1")
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("g4??")


def test_nothing_runs_unseen_after_a_review(visit, address):
    """A review left in the middle ends, and does not wake the engine's switch; coming back does."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 10))
    page.get_by_role("switch", name="Engine").click()
    settled(address, running=1)
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile("Reviewing 1 of 40"))).to_be_visible()
    page.get_by_role("tab", name="Play").click()
    page.wait_for_timeout(UNSEEN)
    assert status(address)["running"] == 0
    assert "#play" in page.url
    page.get_by_role("tab", name="Analyse").click()
    settled(address, running=1)
