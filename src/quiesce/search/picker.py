"""Kernels. The picker: moves one at a time, in stages, the likely best first, each exactly once.

Table move; good noisy moves; killers and counter move; quiet moves; noisy moves that lose material.
In check all evasions come from one list, and where only noisy moves are wanted those do, followed by
quiet checks if they are wanted too; what they lose is then the caller's to ask.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import is_legal
from quiesce.board.movegen import generate_all, generate_noisy, generate_quiet
from quiesce.board.quietchecks import generate_quiet_checks
from quiesce.board.see import see_reaches, victim_of
from quiesce.board.types import NO_MOVE, QUEEN, is_noisy, is_promotion, promoted_kind, u64
from quiesce.jit import kernel
from quiesce.search.frame import frame_of
from quiesce.search.history import capture_score, continuation_rows, prior_piece_square, quiet_score, quiet_score_after
from quiesce.search.ordering import add_order_bonuses
from quiesce.search.stopwatch import GENERATION, tick, tock

TT_STAGE, NOISY_START, NOISY_STAGE, FIRST_KILLER, SECOND_KILLER, COUNTER_STAGE = range(6)
QUIET_START, QUIET_STAGE, BAD_STAGE, EVASION_START, ONE_LIST, CHECK_START, CHECK_LIST = range(6, 13)

ALL_MOVES, NOISY_ONLY, NOISY_AND_CHECKS = range(3)
TRY_QUIET, SKIP_QUIET = np.bool_(0), np.bool_(1)
"""What the last argument of `start_picker` and of `next_move` says."""

VICTIM_WEIGHT = 16
"""A victim's points weigh this much against a capture's history."""
NOISY_FIRST = 1 << 24
"""Put before every quiet evasion."""
UNDERPROMOTION_LAST = 1 << 20
"""Put behind every other noisy move."""


@kernel
def start_picker(w, ply, tt_move, mode):
    """Start handing out the moves of a ply; quiet moves other than checks and evasions only with ALL_MOVES."""
    frame = frame_of(w, ply)
    checked = w.stack[u64(ply)].checkers != 0
    frame.tt_move = tt_move
    frame.mode = mode
    frame.stage = TT_STAGE if tt_move != NO_MOVE else stage_after_tt_move(checked)
    frame.noisy_count = 0
    frame.noisy_next = 0
    frame.bad_count = 0
    frame.bad_next = 0
    frame.quiet_count = 0
    frame.quiet_next = 0
    frame.tried_quiet_count = 0
    frame.tried_noisy_count = 0


@kernel
def stage_after_tt_move(checked):
    """The stage after the table's move."""
    return EVASION_START if checked else NOISY_START


@kernel
def noisy_score(w, t, ply, move):
    """Score of a noisy move for move ordering: victim and promotion first, then history."""
    pos = w.stack[u64(ply)]
    score = VICTIM_WEIGHT * t.piece_values[victim_of(pos, move)] + capture_score(w, ply, move)
    if is_promotion(move):
        if promoted_kind(move) != QUEEN:
            return score - UNDERPROMOTION_LAST
        score += VICTIM_WEIGHT * t.piece_values[QUEEN]
    return score


@kernel
def score_noisy(w, t, ply, count):
    """Score a ply's noisy moves."""
    moves = w.noisy[u64(ply)]
    for index in range(u64(count)):
        moves.scores[index] = noisy_score(w, t, ply, u64(moves.moves[index]))


@kernel
def score_quiet(w, ply, count):
    """Score a ply's quiet moves."""
    moves, rows = w.quiet[u64(ply)], continuation_rows(w, ply)
    for index in range(u64(count)):
        moves.scores[index] = quiet_score_after(w, ply, u64(moves.moves[index]), rows)


@kernel
def score_evasions(w, t, ply, count):
    """Score all moves of a side in check: noisy ones first."""
    moves = w.noisy[u64(ply)]
    for index in range(u64(count)):
        move = u64(moves.moves[index])
        if is_noisy(move):
            moves.scores[index] = NOISY_FIRST + noisy_score(w, t, ply, move)
        else:
            moves.scores[index] = quiet_score(w, ply, move)


@kernel
def best_index(moves, start, count):
    """Index of the best score of a list from `start` on, the first of equals; two plain loops, which vectorise."""
    best = moves.scores[start]
    for index in range(start + u64(1), count):
        best = max(best, moves.scores[index])
    index = start
    while moves.scores[index] != best:
        index += u64(1)
    return index


@kernel
def take_best(moves, start, count):
    """Swap the best of a list from `start` on to `start`; returns it."""
    first = u64(start)
    best = best_index(moves, first, u64(count))
    move, score = u64(moves.moves[best]), moves.scores[best]
    moves.moves[best], moves.scores[best] = moves.moves[first], moves.scores[first]
    moves.moves[first], moves.scores[first] = move, score
    return move


@kernel
def next_good_noisy(w, t, ply, frame):
    """The next noisy move that loses no material, NO_MOVE at the end; those that do come later."""
    moves, pos = w.noisy[u64(ply)], w.stack[u64(ply)]
    while frame.noisy_next < frame.noisy_count:
        move = take_best(moves, frame.noisy_next, frame.noisy_count)
        frame.noisy_next += 1
        if move == frame.tt_move:
            continue
        if see_reaches(t, pos, move, np.int64(0)):
            return move
        moves.moves[u64(frame.bad_count)] = move
        frame.bad_count += 1
    return NO_MOVE


