"""Axe finds nothing to complain about in any state of the page, on a screen and on a phone, light and dark."""

from pathlib import Path

import pytest

from quiesce.web.tour import CAPTURES
from tests.web.conftest import KIWIPETE

from .pages import expect, load, moves
from .test_compare import searched as compared
from .test_quiescence import seen_from_far
from .test_train import kept

AXE = Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
STUDY = '[White "A"]\n[Black "B"]\n\n1. f3 $6 {Why?} (1. e4 e5 (1... c5) 2. Nf3) 1... e5 2. g4 Qh4# 0-1'
LOOK = """async () => (await axe.run()).violations
    .map((one) => `${one.id}: ${one.nodes.length} of ${one.nodes[0].html.slice(0, 160)}`)"""
SCREENS = [({"width": 1400, "height": 900}, "light"), ({"width": 390, "height": 844}, "dark")]


def play(page):
    """A game in which a move was made."""
    page.get_by_label("Type a move").first.fill("e4")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(2)


def study(page):
    """A tree of variations with comment and marks, the engine on."""
    load(page, STUDY)
    page.keyboard.press("ArrowRight")
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator("#panel-analyse .lines li")).to_have_count(3)


def review(page):
    """A reviewed game."""
    load(page, "1. f3 e5 2. g4 Qh4# 0-1")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#panel-analyse .graph .mark.blunder")).to_have_count(1)


def reason(page):
    """Why not a move, its tree beside it."""
    load(page, "1. c4 c5 2. Nf3 d6 3. Nc3 Nf6 4. e4 Nc6")
    page.keyboard.press("w")
    page.keyboard.press("End")
    page.keyboard.press("w")
    page.locator(".why .node").first.wait_for()


def exercise(page):
    """An exercise after a wrong try, refuted."""
    page.evaluate(kept({}))
    page.get_by_role("tab", name="Train").click()
    page.get_by_label("Type a move").locator("visible=true").fill("g4")
    page.keyboard.press("Enter")
    expect(page.locator("#panel-train .status")).to_have_text("g4 is not it.")


def large(page):
    """A tree of 20,000 rows, unfolded, and something found in it."""
    seen_from_far(page)
    page.get_by_label("Find in the tree").fill("Bxa6")
    page.keyboard.press("Enter")


def dialog(key):
    """A dialog that a key opens."""

    def opened(page):
        load(page, f"{STUDY}\n\n{STUDY}")
        page.locator("body").press(key)
        expect(page.locator("dialog[open]")).to_be_visible()

    return opened


STATES = {
    "play": ("#play", play),
    "new game": ("#play", lambda page: page.locator("body").press("n")),
    "analyse": ("#analyse", lambda page: None),  # noqa: ARG005
    "study": ("#analyse", study),
    "review": ("#analyse", review),
    "reason": ("#analyse", reason),
    "train": ("#analyse", lambda page: page.get_by_role("tab", name="Train").click()),
    "compare": ("#compare?nodes=10000&b=UseQuiescence:0", compared),
    "exercise": ("#analyse", exercise),
    "large tree": (f"#quiescence?fen={CAPTURES}", large),
    "games": ("#analyse", dialog("g")),
    "editor": ("#analyse", dialog("e")),
    "keys": ("#analyse", dialog("?")),
    "loader": ("#analyse", lambda page: page.get_by_role("button", name="Load FEN or PGN").last.click()),
    "tree": (f"#quiescence?fen={KIWIPETE}", lambda page: page.locator("#panel-quiescence .node").first.wait_for()),
    "tour": ("#quiescence?tour=1", lambda page: page.locator("#panel-quiescence .node").first.wait_for()),
}


@pytest.mark.parametrize(("size", "scheme"), SCREENS)
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(visit, state, size, scheme):
    """No violation of any rule axe has."""
    if not AXE.exists():
        pytest.skip("AXE IS NOT INSTALLED (make web)")
    address, arrive = STATES[state]
    page = visit(address, size, color_scheme=scheme)
    arrive(page)
    page.evaluate(AXE.read_text())
    assert page.evaluate(LOOK) == []
