"""The tab to analyse on: lines that grow and end, games loaded and reviewed."""

import re

import pytest

from tests.web.conftest import KIWIPETE, settled, status

from .pages import Between, expect, load, moves, until

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


def test_a_review_goes_on_while_one_looks_elsewhere(visit, address):
    """It is done when one comes back, nothing is woken by its end unseen, and the engine's switch works then."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 5))
    page.get_by_role("switch", name="Engine").click()
    settled(address, running=1)
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 21"))).to_be_visible()
    page.get_by_role("tab", name="Play").click()
    settled(address, running=0, seconds=30)
    page.wait_for_timeout(UNSEEN)
    assert status(address)["running"] == 0
    assert "#play" in page.url
    page.get_by_role("tab", name="Analyse").click()
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()
    expect(page.locator("#panel-analyse .graph")).to_be_visible()
    settled(address, running=1)


def test_a_review_is_taken_up_when_the_connection_is_back(visit):
    """Broken off by a lost server, it begins again by itself and comes to its end."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 5))
    between = Between(page)
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 21"))).to_be_visible()
    between.lose()
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled(timeout=30_000)
    until(page, lambda: between.count("review") == 2)
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled(timeout=30_000)
    expect(page.locator("#panel-analyse .graph")).to_be_visible()


def test_another_game_ends_a_review(visit, address):
    """Loaded in the middle of one: the engine looks at the new game at once, and a review of it may begin."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 20))
    page.get_by_role("switch", name="Engine").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 81"))).to_be_visible()
    load(page, "1. e4 e5 2. Nf3 *")
    button = page.get_by_role("button", name="Review the game")
    expect(button).to_be_enabled()
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile(r"^Depth "))
    assert settled(address, running=1, waiting=0)
    button.click()
    expect(page.locator("#panel-analyse .graph")).to_be_visible()
    expect(button).to_be_enabled()


def test_a_move_tried_leaves_a_review_alone(visit, address):
    """It goes on; when it is done, the engine looks at what was tried."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 10))
    page.get_by_role("switch", name="Engine").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 41"))).to_be_visible()
    page.locator("body").press("Home")
    page.get_by_label("Type a move").locator("visible=true").fill("e4")
    page.keyboard.press("Enter")
    expect(moves(page, "analyse")).to_have_count(41)
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled(timeout=30_000)
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile(r"^Depth "))
    assert settled(address, running=1, waiting=0)
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#panel-analyse .graph")).to_be_visible()
    expect(page.get_by_role("button", name="Back to the game")).to_be_hidden()


def test_an_analysis_that_ends_by_itself_says_so(visit):
    """The numbers stay, with a word on why they do not grow; the switch begins again."""
    page = visit("#analyse")
    ended = []

    def end_first(said):
        if "report" not in said or ended:
            return said
        ended.append(said)
        return {"number": said["number"], "answer": said["report"]}

    Between(page, change=end_first)
    switch, facts = page.get_by_role("switch", name="Engine"), page.locator("#panel-analyse .facts")
    switch.click()
    expect(facts).to_have_text(re.compile("the search has ended; switch the engine off and on for another$"))
    switch.click()
    switch.click()
    expect(facts).to_have_text(re.compile(r"^Depth .*/s$"))


def test_a_game_is_come_back_to(visit):
    """A line tried in a reviewed game is a variation of it; going back leads to where it left, with marks and graph."""
    page = visit("#analyse")
    load(page, '[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1')
    page.get_by_role("button", name="Review the game").click()
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Qh4#"])
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()
    back = page.get_by_role("button", name="Back to the game")
    expect(back).to_be_hidden()
    moves(page, "analyse").nth(1).click()
    for said in ("Nh3", "d5"):
        page.get_by_label("Type a move").locator("visible=true").fill(said)
        page.keyboard.press("Enter")
        expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text(said)
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Nh3", "d5", "Qh4#"])
    expect(page.locator("#panel-analyse .headers")).to_have_text("A \N{EN DASH} B, 0-1")
    back.click()
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Nh3", "d5", "Qh4#"])
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("e5")
    expect(page.locator("#panel-analyse .graph .mark.blunder")).to_have_count(1)
    expect(back).to_be_hidden()


def test_a_click_on_the_graph_goes_there(visit):
    """Half way along it, half way through the game."""
    page = visit("#analyse")
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()
    page.locator("#panel-analyse .graph").click()
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("e5")
    expect(page).to_have_url(re.compile("ply=2"))


def test_a_line_of_the_engine_becomes_a_variation(visit):
    """Clicked, it is played beside the game, which stays; playing the game's own move walks on in it."""
    page = visit("#analyse")
    load(page, '[White "A"]\n[Black "B"]\n\n1. a3 h6 2. h3 a6 *')
    page.get_by_role("switch", name="Engine").click()
    page.locator("#panel-analyse .lines li .move").first.click()
    expect(moves(page, "analyse")).to_have_count(5)
    expect(page.locator("#panel-analyse .headers")).to_have_text("A \N{EN DASH} B")
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Type a move").locator("visible=true").fill("a3")
    page.keyboard.press("Enter")
    expect(moves(page, "analyse")).to_have_count(5)
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("a3")
    expect(page.get_by_role("button", name="Back to the game")).to_be_hidden()


def test_a_tree_gets_the_moves_before_it(visit):
    """From a game, at the ply that is shown: a position that comes for the third time is a draw."""
    moves = ",".join(["g1f1", "g8f8", "f1g1", "f8g8"] * 2)
    page = visit(f"#analyse?fen=r5k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1&moves={moves}")
    page.get_by_role("button", name="Quiescence here").click()
    details = page.locator("#panel-quiescence .details")
    expect(details).to_contain_text("drawn by repetition")
    expect(page).to_have_url(re.compile("moves=g1f1"))


def with_score(**score):
    """Changes every report of the server so that its best line has this score."""

    def changed(said):
        if "report" in said:
            said["report"]["lines"][0] |= score
        return said

    return changed


@pytest.mark.parametrize(
    ("score", "shown", "read_out"),
    [
        ({"cp": 196, "mate": None}, "2.0", "+1.96"),
        ({"cp": -4, "mate": None}, "0.0", "\N{MINUS SIGN}0.04"),
        ({"cp": None, "mate": -3}, "#-3", "#-3"),
    ],
)
def test_the_bar_rounds(visit, score, shown, read_out):
    """Nearly two pawns are 2.0, not 1.9; what is read out is exact, and a mate is a mate."""
    page = visit("#analyse")
    Between(page, change=with_score(**score))
    page.get_by_role("switch", name="Engine").click()
    bar = page.get_by_role("meter", name="White's expected points")
    expect(bar.locator("b")).to_have_text(shown)
    expect(bar).to_have_attribute("aria-valuetext", read_out)


def test_the_arrow_goes_with_the_engine(visit):
    """While it runs the first move of each line is drawn; once it is off, nothing is."""
    page = visit(f"#analyse?fen={KIWIPETE}")
    switch, arrow = page.get_by_role("switch", name="Engine"), page.locator("#panel-analyse .cg-shapes line")
    switch.click()
    expect(arrow).to_have_count(3)
    switch.click()
    expect(arrow).to_have_count(0)
