"""Kernels. What past cutoffs teach: the order of moves, and the errors of the evaluation."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import EN_PASSANT, NO_MOVE, PAWN, flag_of, is_noisy, kind_of, origin_of, target_of, u64
from quiesce.eval.evaluate import EVAL_LIMIT
from quiesce.jit import kernel
from quiesce.search.worker import CORRECTION_SLOTS, FRAMES_BEFORE, PAWN_HISTORY_SLOTS, TRIED_SLOTS

HISTORY_LIMIT = 16_384
"""No history is larger, either way."""
BONUS_STEP, BONUS_BASE, BONUS_MOST = 170, 90, 1_700
"""A cutoff at depth d earns min(step * d - base, most)."""
CORRECTION_LIMIT = 8_192
"""No correction is larger, either way; in parts of a centipawn."""
CORRECTION_GRAIN = 64
"""Parts of a centipawn corrections are kept in."""
CORRECTION_WEIGHTS = 64
"""What the weights of the corrections are parts of."""
CORRECTION_SPEED = 32
"""An error moves the correction by this share of it, less at little depth."""
CORRECTION_DEPTH = 16
"""Depth from which an error counts in full."""
PERCENT = 100
_SLOT_MASK = u64(CORRECTION_SLOTS - 1)
_PAWN_MASK = u64(PAWN_HISTORY_SLOTS - 1)
_PIECE_SHIFT = u64(6)
_SPREAD = u64(773)


@kernel
def frame_of(w, ply):
    """Scratch of a ply, from FRAMES_BEFORE plies before the root on."""
    return w.frames[u64(ply + FRAMES_BEFORE)]


@kernel
def piece_square(pos, move):
    """Index of the man a move moves and the square it goes to."""
    return (u64(pos.board[origin_of(move)]) << _PIECE_SHIFT) | target_of(move)


@kernel
def victim_of(pos, move):
    """Kind of the man a move takes, NO_KIND if none; castling takes nothing, whatever this says."""
    return PAWN if flag_of(move) == EN_PASSANT else kind_of(u64(pos.board[target_of(move)]))


@kernel
def moved_before(w, ply, back):
    """Piece and target of the move made `back` plies before this ply."""
    return u64(frame_of(w, ply - back).moved)


@kernel
def rows_before(w, ply):
    """Rows of the continuation history that the moves one, two and four plies before choose."""
    return moved_before(w, ply, 1), moved_before(w, ply, 2), moved_before(w, ply, 4)


@kernel
def quiet_score_after(w, ply, move, rows):
    """How a quiet move has done so far: by from and to, with these pawns, after the moves before (their rows)."""
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
    """How a quiet move has done so far."""
    return quiet_score_after(w, ply, move, rows_before(w, ply))


@kernel
def capture_score(w, ply, move):
    """How a capture or promotion has done so far, by piece, target and victim."""
    pos = w.stack[u64(ply)]
    if not w.params.capture_history:
        return np.int64(0)
    return np.int64(w.capture_history[piece_square(pos, move), victim_of(pos, move)])


@kernel
def pulled(value, bonus):
    """A history after a bonus: the nearer to its limit, the less it moves."""
    return np.int64(value) + bonus - np.int64(value) * abs(bonus) // HISTORY_LIMIT


@kernel
def cut_bonus(depth):
    """What a cutoff at this depth earns the move that made it."""
    return min(BONUS_STEP * depth - BONUS_BASE, BONUS_MOST)


@kernel
def note_quiet(w, ply, move, bonus):
    """Add a bonus to all histories of a quiet move."""
    pos = w.stack[u64(ply)]
    side, index = u64(pos.turn), piece_square(pos, move)
    origin, target = origin_of(move), target_of(move)
    w.quiet_history[side, origin, target] = pulled(w.quiet_history[side, origin, target], bonus)
    if w.params.pawn_history:
        pawns = pos.pawn_key & _PAWN_MASK
        w.pawn_history[pawns, index] = pulled(w.pawn_history[pawns, index], bonus)
    for back in (1, 2, 4):
        before = moved_before(w, ply, back)
        w.continuation[before, index] = pulled(w.continuation[before, index], bonus)


@kernel
def note_noisy(w, ply, move, bonus):
    """Add a bonus to the history of a noisy move."""
    pos = w.stack[u64(ply)]
    index, victim = piece_square(pos, move), victim_of(pos, move)
    w.capture_history[index, victim] = pulled(w.capture_history[index, victim], bonus)


@kernel
def note_tried(w, ply, move):
    """Remember that a move was searched, to be punished if a later one cuts."""
    frame = frame_of(w, ply)
    if is_noisy(move):
        if frame.tried_noisy_count < TRIED_SLOTS:
            frame.tried_noisy[u64(frame.tried_noisy_count)] = move
            frame.tried_noisy_count += 1
    elif frame.tried_quiet_count < TRIED_SLOTS:
        frame.tried_quiet[u64(frame.tried_quiet_count)] = move
        frame.tried_quiet_count += 1


@kernel
def note_killer(w, ply, move):
    """Remember a quiet move that cut: for sister nodes, and as the answer to the last move."""
    frame = frame_of(w, ply)
    if frame.killers[0] != move:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = move
    w.counters[moved_before(w, ply, 1)] = move


@kernel
def note_cut(w, ply, move, depth, number):
    """Count a cutoff, reward the move that made it and punish those tried before it."""
    frame = frame_of(w, ply)
    bonus = cut_bonus(depth)
    w.cutoffs += 1
    w.first_cutoffs += number == 1
    frame.cuts += 1
    if is_noisy(move):
        note_noisy(w, ply, move, bonus)
    else:
        note_killer(w, ply, move)
        note_quiet(w, ply, move, bonus)
        for slot in range(frame.tried_quiet_count):
            note_quiet(w, ply, u64(frame.tried_quiet[u64(slot)]), -bonus)
    for slot in range(frame.tried_noisy_count):
        note_noisy(w, ply, u64(frame.tried_noisy[u64(slot)]), -bonus)


@kernel
def note_table_cut(w, ply, move, depth):
    """Table cut history: reward a quiet move that the table says cuts, as if it had been searched.

    Why: else only what the table has forgotten teaches the order of moves.
    Test: tests/search/test_history.py::test_a_cut_by_the_table_rewards_its_move
    """
    if w.params.table_cut_history and move != NO_MOVE and not is_noisy(move):
        note_quiet(w, ply, move, cut_bonus(depth))


@kernel
def note_unanswered(w, ply, depth):
    """Prior history: reward the quiet move that led to this ply, after no answer to it was found.

    Why: where the other side cannot cut, nobody would learn from the move that made it so.
    Test: tests/search/test_history.py::test_a_move_without_an_answer_is_rewarded
    """
    if not w.params.prior_history or ply == 0 or frame_of(w, ply).excluded != NO_MOVE:
        return
    move = u64(frame_of(w, ply - 1).move)
    if move != NO_MOVE and not is_noisy(move):
        note_quiet(w, ply - 1, move, cut_bonus(depth) * w.params.prior_history_share // PERCENT)


@kernel
def last_two_slot(w, ply):
    """Slot of the last two moves in the corrections."""
    return (moved_before(w, ply, 2) * _SPREAD + moved_before(w, ply, 1)) & _SLOT_MASK


@kernel
def correction(w, ply):
    """Centipawns by which the evaluation of this position is likely to be too low."""
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
def corrected(w, ply, raw):
    """An evaluation with its likely error taken out, still no mate."""
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, raw + correction(w, ply)))


@kernel
def drifted(value, error, weight):
    """A correction after an error was seen, pulled towards it by a share that grows with depth."""
    wanted = max(-CORRECTION_LIMIT, min(CORRECTION_LIMIT, error * CORRECTION_GRAIN))
    return (np.int64(value) * (CORRECTION_SPEED * CORRECTION_DEPTH - weight) + wanted * weight) // (
        CORRECTION_SPEED * CORRECTION_DEPTH
    )


@kernel
def note_error(w, ply, error, depth):
    """Remember that the evaluation was `error` centipawns too low, as a search of this depth saw it."""
    pos, side = w.stack[u64(ply)], u64(w.stack[u64(ply)].turn)
    weight = min(depth + 1, CORRECTION_DEPTH)
    slot = pos.pawn_key & _SLOT_MASK
    w.pawn_correction[side, slot] = drifted(w.pawn_correction[side, slot], error, weight)
    for colour in range(u64(2)):
        slot = pos.nonpawn_keys[colour] & _SLOT_MASK
        w.nonpawn_correction[side, colour, slot] = drifted(w.nonpawn_correction[side, colour, slot], error, weight)
    slot = last_two_slot(w, ply)
    w.continuation_correction[side, slot] = drifted(w.continuation_correction[side, slot], error, weight)
