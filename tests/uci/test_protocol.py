"""The conversation as a GUI sees it: the real process, driven line by line through the checklist."""

import re
import time

import chess
import chess.engine
import pytest

from tests.uci.driver import KIWIPETE, SOON, last_info

MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_REPLY = "7k/8/8/8/8/8/6q1/7K w - - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def test_isready_is_answered_while_searching(gui):
    """Isready needs no end of the search."""
    gui.send("go infinite")
    for _ in range(20):
        gui.ready(timeout=2)
    gui.send("stop")
    gui.expect("^bestmove")


def test_infinite_waits_for_stop_even_at_the_last_depth(gui):
    """Mate found, nothing more to search: still no bestmove before stop."""
    gui.send(f"position fen {ONE_REPLY}", "go infinite", "isready")
    lines = gui.expect("^readyok$")
    time.sleep(0.5)
    gui.send("isready")
    lines += gui.expect("^readyok$")
    assert not any(line.startswith("bestmove") for line in lines)
    assert gui.ask("stop")[-1].startswith("bestmove h1g2")


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATED, "cp 0")])
def test_no_legal_move(gui, fen, score):
    """Mate or stalemate at the root: bestmove (none) at once, in infinite mode after stop."""
    lines = gui.ask(f"position fen {fen}", "go depth 3")
    assert lines[-1] == "bestmove (none)"
    assert f"score {score}" in lines[-2]
    gui.send("go infinite")
    gui.ready()
    gui.silence(0.3)
    assert gui.ask("stop")[-1] == "bestmove (none)"
    gui.send("go ponder wtime 1000 btime 1000")
    gui.ready()
    gui.silence(0.2)
    assert gui.ask("ponderhit")[-1] == "bestmove (none)"


def test_stop_without_go_does_nothing_and_never_leaks(gui):
    """Idle stops are silent, and the next search is not cut short."""
    gui.send("stop", "stop", "ponderhit", "stop")
    assert gui.ready() == []
    lines = gui.ask("go depth 8")
    assert " depth 8 " in last_info(lines)
    for _ in range(30):
        lines = gui.ask("go depth 4", "stop", "stop")
        assert lines[-1].startswith("bestmove")
        assert " depth 6 " in last_info(gui.ask("go depth 6"))


def test_a_second_go_waits(gui):
    """A go while searching waits for its turn; a stop read after both ends both, a bounded one needs none."""
    gui.send("go infinite", "position startpos moves e2e4", "go depth 1")
    assert not any(line.startswith("bestmove") for line in gui.ready())
    gui.send("stop")
    gui.expect("^bestmove [a-h][234]")
    assert re.match("bestmove [a-h][5678]|bestmove [bg]8", gui.expect("^bestmove")[-1])
    gui.send("go depth 8", "go depth 2")
    assert " depth 8 " in last_info(gui.expect("^bestmove"))
    assert " depth 2 " in last_info(gui.expect("^bestmove"))
    assert gui.ready() == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position startpos moves e2e5", "e2e5"),
        ("position startpos moves e2e4 e7e5 e1e3", "e1e3"),
        ("position", "startpos or fen"),
        ("position fen", "startpos or fen"),
        ("position startpos moves e2e4 zzzz", "zzzz"),
    ],
)
def test_errors_leave_the_position(gui, line, words):
    """A bad FEN or move is explained, and the old position stays, whole."""
    gui.send("position startpos moves d2d4 g8f6", "d")
    before = gui.ready()
    gui.send(line)
    said = gui.ready()
    assert len(said) == 1
    assert said[0].startswith("info string position not set")
    assert words in said[0]
    gui.send("d")
    assert gui.ready() == before


def test_a_game_told_move_by_move(gui):
    """Positions that go on, go back, or start anew end where python-chess does."""
    board = chess.Board()
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1"]:
        board.push_uci(text)
        gui.send("position startpos moves " + " ".join(move.uci() for move in board.move_stack), "d")
        assert any(line == f"fen: {board.fen()}" for line in gui.ready())
    gui.send("position startpos moves e2e4 e7e5", "d")
    assert any("PPPP1PPP/RNBQKBNR w KQkq - 0 2" in line for line in gui.ready())
    gui.send(f"position fen {KIWIPETE} moves e1g1", "d")
    assert any("R4RK1 b kq - 1 1" in line for line in gui.ready())


@pytest.mark.parametrize(
    "go",
    [
        "go wtime 0 btime 0",
        "go wtime -500 btime -500 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go movetime 0",
        "go movetime -5",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go nodes 1",
        "go winc 100 binc 100",
        "go movestogo 1",
        "go wtime 99999999999999999 btime 1 depth 3",
        "go wtime 60 btime 60 winc 10 binc 10",
        "go mate 0 depth 2",
    ],
)
def test_odd_limits_still_give_a_move(gui, go):
    """Whatever the clock says, a legal move with a score and a line comes soon."""
    started = time.monotonic()
    lines = gui.ask(f"position fen {KIWIPETE}", go, timeout=5)
    assert time.monotonic() - started < SOON
    move = chess.Move.from_uci(lines[-1].split()[1])
    assert chess.Board(KIWIPETE).is_legal(move)
    assert f" pv {move.uci()}" in last_info(lines)


