"""Kernels. What quiescence leaves behind: counts of reasons always, and in the trace build its whole tree."""

# mypy: ignore-errors

from quiesce.board.types import u64
from quiesce.jit import TRACE, kernel
from quiesce.search.frame import frame_of
from quiesce.search.reasons import REASON_INDEX
from quiesce.search.scores import NO_SCORE
from quiesce.search.stopwatch import QUIESCENCE, keep_limit_position, tick, tock
from quiesce.search.worker import TRACE_SLOTS

LIMIT = REASON_INDEX["limit"]
STACK_END = REASON_INDEX["stack_end"]


@kernel
def new_trace_slot(w):
    """The next free slot of the trace; when it is full, the one behind it, which is never read."""
    slot = min(w.tree_count, TRACE_SLOTS)
    w.tree_count += 1
    return slot


@kernel
def open_quiet_node(w, ply, alpha, beta, qply):
    """A node of quiescence begins."""
    w.qnodes += 1
    w.q_deepest = max(w.q_deepest, qply)
    if qply == 0:
        w.q_calls += 1
        w.q_start = w.nodes
        if TRACE:
            w.q_since = tick()
    if TRACE:
        frame = frame_of(w, ply)
        frame.tree_slot = new_trace_slot(w)
        node = w.tree[u64(frame.tree_slot)]
        node.key = w.stack[u64(ply)].key
        node.parent = frame_of(w, ply - 1).tree_slot if qply > 0 else -1
        node.ply = ply
        node.move = frame_of(w, ply - 1).move if qply > 0 else 0
        node.alpha = alpha
        node.beta = beta
        node.stand_pat = NO_SCORE
        node.score = NO_SCORE


@kernel
def trace_stand_pat(w, ply, value):
    """What standing pat is worth at this node."""
    if TRACE:
        w.tree[u64(frame_of(w, ply).tree_slot)].stand_pat = value


@kernel
def leave_quiet_node(w, ply, qply, reason, value):
    """A node of quiescence ends for a reason; returns its value."""
    w.q_reasons[u64(reason)] += 1
    if qply == 0:
        w.q_longest = max(w.q_longest, w.nodes - w.q_start)
        tock(w, QUIESCENCE, w.q_since)
    if TRACE:
        if reason == LIMIT or reason == STACK_END:
            keep_limit_position(w, ply)
        node = w.tree[u64(frame_of(w, ply).tree_slot)]
        node.score = value
        node.reason = reason
    return value


@kernel
def trace_skip(w, ply, move, reason):
    """A move is left out for a reason."""
    w.q_reasons[u64(reason)] += 1
    if TRACE:
        node = w.tree[u64(new_trace_slot(w))]
        node.key = w.stack[u64(ply)].key
        node.parent = frame_of(w, ply).tree_slot
        node.ply = ply + 1
        node.move = move
        node.alpha = 0
        node.beta = 0
        node.stand_pat = NO_SCORE
        node.score = NO_SCORE
        node.reason = reason
