"""Nothing asked is lost: commands act in the order read, and each `go` gets one answer, of its own position."""

import chess
import pytest

from tests.uci.driver import Gui

BEFORE, AFTER = "position startpos moves e2e4", "position startpos moves e2e4 c7c5"
BETWEEN = (
    (),
    ("isready",),
    ("setoption name MultiPV value 2",),
    ("setoption name Clear Hash",),
    ("ucinewgame",),
    ("ponderhit",),
    ("position startpos",),
    ("debug off",),
    ("stop",),
)
GO = {"infinite": "go infinite", "ponder": "go ponder wtime 60000 btime 60000"}


def legal(board, line):
    """Is the move of a `bestmove` line legal on a board?"""
    return chess.Move.from_uci(line.split()[1]) in board.legal_moves


def board_of(position):
    """The board that a `position` line sets up."""
    board = chess.Board()
    for text in position.split(" moves ")[1].split():
        board.push_uci(text)
    return board


@pytest.mark.parametrize("writes", ["one write", "three writes"])
@pytest.mark.parametrize("kind", GO)
def test_stop_position_go_without_waiting(gui, kind, writes):
    """As polyglot writes at a ponder miss, with every word between: two answers, each legal on its own board."""
    for ahead, between in [((), words) for words in BETWEEN] + [(words, ()) for words in BETWEEN[1:]]:
        blocks = [(BEFORE, GO[kind]), (*ahead, "stop", *between), (AFTER, "go depth 4")]
        for block in [sum(blocks, ())] if writes == "one write" else blocks:
            gui.send(*block)
        first, second = gui.expect("^bestmove")[-1], gui.expect("^bestmove")[-1]
        assert legal(board_of(BEFORE), first), (ahead, between, first)
        assert legal(board_of(AFTER), second), (ahead, between, second)
        gui.send("setoption name MultiPV value 1")
        gui.ready()


def test_many_go_at_once(gui):
    """Twenty searches in one write, stopped or not: twenty answers in order."""
    lines, boards = [], []
    board = chess.Board()
    for number, text in enumerate(["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]):
        board.push_uci(text)
        moves = " ".join(move.uci() for move in board.move_stack)
        lines += [f"position startpos moves {moves}", "go infinite" if number % 2 else "go nodes 300", "stop"]
        boards.append(board.copy())
    gui.send(*lines)
    for expected in boards:
        assert legal(expected, gui.expect("^bestmove")[-1])
    assert gui.ready() == []


def test_isready_waits_for_what_was_asked_before_it(gui):
    """After a `stop` and when idle `readyok` says that all before it is done; while a search runs it comes at once."""
    for megabytes in (3, 1, 2, 1):
        gui.send("go nodes 500")
        gui.expect("^bestmove")
        gui.send(f"setoption name Hash value {megabytes}", "setoption name Hash value 0", "isready")
        assert gui.expect("^readyok")[0].startswith("info string Hash goes from 1")
    gui.send("go infinite", "stop", "d", "isready")
    said = gui.expect("^readyok")
    assert [line.split()[0] for line in said if line.startswith(("bestmove", "fen"))] == ["bestmove", "fen:"]
    gui.send("go infinite", "d", "isready")
    assert not any(line.startswith("fen") for line in gui.expect("^readyok"))
    gui.send("stop")
    gui.expect("^fen:")


@pytest.mark.parametrize("bad", ["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"])
def test_a_refused_position_has_no_move(gui, bad):
    """Until a position is accepted `go` plays no move, and says so as of a finished game."""
    gui.send(f"position fen {bad}")
    assert "position not set" in gui.ready()[0]
    assert gui.ask("go depth 3") == ["bestmove (none)"]
    gui.send("go infinite")
    gui.ready()
    gui.silence(0.2)
    assert gui.ask("stop") == ["bestmove (none)"]
    assert gui.ask("go ponder wtime 1000 btime 1000", "ponderhit") == ["bestmove (none)"]
    gui.send("position startpos moves e2e5")
    assert gui.ask("go wtime 100 btime 100")[-1] == "bestmove (none)"
    assert legal(chess.Board(), gui.ask("position startpos", "go depth 3")[-1])


def test_a_bare_go_ends_at_a_proven_mate(gui):
    """No limit at all is not `infinite`: where a mate is proven there is nothing left to search."""
    lines = gui.ask("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go", timeout=20)
    assert " score mate 2 " in [line for line in lines if " score " in line][-1]


def test_red_flags_only_when_asked_for(gui):
    """What engine authors want to know stands in nobody's way."""
    gui.send("position fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1")
    assert not any("red flag" in line for line in gui.ask("go depth 2"))
    gui.send("debug on", "ucinewgame")
    assert any("red flag" in line for line in gui.ask("go depth 2"))


def test_what_stands_before_quit_is_answered():
    """A script's one write: all of it is done before the process ends, a long search within a second more."""
    with Gui() as gui:
        gui.send("isready", "help", "d", "position startpos", "go depth 3", "eval", "bench 1", "go infinite", "quit")
        said = gui.expect("^bestmove")
        assert "readyok" in said
        assert " depth 3 " in [line for line in said if " score " in line][-1]
        said = gui.expect("^bestmove", timeout=20)
        assert any(line.startswith("eval:") for line in said)
        assert any(line.endswith("nps") and line.split()[1] == "nodes" for line in said)
        assert gui.process.wait(10) == 0


def test_quit_ends_a_bounded_search_after_a_second():
    """A search that would take minutes still answers."""
    with Gui() as gui:
        gui.ready()
        gui.send("go depth 100", "quit")
        assert legal(chess.Board(), gui.expect("^bestmove", timeout=5)[-1])
        assert gui.process.wait(5) == 0


def test_end_of_input_lets_bounded_searches_finish():
    """`printf 'go depth 9' | quiesce` searches nine plies, open searches before it are stopped."""
    with Gui() as gui:
        gui.send("go infinite", "go", "go depth 9")
        code, said = gui.end(timeout=60)
    assert code == 0
    answers = [number for number, line in enumerate(said) if line.startswith("bestmove")]
    assert len(answers) == 3
    assert " depth 9 " in [line for line in said if " score " in line][-1]
