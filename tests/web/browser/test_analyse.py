"""The tab to analyse on: lines that grow and end, games loaded and reviewed."""

import re

import pytest

from tests.web.conftest import KIWIPETE, settled, status

from .pages import Between, expect, moves, until

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
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 40"))).to_be_visible()
    page.get_by_role("tab", name="Play").click()
    page.wait_for_timeout(UNSEEN)
    assert status(address)["running"] == 0
    assert "#play" in page.url
    page.get_by_role("tab", name="Analyse").click()
    settled(address, running=1)


def load(page, text):
    """Load a FEN or a PGN by the dialog."""
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("FEN or PGN").fill(text)
    dialog.get_by_role("button", name="Load").click()
    expect(dialog).to_be_hidden()


def test_of_several_games_the_first_is_taken(visit):
    """And the page says so."""
    page = visit("#analyse")
    load(page, "1. e4 e5 *\n\n1. d4 d5 2. c4 *")
    expect(moves(page, "analyse")).to_have_text(["e4", "e5"])
    expect(page.locator(".toast")).to_have_text("this text goes on after its first game: only that was taken")


def test_a_long_file_in_other_letters_is_read(visit, tmp_path):
    """Its first letters, as many as are allowed, which is said; the connection lives."""
    file = tmp_path / "long.pgn"
    file.write_text("1. e4 {" + "\N{CYRILLIC SMALL LETTER ZHE}" * 49_000 + "\x01} e5 *\n\n" + "1. d4 *\n" * 1_000)
    page = visit("#analyse")
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("Open a file").set_input_files(file)
    expect(dialog.get_by_role("alert")).to_have_text("The file is long: here are its first 50,000 letters.")
    dialog.get_by_role("button", name="Load").click()
    expect(moves(page, "analyse")).to_have_text(["e4", "e5"])
    expect(page.locator(".state")).to_have_text("ready")


def test_another_game_ends_a_review(visit, address):
    """Loaded in the middle of one: the engine looks at the new game at once, and a review of it may begin."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 20))
    page.get_by_role("switch", name="Engine").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 80"))).to_be_visible()
    load(page, "1. e4 e5 2. Nf3 *")
    button = page.get_by_role("button", name="Review the game")
    expect(button).to_be_enabled()
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile(r"^Depth "))
    assert settled(address, running=1, waiting=0)
    button.click()
    expect(page.locator("#panel-analyse .graph")).to_be_visible()
    expect(button).to_be_enabled()


def test_a_move_ends_a_review(visit, address):
    """Tried in the middle of one: the engine looks at it at once; back in the game, what was found is still marked."""
    page = visit("#analyse?moves=" + ",".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 20))
    page.get_by_role("switch", name="Engine").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name=re.compile(r"Reviewing \d+ of 80"))).to_be_visible()
    page.locator("body").press("Home")
    page.get_by_label("Type a move").last.fill("e4")
    page.keyboard.press("Enter")
    expect(moves(page, "analyse")).to_have_text(["e4"])
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile(r"^Depth "))
    assert settled(address, running=1, waiting=0)
    page.get_by_role("button", name="Back to the game").click()
    expect(moves(page, "analyse")).to_have_count(80)
    expect(page.locator("#panel-analyse .graph")).to_be_visible()


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
    """A line tried in a reviewed game keeps names; going back brings moves, marks, graph and place."""
    page = visit("#analyse")
    load(page, '[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1')
    page.get_by_role("button", name="Review the game").click()
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Qh4#"])
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()
    back = page.get_by_role("button", name="Back to the game")
    expect(back).to_be_hidden()
    moves(page, "analyse").nth(1).click()
    for said in ("Nh3", "d5"):
        page.get_by_label("Type a move").last.fill(said)
        page.keyboard.press("Enter")
        expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text(said)
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "Nh3", "d5"])
    expect(page.locator("#panel-analyse .headers")).to_have_text("A \N{EN DASH} B, 0-1")
    back.click()
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Qh4#"])
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


def test_a_line_of_the_engine_leaves_the_game(visit):
    """Clicked, it is played with the names kept; the game is there to go back to, also by playing its moves."""
    page = visit("#analyse")
    load(page, '[White "A"]\n[Black "B"]\n\n1. a3 h6 2. h3 a6 *')
    page.get_by_role("switch", name="Engine").click()
    page.locator("#panel-analyse .lines li .move").first.click()
    expect(moves(page, "analyse")).to_have_count(1)
    expect(moves(page, "analyse")).not_to_have_text(["a3"])
    expect(page.locator("#panel-analyse .headers")).to_have_text("A \N{EN DASH} B, *")
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()
    page.locator("#panel-analyse .facts").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Type a move").last.fill("a3")
    page.keyboard.press("Enter")
    expect(moves(page, "analyse")).to_have_text(["a3", "h6", "h3", "a6"])
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
    """While it runs its best move is drawn; once it is off, nothing is."""
    page = visit(f"#analyse?fen={KIWIPETE}")
    switch, arrow = page.get_by_role("switch", name="Engine"), page.locator("#panel-analyse .cg-shapes line")
    switch.click()
    expect(arrow).to_have_count(1)
    switch.click()
    expect(arrow).to_have_count(0)


def test_no_move_is_taken_before_there_is_a_position(visit):
    """The board is drawn at once, but a move typed before the position has come would be lost: the field is shut."""
    page = visit("#analyse")
    between = Between(page, hold=lambda asked: asked["do"] == "position", gets_ready=False)
    field = page.get_by_label("Type a move").last
    until(page, lambda: between.held)
    expect(field).to_be_disabled()
    between.release()
    expect(field).to_be_enabled()


def test_an_answer_for_a_tab_that_was_left_leaves_the_address_alone(visit):
    """A move typed here and answered when Play is shown: the address stays Play's; coming back, the move is made."""
    page = visit("#analyse")
    between = Between(page, hold=lambda asked: "say" in asked)
    page.get_by_label("Type a move").last.fill("e4")
    page.keyboard.press("Enter")
    until(page, lambda: between.held)
    page.get_by_role("tab", name="Play").click()
    expect(page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    between.release()
    expect(moves(page, "analyse")).to_have_text(["e4"])
    assert page.url.endswith("#play")
    page.get_by_role("tab", name="Analyse").click()
    expect(page).to_have_url(re.compile("moves=e2e4"))


def test_a_move_of_the_game_said_twice_keeps_the_game(visit):
    """The second answer comes when the first was walked: what follows in the game is still there."""
    page = visit("#analyse?moves=e2e4,e7e5,g1f3&ply=0")
    between = Between(page, hold=lambda asked: "say" in asked)
    page.get_by_label("Type a move").last.fill("e4")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    until(page, lambda: len(between.held) == 2)
    between.release()
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("e4")
    between.release()
    page.wait_for_timeout(300)
    expect(moves(page, "analyse")).to_have_text(["e4", "e5", "Nf3"])
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("e4")
