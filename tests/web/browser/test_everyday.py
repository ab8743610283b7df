"""What everybody does in the first minutes of analysis, and what once was broken there."""

import re

import pytest

from tests.web.conftest import KIWIPETE

from .pages import Between, expect, load, moves, until

GAME = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *'
CURRENT = "#panel-analyse .move[aria-current]"


@pytest.mark.parametrize("control", ["Engine", "Lines"])
def test_keys_live_after_a_click_on_a_control(visit, control):
    """The arrow steps through the game after the engine was switched on or the lines were chosen by mouse."""
    page = visit("#analyse")
    load(page, GAME)
    if control == "Engine":
        page.get_by_role("switch", name="Engine").click()
    else:
        page.get_by_label("Lines", exact=True).click()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.get_by_label("Lines", exact=True).evaluate(
            "field => field.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
        )
        page.get_by_label("Lines", exact=True).evaluate(
            "field => field.dispatchEvent(new Event('change', {bubbles: true}))"
        )
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(CURRENT)).to_have_text("Nf3")


def test_space_after_a_click_is_the_engine(visit):
    """A button that was clicked is not pressed again by it."""
    page = visit("#analyse")
    page.locator("#panel-analyse").get_by_role("button", name="Flip").click()
    ground = page.locator("#panel-analyse .cg-wrap").first
    expect(ground).to_have_class(re.compile("orientation-black"))
    page.keyboard.press("Space")
    expect(page.get_by_role("switch", name="Engine")).to_be_checked()
    expect(ground).to_have_class(re.compile("orientation-black"))


def test_a_button_reached_by_tab_keeps_space(visit):
    """Who walks by keyboard presses buttons with it."""
    page = visit("#analyse")
    page.locator("#panel-analyse").get_by_role("button", name="Flip").focus()
    page.keyboard.press("Space")
    expect(page.locator("#panel-analyse .cg-wrap").first).to_have_class(re.compile("orientation-black"))
    expect(page.get_by_role("switch", name="Engine")).not_to_be_checked()


def test_reports_move_nothing_under_the_hand(visit):
    """While the engine tells of its lines the list keeps its scroll and the keyboard its focus; no node is replaced."""
    page = visit("#analyse")
    load(page, "1. " + " ".join(["Nf3 Nf6 Ng1 Ng8"] * 30))
    page.get_by_role("switch", name="Engine").click()
    first = page.locator("#panel-analyse .lines .move").first
    first.wait_for()
    page.evaluate("""() => {
        document.querySelector("#panel-analyse .moves").scrollTop = 300;
        window.replaced = 0;
        new MutationObserver((all) => all.forEach((one) => { window.replaced += one.removedNodes.length; }))
            .observe(document.querySelector("#panel-analyse .moves"), {childList: true, subtree: true});
    }""")
    first.focus()
    page.wait_for_timeout(1_500)
    assert page.evaluate("document.querySelector('#panel-analyse .moves').scrollTop") == 300
    assert page.evaluate("window.replaced") == 0
    expect(first).to_be_focused()


def test_a_slow_click_on_a_line_takes_effect(visit):
    """Pressed, held over several reports, released: what was under the mouse is played."""
    page = visit(f"#analyse?fen={KIWIPETE}")
    page.get_by_role("switch", name="Engine").click()
    move = page.locator("#panel-analyse .lines li .move").first
    move.wait_for()
    box = move.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    said = page.locator("#panel-analyse .lines li .move span:last-child").first.text_content()
    page.wait_for_timeout(700)
    page.mouse.up()
    expect(moves(page, "analyse")).to_have_text([said])


def test_the_move_one_is_at_can_be_read_under_the_mouse(visit):
    """Its letters have another colour than what is behind them."""
    page = visit("#analyse")
    load(page, GAME)
    moves(page, "analyse").nth(2).click()
    expect(page.locator(CURRENT)).to_have_text("Nf3")
    page.locator(CURRENT).hover()
    colours = page.locator(CURRENT).evaluate(
        "move => [getComputedStyle(move).color, getComputedStyle(move).backgroundColor]"
    )
    assert colours[0] != colours[1]


