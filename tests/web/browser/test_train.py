"""Exercises from one's own mistakes: made by a review, answered by refutations, coming back over days."""

import io
import json
import re

import chess.pgn
import pytest

from .pages import click_move, expect, load

BLUNDER = "1. f3 e5 2. g4 Qh4# 0-1"
DAY = 24 * 3600 * 1000
POSITION = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"


def kept(*changes, **more):
    """A script that puts exercises into the browser, the position above with changes of each."""
    plain = {"fen": POSITION, "chess960": False, "played": "g2g4", "best": "e2e4", "title": "A - B", "box": 0, "due": 0}
    return (
        f"localStorage.setItem('quiesce-exercises', {json.dumps(json.dumps([plain | more | one for one in changes]))})"
    )


@pytest.fixture
def trainee(visit):
    """Opens the tab with exercises kept."""

    def opened(*changes, **options):
        page = visit("#analyse", **options)
        page.evaluate(kept(*changes))
        page.get_by_role("tab", name="Train").click()
        return page

    return opened


def box(page):
    """In which box the only exercise is, and in how many days it comes back."""
    [one] = page.evaluate("JSON.parse(localStorage.getItem('quiesce-exercises'))")
    return one["box"], round((one["due"] - page.evaluate("Date.now()")) / DAY)


def test_a_mistake_becomes_an_exercise(visit):
    """The review offers those of the side whose view is shown, once; the tab asks for a better move."""
    page = visit("#analyse")
    load(page, BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    train = page.get_by_role("button", name=re.compile("^Train White's"))
    expect(train).to_be_visible(timeout=30_000)
    page.locator("body").press("f")
    expect(train).to_be_hidden()
    page.locator("body").press("f")
    train.click()
    panel = page.locator("#panel-train")
    expect(panel.locator(".status")).to_have_text("White to move: find a better one.")
    expect(panel).to_contain_text("In the game 2. g4 was played.")
    count = panel.get_by_text(re.compile(r"^\d+ due now")).text_content()
    page.get_by_role("tab", name="Analyse").click()
    train.click()
    expect(panel.get_by_text(count)).to_be_visible()


def test_a_wrong_try_is_refuted(trainee):
    """By words and the tree; another try is right, but the first counts: it comes back soon."""
    page = trainee({})
    click_move(page, "g2g4", "train")
    panel = page.locator("#panel-train")
    expect(panel.locator(".status")).to_have_text("g4 is not it.")
    expect(panel.locator(".why .words")).to_contain_text("g4 allows Qh4#")
    assert box(page) == (0, 0)
    panel.get_by_role("button", name="Try again").click()
    click_move(page, "e2e4", "train")
    expect(panel.locator(".status")).to_have_text("e4 is right.")
    panel.locator(".why .node").first.wait_for()
    assert box(page) == (0, 0)
    panel.get_by_role("button", name="Next").click()
    expect(panel.locator(".status")).to_have_text("Nothing is due now.")
    expect(panel).to_contain_text("The next one comes back in 10 minutes.")


@pytest.mark.parametrize(("before", "days"), [(0, 1), (1, 3), (5, 90), (6, 90)])
def test_what_is_solved_comes_back_later_each_time(trainee, before, days):
    """After a day, three, a week, and so on to three months; a reload keeps it."""
    page = trainee({"box": before})
    page.get_by_label("Type a move").locator("visible=true").fill("e4")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-train .status")).to_have_text("e4 is right.")
    page.reload()
    assert box(page) == (before + 1, days)


def test_a_move_as_good_as_the_answer_is_right(trainee):
    """Though the review found another one."""
    page = trainee({"best": "e2e3"})
    page.get_by_label("Type a move").locator("visible=true").fill("e4")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-train .status")).to_have_text("e4 is as good as e3: right.")


def test_the_answer_is_shown_and_an_exercise_forgotten(trainee):
    """An answer that was shown is none that was found; what is forgotten does not come back."""
    page = trainee({})
    panel = page.locator("#panel-train")
    panel.get_by_role("button", name="Show the answer").click()
    expect(panel.locator(".status")).to_have_text("The answer is e4.")
    expect(panel.get_by_role("button", name="Next")).to_be_visible()
    assert box(page) == (0, 0)
    panel.get_by_role("button", name="Forget this one").click()
    expect(panel.locator(".status")).to_have_text("There is nothing to train yet.")


def test_exercises_are_written_as_pgn(trainee):
    """Each is a game from its position, its answer the move."""
    page = trainee(
        {}, {"fen": POSITION.replace(" w ", " b ").replace("pppp1ppp", "pppp1pp1"), "best": "d7d5", "played": "a7a6"}
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as PGN").click()
    text = io.StringIO(download.value.path().read_text())
    games = list(iter(lambda: chess.pgn.read_game(text), None))
    assert [game.errors for game in games] == [[], []]
    assert games[0].board().fen() == POSITION
    assert [game.next().san() for game in games] == ["e4", "d5"]
    assert games[1].headers["Black"] == "played: a6"