def test_unknown_words(gui):
    """Unknown lines get a word at most, unknown words before a command are skipped, unknown go words named."""
    gui.send("xyzzy", "", "   ", "go nonsense depth 2")
    lines = gui.expect("^bestmove")
    assert "unknown command: xyzzy" in lines[0]
    assert "unknown word nonsense" in lines[1]
    gui.send("hello there isready")
    assert gui.expect("readyok")[-1] == "readyok"
    gui.send("register later")
    assert gui.ready() == []


def test_hostile_bytes(gui):
    """Long lines, CRLF, NUL and bad UTF-8 do no harm."""
    gui.send_bytes(b"position startpos moves e2e4\r\nisready\r\n")
    gui.expect("^readyok$")
    gui.send_bytes(
        b"x" * 10_000 + b"\n" + b"\xff\xfe\x00\x01garbage\n" + b"\x00\n" + b"setoption name \xc3\x28 value \x80\n"
    )
    gui.send_bytes(b"position fen " + b"8" * 100_000 + b"\n")
    gui.ready()
    assert gui.ask("go depth 3")[-1].startswith("bestmove")


def test_ponder(gui):
    """No answer while pondering, one within the clock after ponderhit, and at once after stop."""
    gui.send("position startpos moves e2e4", "go ponder wtime 1000 btime 1000 winc 0 binc 0")
    time.sleep(0.4)
    assert not any(line.startswith("bestmove") for line in gui.ready())
    started = time.monotonic()
    lines = gui.ask("ponderhit")
    assert time.monotonic() - started < SOON
    assert lines[-1].startswith("bestmove")
    gui.send("go ponder wtime 100000 btime 100000")
    gui.ready()
    started = time.monotonic()
    gui.ask("stop")
    assert time.monotonic() - started < SOON


def test_only_move_is_played_at_once(gui):
    """One legal move: played without spending the clock, with a score and a line."""
    started = time.monotonic()
    lines = gui.ask(f"position fen {ONE_REPLY}", "go wtime 60000 btime 60000")
    assert time.monotonic() - started < SOON
    assert lines[-1].startswith("bestmove h1g2")
    assert " pv h1g2" in last_info(lines)


def test_mate_is_found_exactly(gui):
    """Go mate ends when the mate is found; its line is as long as it says."""
    lines = gui.ask(f"position fen {MATE_IN_TWO}", "go mate 2", timeout=20)
    info = last_info(lines)
    assert " score mate 2 " in info
    assert len(info.split(" pv ")[1].split()) == 3


def test_searchmoves(gui):
    """Only named moves are considered; illegal names are told and passed over."""
    lines = gui.ask("go depth 6 searchmoves a2a3 h2h3")
    assert lines[-1].split()[1] in ("a2a3", "h2h3")
    lines = gui.ask("go searchmoves e2e5 a2a3 depth 4")
    assert any("e2e5" in line for line in lines if line.startswith("info string"))
    assert lines[-1].split()[1] == "a2a3"


def test_commands_by_hand(gui):
    """d, eval, flip, qsearch, perft, qperft, compiler and help answer."""
    gui.send(f"position fen {KIWIPETE}", "d", "eval", "flip", "d", "eval", "qsearch", "compiler", "help")
    said = "\n".join(gui.ready())
    evals = re.findall(r"eval: (-?\d+) cp", said)
    assert len(evals) == 2
    assert evals[0] == evals[1], "colours exchanged, the mover's view is the same"
    assert chess.Board(KIWIPETE).mirror().fen() in said
    assert re.search(r"qsearch: -?\d+ cp, nodes \d+", said)
    assert "Numba" in said
    gui.send("flip", "go perft 3")
    assert gui.expect("Nodes searched")[-1] == "Nodes searched: 97862"
    gui.send("qperft 1")
    assert "regular nodes 1, quiescence nodes" in gui.expect("^qperft")[-1]
    gui.send("qperft 99")
    assert "depth goes from" in gui.expect("^info string")[-1]


def test_perft_can_be_given_up(gui):
    """A long perft does not keep isready or stop waiting."""
    gui.send("go perft 9")
    gui.ready(timeout=2)
    gui.send("d", "go depth 1")
    assert "d waits until the search ends" in gui.expect("^info string")[-1]
    gui.ready(timeout=2)
    gui.send("stop")
    gui.expect("perft given up", timeout=5)
    gui.expect("^fen:", timeout=5)
    gui.expect("^bestmove", timeout=5)
