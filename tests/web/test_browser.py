"""The page in a real browser: chromium, driven by Playwright. Skipped with a word where one of them is missing."""

import os
import re
import shutil
from pathlib import Path

import chess
import pytest

from quiesce.search.reasons import REASONS
from quiesce.web.tour import CAPTURES
from quiesce.web.trees import COLUMNS

from .conftest import KIWIPETE, Client, has_bundle, settled, status

playwright_api = pytest.importorskip("playwright.sync_api", reason="PLAYWRIGHT IS NOT INSTALLED: no browser tests")
expect = playwright_api.expect

CHROMIUM = os.environ.get("QUIESCE_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREEN, PHONE = {"width": 1360, "height": 860}, {"width": 390, "height": 844}
PATIENCE = 15_000
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
PROMOTION = "8/P6k/8/8/8/8/7K/8 w - - 0 1"

pytestmark = [
    pytest.mark.skipif(not has_bundle(), reason="THE PAGE IS NOT BUILT (make web): no browser tests"),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="NO CHROMIUM (apt-get install chromium): no browser tests"),
]


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests of the module."""
    with playwright_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def visit(browser, address):
    """Opens pages, each a visitor of its own; afterwards none may have had trouble, and nothing may run."""
    contexts, trouble = [], []

    def opened(path="", size=SCREEN, **options):
        context = browser.new_context(viewport=size, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
        page.goto(f"http://{address}/{path}")
        page.locator("section:visible cg-board piece").first.wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not trouble
    settled(address, running=0, waiting=0, browsers=0)


def square(page, name, panel="play"):
    """The middle of a square on the screen, White below."""
    box = page.locator(f"#panel-{panel} cg-board").bounding_box()
    side = box["width"] / 8
    file, rank = chess.FILE_NAMES.index(name[0]), int(name[1]) - 1
    return box["x"] + (file + 0.5) * side, box["y"] + (7.5 - rank) * side


def click_move(page, uci, panel="play"):
    """Make a move as people do: click the man, click where it goes."""
    for name in (uci[:2], uci[2:4]):
        page.mouse.click(*square(page, name, panel))


def drag_move(page, uci, panel="play"):
    """Make a move by dragging."""
    page.mouse.move(*square(page, uci[:2], panel))
    page.mouse.down()
    page.mouse.move(*square(page, uci[2:4], panel), steps=4)
    page.mouse.up()


def new_game(page, fen="", side="White", strength=None):
    """Start a game by the dialog."""
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Your side").select_option(label=side)
    dialog.get_by_label("FEN").fill(fen)
    if strength is not None:
        dialog.get_by_role("slider", name="Strength").fill(strength)
    dialog.get_by_role("button", name="Start").click()
    return dialog


def moves(page, panel="play"):
    """The moves in the list, in SAN."""
    return page.locator(f"#panel-{panel} .moves .move")


def test_a_game_to_mate(visit):
    """The engine answers, mate is named, and nothing may be moved afterwards."""
    page = visit()
    new_game(page, strength="1000")
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    expect(page.locator("#panel-play .status")).to_have_text(re.compile("Your move, with White"))
    new_game(page, MATE_IN_ONE)
    expect(moves(page)).to_have_count(0)
    drag_move(page, "a1a8")
    expect(page.locator("#panel-play .status")).to_have_text("White wins by checkmate. 1-0")
    expect(moves(page)).to_have_text(["Ra8#"])
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()


def test_the_engine_mates(visit):
    """With Black against a side that is mated in one, the page says who won."""
    page = visit()
    new_game(page, MATE_IN_ONE, side="Black", strength="2700")
    expect(page.locator("#panel-play .status")).to_have_text("White wins by checkmate. 1-0")


@pytest.mark.parametrize(("piece", "san"), [("queen", "a8=Q"), ("knight", "a8=N")])
def test_a_promotion_is_chosen(visit, piece, san):
    """The piece is asked for, by mouse; Escape takes the move back."""
    page = visit()
    new_game(page, PROMOTION)
    click_move(page, "a7a8")
    choice = page.get_by_role("dialog", name="Promote to")
    expect(choice.get_by_role("button", name="queen")).to_be_focused()
    page.keyboard.press("Escape")
    expect(choice).to_be_hidden()
    expect(moves(page)).to_have_count(0)
    click_move(page, "a7a8")
    choice.get_by_role("button", name=piece).click()
    expect(moves(page).first).to_have_text(san)


@pytest.mark.parametrize(
    ("fen", "is_960", "uci", "san"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", False, "e1g1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", False, "e1a1", "O-O-O"),
        ("4k3/8/8/8/8/8/8/1R2KR2 w KQ - 0 1", True, "e1f1", "O-O"),
    ],
)
def test_castling(visit, fen, is_960, uci, san):
    """By the king's target or onto the rook; in Chess960 too, when it is asked for."""
    page = visit()
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("FEN").fill(fen)
    dialog.get_by_label("Chess960").set_checked(is_960)
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()
    click_move(page, uci)
    expect(moves(page).first).to_have_text(san)


