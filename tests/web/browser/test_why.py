"""Why a move, and why not another: asked on the board, answered by words, lines and the tree at the end."""

import re

from .pages import click_move, expect, load, moves

GAME = "1. c4 c5 2. Nf3 d6 3. Nc3 Nf6 4. e4 Nc6"
CURRENT = "#panel-analyse .move[aria-current]"


def asked(page):
    """The card with the answer, once its tree is there."""
    card = page.get_by_role("region", name="Why")
    card.locator(".node").first.wait_for()
    return card


def test_why_not_a_move_that_was_not_played(visit):
    """The move is made on the board and not played; words, two lines and the tree come; the game stays as it was."""
    page = visit("#analyse")
    load(page, GAME)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Why not…").click()
    expect(page.locator("#panel-analyse .facts")).to_have_text("Make the move you ask about: on the board, or typed.")
    click_move(page, "f6e4", "analyse")
    card = asked(page)
    expect(card.get_by_role("heading")).to_have_text("Why not 4… Nxe4?")
    expect(card.locator(".words")).to_contain_text("Nxe4 loses a knight for a pawn")
    expect(card.locator(".lines li")).to_have_count(2)
    expect(moves(page, "analyse")).to_have_count(8)
    expect(page.locator(CURRENT)).to_have_text("e4")
    expect(page.get_by_role("button", name="Why not…")).to_have_attribute("aria-pressed", "false")
    card.locator(".node").first.hover()
    expect(page.locator(".preview:visible cg-board")).to_have_count(1)


def test_the_answer_is_kept_in_the_game(visit):
    """As a variation with the words as its comment; a move of the line leads there."""
    page = visit("#analyse")
    load(page, GAME)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("W")
    page.keyboard.press("m")
    page.keyboard.type("nxe4")
    page.keyboard.press("Enter")
    card = asked(page)
    card.get_by_role("button", name="Keep in the game").click()
    variation = page.locator("#panel-analyse .moves .variation")
    expect(variation).to_contain_text("Nxe4Nxe4 loses a knight for a pawn")
    card.locator(".lines li").first.locator(".move").nth(1).click()
    expect(page.locator(CURRENT)).to_have_text("Nxe4")
    expect(page.locator("#panel-analyse .moves .variation .move[aria-current]")).to_have_count(1)


def test_why_the_move_that_was_played(visit):
    """By a key, with the engine on, which looks on afterwards; its tree opens in its tab, at the leaf."""
    page = visit("#analyse")
    load(page, GAME)
    page.keyboard.press("End")
    page.get_by_role("switch", name="Engine").click()
    page.locator("#panel-analyse .lines li").first.wait_for()
    page.keyboard.press("w")
    card = asked(page)
    expect(card.get_by_role("heading")).to_have_text("Why 4… Nc6?")
    expect(page.locator("#panel-analyse .facts").first).to_have_text(re.compile("^Depth"))
    card.get_by_role("button", name="Open the tree").click()
    expect(page).to_have_url(re.compile(r"#quiescence\?.*moves=c2c4"))
    page.locator("#panel-quiescence .node").first.wait_for()


def test_a_mate_has_no_tree(visit):
    """The card says so, and closes."""
    page = visit("#analyse")
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    page.keyboard.press("End")
    page.keyboard.press("w")
    card = page.get_by_role("region", name="Why")
    expect(card).to_contain_text("The game is over where the first line ends")
    expect(card.locator(".node")).to_have_count(0)
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()


def test_a_mark_of_the_review_is_shown(visit):
    """What the mark says and what was better stand beside it; Show me gives the reason."""
    page = visit("#analyse")
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled(timeout=30_000)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    judged = page.locator("#panel-analyse .judged")
    expect(judged).to_contain_text(re.compile(r"^blunder: .*\. Better was 2\. \S+\."))
    judged.get_by_role("button", name="Show me").click()
    card = page.get_by_role("region", name="Why")
    expect(card.locator(".words")).to_contain_text("g4 allows Qh4#")


def test_a_line_s_end_opens_its_tree(visit):
    """Each line of the engine leads to the tree where it ends."""
    page = visit("#analyse")
    page.get_by_role("switch", name="Engine").click()
    page.locator("#panel-analyse .lines li").nth(2).wait_for()
    page.get_by_role("switch", name="Engine").click()
    page.get_by_role("switch", name="Engine").click()
    end = page.get_by_role("button", name="tree at the end of this line").first
    line = page.locator("#panel-analyse .lines li").first
    line.wait_for()
    end.click()
    expect(page).to_have_url(re.compile(r"#quiescence\?.*moves="))
    page.locator("#panel-quiescence .node").first.wait_for()


def test_a_finger_that_rests_shows_the_position(visit):
    """A long touch on a move of a line shows its board while it lasts, and plays nothing; a short one plays."""
    page = visit("#analyse", {"width": 390, "height": 844}, has_touch=True)
    page.get_by_role("switch", name="Engine").tap()
    move = page.locator("#panel-analyse .lines .move").nth(1)
    move.wait_for()
    move.scroll_into_view_if_needed()
    send = page.context.new_cdp_session(page).send
    box = move.bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator(".preview:visible")).to_have_count(1)
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".preview:visible")).to_have_count(0)
    page.wait_for_timeout(100)
    expect(moves(page, "analyse")).to_have_count(0)
    move.tap()
    expect(moves(page, "analyse")).to_have_count(2)
