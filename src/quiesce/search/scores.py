"""Kernels. Scores: points, mates as distance from the root, and how the table writes them."""

# mypy: ignore-errors

from quiesce.eval.evaluate import EVAL_LIMIT
from quiesce.jit import kernel
from quiesce.search.worker import MAX_PLY

INFINITE = 32_000
"""Beyond every score."""
MATE = 31_000
"""Mate on the board; a mate n plies away is MATE - n."""
MATE_IN_STACK = MATE - MAX_PLY - 1
"""Scores beyond this are mates."""
NO_SCORE = 32_100
"""Where there is none: in check there is no static evaluation."""
DRAW = 0

assert EVAL_LIMIT < MATE_IN_STACK


@kernel
def mated_in(ply):
    """Score of being mated at this ply."""
    return ply - MATE


@kernel
def mates_in(ply):
    """Score of giving mate at this ply."""
    return MATE - ply


@kernel
def is_mate_score(score):
    """Is it a forced mate, for or against?"""
    return score >= MATE_IN_STACK or score <= -MATE_IN_STACK


@kernel
def to_table(score, ply):
    """A score as the table keeps it: mates counted from the node, not from the root."""
    if score >= MATE_IN_STACK:
        return score + ply
    if score <= -MATE_IN_STACK:
        return score - ply
    return score


@kernel
def from_table(score, ply):
    """A score of the table as it counts at this ply."""
    if score >= MATE_IN_STACK:
        return score - ply
    if score <= -MATE_IN_STACK:
        return score + ply
    return score
