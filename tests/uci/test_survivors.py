"""What once could be broken without a test that noticed, asked of the real process, however it is built inside."""

import time

import pytest

from tests.conftest import DATA
from tests.uci.inside import Talk

CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
QUEEN = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"


def seconds_of(gui, overhead, go):
    """How long a move takes with an overhead, in milliseconds."""
    gui.send("ucinewgame", f"setoption name Move Overhead value {overhead}", "position startpos")
    gui.ready()
    began = time.monotonic()
    gui.ask(go)
    return time.monotonic() - began


@pytest.mark.parametrize("go", ["go wtime 5000 btime 5000 movestogo 1", "go movetime 2000"])
def test_the_overhead_is_kept_back(gui, go):
    """Of a clock as of a fixed time: what a move loses on its way is not thought away."""
    kept = 4500 if "wtime" in go else 1700
    assert seconds_of(gui, kept, go) < 1.0
    assert seconds_of(gui, 0, go) > 1.0


@pytest.mark.parametrize("go", ["go wtime 5000 btime 5000 movestogo 1", "go movetime 2000"])
def test_the_search_itself_keeps_the_overhead_back(go):
    """It ends by its own clock, so that the watch over the answer, which knows the overhead too, has nothing to do."""
    with Talk() as gui:
        gui.send(f"setoption name Move Overhead value {4500 if 'wtime' in go else 1700}", "position startpos")
        gui.ask(go)
        assert not gui.conversation._player.setup.engine.is_searching


def test_chess960_may_change_within_a_game(gui):
    """A game that goes on after the option has changed is read, and answered, as the option says."""
    moves = "a1b1 a8b8"
    gui.send(f"position fen {CORNERS} moves {moves}", "setoption name UCI_Chess960 value true")
    moves += " b1a1 b8a8"
    gui.send(f"position fen {CORNERS} moves {moves}")
    assert gui.ask("go depth 1 searchmoves e1h1")[-1].split()[1] == "e1h1"
    gui.send("setoption name UCI_Chess960 value false")
    moves += " a1b1 a8b8"
    gui.send(f"position fen {CORNERS} moves {moves}")
    assert gui.ask("go depth 1 searchmoves e1g1")[-1].split()[1] == "e1g1"


def test_tables_choose_among_the_moves_asked_for(gui):
    """`searchmoves` comes first: the queen is given away if no other move is allowed; of two the better is played."""
    gui.send(f"setoption name SyzygyPath value {DATA / 'syzygy'}", f"position fen {QUEEN}")
    assert gui.ask("go depth 3 searchmoves d2d5")[-1].split()[1] == "d2d5"
    assert gui.ask("go depth 3 searchmoves d2d5 d2d4")[-1].split()[1] in ("d2d5", "d2d4")
    assert gui.ask("go depth 3 searchmoves d2d5 d2c3")[-1].split()[1] == "d2c3"
