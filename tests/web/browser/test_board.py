"""What stands around the moves: games of a file, the editor, threats, the small board, settings, kept files."""

import re
import time

import chess
import chess.pgn

from tests.conftest import shared
from tests.web.conftest import KIWIPETE, serving

from .pages import CLIPBOARD, Between, expect, load, moves, until

CURRENT = "#panel-analyse .move[aria-current]"
TEN = "\n\n".join(
    f'[White "White{number}"]\n[Black "Black{number}"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0'
    for number in range(1, 11)
)


def test_all_games_of_a_file_are_listed(visit):
    """Found by a name, opened by a click, walked by brackets; what was said in one is still there afterwards."""
    page = visit("#analyse")
    load(page, TEN)
    expect(page.get_by_role("button", name="Game 1 of 10")).to_be_visible()
    page.locator("body").press("]")
    expect(page.locator("#panel-analyse .headers")).to_have_text("White2 \N{EN DASH} Black2, 1-0")
    page.locator("body").press("c")
    page.keyboard.type("here")
    page.keyboard.press("Escape")
    page.locator("body").press("g")
    dialog = page.get_by_role("dialog", name="Games")
    expect(dialog.get_by_role("list", name="Games of this file").get_by_role("button")).to_have_count(10)
    dialog.get_by_label("Find a game").fill("white7")
    dialog.get_by_role("button", name="7. White7").click()
    expect(page.locator("#panel-analyse .headers")).to_have_text("White7 \N{EN DASH} Black7, 1-0")
    page.locator("body").press("g")
    dialog.get_by_role("button", name="2. White2").click()
    expect(page.get_by_label("Comment on this move")).to_have_value("here")


def test_a_game_that_cannot_be_read_keeps_nobody_from_the_others(visit):
    """The first that can is shown; brackets pass over the others, with a word."""
    page = visit("#analyse")
    load(page, '1. e4 Ke2 *\n\n[White "Good"]\n\n1. d4 *\n\n[White "Bad"]\n\n1. Qh8 *\n\n[White "Last"]\n\n1. c4 *')
    expect(page.locator(".toast")).to_contain_text("game 1: the game cannot be read")
    expect(page.get_by_role("button", name="Game 2 of 4")).to_be_visible()
    page.locator("body").press("]")
    expect(page.locator(".toast")).to_contain_text("game 3: the game cannot be read: 1. Qh8 is illegal there")
    expect(moves(page, "analyse")).to_have_text(["c4"])


def test_kept_files_are_found_and_forgotten(visit):
    """What was loaded before is still listed after a visit elsewhere, until it is forgotten."""
    page = visit("#analyse")
    load(page, TEN)
    load(page, '[White "Other"]\n[Black "One"]\n\n1. d4 d5 *')
    page.reload()
    expect(page.locator("#panel-analyse .headers")).to_have_text("Other \N{EN DASH} One")
    page.locator("body").press("g")
    dialog = page.get_by_role("dialog", name="Games")
    dialog.get_by_role("button", name="(10 games)").last.click()
    expect(moves(page, "analyse")).to_have_count(6)
    page.locator("body").press("g")
    kept = dialog.get_by_role("list", name="Kept in this browser").get_by_role("listitem")
    expect(kept).to_have_count(2)
    dialog.get_by_role("button", name="Forget Other").click()
    expect(kept).to_have_count(1)


def test_a_position_is_set_up(visit):
    """Pieces are put and taken off by taps; an impossible board is told, a possible one analysed."""
    page = visit("#analyse", permissions=CLIPBOARD)
    page.locator("body").press("e")
    dialog = page.get_by_role("dialog", name="Set up a position")
    dialog.get_by_role("button", name="Clear").click()
    board = dialog.locator("cg-board")

    def tap(name):
        box = board.bounding_box()
        file, rank = chess.FILE_NAMES.index(name[0]), int(name[1]) - 1
        page.mouse.click(box["x"] + (file + 0.5) * box["width"] / 8, box["y"] + (7.5 - rank) * box["width"] / 8)

    dialog.get_by_role("button", name="white king").click()
    tap("e1")
    dialog.get_by_role("button", name="white rook").click()
    tap("a1")
    tap("b2")
    tap("b2")
    dialog.get_by_role("button", name="Analyse").click()
    expect(dialog.get_by_role("alert")).to_have_text("FEN: each side needs one king")
    dialog.get_by_role("button", name="black king").click()
    tap("e8")
    dialog.get_by_label("To move").select_option("b")
    dialog.get_by_role("button", name="Analyse").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Copy FEN").click()
    expect(page.locator(".toast")).to_have_text("FEN copied")
    assert page.evaluate("navigator.clipboard.readText()") == "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"


