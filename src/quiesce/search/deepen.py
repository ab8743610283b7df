"""Kernels. Iterative deepening: make a root ready, and search it one iteration deeper with aspiration windows."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.movegen import generate_all
from quiesce.board.tables import TABLES
from quiesce.board.types import NO_MOVE, u64
from quiesce.eval.evaluate import refresh_account
from quiesce.jit import entry, kernel
from quiesce.search.history import frame_of
from quiesce.search.negamax import negamax
from quiesce.search.node import POLL_NODES
from quiesce.search.pruning import PERCENT
from quiesce.search.root import sort_roots
from quiesce.search.scores import INFINITE, NO_SCORE
from quiesce.search.tt import TABLE
from quiesce.search.worker import FRAMES_BEFORE, MAX_PLY, NO_PIECE_SQUARE, WORKER

WIDEST_WINDOW = 1_000
"""Centipawns from which an aspiration window is opened all the way."""


@kernel
def clear_frames(w):
    """Make all frames as new: no killers, no moves before the root."""
    for ply in range(-FRAMES_BEFORE, MAX_PLY + 2):
        frame = frame_of(w, ply)
        frame.moved = NO_PIECE_SQUARE
        frame.move = 1 if ply < 0 else NO_MOVE
        frame.static_eval = NO_SCORE
        frame.excluded = NO_MOVE
        frame.killers[0] = NO_MOVE
        frame.killers[1] = NO_MOVE
        frame.doubles = 0
        frame.cuts = 0


@kernel
def clear_counters(w):
    """Set all that is counted in a search to zero."""
    w.nodes = 0
    w.qnodes = 0
    w.table_hits = 0
    w.cutoffs = 0
    w.first_cutoffs = 0
    w.seldepth = 0
    w.stack_ends = 0
    w.poll = POLL_NODES
    w.null_ply = 0
    w.root_first = 0
    w.root_partial = 0
    w.root_depth = 0


@entry(WORKER, TABLES)
def start_search(w, t):
    """Make ready to search the position at the root: all its legal moves in the list; returns how many."""
    clear_frames(w)
    clear_counters(w)
    refresh_account(w.weights, frame_of(w, 0), w.stack[u64(0)])
    moves = w.noisy[u64(0)]
    w.root_count = generate_all(t, w.stack[u64(0)], moves)
    for index in range(u64(w.root_count)):
        root = w.roots[index]
        root.move = moves.moves[index]
        root.score = -INFINITE
        root.last_score = -INFINITE
        root.depth = 0
        root.seldepth = 0
        root.effort = 0
        root.pv_length = 1
        root.pv[u64(0)] = root.move
    return w.root_count


@kernel
def search_line(w, t, tt, depth):
    """Search the root moves from `root_first` on to a depth; returns the score of the best.

    The window starts around the last score and grows on the side on which the score fell out.
    """
    last = w.roots[u64(w.root_first)].last_score
    alpha, beta = np.int64(-INFINITE), np.int64(INFINITE)
    delta = w.params.aspiration_delta
    if w.params.aspiration and depth >= w.params.aspiration_depth and last != -INFINITE:
        alpha, beta = max(last - delta, -INFINITE), min(last + delta, INFINITE)
    while True:
        score = negamax(w, t, tt, np.int64(0), alpha, beta, depth, np.int64(0))
        if w.stop[0] != 0:
            return score
        sort_roots(w, w.root_first)
        if score <= alpha and alpha > -INFINITE:
            alpha, beta = max(score - delta, -INFINITE), (alpha + beta) // 2
        elif score >= beta and beta < INFINITE:
            beta = min(score + delta, INFINITE)
        else:
            return score
        delta += delta * w.params.aspiration_growth // PERCENT + 1
        if delta > WIDEST_WINDOW:
            alpha, beta = np.int64(-INFINITE), np.int64(INFINITE)


@entry(WORKER, TABLES, TABLE, "i8")
def search_depth(w, t, tt, depth):
    """One iteration: search to a depth for as many lines as are wanted; returns whether it was finished."""
    w.root_depth = depth
    w.seldepth = 0
    for index in range(w.root_count):
        w.roots[u64(index)].last_score = w.roots[u64(index)].score
    for line in range(min(w.multi_pv, w.root_count)):
        w.root_first = line
        search_line(w, t, tt, depth)
        sort_roots(w, 0)
        if w.stop[0] != 0:
            return False
    w.root_first = 0
    return True
