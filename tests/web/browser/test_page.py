"""The page as a whole: phones, keys, and whom it asks."""

import pytest

from .pages import expect

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
    expect(coordinates).to_be_visible(visible=tab != "quiescence")  # on a board so small they would cover the men


def test_tabs_and_help_by_keyboard(visit, address):
    """Digits change tabs, arrows walk them, the question mark lists the keys; whose work is used is named."""
    page = visit()
    page.locator("body").press("2")
    expect(page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Analyse").press("ArrowRight")
    expect(page.get_by_role("tab", name="Quiescence")).to_be_focused()
    page.locator("body").press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys.get_by_role("button", name="Close")).to_be_focused()
    licences = page.request.get(f"http://{address}/{keys.get_by_role('link', name='licences').get_attribute('href')}")
    assert "@lichess-org/chessground" in licences.text()


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