def test_a_threat_is_shown(visit):
    """What the other side would do if it could move: its mate in one, in red; in check there is none."""
    page = visit("#analyse?fen=r5k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
    page.locator("body").press("x")
    expect(page.locator("#panel-analyse .lines li").first).to_contain_text("Ra1#")
    expect(page.get_by_role("switch", name="Engine")).to_be_checked()
    page.goto(page.url.split("#")[0] + "#analyse?fen=4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    expect(page.locator("#panel-analyse .facts")).to_have_text("In check there is no threat to show.")


def test_a_move_of_a_line_shows_its_board(visit):
    """Under the mouse, and with the keyboard's focus; it goes when they go."""
    page = visit(f"#analyse?fen={KIWIPETE}")
    page.get_by_role("switch", name="Engine").click()
    move = page.locator("#panel-analyse .lines li .move").nth(1)
    move.hover()
    expect(page.locator(".preview piece").first).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.locator(".preview:visible")).to_have_count(0)


def test_the_engine_is_asked_as_the_settings_say(visit):
    """Lines, threads, memory and time go with each question, and are kept."""
    page = visit("#analyse")
    page.get_by_text("Engine settings").click()
    page.get_by_label("Time a position").select_option("1")
    page.get_by_label("Memory").select_option("64")
    between = Between(page)
    page.get_by_role("switch", name="Engine").click()
    until(page, lambda: between.count("analyse") == 1)
    asked = between.asked[-1]
    assert (asked["lines"], asked["threads"], asked["megabytes"], asked["seconds"]) == (3, 1, 64, 1)
    expect(page.locator("#panel-analyse .facts")).to_have_text(re.compile("the search has ended"), timeout=10_000)


def test_a_file_may_be_dropped_on_the_page(visit):
    """It is loaded as from the dialog."""
    page = visit("#analyse")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "evening.pgn"));
            const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true});
            document.querySelector("#panel-analyse").dispatchEvent(drop);
        }""",
        TEN,
    )
    expect(page.get_by_role("button", name="Game 1 of 10")).to_be_visible()


def test_openings_are_named(visit):
    """The last name that the line came through; it follows, and goes where there is none."""
    page = visit("#analyse")
    load(page, "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *")
    page.locator("body").press("End")
    expect(page.locator("#panel-analyse .opening")).to_contain_text("Najdorf")
    page.locator("body").press("Home")
    expect(page.locator("#panel-analyse .opening")).to_be_hidden()


def test_a_tablebase_s_verdict_is_shown(browser, page_folder):
    """With its best moves, below the engine's switch; it goes with the position."""
    with serving(page_folder, engines=1, megabytes=1, syzygy=str(shared("syzygy"))) as address:
        page = browser.new_page()
        page.goto(f"http://{address}/#analyse?fen=8/8/8/4k3/8/8/3QK3/8 w - - 0 1")
        expect(page.locator("#panel-analyse .tables")).to_have_text(re.compile("^Tablebase: White wins. "))
        load(page, "1. e4 *")
        expect(page.locator("#panel-analyse .tables")).to_be_hidden()
        page.close()


def load_file(page, file):
    """Load a file by the dialog; returns the seconds it took."""
    page.get_by_role("button", name="Load FEN or PGN").last.click()
    dialog = page.get_by_role("dialog", name="Load a position or a game")
    dialog.get_by_label("Open a file").set_input_files(file)
    began = time.monotonic()
    dialog.get_by_role("button", name="Load").click()
    expect(dialog).to_be_hidden()
    return time.monotonic() - began


def test_a_thousand_games_are_loaded_soon(visit, tmp_path, capsys):
    """A file of a thousand games is listed within a second or two, and each step in it is quick."""
    page = visit("#analyse")
    file = tmp_path / "many.pgn"
    file.write_text("\n\n".join([TEN] * 100))
    loaded = load_file(page, file)
    expect(page.get_by_role("button", name="Game 1 of 1000")).to_be_visible()
    began = time.monotonic()
    page.locator("body").press("ArrowRight")
    expect(page.locator(CURRENT)).to_have_text("e4")
    with capsys.disabled():
        print(f"\n1,000 games loaded in {loaded:.1f} s, a step in {1_000 * (time.monotonic() - began):.0f} ms")
    assert loaded < 5
