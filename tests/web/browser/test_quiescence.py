"""The tab with the tree: folded, walked, switched, shared, and the guided tour."""

import re
from pathlib import Path

import pytest

from quiesce.search.reasons import REASONS
from quiesce.trace.rows import COLUMNS
from quiesce.web.tour import CAPTURES
from tests.web.conftest import KIWIPETE, Client

from .conftest import PATIENCE
from .pages import CLIPBOARD, Between, expect, until


@pytest.fixture(scope="module")
def kiwipete(address):
    """The tree the page should show: all its rows, those searched, and the first move tried, in SAN."""
    with Client(address) as client:
        tree = client.ask("tree", fen=KIWIPETE)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in tree["rows"]]
    searched = [row for row in rows if not REASONS[row["reason"]].is_skip]
    assert len(searched) == tree["nodes"] > 20
    return rows, searched, searched[1]["san"]


CUT = re.compile(r"^20,000 of [\d,]+ steps are shown, upper plies first\.$")


def nodes(page):
    """Nodes and moves of the tree on the screen."""
    return page.locator("#panel-quiescence .node")


def test_a_tree_is_folded_and_walked(visit, kiwipete):
    """Clicks and keys fold and unfold; the board and the details follow the node."""
    rows, searched, _ = kiwipete
    page = visit(f"#quiescence?fen={KIWIPETE}")
    nodes(page).first.wait_for()
    before = nodes(page).count()
    nodes(page).first.locator("circle").click()
    expect(nodes(page)).to_have_count(1)
    page.locator("#panel-quiescence svg.tree").press("Enter")
    expect(nodes(page)).to_have_count(before)
    details = page.locator("#panel-quiescence .details")
    expect(details).to_contain_text("the position itself")
    page.locator("#panel-quiescence svg.tree").press("ArrowRight")
    expect(details.locator("dd").first).to_have_text(rows[1]["san"])
    page.get_by_role("button", name="Unfold all").click()
    expect(nodes(page)).to_have_count(len(rows))
    page.get_by_label("moves left out").uncheck()
    expect(nodes(page)).to_have_count(len(searched))
    page.get_by_role("button", name="Fold", exact=True).click()
    assert nodes(page).count() < len(searched)


def test_hovering_shows_the_board_after_the_line(visit, kiwipete):
    """The move is marked, its window and its score are told; leaving goes back."""
    page = visit(f"#quiescence?fen={KIWIPETE}")
    san = kiwipete[2]
    nodes(page).filter(has_text=san).first.hover()
    details = page.locator("#panel-quiescence .details")
    expect(details.locator("dd").first).to_have_text(san)
    expect(details.locator("dt")).to_have_text(["line", "score", "stand pat", "window", "ended"])
    expect(page.locator("#panel-quiescence square.last-move")).to_have_count(2)
    page.mouse.move(5, 5)
    expect(details.locator("dd").first).to_have_text("the position itself")


def test_switches_change_the_tree_and_the_address(visit, kiwipete):
    """A technique off changes the count; the address brings the same tree to somebody else; defaults bring it back."""
    page = visit(f"#quiescence?fen={KIWIPETE}")
    size = page.locator("#panel-quiescence .size")
    usual = f"{len(kiwipete[1])} nodes"
    expect(size).to_have_text(usual)
    page.get_by_role("switch", name="Exchange (SEE)").click()
    expect(size).to_have_text(re.compile(r"^\d+ nodes, [^ ]\d+ % against the defaults$"))
    changed = size.text_content()
    expect(page).to_have_url(re.compile("QSearchSEE%3A0"))
    other = visit(page.url.split("/", 3)[3])
    expect(other.locator("#panel-quiescence .size")).to_have_text(changed)
    expect(other.get_by_role("switch", name="Exchange (SEE)")).not_to_be_checked()
    page.get_by_role("button", name="Defaults").click()
    expect(size).to_have_text(usual)


