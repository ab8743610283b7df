"""Two searches of one position: the same nodes, different techniques."""

import re

from tests.web.conftest import START

from .pages import expect

FORK = "2R5/p5pk/2p1r1q1/4p1pn/1P2Q3/P4P1P/6P1/2R4K b - - 0 1"
WORDS = re.compile(r"^\S+, \S+, depth \d+ with [\d.,]+ ?[kM]? nodes$")


def column(page, name):
    """One of the two."""
    return page.locator("#panel-compare").get_by_role("region", name=name, exact=True)


def searched(page):
    """Wait until both have their answer; returns the sentence about them."""
    sentence = page.locator("#panel-compare .sentence")
    expect(sentence).to_have_text(re.compile(r"(A from depth|They).*"), timeout=60_000)
    return sentence.text_content()


def test_two_columns_are_searched(visit):
    """Each has its move; the curve has a line for each, the table a row for each depth; the sentence counts nodes."""
    page = visit(f"#compare?fen={FORK}&nodes=10000&a=none&b=UseQuiescence:0")
    told = searched(page)
    assert re.search(
        r"^(Both play|A plays) .*: A from depth \d+ on, B from depth \d+\. To depth \d+ A took .* nodes", told
    )
    for name in ("A", "B"):
        expect(column(page, name).locator(".words")).to_have_text(WORDS)
    expect(page.locator("#panel-compare .score-line")).to_have_count(2)
    rows = page.locator("#panel-compare tbody tr")
    depths = [int(text) for text in rows.locator("th").all_text_contents()]
    assert depths == sorted(set(depths))
    assert depths[0] == 1
    assert len(depths) > 3
    expect(column(page, "B").get_by_role("heading", name="Techniques: 1 changed")).to_have_count(1)


def test_a_switch_searches_again_and_is_in_the_address(visit):
    """The other column stays as it was set; a reload brings the same switches."""
    page = visit(f"#compare?fen={FORK}&nodes=10000&a=none&b=none")
    searched(page)
    box = column(page, "A")
    box.locator("summary").click()
    box.get_by_role("switch", name="Null Move").click()
    expect(page).to_have_url(re.compile("a=NullMove%3A0"))
    searched(page)
    page.reload()
    searched(page)
    expect(column(page, "A").get_by_role("heading", name="Techniques: 1 changed")).to_have_count(1)
    expect(column(page, "B").get_by_role("heading", name="as they are by default")).to_have_count(1)


def test_where_a_game_differs_is_found(visit):
    """Every position of the game is looked at; a place that was found is shown by a click."""
    moves = "e2e4,e7e5,f1c4,b8c6,d1f3,d7d6"
    page = visit(f"#compare?fen={START}&moves={moves}&nodes=10000&b=UseQuiescence:0")
    searched(page)
    page.get_by_role("button", name="Find where they differ").click()
    sentence = page.locator("#panel-compare .sentence")
    expect(sentence).to_have_text(re.compile(r"^They differ in \d of 7 positions\.$"), timeout=60_000)
    first = page.get_by_role("list", name="Where the moves differ").get_by_role("button").first
    told = re.match(r"(\d+)(\.|…) A (\S+) \S+ B? ?", first.text_content())
    assert told
    first.click()
    searched(page)


def test_nothing_runs_for_a_tab_that_was_left(visit, address):  # noqa: ARG001
    """Leaving stops both; the visit's end checks that nothing runs."""
    page = visit(f"#compare?fen={FORK}&nodes=5000000&a=none&b=none")
    page.locator("#panel-compare tbody tr").nth(3).wait_for()
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("tab", name="Compare").click()
    page.locator("#panel-compare tbody tr").nth(3).wait_for()
