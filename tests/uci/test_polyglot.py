"""Clients that write `stop`, `position` and `go` at once, as polyglot does for xboard after every ponder miss."""

import sys

import chess
import pytest

from tests.uci.driver import Gui
from tools.clients import impatient, polyglot
from tools.clients.desk import Desk, program
from tools.clients.opponents import RandomMover

COMMAND = (sys.executable, "-m", "quiesce")
ROUNDS, MANY_ROUNDS = 3, 200
PLIES = 30
FEWEST_MOVES, FEWEST_MISSES = 4, 2
"""Who moves by chance may be mated soon."""


def lost(rounds, orders=tuple(impatient.ORDERS)):
    """The orders that lose a `go`, with how many of how many."""
    return {name: count for name, count in impatient.lost_goes(COMMAND, rounds, orders).items() if count[0]}


def test_no_go_is_lost():
    """Whatever stands between `stop` and `go`, at once or not: one legal `bestmove` for each `go`, in order."""
    assert lost(ROUNDS) == {}


@pytest.mark.slow
@pytest.mark.parametrize("order", impatient.ORDERS)
def test_no_go_of_many_is_lost(order):
    """The same, two hundred times each."""
    assert lost(MANY_ROUNDS, (order,)) == {}


def test_a_game_as_polyglot_writes_it():
    """After each ponder miss `stop`, `position` and `go` come in one write, and our engine plays on."""
    with impatient.opened(COMMAND) as gui:
        assert impatient.play_game(gui, RandomMover()) > 10


@pytest.mark.skipif(program("polyglot") is None, reason="polyglot is not installed; the test above writes as it does")
def test_polyglot(tmp_path):
    """Polyglot itself plays with ponder: misses happen, and no `go` is lost, late or answered with an illegal move."""
    with Desk(tmp_path, COMMAND) as desk:
        polyglot.play_against(desk, RandomMover(), longest=PLIES)
        verdict = desk.verdict()
    assert verdict.faults == []
    assert verdict.complaints == []
    assert verdict.moves >= FEWEST_MOVES
    assert verdict.hasty >= FEWEST_MISSES


def test_the_stand_in_sees_a_lost_go():
    """A `go` that is thrown away, or answered with a move of another position, is counted."""
    fake = "import sys\nfor line in sys.stdin:\n    if line.startswith('isready'): print('readyok', flush=True)\n"
    answering = fake + "    if line.startswith('stop'): print('bestmove g1f3', flush=True)\n"
    for script in (fake, answering):
        with Gui(command=(sys.executable, "-c", script)) as gui, pytest.raises((AssertionError, impatient.LostError)):
            impatient.provoke(gui, "infinite", "nothing", is_one_write=True, pause=0, patience=0.5)


def test_orders_tell_positions_apart():
    """No move is legal in two of the positions, so that an answer of another one is seen."""
    boards = [impatient.board_of(line) for line in (impatient.FIRST, impatient.SECOND, impatient.THIRD)]
    moves = [set(map(chess.Move.uci, board.legal_moves)) for board in boards]
    assert sum(map(len, moves)) == len(set().union(*moves))