def test_a_tree_of_20000_rows_is_shown(visit, capsys):
    """The most there is, and that it was cut is said; the times from asking to showing, and unfolded and painted."""
    page = visit(f"#quiescence?fen={CAPTURES}")
    frame = page.locator("#panel-quiescence .treeframe")
    expect(frame).to_have_attribute("data-nodes", re.compile(r"^\d+$"))
    frame.evaluate("frame => delete frame.dataset.nodes")
    page.get_by_role("button", name="All off").click()
    expect(frame).to_have_attribute("data-nodes", re.compile(r"^\d{5}$"), timeout=PATIENCE)
    asked = frame.get_attribute("data-shown-ms")
    expect(page.locator("#panel-quiescence .missing")).to_have_text(CUT)
    page.get_by_role("button", name="Unfold all").click()
    expect(frame).to_have_attribute("data-shown", "20000", timeout=4 * PATIENCE)
    unfolded = frame.get_attribute("data-shown-ms")
    with capsys.disabled():
        print(f"\n20,000 rows: asked for and shown in {asked} ms, unfolded in {unfolded} ms")


def seen_from_far(page):
    """A tree of 20,000 rows, unfolded: a disc."""
    all_off = page.locator("#panel-quiescence").get_by_role("button", name="All off")
    if not all_off.is_visible():
        page.locator("#panel-quiescence summary").click()
    all_off.click()
    expect(page.locator("#panel-quiescence .missing")).to_have_text(CUT, timeout=4 * PATIENCE)
    page.get_by_role("button", name="Unfold all").click()
    expect(page.locator("#panel-quiescence .treeframe")).to_have_attribute("data-shown", "20000", timeout=4 * PATIENCE)


BOXES = """all => all.map((one) => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return {x, y, width, height};
})"""


def apart(boxes):
    """Does no box touch another?"""
    return not any(
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
        for number, one in enumerate(boxes)
        for other in boxes[:number]
    )


def test_a_large_tree_has_words_at_any_zoom(visit):
    """Some nodes are named, the start first, their words as large as ever and apart; from nearer there are others."""
    page = visit(f"#quiescence?fen={CAPTURES}")
    nodes(page).first.wait_for()
    seen_from_far(page)
    counts, named = [], set()
    for _ in range(3):
        page.wait_for_timeout(100)
        counts.append(nodes(page).count())
        boxes = nodes(page).locator(".label").evaluate_all(BOXES)
        assert min(box["height"] for box in boxes) > 10
        assert apart(boxes)
        named |= set(nodes(page).evaluate_all("all => all.map((one) => one.id)"))
        for _ in range(2):
            page.get_by_role("button", name="Zoom in").click()
    assert 20 < counts[0] <= 160
    assert "node-0" in named
    assert len(named) > counts[0]


def test_a_dot_answers_the_pointer(visit):
    """A node of the disc without words is shown and chosen like any other."""
    page = visit(f"#quiescence?fen={CAPTURES}")
    nodes(page).first.wait_for()
    seen_from_far(page)
    details = page.locator("#panel-quiescence .details dd")
    expect(details.first).to_have_text("the position itself")
    box = page.locator("#panel-quiescence svg.tree").bounding_box()
    for part in range(60, 0, -1):
        page.mouse.move(box["x"] + box["width"] / 2 + 5, box["y"] + box["height"] * part / 64)
        if details.first.text_content() != "the position itself":
            break
    shown = details.first.text_content()
    assert shown != "the position itself"
    page.mouse.down()
    page.mouse.up()
    expect(nodes(page).and_(page.locator(".selected"))).to_have_count(1)
    assert shown.endswith(nodes(page).and_(page.locator(".selected")).locator(".label").text_content().split()[0])


def test_nodes_are_found_by_move_and_by_end(visit, kiwipete):
    """Their number is told; Enter goes to each, and opens what it is folded into; a counter finds all of its kind."""
    rows, _, san = kiwipete
    page = visit(f"#quiescence?fen={KIWIPETE}")
    nodes(page).first.wait_for()
    find, details = page.get_by_label("Find in the tree"), page.locator("#panel-quiescence .details dd")
    find.fill("Qxh3")
    expected = sum("Qxh3" in row["san"] for row in rows)
    expect(page.locator(".find .quiet")).to_have_text(f"{expected} found")
    for number in range(1, 4):
        find.press("Enter")
        expect(page.locator(".find .quiet")).to_have_text(f"{number} of {expected}")
        expect(details.first).to_have_text(re.compile(r"(^| )Qxh3\S*$"))
    counter = page.locator(".counters li").filter(has_text="stand pat")
    counter.get_by_role("button").click()
    expect(page.locator(".find .quiet")).to_have_text(f"1 of {counter.locator('b').text_content()}")
    find.fill("no such thing")
    expect(page.locator(".find .quiet")).to_have_text("not found")
    assert san