def test_a_reload_loses_nothing(visit):
    """A game with a variation, a comment and a review: all are there again, with the place in it and the engine."""
    page = visit("#analyse")
    load(page, '[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1')
    page.get_by_role("button", name="Review the game").click()
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Qh4#"])
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()
    page.get_by_role("switch", name="Engine").click()
    moves(page, "analyse").nth(1).click()
    page.get_by_label("Type a move").locator("visible=true").fill("Nh3")
    page.keyboard.press("Enter")
    expect(page.locator(CURRENT)).to_have_text("Nh3")
    page.get_by_label("Comment on this move").fill("much better")
    page.reload()
    expect(moves(page, "analyse")).to_have_text(["f3", "e5", "g4??", "Nh3", "Qh4#"])
    expect(page.locator(CURRENT)).to_have_text("Nh3")
    expect(page.locator("#panel-analyse .variation .said")).to_have_text("much better")
    expect(page.locator("#panel-analyse .headers")).to_have_text("A \N{EN DASH} B, 0-1")
    expect(page.locator("#panel-analyse .graph .mark.blunder")).to_have_count(1)
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile("^Depth "))


def test_moves_are_told_to_those_who_listen(visit):
    """Walking says the move in words, and the board is there in text."""
    page = visit("#analyse")
    load(page, GAME)
    page.keyboard.press("End")
    expect(page.locator("#panel-analyse .heard[aria-live]")).to_have_text("knight f6.")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("group", name="Board of the analysis")).to_contain_text(
        "White: king e1, queen d1, rooks a1 h1, bishops a4 c1"
    )


def test_the_board_does_not_move_when_a_review_begins(visit):
    """The graph comes beside it; the board keeps its place and its size."""
    page = visit("#analyse")
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    board = page.locator("#panel-analyse cg-board").first
    before = board.bounding_box()
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#panel-analyse .graph .mark.blunder")).to_have_count(1)
    assert board.bounding_box() == before


def test_analysis_goes_on_without_a_server(visit):
    """Moves and variations are the browser's own; the engine says that it is not there, and comes back."""
    page = visit("#analyse")
    load(page, GAME)
    between = Between(page)
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile("^Depth "))
    between.lose()
    expect(page.locator("#panel-analyse .facts")).to_have_text("The engine is not connected.")
    page.get_by_label("Type a move").locator("visible=true").fill("c4")
    page.keyboard.press("Enter")
    expect(page.locator(CURRENT)).to_have_text("c4")
    until(page, lambda: between.count("analyse") == 2)
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile("^Depth "))
    expect(page.locator(CURRENT)).to_have_text("c4")


PHONE = {"width": 390, "height": 844}


def test_a_phone_steps_with_the_board_in_sight(visit):
    """Buttons walk through the game; scrolled down, the board and the buttons are still on the screen."""
    page = visit("#analyse", PHONE, has_touch=True)
    load(page, GAME)
    page.get_by_role("button", name="One move forward").last.tap()
    page.get_by_role("button", name="One move forward").last.tap()
    expect(page.locator(CURRENT)).to_have_text("e5")
    page.evaluate("window.scrollTo(0, 2000)")
    box = page.locator("#panel-analyse cg-board").first.bounding_box()
    assert box["y"] >= 0
    button = page.get_by_role("button", name="One move back").last.bounding_box()
    assert button["y"] + button["height"] < PHONE["height"]
    assert min(button["width"], button["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_phone_on_its_side_has_a_board(visit):
    """At 844 by 390 it takes most of the height, in Play and in Analyse."""
    for tab, least in (("play", 240), ("analyse", 280)):
        page = visit(f"#{tab}", {"width": 844, "height": 390}, has_touch=True)
        assert page.locator(f"#panel-{tab} cg-board").first.bounding_box()["width"] >= least
