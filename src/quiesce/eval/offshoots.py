"""Kernels. Offshoots: positions a few random moves away from a game's, with what the evaluation says of them.

A search asks the evaluation about far worse positions than games reach. What the terms say of those costs next to
nothing, so that a network can learn from tens of millions of them before it learns from games.
"""

# mypy: ignore-errors

from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, WHITE, u64
from quiesce.board.wander import WALK, drawn_below, wander
from quiesce.eval.evaluate import classical_eval, is_bare, refresh_account
from quiesce.eval.judge import JUDGE
from quiesce.jit import copy_record, entry
from quiesce.records import Field, record

MOST_RANDOM = u64(3)
"""Random moves that lead to an offshoot, at most."""
OFFSHOOT_SLOTS = 64

OFFSHOOTS_FIELDS = (
    Field("walk", WALK, "the position they are offshoots of, and the way to one of them"),
    Field("wanted", "i8", "how many are tried"),
    Field("men", "i8", "account of the evaluation: pair of all men on their squares"),
    Field("phase", "i8", "account of the evaluation: phase"),
    Field("found", (POSITION, (OFFSHOOT_SLOTS,)), "those found"),
    Field("scores", ("i2", (OFFSHOOT_SLOTS,)), "what the terms say of each, mover's side"),
)
OFFSHOOTS = record(*OFFSHOOTS_FIELDS)


@entry(TABLES, JUDGE, OFFSHOOTS, rare=True)
def find_offshoots(t, judge, state):
    """Fill `found` and `scores`; returns how many. None is in check or has a bare king."""
    count, walk = u64(0), state.walk
    for _ in range(state.wanted):
        pos = walk.line[wander(t, walk, u64(1) + drawn_below(walk, MOST_RANDOM))]
        if pos.checkers == 0 and not is_bare(pos, WHITE) and not is_bare(pos, BLACK):
            refresh_account(judge.weights, state, pos)
            copy_record(state.found[count], pos)
            state.scores[count] = classical_eval(t, judge, state, pos)
            count += u64(1)
    return count