def test_take_back_and_resign(visit):
    """Both sides' moves are taken back; resigning ends the game, taking back after it goes on."""
    page = visit()
    new_game(page, strength="1000")
    click_move(page, "d2d4")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(0)
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    expect(page.locator("#panel-play .status")).to_have_text("Black wins by resignation. 0-1")


def test_moves_may_be_typed_and_errors_are_told(visit):
    """Keyboard alone plays; what is illegal is said in the engine's words and changes nothing."""
    page = visit()
    new_game(page, strength="1000")
    page.get_by_role("dialog").first.wait_for(state="hidden")
    page.locator("body").press("m")
    page.keyboard.type("Nf3")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(2)
    page.keyboard.type("Qh7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").last).to_contain_text("'Qh7' is illegal in")
    expect(moves(page)).to_have_count(2)


def test_a_bad_fen_is_explained(visit):
    """In the dialog, word for word as UCI has it; the old game stays."""
    page = visit()
    dialog = new_game(page, "8/8/8/8/8/8/8/8 w - - 0 1")
    expect(dialog.get_by_role("alert")).to_have_text("board field: White has no king")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")


def test_a_reload_keeps_the_game(visit):
    """Moves, side and strength are there again."""
    page = visit()
    new_game(page, side="Black", strength="1200")
    expect(moves(page)).to_have_count(1)
    played = moves(page).all_text_contents()
    page.reload()
    expect(moves(page)).to_have_text(played)
    expect(page.locator("#panel-play .name").first).to_have_text("Quiesce · about 1200")
    expect(page.locator("#panel-play .cg-wrap")).to_have_class(re.compile("orientation-black"))


def test_two_tabs_play_apart(visit):
    """Two visitors' games do not mix, and a second tab of one visitor begins its own."""
    one, two = visit(), visit()
    new_game(one, strength="1000")
    new_game(two, strength="1000")
    click_move(one, "e2e4")
    click_move(two, "d2d4")
    expect(moves(one)).to_have_count(2)
    expect(moves(two)).to_have_count(2)
    expect(moves(one).first).to_have_text("e4")
    expect(moves(two).first).to_have_text("d4")
    third = one.context.new_page()
    third.goto(one.url)
    expect(third.locator("#panel-play .status")).to_have_text("Your move, with White.")
    expect(moves(third)).to_have_count(0)


def test_clocks_run(visit):
    """A clock counts down once a move was made, and time lost is a game lost."""
    page = visit()
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Clock").select_option(label="1+0")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("#panel-play .clock").last).to_have_text("1:00")
    click_move(page, "e2e4")
    expect(page.locator("#panel-play .clock.running").last).to_be_visible()
    expect(moves(page)).to_have_count(2)
    expect(page.locator("#panel-play .clock").last).to_have_text(re.compile(r"0:5\d"))


def test_analysis_starts_and_stops(visit, address):
    """Lines grow while the switch is on; off, elsewhere or closed, nothing runs."""
    page = visit(f"#analyse?fen={KIWIPETE}")
    assert status(address)["running"] == 0
    switch = page.get_by_role("switch", name="Engine")
    switch.click()
    lines = page.locator("#panel-analyse .lines li")
    expect(lines).to_have_count(3)
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile(r"Depth \d+/\d+ · .* nodes · .*/s"))
    page.get_by_label("Lines", exact=True).select_option("5")
    expect(lines).to_have_count(5)
    settled(address, running=1)
    switch.click()
    settled(address, running=0)
    page.locator("#panel-analyse .facts").click()
    page.keyboard.press("Space")
    settled(address, running=1)
    page.get_by_role("tab", name="Play").click()
    settled(address, running=0)
    page.get_by_role("tab", name="Analyse").click()
    settled(address, running=1)
    page.close()
    settled(address, running=0, browsers=0)


def test_a_line_is_played_onto_the_board(visit):
    """Clicking the second move of a line plays two moves, and the address follows."""
    page = visit("#analyse")
    page.get_by_role("switch", name="Engine").click()
    second = page.locator("#panel-analyse .lines li").first.locator(".move").nth(1)
    second.wait_for()
    page.get_by_role("switch", name="Engine").click()
    page.get_by_label("Lines", exact=True).select_option("1")
    page.get_by_role("switch", name="Engine").click()
    second.click()
    expect(moves(page, "analyse")).to_have_count(2)
    assert "moves=" in page.url


