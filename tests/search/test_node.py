"""What every node does with its evaluation."""

import numpy as np

from quiesce.engine.table import Table
from quiesce.eval.endings import FULL_NON_PAWN_MATERIAL
from quiesce.search.invariants import is_psqt_sound
from quiesce.search.node import evaluation_of, play, scaled_eval
from tests.search.workers import move_of, without, worker_at

ROOKS = "4k2r/8/8/8/8/8/8/R3K3 w - - {} 90"
ALL_MEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_scaled_eval(t):
    """Less with fewer pieces, less as the clock runs on, nothing changed when off; the sign stays."""
    both = {"EvalMaterial": 1, "EvalFiftyMoves": 1, "EvalFiftyMovesPlies": 200, "EvalMaterialBase": 100}
    start, rooks, late = (worker_at(t, fen) for fen in (ALL_MEN, ROOKS.format(0), ROOKS.format(50)))
    for w in (start, rooks, late):
        without(w, **both)
    assert scaled_eval(start, start.stack[0], np.int64(1_000)) == 1_000
    left = 1_000 * (100 + 10) // (100 + FULL_NON_PAWN_MATERIAL)
    assert scaled_eval(rooks, rooks.stack[0], np.int64(1_000)) == left
    assert scaled_eval(late, late.stack[0], np.int64(1_000)) == left - left * 50 // 200
    assert scaled_eval(late, late.stack[0], np.int64(-1_000)) < 0
    without(late, EvalMaterial=0, EvalFiftyMoves=0)
    assert scaled_eval(late, late.stack[0], np.int64(1_000)) == 1_000


def test_the_terms_are_not_scaled(t):
    """Only a network's evaluation does: the terms have scales of their own."""
    values = {}
    for name in ("network", "fitted"):
        for clock in (0, 80):
            w = without(worker_at(t, ROOKS.replace("8/R3K3", "PPPP4/R3K3").format(clock), name), EvalFiftyMoves=1)
            values[name, clock] = evaluation_of(w, t, np.int64(0))
    assert values["fitted", 0] == values["fitted", 80]
    assert values["network", 0] > values["network", 80] > 0


def test_psqt_and_phase_are_kept_in_either_mode(t):
    """After a capture and a promotion PSQT and phase are those from scratch, with a network too."""
    for name in ("network", "fitted"):
        for fen, move in (
            (ROOKS.format(0).replace("4k2r", "r3k2r"), "a1a8"),
            ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q"),
        ):
            w, table = worker_at(t, fen, name), Table(1)
            play(w, t, table.record, np.int64(0), move_of(move, fen))
            assert is_psqt_sound(w, np.int64(1)), (name, move)
