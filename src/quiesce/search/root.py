"""Kernels. The root: its moves in their own list, best first, with line, score and effort."""

# mypy: ignore-errors

from quiesce.board.types import NO_MOVE, u64
from quiesce.jit import copy_record, kernel
from quiesce.search.frame import frame_of
from quiesce.search.scores import INFINITE
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER


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
def update_root_move(w, ply, move, value, number, alpha, beta, nodes):
    """At the root, store what a move scored; only the first and those above alpha have a score.

    A first move that failed low keeps its line and depth of before: nothing better is known of it.
    `nodes` is the node count before it.
    """
    if ply > 0:
        return
    root = w.roots[u64(w.root_first + frame_of(w, 0).quiet_next - 1)]
    root.effort += w.nodes - nodes
    if number > 1 and value <= alpha:
        root.score = -INFINITE
        return
    root.score = value
    if value <= alpha:
        root.bound = BOUND_UPPER
        return
    root.bound = BOUND_LOWER if value >= beta else BOUND_EXACT
    root.depth = w.root_depth
    root.seldepth = w.seldepth
    root.pv[u64(0)] = move
    length = w.pv_length[u64(1)]
    for index in range(u64(length)):
        root.pv[index + u64(1)] = w.pv[u64(1), index]
    root.pv_length = length + 1


@kernel
def root_move_precedes(one, other):
    """Does one root move come before the other: by score, then by the score before, then by effort?"""
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
        while place > first and root_move_precedes(spare, w.roots[u64(place - 1)]):
            copy_record(w.roots[u64(place)], w.roots[u64(place - 1)])
            place -= 1
        copy_record(w.roots[u64(place)], spare)


@kernel
def settle_roots(w):
    """After a stopped iteration, sort by what is known: moves not reached keep their score of before."""
    for index in range(w.root_first, w.root_count):
        root = w.roots[u64(index)]
        if root.depth < w.root_depth or root.bound == BOUND_UPPER:
            root.score = root.last_score
            root.bound = BOUND_EXACT
    w.root_first = 0
    sort_roots(w, 0)
