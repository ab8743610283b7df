"""Kernels. The root: its moves in their own list, best first, with line, score and effort."""

# mypy: ignore-errors

from quiesce.board.types import NO_MOVE, u64
from quiesce.jit import copy_record, kernel
from quiesce.search.history import frame_of
from quiesce.search.scores import INFINITE


@kernel
def next_root_move(w):
    """The next root move of this pass, NO_MOVE at the end."""
    frame = frame_of(w, 0)
    index = w.root_first + frame.quiet_next
    if index >= w.root_count:
        return NO_MOVE
    frame.quiet_next += 1
    return u64(w.roots[u64(index)].move)


@kernel
def note_root(w, ply, move, value, number, alpha, nodes):
    """At the root, note what a move came to; only the first and those above alpha have a score and a line.

    `nodes` is what the count of nodes was before it.
    """
    if ply > 0:
        return
    root = w.roots[u64(w.root_first + frame_of(w, 0).quiet_next - 1)]
    root.effort += w.nodes - nodes
    if number > 1 and value <= alpha:
        root.score = -INFINITE
        return
    root.score = value
    root.depth = w.root_depth
    root.seldepth = w.seldepth
    root.pv[u64(0)] = move
    length = w.pv_length[u64(1)]
    for index in range(u64(length)):
        root.pv[index + u64(1)] = w.pv[u64(1), index]
    root.pv_length = length + 1


@kernel
def is_before(one, other):
    """Does one root move belong before the other: by score, then by the score before, then by effort?"""
    if one.score != other.score:
        return one.score > other.score
    if one.last_score != other.last_score:
        return one.last_score > other.last_score
    return one.effort > other.effort


@kernel
def sort_roots(w, first):
    """Sort the root moves from `first` on, equal ones staying in order."""
    spare = w.roots[u64(len(w.roots) - 1)]
    for index in range(first + 1, w.root_count):
        copy_record(spare, w.roots[u64(index)])
        place = index
        while place > first and is_before(spare, w.roots[u64(place - 1)]):
            copy_record(w.roots[u64(place)], w.roots[u64(place - 1)])
            place -= 1
        copy_record(w.roots[u64(place)], spare)
