"""Kernels. Static exchange evaluation: what a capture wins once all recaptures on its square are played.

Both sides capture with their least valuable piece and may stop when going on would lose. A pawn that
captures on an end rank becomes a queen; a king recaptures only where nobody can take it back; pins are
not looked at.
"""

# mypy: ignore-errors

from quiesce.board.attacks import (
    attackers,
    bishop_attacks,
    diagonal_sliders,
    occupied_squares,
    rook_attacks,
    straight_sliders,
)
from quiesce.board.bits import EMPTY, END_RANKS, bit, has
from quiesce.board.position import PAWN_STEP, POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import (
    BISHOP,
    BLACK,
    CASTLE,
    EN_PASSANT,
    KING,
    NO_KIND,
    PAWN,
    QUEEN,
    ROOK,
    flag_of,
    is_promotion,
    kind_of,
    origin_of,
    promoted_kind,
    target_of,
    u64,
)
from quiesce.jit import entry, kernel


@kernel
def least_valuable(pos, candidates):
    """Kind of the cheapest piece among the candidates, NO_KIND if there is none."""
    kind = PAWN
    while kind < NO_KIND and not pos.pieces[kind] & candidates:
        kind += u64(1)
    return kind


@kernel
def victim_of(pos, move):
    """Kind of the piece that a move captures, NO_KIND if none; meaningless for castling."""
    return PAWN if flag_of(move) == EN_PASSANT else kind_of(u64(pos.board[target_of(move)]))


@kernel
def move_gain(t, pos, move):
    """Points that a move captures or promotes to at once, before any reply."""
    gain = t.piece_values[victim_of(pos, move)]
    if is_promotion(move):
        gain += t.piece_values[promoted_kind(move)] - t.piece_values[PAWN]
    return gain


@kernel
def kind_after(pos, move):
    """Kind of the piece that stands on the target once the move is played."""
    return promoted_kind(move) if is_promotion(move) else kind_of(u64(pos.board[origin_of(move)]))


@kernel
def occupied_after(pos, move):
    """Squares occupied once the move's piece and its victim have left; the target itself does not matter."""
    gone = bit(origin_of(move))
    if flag_of(move) == EN_PASSANT:
        gone |= bit(target_of(move) ^ PAWN_STEP)
    return occupied_squares(pos) & ~gone


@kernel
def uncovered(t, pos, kind, square, occupied):
    """Sliders that see the square now that a piece of this kind has left the board of the exchange."""
    found = EMPTY
    if kind == PAWN or kind == BISHOP or kind == QUEEN:
        found |= bishop_attacks(t, square, occupied) & diagonal_sliders(pos)
    if kind == ROOK or kind == QUEEN:
        found |= rook_attacks(t, square, occupied) & straight_sliders(pos)
    return found


@kernel
def recapture_bonus(t, square):
    """Points a pawn gains by recapturing on this square: a queen's worth on an end rank, else nothing."""
    return t.piece_values[QUEEN] - t.piece_values[PAWN] if has(END_RANKS, square) else t.piece_values[NO_KIND]


@kernel
def see_reaches(t, pos, move, threshold):
    """Is the exchange a legal move starts worth at least `threshold` points?

    `reached` says whether the claim holds if no capture follows. The side to move wants to
    change that: by capturing it comes to `balance`, which must be positive for it to refute the claim
    and not negative for it to restore it. A pawn that promotes gains a queen and risks a queen, so the
    balance after it is the same as after any pawn.
    """
    if flag_of(move) == CASTLE:
        return threshold <= 0
    balance = move_gain(t, pos, move) - threshold
    if balance < 0:
        return False
    square, side = target_of(move), u64(pos.turn)
    bonus = recapture_bonus(t, square)
    balance = t.piece_values[kind_after(pos, move)] - balance
    reached = True
    if balance + bonus < needed(reached):
        return reached
    occupied = occupied_after(pos, move)
    hitters = attackers(t, pos, square, occupied)
    while True:
        side ^= BLACK
        hitters &= occupied
        kind = least_valuable(pos, hitters & pos.colours[side])
        if kind == NO_KIND or balance + (bonus if kind == PAWN else 0) < needed(reached):
            return reached
        if kind == KING and hitters & pos.colours[side ^ BLACK]:
            return reached
        reached = not reached
        balance = t.piece_values[kind] - balance
        if balance + bonus < needed(reached):
            return reached
        takers = hitters & pos.colours[side] & pos.pieces[kind]
        occupied ^= takers & -takers
        hitters |= uncovered(t, pos, kind, square, occupied)


@kernel
def needed(reached):
    """The least balance with which a capture changes whether the claim stands."""
    return 1 if reached else 0


@kernel
def see(t, pos, move):
    """Points the exchange a legal move starts is worth to its side.

    Found by asking `see_reaches` for ever narrower bounds, so that the two can never disagree.
    """
    high = move_gain(t, pos, move)
    low = high - t.piece_values[kind_after(pos, move)] - recapture_bonus(t, target_of(move))
    if flag_of(move) == CASTLE:
        low = high = t.piece_values[NO_KIND]
    while low < high:
        middle = (low + high + 1) >> 1
        if see_reaches(t, pos, move, middle):
            low = middle
        else:
            high = middle - 1
    return low


@entry(TABLES, POSITION, "u8", lazy=True)
def worth_of_exchange(t, pos, move):
    """Points the exchange a legal move starts is worth to its side, for shells."""
    return see(t, pos, move)
