"""Kernels. Legal moves, in parts: noisy (captures, en passant, promotions) and quiet (all others).

Both parts come from one walk over the pieces, given the squares they may go to. Every move written is
legal: pinned pieces keep to their line, in check only moves that end it are made, the king never steps
onto an attacked square.
"""

# mypy: ignore-errors

from quiesce.board.attacks import (
    bishop_attacks,
    diagonal_sliders,
    is_attacked,
    king_square,
    occupied_squares,
    pieces_of,
    rook_attacks,
    straight_sliders,
)
from quiesce.board.bits import (
    EMPTY,
    END_RANKS,
    FULL,
    ONE,
    RANK_3,
    RANK_6,
    bit,
    capture_east,
    capture_west,
    forward,
    has,
    home_rank,
    rest,
)
from quiesce.board.legality import is_castling_legal
from quiesce.board.position import POSITION, ep_capturers, has_several_checkers, may_capture_ep
from quiesce.board.tables import TABLES
from quiesce.board.types import (
    BLACK,
    CAPTURE,
    CASTLE,
    DOUBLE_PUSH,
    EN_PASSANT,
    KNIGHT,
    MOVE_LIST,
    NO_SQUARE,
    PAWN,
    PROMOTED_BITS,
    PROMOTION,
    PROMOTION_CAPTURE,
    QUIET,
    WHITE,
    new_move,
    u64,
)
from quiesce.jit import entry, kernel, lsb, popcount

NOISY_PART, QUIET_PART, BOTH_PARTS = u64(1), u64(2), u64(3)

_PUSH, _BLACK_PUSH = u64(8), ~u64(7)
_DOUBLE, _BLACK_DOUBLE = u64(16), ~u64(15)
_WEST, _BLACK_WEST = u64(7), ~u64(8)
_EAST, _BLACK_EAST = u64(9), ~u64(6)
"""How far each pawn move leads, modulo 2**64."""


@kernel
def add_move(moves, count, move):
    """Append one move; returns the new count."""
    if moves is not None:
        moves.moves[count] = move
    return count + ONE


@kernel
def add_moves(moves, count, origin, targets, captures):
    """Append a move from one square to each target, a capture where one can be made; returns the new count.

    One loop for both: where a loop ends is what the processor guesses wrong. Without a list, moves are counted.
    """
    if moves is None:
        return count + popcount(targets)
    while targets:
        target = lsb(targets)
        moves.moves[count] = new_move(origin, target, CAPTURE * ((captures >> target) & ONE))
        count += ONE
        targets = rest(targets)
    return count


@kernel
def add_pawn_moves(moves, count, targets, step, flag):
    """Append the pawn move that leads `step` on, to each target; returns the new count."""
    if moves is None:
        return count + popcount(targets)
    common = new_move(EMPTY, EMPTY, flag) - step
    while targets:
        target = lsb(targets)
        moves.moves[count] = common + new_move(target, target, EMPTY)
        count += ONE
        targets = rest(targets)
    return count


@kernel
def add_promotions(moves, count, targets, step, flag):
    """Append the four promotions on each target, queen first; returns the new count."""
    for lesser in range(u64(4)):
        count = add_pawn_moves(moves, count, targets, step, flag | (PROMOTED_BITS - lesser))
    return count


@kernel
def add_pawn_set(moves, count, pawns, us, captures, pushes, empty):
    """Append all moves but en passant of some pawns of one colour onto the squares allowed."""
    white = us == WHITE
    push, double = _PUSH if white else _BLACK_PUSH, _DOUBLE if white else _BLACK_DOUBLE
    step_west, step_east = _WEST if white else _BLACK_WEST, _EAST if white else _BLACK_EAST
    west, east = capture_west(pawns, us) & captures, capture_east(pawns, us) & captures
    one = forward(pawns, us) & empty
    two = forward(one & (RANK_3 if white else RANK_6), us) & pushes
    one &= pushes
    if (west | east | one) & END_RANKS:
        count = add_promotions(moves, count, west & END_RANKS, step_west, PROMOTION_CAPTURE)
        count = add_promotions(moves, count, east & END_RANKS, step_east, PROMOTION_CAPTURE)
        count = add_promotions(moves, count, one & END_RANKS, push, PROMOTION)
    count = add_pawn_moves(moves, count, west & ~END_RANKS, step_west, CAPTURE)
    count = add_pawn_moves(moves, count, east & ~END_RANKS, step_east, CAPTURE)
    count = add_pawn_moves(moves, count, one & ~END_RANKS, push, QUIET)
    return add_pawn_moves(moves, count, two, double, DOUBLE_PUSH)


