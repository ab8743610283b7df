"""The page as a whole: phones, keys, and whom it asks."""

import pytest

from .pages import click_move, expect, moves, new_game

HEARD = """window.heard = 0;
window.AudioContext = class extends AudioContext {
    createOscillator() { window.heard++; return super.createOscillator(); }
};
"""
"""Counts the sounds of a page."""
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("tab", ["play", "analyse", "quiescence"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phones_need_not_scroll_sideways(visit, tab, scheme):
    """At 390 pixels nothing is wider than the screen, and the board fills most of it or sits beside its details."""
    page = visit(f"#{tab}", PHONE, color_scheme=scheme, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = page.locator(f"#panel-{tab} cg-board").bounding_box()
    assert box["width"] >= (140 if tab == "quiescence" else 320)
    coordinates = page.locator(f"#panel-{tab} coords").first
    expect(coordinates).to_be_visible(visible=tab != "quiescence")  # on a board so small they would cover the pieces


def test_tabs_and_help_by_keyboard(visit, address):
    """Digits change tabs, arrows walk them, the question mark lists the keys; whose work is used is named."""
    page = visit()
    page.locator("body").press("2")
    expect(page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Analyse").press("ArrowRight")
    expect(page.get_by_role("tab", name="Train")).to_be_focused()
    page.locator("body").press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys.get_by_role("button", name="Close")).to_be_focused()
    licences = page.request.get(f"http://{address}/{keys.get_by_role('link', name='licences').get_attribute('href')}")
    assert "@lichess-org/chessground" in licences.text()


def test_light_and_dark(visit):
    """As the system has it, until the button says otherwise; a reload keeps that."""
    page = visit(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    light = page.evaluate(ground)
    assert light != dark
    page.reload()
    assert page.evaluate(ground) == light
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) == dark


def test_sounds_are_off_until_they_are_wanted(visit):
    """Moves are silent; the button switches them on, and a move is heard."""
    page = visit()
    page.add_init_script(HEARD)
    page.reload()
    new_game(page, strength="1000")
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("heard") == 0
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    before = page.evaluate("heard")
    click_move(page, "d2d4")
    expect(moves(page)).to_have_count(4)
    assert page.evaluate("heard") == before + 2


def test_nothing_is_asked_of_the_internet(browser, address):
    """Every request goes to the server itself."""
    context = browser.new_context()
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"http://{address}/#analyse")
    page.locator("section:visible cg-board piece").first.wait_for()
    assert asked
    assert all(url.startswith((f"http://{address}/", "data:")) for url in asked), asked
    context.close()
