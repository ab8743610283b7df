"""Kernels. Interior nodes: positions from inside the main search, noted with its scores, to learn from.

A search asks the evaluation about other positions than games reach; these are such positions. Nothing is noted while
`interior_depth` is 0, and noting changes no search.
"""

# mypy: ignore-errors

from quiesce.board.types import NO_MOVE, u64
from quiesce.jit import copy_record, kernel
from quiesce.search.scores import DRAW
from quiesce.search.worker import INTERIOR_SLOTS

INTERIOR_DEPTH = 3
"""Least depth of nodes that are noted for `quiesce datagen`."""


@kernel
def is_interior_wanted(w, ply, move, score, depth):
    """Is a node out of check, with no mate and no noisy best move, to be noted?

    It has to have a best move: a node without one has an upper bound, three times as far from what a deep search says
    as exact scores and lower bounds are. A draw's score comes from the path to the node, not from its position.
    """
    return w.interior_depth != 0 and depth >= w.interior_depth and ply > 0 and move != NO_MOVE and score != DRAW


@kernel
def note_interior(w, ply, score):
    """Note a node in the ring of the worker."""
    slot = w.interior[u64(w.interior_count % INTERIOR_SLOTS)]
    copy_record(slot.position, w.stack[u64(ply)])
    slot.score = score
    w.interior_count += 1


@kernel
def take_interior(w, found, first, most):
    """Copy the nodes noted last, each position once, behind the `first` in `found`; returns how many there are then."""
    count = first
    for back in range(1, min(w.interior_count, INTERIOR_SLOTS) + 1):
        if count == first + most:
            break
        noted = w.interior[u64((w.interior_count - back) % INTERIOR_SLOTS)]
        is_new = True
        for number in range(first, count):
            if found[u64(number)].position.key == noted.position.key:
                is_new = False
        if is_new:
            copy_record(found[u64(count)], noted)
            count += 1
    return count
