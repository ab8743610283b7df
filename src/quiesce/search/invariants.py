"""Kernels. What must hold of every node, asserted in the debug build."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import NO_PIECE, SQUARES, u64
from quiesce.eval.evaluate import EVAL_LIMIT
from quiesce.jit import kernel
from quiesce.search.frame import frame_of
from quiesce.search.scores import INFINITE, MATE, NO_SCORE
from quiesce.search.worker import MAX_PLY


@kernel
def is_psqt_sound(w, ply):
    """Do PSQT and phase, updated move by move, equal those computed from scratch?"""
    kept, pos = w.evaluator.accumulators[u64(ply)], w.stack[u64(ply)]
    psqt, phase = np.int64(0), np.int64(0)
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        if piece != NO_PIECE:
            psqt += w.evaluator.weights.psqt[piece, square]
            phase += w.evaluator.weights.phase[piece]
    return psqt == kept.psqt and phase == kept.phase


@kernel
def assert_node(w, ply, alpha, beta):
    """Raise AssertionError unless window, ply, path and evaluation of a node are sound."""
    assert -INFINITE <= alpha < beta <= INFINITE, "a window is empty or out of range"
    assert 0 <= ply <= MAX_PLY, "a ply is out of range"
    assert w.path.keys[u64(w.root_index + ply)] == w.stack[u64(ply)].key, "the path does not hold this position"
    assert is_psqt_sound(w, ply), "PSQT or phase, updated move by move, is wrong"


@kernel
def assert_result(w, ply, best, standing):
    """Raise AssertionError unless a result is a score, no worse than standing pat, with a sound evaluation."""
    raw = frame_of(w, ply).raw_eval
    assert -MATE <= best <= MATE, "a score is out of range"
    assert best >= standing, "the best score sank below standing pat"
    assert raw == NO_SCORE or -EVAL_LIMIT <= raw <= EVAL_LIMIT, "an evaluation is out of range"
    assert (raw == NO_SCORE) == (w.stack[u64(ply)].checkers != 0), "in check there is no evaluation, else there is"