@kernel
def add_pawns(t, pos, moves, count, us, captures, pushes):
    """Append all pawn moves except en passant: unpinned pawns together, each pinned pawn along its pin."""
    empty = ~occupied_squares(pos)
    pawns = pieces_of(pos, PAWN, us)
    count = add_pawn_set(moves, count, pawns & ~pos.pinned, us, captures, pushes, empty)
    pinned = pawns & pos.pinned
    while pinned:
        line = t.line[king_square(pos, us), lsb(pinned)]
        count = add_pawn_set(moves, count, pinned & -pinned, us, captures & line, pushes & line, empty)
        pinned = rest(pinned)
    return count


@kernel
def add_en_passant(t, pos, moves, count):
    """Append the legal en passant captures."""
    ep = u64(pos.ep)
    if ep != NO_SQUARE:
        capturers = ep_capturers(t, pos, ep)
        while capturers:
            if may_capture_ep(t, pos, lsb(capturers), ep):
                count = add_move(moves, count, new_move(lsb(capturers), ep, EN_PASSANT))
            capturers = rest(capturers)
    return count


@kernel
def add_pieces(t, pos, moves, count, us, captures, targets):
    """Append the moves of our knights, bishops, rooks and queens."""
    own, occupied, king = pos.colours[us], occupied_squares(pos), king_square(pos, us)
    knights = pos.pieces[KNIGHT] & own & ~pos.pinned
    while knights:
        origin = lsb(knights)
        count = add_moves(moves, count, origin, t.knights[origin] & targets, captures)
        knights = rest(knights)
    sliders = diagonal_sliders(pos) & own
    while sliders:
        origin = lsb(sliders)
        line = t.line[king, origin] if has(pos.pinned, origin) else FULL
        count = add_moves(moves, count, origin, bishop_attacks(t, origin, occupied) & line & targets, captures)
        sliders = rest(sliders)
    sliders = straight_sliders(pos) & own
    while sliders:
        origin = lsb(sliders)
        line = t.line[king, origin] if has(pos.pinned, origin) else FULL
        count = add_moves(moves, count, origin, rook_attacks(t, origin, occupied) & line & targets, captures)
        sliders = rest(sliders)
    return count


@kernel
def add_king(t, pos, moves, count, us, captures, quiets):
    """Append the king's steps onto squares that are not attacked once it has left its own."""
    king = king_square(pos, us)
    targets = t.kings[king] & (captures | quiets)
    unshielded = occupied_squares(pos) ^ bit(king)
    while targets:
        target = lsb(targets)
        if not is_attacked(t, pos, target, us ^ BLACK, unshielded):
            count = add_move(moves, count, new_move(king, target, CAPTURE if has(captures, target) else QUIET))
        targets = rest(targets)
    return count


@kernel
def add_castling(t, pos, moves, count, us):
    """Append the legal castling moves; not in check."""
    rooks = pos.castling & home_rank(us)
    while rooks:
        if is_castling_legal(t, pos, lsb(rooks)):
            count = add_move(moves, count, new_move(king_square(pos, us), lsb(rooks), CASTLE))
        rooks = rest(rooks)
    return count


@kernel
def generate(t, pos, moves, parts):
    """Write all legal moves of the wanted parts (with no list, only count them); returns how many."""
    us = u64(pos.turn)
    enemy, empty = pos.colours[us ^ BLACK], ~occupied_squares(pos)
    noisy, quiet = (parts & NOISY_PART) != EMPTY, (parts & QUIET_PART) != EMPTY
    captures, quiets = enemy if noisy else EMPTY, empty if quiet else EMPTY
    pushes = (empty & END_RANKS if noisy else EMPTY) | (quiets & ~END_RANKS)
    count = add_king(t, pos, moves, EMPTY, us, captures, quiets)
    if pos.checkers:
        if has_several_checkers(pos):
            return count
        cures = pos.checkers | t.between[king_square(pos, us), lsb(pos.checkers)]
        captures, quiets, pushes = captures & cures, quiets & cures, pushes & cures
    elif quiet and pos.castling:
        count = add_castling(t, pos, moves, count, us)
    if noisy:
        count = add_en_passant(t, pos, moves, count)
    count = add_pawns(t, pos, moves, count, us, captures, pushes)
    return add_pieces(t, pos, moves, count, us, captures, captures | quiets)


@entry(TABLES, POSITION, MOVE_LIST)
def generate_all(t, pos, moves):
    """Write all legal moves; returns how many."""
    return generate(t, pos, moves, BOTH_PARTS)


@kernel
def count_legal(t, pos):
    """How many legal moves there are: the same walk, with nothing written."""
    return generate(t, pos, None, BOTH_PARTS)


@kernel
def generate_noisy(t, pos, moves):
    """Write all legal captures, en passant captures and promotions; returns how many."""
    return generate(t, pos, moves, NOISY_PART)


@kernel
def generate_quiet(t, pos, moves):
    """Write all legal moves that are not noisy; returns how many."""
    return generate(t, pos, moves, QUIET_PART)


@kernel
def generate_evasions(t, pos, moves):
    """Write all legal moves of a side in check; returns how many. Out of check there are none to write."""
    return generate(t, pos, moves, BOTH_PARTS if pos.checkers else EMPTY)
