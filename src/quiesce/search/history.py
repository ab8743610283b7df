"""Kernels. What past cutoffs teach: the order of moves, and the errors of the evaluation."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.see import victim_of
from quiesce.board.types import NO_MOVE, is_noisy, origin_of, target_of, u64
from quiesce.eval.evaluate import EVAL_LIMIT
from quiesce.jit import kernel
from quiesce.search.frame import frame_of
from quiesce.search.settings import PERCENT
from quiesce.search.worker import CORRECTION_SLOTS, PAWN_HISTORY_SLOTS, TRIED_SLOTS

HISTORY_LIMIT = 16_384
"""No history is larger, either way."""
BONUS_STEP, BONUS_BASE, BONUS_MOST = 170, 90, 1_700
"""A cutoff at depth d earns min(step * d - base, most)."""
CORRECTION_LIMIT = 8_192
"""No correction is larger, either way; in parts of a point."""
CORRECTION_GRAIN = 64
"""Parts of a point corrections are kept in."""
CORRECTION_WEIGHTS = 64
"""What the weights of the corrections are parts of."""
CORRECTION_SPEED = 32
"""An error moves the correction by this share of it, less at little depth."""
CORRECTION_DEPTH = 16
"""Depth from which an error counts in full."""
_SLOT_MASK = u64(CORRECTION_SLOTS - 1)
_PAWN_MASK = u64(PAWN_HISTORY_SLOTS - 1)
_PIECE_SHIFT = u64(6)
_SPREAD = u64(773)


@kernel
def piece_square(pos, move):
    """Index of the piece that a move moves and of its target square."""
    return (u64(pos.board[origin_of(move)]) << _PIECE_SHIFT) | target_of(move)


@kernel
def prior_piece_square(w, ply, back):
    """Piece and target of the move made `back` plies before this ply."""
    return u64(frame_of(w, ply - back).moved)


@kernel
def continuation_rows(w, ply):
    """Rows of the continuation history for the moves one, two and four plies before."""
    return prior_piece_square(w, ply, 1), prior_piece_square(w, ply, 2), prior_piece_square(w, ply, 4)


@kernel
def quiet_score_after(w, ply, move, rows):
    """History score of a quiet move: by from and to, by pawn structure, and after the moves before (their rows).

    Why: a quiet move that has cut in other nodes is likely to cut here.
    Worth: QuietHistory +9.2 ± 17.4 (undecided) and ContinuationHistory +19.9 ± 17.9 Elo at 5,000 nodes; PawnHistory
    -3.2 ± 11.1 at 10,000 nodes (undecided, off by default).
    Test: tests/search/test_history.py::test_pawns_tell_histories_apart
    """
    pos = w.stack[u64(ply)]
    score = np.int64(0)
    if w.params.quiet_history:
        score += w.quiet_history[u64(pos.turn), origin_of(move), target_of(move)]
    index = piece_square(pos, move)
    if w.params.pawn_history:
        score += w.pawn_history[pos.pawn_key & _PAWN_MASK, index]
    if w.params.continuation_history:
        score += w.continuation[rows[0], index]
        score += w.continuation[rows[1], index]
        score += w.continuation[rows[2], index] // 2
    return score


@kernel
def quiet_score(w, ply, move):
    """History score of a quiet move."""
    return quiet_score_after(w, ply, move, continuation_rows(w, ply))


@kernel
def capture_score(w, ply, move):
    """History score of a capture or promotion, by piece, target and victim.

    Why: of captures of equal victims some cut more often.
    Worth: CaptureHistory -5.2 ± 12.1 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_picker.py
    """
    pos = w.stack[u64(ply)]
    if not w.params.capture_history:
        return np.int64(0)
    return np.int64(w.capture_history[piece_square(pos, move), victim_of(pos, move)])


@kernel
def with_gravity(value, bonus):
    """A history after a bonus: the nearer to its limit, the less it moves."""
    return np.int64(value) + bonus - np.int64(value) * abs(bonus) // HISTORY_LIMIT


@kernel
def cut_bonus(depth):
    """Bonus of the move that made a cutoff at this depth."""
    return min(BONUS_STEP * depth - BONUS_BASE, BONUS_MOST)


@kernel
def update_quiet_histories(w, ply, move, bonus):
    """Add a bonus to all histories of a quiet move."""
    pos = w.stack[u64(ply)]
    side, index = u64(pos.turn), piece_square(pos, move)
    origin, target = origin_of(move), target_of(move)
    w.quiet_history[side, origin, target] = with_gravity(w.quiet_history[side, origin, target], bonus)
    if w.params.pawn_history:
        pawns = pos.pawn_key & _PAWN_MASK
        w.pawn_history[pawns, index] = with_gravity(w.pawn_history[pawns, index], bonus)
    for back in (1, 2, 4):
        before = prior_piece_square(w, ply, back)
        w.continuation[before, index] = with_gravity(w.continuation[before, index], bonus)


@kernel
def update_capture_history(w, ply, move, bonus):
    """Add a bonus to the history of a noisy move."""
    pos = w.stack[u64(ply)]
    index, victim = piece_square(pos, move), victim_of(pos, move)
    w.capture_history[index, victim] = with_gravity(w.capture_history[index, victim], bonus)


@kernel
def add_tried_move(w, ply, move):
    """Add a move to those searched at this ply, which get a malus if a later one cuts."""
    frame = frame_of(w, ply)
    if is_noisy(move):
        if frame.tried_noisy_count < TRIED_SLOTS:
            frame.tried_noisy[u64(frame.tried_noisy_count)] = move
            frame.tried_noisy_count += 1
    elif frame.tried_quiet_count < TRIED_SLOTS:
        frame.tried_quiet[u64(frame.tried_quiet_count)] = move
        frame.tried_quiet_count += 1


@kernel
def update_killers(w, ply, move):
    """Set a quiet move that cut as killer, and as counter move to the last move."""
    frame = frame_of(w, ply)
    if frame.killers[0] != move:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = move
    w.counters[prior_piece_square(w, ply, 1)] = move


@kernel
def update_histories(w, ply, move, depth, number):
    """Count a cutoff; give the move that made it a bonus, and those tried before it a malus."""
    frame = frame_of(w, ply)
    bonus = cut_bonus(depth)
    w.cutoffs += 1
    w.first_cutoffs += number == 1
    frame.cutoff_count += 1
    if is_noisy(move):
        update_capture_history(w, ply, move, bonus)
    else:
        update_killers(w, ply, move)
        update_quiet_histories(w, ply, move, bonus)
        for slot in range(frame.tried_quiet_count):
            update_quiet_histories(w, ply, u64(frame.tried_quiet[u64(slot)]), -bonus)
    for slot in range(frame.tried_noisy_count):
        update_capture_history(w, ply, u64(frame.tried_noisy[u64(slot)]), -bonus)


@kernel
def update_tt_cut_history(w, ply, move, depth):
    """Give a quiet move that the table says cuts a bonus, as if it had been searched.

    Why: otherwise only what the table has forgotten teaches the move ordering.
    Worth: TtCutHistory -17.8 ± 11.1 Elo at 10,000 nodes; off by default.
    Test: tests/search/test_history.py::test_a_cut_by_the_table_rewards_its_move
    """
    if w.params.tt_cut_history and move != NO_MOVE and not is_noisy(move):
        update_quiet_histories(w, ply, move, cut_bonus(depth))


@kernel
def reward_prior_move(w, ply, depth):
    """Give a bonus to the quiet move that led to this ply, after every reply failed low.

    Why: a move to which the opponent has no good reply is likely good elsewhere.
    Worth: PriorMoveBonus -3.9 ± 11.0 Elo at 10,000 nodes (undecided); off by default.
    Test: tests/search/test_history.py::test_a_move_without_an_answer_is_rewarded
    """
    if not w.params.prior_move_bonus or ply == 0 or frame_of(w, ply).excluded != NO_MOVE:
        return
    move = u64(frame_of(w, ply - 1).move)
    if move != NO_MOVE and not is_noisy(move):
        update_quiet_histories(w, ply - 1, move, cut_bonus(depth) * w.params.prior_move_bonus_share // PERCENT)


@kernel
def last_two_slot(w, ply):
    """Slot of the last two moves in the correction history."""
    return (prior_piece_square(w, ply, 2) * _SPREAD + prior_piece_square(w, ply, 1)) & _SLOT_MASK


@kernel
def correction(w, ply):
    """Points by which the evaluation of this position is likely to be too low.

    Why: an evaluation that erred with the same pawns, pieces or last moves is likely to err alike here.
    Worth: CorrectionHistory +20.0 ± 12.9 Elo at 5,000 nodes.
    Test: tests/search/test_history.py::test_corrections_learn
    """
    if not w.params.correction_history:
        return np.int64(0)
    pos, side = w.stack[u64(ply)], u64(w.stack[u64(ply)].turn)
    total = w.params.correction_pawn * w.pawn_correction[side, pos.pawn_key & _SLOT_MASK]
    for colour in range(u64(2)):
        slot = pos.nonpawn_keys[colour] & _SLOT_MASK
        total += w.params.correction_non_pawn * w.nonpawn_correction[side, colour, slot]
    total += w.params.correction_continuation * w.continuation_correction[side, last_two_slot(w, ply)]
    return total // (CORRECTION_WEIGHTS * CORRECTION_GRAIN)


@kernel
def corrected_eval(w, ply, raw):
    """An evaluation plus its likely correction, within EVAL_LIMIT."""
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, raw + correction(w, ply)))


@kernel
def updated_correction(value, error, weight):
    """A correction after an error, moved towards it by a share that grows with depth."""
    wanted = max(-CORRECTION_LIMIT, min(CORRECTION_LIMIT, error * CORRECTION_GRAIN))
    return (np.int64(value) * (CORRECTION_SPEED * CORRECTION_DEPTH - weight) + wanted * weight) // (
        CORRECTION_SPEED * CORRECTION_DEPTH
    )


@kernel
def update_correction_history(w, ply, error, depth):
    """Update the correction history: by a search of this depth the evaluation was `error` points too low."""
    pos, side = w.stack[u64(ply)], u64(w.stack[u64(ply)].turn)
    weight = min(depth + 1, CORRECTION_DEPTH)
    slot = pos.pawn_key & _SLOT_MASK
    w.pawn_correction[side, slot] = updated_correction(w.pawn_correction[side, slot], error, weight)
    for colour in range(u64(2)):
        slot, corrections = pos.nonpawn_keys[colour] & _SLOT_MASK, w.nonpawn_correction[side, colour]
        corrections[slot] = updated_correction(corrections[slot], error, weight)
    slot = last_two_slot(w, ply)
    w.continuation_correction[side, slot] = updated_correction(w.continuation_correction[side, slot], error, weight)