def test_a_game_is_loaded_and_reviewed(visit):
    """PGN in, a graph with the blunder marked, keys to walk through."""
    page = visit("#analyse")
    page.locator("#panel-analyse").get_by_role("button", name="Load FEN or PGN").click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("FEN or PGN").fill("1. Ke5 *")
    dialog.get_by_role("button", name="Load").click()
    expect(dialog.get_by_role("alert")).to_contain_text("the game cannot be read")
    dialog.get_by_label("FEN or PGN").fill('[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1')
    dialog.get_by_role("button", name="Load").click()
    expect(moves(page, "analyse")).to_have_count(4)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#panel-analyse .graph .mark.blunder")).to_have_count(1)
    expect(moves(page, "analyse").nth(2)).to_have_text("g4??")
    page.locator("body").press("End")
    expect(page.locator("#panel-analyse .facts")).to_have_text("checkmate, 0-1")
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#panel-analyse .move[aria-current]")).to_have_text("g4??")


@pytest.fixture(scope="module")
def kiwipete(address):
    """The tree the page should show: all its rows, those searched, and the first move tried, in SAN."""
    with Client(address) as client:
        tree = client.ask("tree", fen=KIWIPETE)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in tree["rows"]]
    searched = [row for row in rows if not REASONS[row["reason"]].is_skip]
    assert len(searched) == tree["nodes"] > 50
    return rows, searched, searched[1]["san"]


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
    page.locator("svg.tree").press("Enter")
    expect(nodes(page)).to_have_count(before)
    details = page.locator("#panel-quiescence .details")
    expect(details).to_contain_text("the position itself")
    page.locator("svg.tree").press("ArrowRight")
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


def test_a_tree_of_2000_nodes_is_shown_within_a_second(visit, capsys):
    """A tree of 4,000, the most there is, is unfolded and painted in less; it says that it was cut."""
    page = visit(f"#quiescence?fen={CAPTURES}")
    frame, times = page.locator(".treeframe"), []
    page.get_by_role("button", name="All off").click()
    expect(page.locator(".missing")).to_have_text(re.compile(r"^4,000 of [\d,]+ steps are shown, upper plies first\.$"))
    expect(frame).to_have_attribute("data-nodes", re.compile(r"\d{4,}"))
    asked = int(frame.get_attribute("data-shown-ms"))
    for _ in range(3):
        page.get_by_role("button", name="Unfold all").click()
        expect(frame).to_have_attribute("data-shown", "4000")
        times.append(int(frame.get_attribute("data-shown-ms")))
        page.get_by_role("button", name="Fold", exact=True).click()
        frame.evaluate("frame => delete frame.dataset.shown")
    with capsys.disabled():
        print(f"\ntree of 4,000: asked for and shown in {asked} ms, unfolded in {times} ms")
    assert min(times) < 1_000


def test_the_tour_leads_through_the_horizon(visit):
    """Step by step to the end; the address names the step; ending it leaves the position."""
    page = visit("#quiescence")
    page.get_by_role("button", name="Guided tour").click()
    tour = page.get_by_role("complementary", name="Guided tour")
    expect(tour.get_by_role("heading")).to_have_text(re.compile("^1 / 7A queen takes a queen"))
    expect(page.locator(".sentence")).to_have_text(re.compile("Without quiescence this counts .* for White"))
    for step in range(2, 8):
        tour.get_by_role("button", name="Next").click()
        expect(tour.get_by_role("heading")).to_have_text(re.compile(f"^{step} / 7"))
        expect(page).to_have_url(re.compile(f"tour={step}$"))
    expect(tour.get_by_role("button", name="Next")).to_have_count(0)
    expect(page.locator(".missing")).to_be_visible()
    tour.get_by_role("button", name="End the tour").click()
    expect(tour).to_be_hidden()
    expect(page).to_have_url(re.compile("fen="))


def test_every_reason_has_a_colour_of_its_own_or_a_family_s(visit, kiwipete):
    """All reasons of the search are counted under some family; no family shares a sign."""
    page = visit(f"#quiescence?fen={KIWIPETE}")
    counters = page.locator(".counters li")
    expect(counters).to_have_count(11)
    signs = counters.locator(".swatch").all_text_contents()
    assert len(set(signs)) == 11
    counted = sum(int(text.replace(",", "")) for text in counters.locator("b").all_text_contents())
    assert counted == len(kiwipete[0])


@pytest.mark.parametrize("tab", ["play", "analyse", "quiescence"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phones_need_not_scroll_sideways(visit, tab, scheme):
    """At 390 pixels nothing is wider than the screen, and the board fills most of it or sits beside its details."""
    page = visit(f"#{tab}", PHONE, color_scheme=scheme, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = page.locator(f"#panel-{tab} cg-board").bounding_box()
    assert box["width"] >= (140 if tab == "quiescence" else 320)


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
