"""What the board says of the order of quiet moves."""

import pytest

from quiesce.board.game import Game
from quiesce.jit import copy_record
from quiesce.search.ordering import add_order_bonuses
from quiesce.search.settings import params
from tests.search.workers import move_of, worker_at

HANGING = "4k3/8/8/2p5/3R4/8/8/4K2Q w - - 0 1"
"""The rook is attacked by a pawn; Qa8+ and Qh8+ and others give check; Re4+ and Rd8+ do too."""


def ordered(t, fen, moves, **options):
    """What is added to the score of each quiet move."""
    w = worker_at(t, fen)
    copy_record(w.params, params(options))
    for index, move in enumerate(moves):
        w.quiet[0].moves[index] = move_of(move, fen)
        w.quiet[0].scores[index] = 0
    add_order_bonuses(w, t, 0, len(moves))
    return [int(score) for score in w.quiet[0].scores[: len(moves)]]


def test_nothing_is_added_without_the_switches(t):
    """Off is off."""
    assert ordered(t, HANGING, ["d4e4", "d4d3", "h1h8"], CheckOrder=0, ThreatOrder=0) == [0, 0, 0]


def test_checks_that_lose_nothing_come_first(t):
    """A safe check is raised, one that hangs the rook and a move without check are not."""
    added = ordered(t, HANGING, ["d4e4", "d4d3", "d4d8"], CheckOrder=1, ThreatOrder=0)
    assert added[0] > 0
    assert added[1] == added[2] == 0


@pytest.mark.parametrize(("move", "sign"), [("d4d3", 1), ("h1h2", 0), ("h1h4", 0)])
def test_pieces_leave_the_attacks_of_lesser_ones(t, move, sign):
    """A rook that leaves a pawn's reach is raised, a queen that was safe and is so is left."""
    (added,) = ordered(t, HANGING, [move], CheckOrder=0, ThreatOrder=1)
    assert (added > 0) - (added < 0) == sign


def test_entering_their_reach_is_lowered(t):
    """A queen that walks into a pawn's reach."""
    fen = "4k3/8/8/2p5/8/8/8/3QK3 w - - 0 1"
    assert move_of("d1d4", fen)
    assert Game(fen).position.turn == 0
    (added,) = ordered(t, fen, ["d1d4"], CheckOrder=0, ThreatOrder=1)
    assert added < 0