def test_a_node_is_put_on_top_and_opened_in_analyse(visit, kiwipete):
    """The address keeps it; the way up leads back; the line to the node stands on the analysis board."""
    rows, _, san = kiwipete
    page = visit(f"#quiescence?fen={KIWIPETE}")
    nodes(page).nth(1).locator("circle").click()
    page.get_by_role("button", name="Tree from here").click()
    above = page.locator("#panel-quiescence .above")
    expect(above).to_have_text(f"Shown fromstart{san}")
    details = page.locator("#panel-quiescence .details dd")
    expect(details.first).to_have_text(san)
    below = [row for row in rows[2:] if row["parent"] == 1]
    page.locator("#panel-quiescence svg.tree").press("ArrowRight")
    expect(details.first).to_have_text(f"{san} {below[0]['san']}")
    page.reload()
    expect(above).to_have_text(f"Shown fromstart{san}")
    page.locator("#panel-quiescence svg.tree").press("ArrowRight")
    page.get_by_role("button", name="Analyse here").click()
    expect(page.locator("#panel-analyse .moves .move")).to_have_text([san, below[0]["san"]])
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text(below[0]["san"])
    page.go_back()
    above.get_by_role("button", name="start").click()
    expect(above).to_be_hidden()
    expect(details.first).to_have_text("the position itself")


def test_the_tour_leads_through_the_horizon(visit):
    """Step by step to the end; the address names the step; ending it leaves the position."""
    page = visit("#quiescence")
    page.get_by_role("button", name="Guided tour").click()
    tour = page.get_by_role("complementary", name="Guided tour")
    expect(tour.get_by_role("heading")).to_have_text(re.compile("^1 / 7A queen takes a queen"))
    expect(page.locator("#panel-quiescence .sentence")).to_have_text(
        re.compile("Without quiescence this counts .* for White")
    )
    for step in range(2, 8):
        tour.get_by_role("button", name="Next").click()
        expect(tour.get_by_role("heading")).to_have_text(re.compile(f"^{step} / 7"))
        expect(page).to_have_url(re.compile(f"tour={step}$"))
    expect(tour.get_by_role("button", name="Next")).to_have_count(0)
    expect(page.locator("#panel-quiescence .missing")).to_be_visible(timeout=4 * PATIENCE)
    tour.get_by_role("button", name="End the tour").click()
    expect(tour).to_be_hidden()
    expect(page).to_have_url(re.compile("fen="))


def test_every_reason_has_one_family(address):
    """The page's families hold each reason that the server names, once, and none that there is not."""
    with Client(address) as client:
        told = [reason["word"] for reason in client.hello["reasons"]]
    source = (Path(__file__).parents[3] / "web/src/reasons.ts").read_text()
    lists = re.findall(r"words: \[([^\]]*)\]", source)
    assert sorted(told) == sorted(word for words in lists for word in re.findall(r'"(\w+)"', words))


def test_families_are_told_apart(visit, kiwipete):
    """What a tree shows is counted under some family; none shares a sign or a colour with another."""
    page = visit(f"#quiescence?fen={KIWIPETE}")
    counters = page.locator(".counters li")
    expect(counters).to_have_count(11)
    signs = counters.locator(".swatch").all_text_contents()
    assert len(set(signs)) == 11
    colours = counters.locator(".swatch").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == 11
    counted = sum(int(text.replace(",", "")) for text in counters.locator("b").all_text_contents())
    assert counted == len(kiwipete[0])


