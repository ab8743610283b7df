"""The page of a reviewed game in a real browser: its board walks through the game and through both lines of a mark."""

import pytest

from quiesce.engine import Engine
from quiesce.lab.reviewpages.game import game_page
from quiesce.review.plan import MEGABYTES, ReviewPlan
from quiesce.review.reading import read_source
from quiesce.review.reviewing import review_game

TEXT = '[White "Anna"]\n[Black "Bert"]\n\n1. f3 e5 2. g4 Qh4# 0-1'
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The page of a short game."""
    with Engine(MEGABYTES) as engine:
        found = review_game(engine, read_source(TEXT), ReviewPlan(nodes=2_000))
    page = tmp_path_factory.mktemp("pages") / "game.html"
    page.write_text(game_page(found, has_trees=False), encoding="utf-8")
    return page


@pytest.fixture
def page(browser, path):
    """The page as a phone shows it; it may have no trouble."""
    context, trouble = browser.new_context(viewport=PHONE, reduced_motion="reduce"), []
    page = context.new_page()
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    page.goto(path.as_uri())
    yield page
    context.close()
    assert trouble == []


def said(page):
    """What the page says of the position."""
    return page.locator(".nav output").inner_text()


def where(page, man):
    """The places of the men of a kind, as they are drawn."""
    places = "found => found.map(man => man.getAttribute('transform'))"
    return page.eval_on_selector_all(f"#pieces use[href='#{man}']", places)


def test_buttons_and_keys_walk_through_the_game(page):
    """On, to the end, back to the start; the mark stands on the board where its move was played."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.click("[data-step='1']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("2. g4??")
    assert page.locator("#badge text").text_content() == "??"
    page.keyboard.press("End")
    assert where(page, "black-queen") == ["translate(315 180)"]
    page.keyboard.press("Home")
    assert where(page, "black-queen") == ["translate(135 0)"]


def test_a_mark_shows_both_moves_and_its_lines(page):
    """A click on a mark shows the position before it with two arrows; a line is walked, and Escape goes back."""
    page.click(".verdict h3 a")
    assert page.locator(".arrow.played").count() == page.locator(".arrow.better").count() == 1
    assert said(page) == "before 2. g4??; green is better"
    page.click(".line.played a >> nth=1")
    assert said(page) == "played: 2... Qh4#"
    assert where(page, "black-queen") == ["translate(315 180)"]
    page.keyboard.press("Escape")
    assert said(page).startswith("1... e5")


def test_the_board_turns_round(page):
    """Men, names and coordinates change sides."""
    above = "document.querySelector('.white-name').getBoundingClientRect().top"
    top = page.evaluate(above)
    page.click("[data-step='flip']")
    assert where(page, "black-queen") == ["translate(180 315)"]
    assert page.evaluate(above) < top
    assert page.locator("#coordinates text").first.text_content() == "h"


def test_an_address_leads_to_a_mark(browser, path):
    """The index links to a mark: the board shows it at once."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(path.as_uri() + "#mark-3")
    assert said(page) == "before 2. g4??; green is better"
    context.close()
