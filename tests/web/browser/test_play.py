"""The tab to play on: moves by mouse and keyboard, dialogs, clocks, games that survive."""

import io
import re

import chess
import chess.pgn
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits

from .pages import CLIPBOARD, Between, click_move, drag_move, expect, moves, new_game, until

TO_BE_WON = "8/8/3k4/8/8/8/8/QR4K1 w - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
PROMOTION = "8/P6k/8/8/8/8/7K/8 w - - 0 1"


def test_a_game_to_mate(visit):
    """Queen and rook against an engine that answers each move; mate is named, and nothing is moved afterwards."""
    page, board = visit(), chess.Board(TO_BE_WON)
    strong = Engine(1)
    try:
        new_game(page, TO_BE_WON, strength="1000")
        while not board.is_game_over():
            move = to_chess_move(strong.search(Game(board.fen()), Limits(depth=9)).lines[0].moves[0])
            click_move(page, move.uci())
            board.push(move)
            if not board.is_game_over():
                expect(moves(page)).to_have_count(len(board.move_stack) + 1)
                expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")
                board.push_san(moves(page).last.text_content())
    finally:
        strong.close()
    assert board.is_checkmate()
    assert len(board.move_stack) >= 5
    expect(page.locator("#panel-play .status")).to_have_text("White wins by checkmate. 1-0")
    expect(moves(page)).to_have_count(len(board.move_stack))
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    page.get_by_label("Type a move").first.fill("Kh1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").last).to_have_text("the game is over")
    expect(moves(page)).to_have_count(len(board.move_stack))


def test_a_move_is_dragged(visit):
    """A mate in one, by the mouse held down."""
    page = visit()
    new_game(page, MATE_IN_ONE)
    drag_move(page, "a1a8")
    expect(page.locator("#panel-play .status")).to_have_text("White wins by checkmate. 1-0")
    expect(moves(page)).to_have_text(["Ra8#"])


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
    """Both sides' moves are taken back; resigning ends the game, taking that back takes no move."""
    page = visit()
    new_game(page, strength="1000")
    click_move(page, "d2d4")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(0)
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    resign(page)
    expect(page.locator("#panel-play .status")).to_have_text("Black wins by resignation. 0-1")
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(2)
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(0)
    click_move(page, "c2c4")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("c4")


def resign(page):
    """Twice, since once asks."""
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()


def test_one_click_resigns_nothing(visit):
    """The first asks, a move takes the question away, and the next click asks again."""
    page = visit()
    new_game(page, strength="1000")
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("button", name="Really resign?")).to_be_visible()
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Resign", exact=True).click()
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")


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
    expect(page.get_by_role("alert").last).to_have_text("Qh7 is no legal move here")
    expect(moves(page)).to_have_count(2)


@pytest.mark.parametrize(
    ("fen", "said", "san"),
    [("", "nf3", "Nf3"), ("", "e2-e4", "e4"), ("", "N f3", "Nf3"), ("", "E4", "e4"),
     (PROMOTION, "a8", "a8=Q"), (PROMOTION, "a8n", "a8=N"),
     ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "o-o", "O-O"), ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "000", "O-O-O"),
     ("4k3/8/8/8/8/2p5/1P6/2B1K3 w - - 0 1", "bxc3", "bxc3")],
)  # fmt: skip
def test_moves_are_typed_as_people_type_them(visit, fen, said, san):
    """In small letters, with dashes and spaces, castling by letters or noughts; a pawn stays a pawn."""
    page = visit()
    new_game(page, fen)
    page.get_by_role("dialog").first.wait_for(state="hidden")
    page.get_by_label("Type a move").first.fill(said)
    page.keyboard.press("Enter")
    expect(moves(page).first).to_have_text(san)


def test_moves_are_told_to_those_who_listen(visit):
    """Both sides' moves in words, and the board in text."""
    page = visit()
    new_game(page, strength="1000")
    page.get_by_label("Type a move").first.fill("e4")
    page.keyboard.press("Enter")
    said = page.locator("#panel-play .heard[aria-live]")
    expect(said).to_have_text(re.compile(r"^Quiesce plays .*\.$"))
    expect(page.get_by_role("group", name="Board of the game")).to_contain_text("pawns e4 a2 b2 c2 d2 f2 g2 h2")


def test_a_lost_server_is_told_and_stops_the_clocks(visit):
    """Neither side's time runs while the engine cannot be asked, and nobody is told that it is his move."""
    page = visit()
    between = Between(page)
    mine = timed_game(page)
    between.lose()
    expect(page.locator("#panel-play .status")).to_have_text("No connection to the engine: the game waits for it.")
    shown = mine.text_content()
    page.clock.fast_forward(20_000)
    assert between.count("play") == 1
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")
    assert mine.text_content()[:4] == shown[:4]


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


