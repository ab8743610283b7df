"""Axe finds nothing to complain about in any state of the page, on a screen and on a phone, light and dark."""

from pathlib import Path

import pytest

from tests.web.conftest import KIWIPETE

from .pages import expect, load, moves

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
    "games": ("#analyse", dialog("g")),
    "editor": ("#analyse", dialog("e")),
    "keys": ("#analyse", dialog("?")),
    "loader": ("#analyse", lambda page: page.get_by_role("button", name="Load FEN or PGN").last.click()),
    "tree": (f"#quiescence?fen={KIWIPETE}", lambda page: page.locator(".tree .node").first.wait_for()),
    "tour": ("#quiescence?tour=1", lambda page: page.locator(".tree .node").first.wait_for()),
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
