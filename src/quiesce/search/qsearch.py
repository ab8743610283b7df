"""Kernels. Quiescence: search noisy moves until the position is quiet."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import gives_check, is_legal
from quiesce.board.see import move_gain, see_reaches
from quiesce.board.tables import TABLES
from quiesce.board.types import NO_MOVE, is_noisy, is_promotion, u64
from quiesce.jit import entry, kernel
from quiesce.search.history import frame_of
from quiesce.search.node import (
    clipped_alpha,
    does_bound_hold,
    end_of_stack,
    enter,
    evaluate_node,
    is_clock_high,
    is_draw,
    note_line,
    play,
    refined_eval,
)
from quiesce.search.picker import NOISY_ONLY, TRY_QUIET, next_move, start_picker
from quiesce.search.scores import DRAW, INFINITE, MATE_IN_STACK, NO_SCORE, mated_in
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, TABLE, probe, store
from quiesce.search.worker import MAX_PLY, WORKER

Q_DEPTH = 0
"""Depth under which quiescence keeps its results; never enough for the main search."""


@kernel
def probe_quiet(w, tt, ply):
    """What the table knows, if quiescence may ask it."""
    if w.params.q_search_table:
        return probe(tt, w.stack[u64(ply)].key, ply)
    return NO_MOVE, NO_SCORE, NO_SCORE, -1, BOUND_NONE, False


@kernel
def quiet_table_move(w, t, ply, move):
    """The table move if it may be tried here: legal, and noisy unless we are in check."""
    pos = w.stack[u64(ply)]
    if move == NO_MOVE or not (is_noisy(move) or pos.checkers) or not is_legal(t, pos, move):
        return NO_MOVE
    return move


@kernel
def is_delta_hopeless(w, t, ply, move, alpha):
    """Would the prize plus a margin still leave us at or below alpha?

    Why: refuting a capture that cannot matter costs a whole subtree.
    Holds: not in check, no promotion, alpha clear of mate scores, no check given.
    """
    if not w.params.q_search_delta or is_promotion(move) or alpha <= -MATE_IN_STACK:
        return False
    pos = w.stack[u64(ply)]
    reach = frame_of(w, ply).static_eval + move_gain(t, pos, move) + w.params.q_search_delta_margin
    return reach <= alpha and not gives_check(t, pos, move)


@kernel
def loses_material(w, t, ply, move):
    """SEE: does the exchange a noisy move starts lose material? The table move has proved itself."""
    if not w.params.q_search_see or move == frame_of(w, ply).table_move:
        return False
    return not see_reaches(t, w.stack[u64(ply)], move, np.int64(0))


@kernel
def skip_noisy(w, t, ply, move, alpha):
    """Is a noisy move not worth trying? In check every move is."""
    if w.stack[u64(ply)].checkers:
        return False
    return is_delta_hopeless(w, t, ply, move, alpha) or loses_material(w, t, ply, move)


@kernel
def keep_quiet(w, tt, ply, move, best, alpha, beta, is_pv):
    """Store what quiescence found; `alpha` is the one it began with."""
    if w.params.q_search_table:
        bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if is_pv and best > alpha else BOUND_UPPER)
        store(tt, w.stack[u64(ply)].key, ply, move, best, frame_of(w, ply).raw_eval, Q_DEPTH, bound, is_pv)


@entry(WORKER, TABLES, TABLE, "i8", "i8", "i8")
def qsearch(w, t, tt, ply, alpha, beta):  # noqa: C901, PLR0912  (the search is one list of steps)
    """Score of the position once it is quiet: fail-soft, centipawns, mover's side."""
    if enter(w, ply):  # 1. stop, draw or end of the stack
        return np.int64(DRAW)
    w.qnodes += 1
    if is_draw(w, t, ply):
        return np.int64(DRAW)
    if ply >= MAX_PLY:
        return np.int64(end_of_stack(w, ply))
    alpha = clipped_alpha(w, t, ply, alpha)
    if alpha >= beta:
        return alpha
    pos, is_pv, first_alpha = w.stack[u64(ply)], beta - alpha > 1, alpha
    known, score, evaluation, _depth, bound, _was_pv = probe_quiet(w, tt, ply)  # 2. known already?
    if not is_pv and bound != BOUND_NONE and does_bound_hold(bound, score, beta) and not is_clock_high(pos):
        return score
    evaluate_node(w, ply, evaluation)  # 3. stand pat; no right to it in check
    best = np.int64(-INFINITE) if pos.checkers else np.int64(refined_eval(w, ply, score, bound))
    if best >= beta:
        keep_quiet(w, tt, ply, NO_MOVE, best, first_alpha, beta, is_pv)
        return best
    alpha = max(alpha, best)
    best_move = NO_MOVE
    start_picker(w, ply, quiet_table_move(w, t, ply, known), NOISY_ONLY)  # 4. noisy moves or evasions
    while True:
        move = next_move(w, t, ply, TRY_QUIET)
        if move == NO_MOVE:
            break
        if skip_noisy(w, t, ply, move, alpha):  # 5. delta, exchange
            continue
        play(w, t, tt, ply, move)
        value = -qsearch(w, t, tt, ply + 1, -beta, -alpha)
        if w.stop[0] != 0:  # what a stopped search says is not kept
            return np.int64(DRAW)
        if value > best:  # 6. better, or good enough to stop
            best = value
            if value > alpha:
                best_move, alpha = move, value
                note_line(w, ply, move)
                if alpha >= beta:
                    break
    if best == -INFINITE:  # 7. in check and nothing legal
        return np.int64(mated_in(ply))
    keep_quiet(w, tt, ply, best_move, best, first_alpha, beta, is_pv)  # 8. remember
    return best