@kernel
def next_from(moves, frame, count):
    """The next move of a scored list other than the table's move, NO_MOVE at its end."""
    while frame.quiet_next < count:
        move = take_best(moves, frame.quiet_next, count)
        frame.history = moves.scores[u64(frame.quiet_next)]
        frame.quiet_next += 1
        if move != frame.tt_move:
            return move
    return NO_MOVE


@kernel
def is_bad_capture(frame):
    """Was the last move handed out a noisy one that loses material?"""
    return frame.bad_next > 0


@kernel
def is_refutation(frame, move):
    """Was the move handed out as killer or counter move?"""
    return move == frame.killers[0] or move == frame.killers[1] or move == frame.counter


@kernel
def next_quiet(w, ply, frame):
    """The next quiet move not handed out before, NO_MOVE at the end."""
    while True:
        move = next_from(w.quiet[u64(ply)], frame, frame.quiet_count)
        if move == NO_MOVE or not is_refutation(frame, move):
            return move


@kernel
def is_fresh_quiet(w, t, ply, frame, move):
    """May a killer or counter move be tried here, before quiet moves are generated?"""
    if move == NO_MOVE or move == frame.tt_move or is_noisy(move):
        return False
    return is_legal(t, w.stack[u64(ply)], move)


@kernel
def set_refutations(w, ply, frame):
    """Choose the killers and the counter move to try, each once.

    Why: a quiet move that cut in a sister node, or after the same move elsewhere, often cuts here.
    Worth: Killers +2.8 ± 17.2 and CounterMove +0.6 ± 17.8 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_picker.py
    """
    if not w.params.killers:
        frame.killers[0] = NO_MOVE
        frame.killers[1] = NO_MOVE
    counter = u64(w.counters[prior_piece_square(w, ply, 1)]) if w.params.counter_move else NO_MOVE
    frame.counter = NO_MOVE if counter == frame.killers[0] or counter == frame.killers[1] else counter


@kernel
def next_move(w, t, ply, skip_quiet):
    """The next move of a ply, NO_MOVE at the end; `skip_quiet` leaves out the quiet ones."""
    frame = frame_of(w, ply)
    pos = w.stack[u64(ply)]
    if frame.stage == TT_STAGE:
        frame.stage = stage_after_tt_move(pos.checkers != 0)
        frame.history = quiet_score(w, ply, u64(frame.tt_move))
        return u64(frame.tt_move)
    if frame.stage == NOISY_START:
        since = tick()
        frame.noisy_count = generate_noisy(t, pos, w.noisy[u64(ply)])
        tock(w, GENERATION, since)
        score_noisy(w, t, ply, frame.noisy_count)
        frame.stage = NOISY_STAGE if frame.mode == ALL_MOVES else ONE_LIST
    if frame.stage == NOISY_STAGE:
        move = next_good_noisy(w, t, ply, frame)
        if move != NO_MOVE:
            return move
        frame.stage = FIRST_KILLER
        set_refutations(w, ply, frame)
    if frame.stage <= BAD_STAGE:
        return next_quiet_or_bad_capture(w, t, ply, frame, skip_quiet)
    if frame.stage == EVASION_START:
        since = tick()
        frame.noisy_count = generate_all(t, pos, w.noisy[u64(ply)])
        tock(w, GENERATION, since)
        score_evasions(w, t, ply, frame.noisy_count)
        frame.stage = ONE_LIST
    if frame.stage == ONE_LIST:
        move = next_from(w.noisy[u64(ply)], frame, frame.noisy_count)
        if move != NO_MOVE or frame.mode != NOISY_AND_CHECKS or pos.checkers:
            return move
        frame.stage = CHECK_START
    return next_quiet_check(w, t, ply, frame)


@kernel
def next_quiet_check(w, t, ply, frame):
    """The next quiet move that gives check."""
    moves = w.quiet[u64(ply)]
    if frame.stage == CHECK_START:
        frame.stage = CHECK_LIST
        frame.quiet_next = 0
        since = tick()
        frame.quiet_count = generate_quiet_checks(t, w.stack[u64(ply)], moves)
        tock(w, GENERATION, since)
        score_quiet(w, ply, frame.quiet_count)
    return next_from(moves, frame, frame.quiet_count)


@kernel
def next_quiet_or_bad_capture(w, t, ply, frame, skip_quiet):
    """The next killer, counter move, quiet move or losing noisy move."""
    while frame.stage < QUIET_START:
        stage = frame.stage
        frame.stage += 1
        move = u64(frame.counter) if stage == COUNTER_STAGE else u64(frame.killers[u64(stage - FIRST_KILLER)])
        if not skip_quiet and is_fresh_quiet(w, t, ply, frame, move):
            frame.history = quiet_score(w, ply, move)
            return move
    if frame.stage == QUIET_START:
        frame.stage = QUIET_STAGE
        if not skip_quiet:
            since = tick()
            frame.quiet_count = generate_quiet(t, w.stack[u64(ply)], w.quiet[u64(ply)])
            tock(w, GENERATION, since)
            score_quiet(w, ply, frame.quiet_count)
            add_order_bonuses(w, t, ply, frame.quiet_count)
    if frame.stage == QUIET_STAGE:
        move = NO_MOVE if skip_quiet else next_quiet(w, ply, frame)
        if move != NO_MOVE:
            return move
        frame.stage = BAD_STAGE
    if frame.bad_next < frame.bad_count:
        frame.bad_next += 1
        return u64(w.noisy[u64(ply)].moves[u64(frame.bad_next - 1)])
    return NO_MOVE