def test_a_tree_asked_for_and_left_is_shown_on_return(visit, kiwipete):
    """What the switches say and what the tree shows agree, though another tab was looked at before it came."""
    page = visit(f"#quiescence?fen={KIWIPETE}")
    size = page.locator("#panel-quiescence .size")
    expect(size).to_have_text(f"{len(kiwipete[1])} nodes")
    page.evaluate("""() => {
        document.querySelector("input[name=QSearchSEE]").click();
        location.hash = "#play";
    }""")
    expect(page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Quiescence").click()
    expect(page.get_by_role("switch", name="Exchange (SEE)")).not_to_be_checked()
    expect(size).to_have_text(re.compile("against the defaults"))


def test_a_tree_is_shared_and_its_board_flipped(visit):
    """The address is on the clipboard; the board is seen from the other side."""
    page = visit(f"#quiescence?fen={KIWIPETE}", permissions=CLIPBOARD)
    nodes(page).first.wait_for()
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    panel = page.locator("#panel-quiescence")
    expect(panel.locator(".cg-wrap")).to_have_class(re.compile("orientation-white"))
    panel.get_by_role("button", name="Flip").click()
    expect(panel.locator(".cg-wrap")).to_have_class(re.compile("orientation-black"))


def without_tree(said):
    """A message of the server, with trouble in place of a tree."""
    return {"number": said["number"], "error": "no tree today"} if "rows" in said.get("answer", ()) else said


def test_a_server_that_draws_no_tree_is_not_asked_for_ever(visit):
    """The trouble is told, and that is all."""
    page = visit()
    between = Between(page, change=without_tree)
    page.get_by_role("tab", name="Quiescence").click()
    expect(page.get_by_role("alert").last).to_have_text("no tree today")
    page.wait_for_timeout(500)
    assert between.count("tree") == 1


def test_keys_walk_past_hidden_moves(visit, kiwipete):
    """With the moves left out hidden, the key goes to the first child that is shown; folding shows the start again."""
    first = kiwipete[1][1]
    page = visit(f"#quiescence?fen={KIWIPETE}")
    nodes(page).first.wait_for()
    page.get_by_label("moves left out").uncheck()
    page.locator("#panel-quiescence svg.tree").press("ArrowRight")
    details = page.locator("#panel-quiescence .details")
    expect(details.locator("dd").first).to_have_text(first["san"])
    page.get_by_role("button", name="Fold", exact=True).click()
    page.mouse.move(5, 5)
    expect(details.locator("dd").first).to_have_text("the position itself")


def with_long_moves(said):
    """A message of the server, with moves of a tree longer than SAN has them."""
    for row in said.get("answer", {}).get("rows", ()):
        row[COLUMNS.index("san")] = "with a word on " + row[COLUMNS.index("san")]
    return said


def test_labels_end_before_the_next_ply(visit):
    """However long a move, its score and the count of what is folded are: a link has room behind them."""
    page = visit(f"#quiescence?fen={KIWIPETE}")
    Between(page, change=with_long_moves)
    nodes(page).nth(1).wait_for()
    gaps = page.evaluate("""() => {
        const found = [...document.querySelectorAll("#panel-quiescence .node")].map((node) => {
            const {x, width} = node.querySelector(".label").getBBox();
            const isOpen = node.getAttribute("aria-expanded") === "true";
            return {left: node.transform.baseVal[0].matrix.e, end: x + width, ply: Number(node.ariaLevel), isOpen};
        });
        const lefts = new Map(found.map(({ply, left}) => [ply, left]));
        return found.filter(({isOpen}) => isOpen).map(({ply, left, end}) => lefts.get(ply + 1) - 10 - left - end);
    }""")
    assert len(gaps) > 1
    assert min(gaps) > 15, gaps


def test_the_board_is_the_position_s_before_its_tree_has_come(visit):
    """While the first tree is waited for, the board shows what was asked for; numbers have minus signs."""
    page = visit("#quiescence?fen=4k3/q7/8/8/8/8/8/4K3 w - - 0 1")
    between = Between(page, hold=lambda asked: asked["do"] == "tree", gets_ready=False)
    until(page, lambda: between.held)
    expect(page.locator("#panel-quiescence cg-board piece")).to_have_count(3)
    while between.held:
        between.release()
    expect(page.locator("#panel-quiescence .sentence")).to_contain_text("\N{MINUS SIGN}")
    expect(page.locator("#panel-quiescence .sentence")).not_to_contain_text(re.compile(r"-\d"))
