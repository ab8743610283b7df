"""Kernels. Perturbed positions: a few random moves away from a game's, with what the terms say of them.

A search evaluates far worse positions than games reach. Their evaluation by the terms costs next to nothing, so that a
network can learn from tens of millions of them before it learns from games.
"""

# mypy: ignore-errors

from quiesce.board.position import POSITION
from quiesce.board.randomwalk import WALK, random_below, random_walk
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, WHITE, u64
from quiesce.eval.evaluate import classical_eval, is_bare, refresh_psqt
from quiesce.eval.evaluator import EVALUATOR
from quiesce.jit import copy_record, entry
from quiesce.records import Field, record

MOST_RANDOM = u64(3)
"""Random moves away from the game's position, at most."""
PERTURBED_SLOTS = 64

PERTURBED_FIELDS = (
    Field("walk", WALK, "the game's position, and random moves from there"),
    Field("wanted", "i8", "how many are tried"),
    Field("found", (POSITION, (PERTURBED_SLOTS,)), "those found"),
    Field("scores", ("i2", (PERTURBED_SLOTS,)), "what the terms say of each, mover's side"),
)
PERTURBED = record(*PERTURBED_FIELDS)


@entry(TABLES, EVALUATOR, PERTURBED, lazy=True)
def find_perturbed(t, evaluator, state):
    """Fill `found` and `scores`; returns how many. Positions in check or with a bare king are left out."""
    count, walk, accumulator = u64(0), state.walk, evaluator.accumulators[u64(0)]
    for _ in range(state.wanted):
        pos = walk.line[random_walk(t, walk, u64(1) + random_below(walk, MOST_RANDOM))]
        if pos.checkers == 0 and not is_bare(pos, WHITE) and not is_bare(pos, BLACK):
            refresh_psqt(evaluator.weights, accumulator, pos)
            copy_record(state.found[count], pos)
            state.scores[count] = classical_eval(t, evaluator, accumulator, pos)
            count += u64(1)
    return count