def test_a_game_is_copied_and_saved(visit):
    """The PGN names both, and a result once there is one."""
    page = visit(permissions=CLIPBOARD)
    new_game(page, strength="1000")
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Copy PGN").click()
    expect(page.locator(".toast")).to_have_text("PGN copied")
    copied = chess.pgn.read_game(io.StringIO(page.evaluate("navigator.clipboard.readText()")))
    assert copied.headers["White"] == "You"
    assert re.fullmatch(r"Quiesce .* \(1000\)", copied.headers["Black"])
    assert copied.headers["Result"] == "*"
    assert len(list(copied.mainline_moves())) == 2
    resign(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save PGN").click()
    assert download.value.suggested_filename == "quiesce.pgn"
    saved = chess.pgn.read_game(io.StringIO(download.value.path().read_text()))
    assert saved.headers["Result"] == "0-1"
    assert list(saved.mainline_moves()) == list(copied.mainline_moves())


def test_the_board_is_flipped(visit):
    """By button and by key, names and pieces with it; a reload keeps it."""
    page = visit()
    ground, names = page.locator("#panel-play .cg-wrap"), page.locator("#panel-play .name")
    expect(names.last).to_have_text("You")
    page.locator("#panel-play").get_by_role("button", name="Flip").click()
    expect(ground).to_have_class(re.compile("orientation-black"))
    expect(names.first).to_have_text("You")
    page.reload()
    expect(ground).to_have_class(re.compile("orientation-black"))
    page.locator("body").press("f")
    expect(ground).to_have_class(re.compile("orientation-white"))
    expect(names.last).to_have_text("You")


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


def test_a_game_goes_on_while_its_player_looks_elsewhere(visit):
    """Analyse is opened and left while the engine thinks: its move comes."""
    page = visit()
    new_game(page, strength="2700")
    click_move(page, "e2e4")
    expect(page.locator("#panel-play .status")).to_have_text("Quiesce is thinking…")
    page.evaluate("location.hash = '#analyse'")
    expect(page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
    page.evaluate("location.hash = '#play'")
    expect(moves(page)).to_have_count(2)
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")


def test_a_move_that_was_given_up_is_asked_for_again(visit):
    """The server stopped the search: the page does not wait for ever."""
    page = visit()
    refused = []

    def refuse_first(said):
        if "game" in said.get("answer", ()) and not refused:
            refused.append(said)
            return {"number": said["number"], "answer": {"stopped": True}}
        return said

    between = Between(page, change=refuse_first)
    new_game(page, strength="1000")
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    assert between.count("play") == 2


def timed_game(page):
    """A game of a minute each against a weak engine, which has answered e4; the page's time may be moved on."""
    page.clock.install()
    page.reload()
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Clock").select_option(label="1+0")
    dialog.get_by_role("slider", name="Strength").fill("1000")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("#panel-play .clock").last).to_have_text("1:00")
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    return page.locator("#panel-play .clock").last


def test_clocks_run(visit):
    """A clock counts down once a move was made, and time lost is a game lost."""
    page = visit()
    mine = timed_game(page)
    expect(mine).to_have_class(re.compile("running"))
    expect(mine).to_have_text(re.compile(r"0:5\d"))
    page.clock.fast_forward(30_000)
    expect(mine).to_have_text(re.compile(r"0:2\d"))
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")
    page.clock.fast_forward(30_000)
    expect(page.locator("#panel-play .status")).to_have_text("Black wins by time. 0-1")
    expect(mine).to_have_text("0:00.0")
    expect(mine).not_to_have_class(re.compile("running"))
    click_move(page, "d2d4")
    expect(moves(page)).to_have_count(2)


def test_taking_back_brings_the_time_back(visit):
    """After time was lost too: the game goes on with what was left when that move was made."""
    page = visit()
    mine = timed_game(page)
    page.clock.fast_forward(20_000)
    click_move(page, "d2d4")
    expect(moves(page)).to_have_count(4)
    page.clock.fast_forward(61_000)
    status = page.locator("#panel-play .status")
    expect(status).to_have_text("Black wins by time. 0-1")
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(2)
    expect(status).to_have_text("Your move, with White.")
    expect(mine).to_have_text(re.compile(r"0:5\d"))
    page.clock.fast_forward(5_000)
    expect(mine).to_have_text(re.compile(r"0:[45]\d"))
    expect(status).to_have_text("Your move, with White.")


def test_a_reload_gives_no_time_back(visit):
    """What was thought about the move that is not made yet stays spent."""
    page = visit()
    mine = timed_game(page)
    page.clock.fast_forward(30_000)
    expect(mine).to_have_text(re.compile(r"0:2\d"))
    page.reload()
    expect(moves(page)).to_have_count(2)
    expect(mine).to_have_text(re.compile(r"0:2\d"))


def test_a_game_that_cannot_be_taken_up_is_left(visit):
    """What the tab kept is no game: that is said, and a new one begins."""
    page = visit()
    page.add_init_script("""
        const kept = JSON.parse(sessionStorage.getItem("quiesce-game"));
        kept.told.moves = ["e2e5"];
        sessionStorage.setItem("quiesce-game", JSON.stringify(kept));
    """)
    page.reload()
    expect(page.get_by_role("alert").last).to_contain_text("e2e5")
    expect(page.locator("#panel-play .status")).to_have_text("Your move, with White.")


def test_a_game_survives_a_connection_lost_at_once(visit):
    """Taken up again when the connection is back, not forgotten."""
    page = visit()
    new_game(page, strength="1000")
    click_move(page, "e2e4")
    expect(moves(page)).to_have_count(2)
    losses = []

    def lose_first(route):
        server = route.connect_to_server()

        def ask(message):
            if losses:
                server.send(message)
            else:
                losses.append(message)
                route.close()

        route.on_message(ask)

    page.route_web_socket("**/socket", lose_first)
    page.reload()
    expect(moves(page)).to_have_count(2)
    assert losses


def test_a_move_said_twice_is_made_once(visit):
    """Enter, pressed twice: the second answer, come when the engine has replied, does not take that back."""
    page = visit()
    new_game(page, strength="1000")
    between = Between(page, hold=lambda asked: "say" in asked)
    page.get_by_label("Type a move").first.fill("e4")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    until(page, lambda: len(between.held) == 2)
    between.release()
    expect(moves(page)).to_have_count(2)
    between.release()
    page.wait_for_timeout(300)
    expect(moves(page)).to_have_count(2)
    assert between.count("play") == 1
