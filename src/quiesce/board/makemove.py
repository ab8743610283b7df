"""Kernels. Playing a move: copy the position into the next slot, then change the copy."""

# mypy: ignore-errors

from quiesce.board.bits import bit, home_rank
from quiesce.board.invariants import assert_position
from quiesce.board.position import (
    PAWN_STEP,
    POSITION,
    drop_castling,
    find_checks,
    place,
    remove,
    set_ep,
    shift,
)
from quiesce.board.tables import TABLES
from quiesce.board.types import (
    CASTLE,
    DOUBLE_PUSH,
    EN_PASSANT,
    KING,
    NO_KIND,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    ROOK,
    file_of,
    flag_of,
    is_capture,
    is_promotion,
    kind_of,
    origin_of,
    piece_of,
    promoted_kind,
    target_of,
    u64,
)
from quiesce.jit import DEBUG, copy_record, entry, kernel

LONG_CASTLE_KING, LONG_CASTLE_ROOK = u64(2), u64(3)
SHORT_CASTLE_ROOK, SHORT_CASTLE_KING = u64(5), u64(6)
"""Files on which king and rook end, wherever they started."""


@kernel
def castled_king(king, rook):
    """Square the king castles to."""
    return king - file_of(king) + (SHORT_CASTLE_KING if rook > king else LONG_CASTLE_KING)


@kernel
def castled_rook(king, rook):
    """Square the rook castles to."""
    return king - file_of(king) + (SHORT_CASTLE_ROOK if rook > king else LONG_CASTLE_ROOK)


@entry("u8")
def describe_move(move):
    """Origin, target, the target as standard chess writes it (the king's in castling), kind promoted to or NO_KIND."""
    origin, target = origin_of(move), target_of(move)
    standard = castled_king(origin, target) if flag_of(move) == CASTLE else target
    return origin, target, standard, promoted_kind(move) if is_promotion(move) else NO_KIND


@kernel
def note_moved(pos, piece, origin, target):
    """Record that a piece moved, appeared or was removed, for incremental evaluation."""
    slot = u64(pos.moved_count)
    pos.moved_piece[slot] = piece
    pos.moved_from[slot] = origin
    pos.moved_to[slot] = target
    pos.moved_count = slot + u64(1)


@kernel
def castle(t, pos, king, rook):
    """Put king and rook on their castled squares."""
    us = u64(pos.turn)
    king_piece, rook_piece = piece_of(KING, us), piece_of(ROOK, us)
    king_target, rook_target = castled_king(king, rook), castled_rook(king, rook)
    remove(t, pos, king_piece, king)
    remove(t, pos, rook_piece, rook)
    place(t, pos, king_piece, king_target)
    place(t, pos, rook_piece, rook_target)
    note_moved(pos, king_piece, king, king_target)
    note_moved(pos, rook_piece, rook, rook_target)


@kernel
def take(t, pos, move, target):
    """Remove the piece a capture takes."""
    victim_square = target ^ PAWN_STEP if flag_of(move) == EN_PASSANT else target
    victim = u64(pos.board[victim_square])
    remove(t, pos, victim, victim_square)
    note_moved(pos, victim, victim_square, NO_SQUARE)


@kernel
def promote(t, pos, pawn, origin, target, kind):
    """Replace a pawn by the piece it becomes."""
    piece = piece_of(kind, u64(pos.turn))
    remove(t, pos, pawn, origin)
    place(t, pos, piece, target)
    note_moved(pos, pawn, origin, NO_SQUARE)
    note_moved(pos, piece, NO_SQUARE, target)


@kernel
def start_turn(t, pos):
    """Clear what belonged to the last move and count this one; the mover is still to move."""
    pos.moved_count = 0
    pos.halfmove += 1
    pos.reversible += 1
    if u64(pos.ep) != NO_SQUARE:
        pos.key ^= t.ep_keys[file_of(u64(pos.ep))]
        pos.ep = NO_SQUARE


@kernel
def pass_turn(t, pos):
    """Hand the move to the other side."""
    pos.fullmove += pos.turn
    pos.turn ^= 1
    pos.key ^= t.turn_key
    find_checks(t, pos)


@kernel
def likely_key(t, pos, move):
    """The key after a move, found early: exact but for castling, en passant, promotions and lost rights."""
    origin, target = origin_of(move), target_of(move)
    piece, victim, key = u64(pos.board[origin]), u64(pos.board[target]), pos.key ^ t.turn_key
    if victim != NO_PIECE:
        key ^= t.piece_keys[victim, target]
    return key ^ t.piece_keys[piece, origin] ^ t.piece_keys[piece, target]


@entry(TABLES, POSITION, POSITION, "u8")
def make_move(t, parent, child, move):
    """Write into `child` the position after a legal move in `parent`."""
    copy_record(child, parent)
    start_turn(t, child)
    us = u64(child.turn)
    origin, target, flag = origin_of(move), target_of(move), flag_of(move)
    piece = u64(child.board[origin])
    if flag == CASTLE:
        castle(t, child, origin, target)
    else:
        if is_capture(move):
            take(t, child, move, target)
        if is_promotion(move):
            promote(t, child, piece, origin, target, promoted_kind(move))
        else:
            shift(t, child, piece, origin, target)
            note_moved(child, piece, origin, target)
        if is_capture(move) or kind_of(piece) == PAWN:
            child.halfmove = 0
            child.reversible = 0
    if child.castling:
        lost = home_rank(us) if kind_of(piece) == KING else bit(origin)
        drop_castling(t, child, lost | bit(target))
    pass_turn(t, child)
    if flag == DOUBLE_PUSH:
        set_ep(t, child, target ^ PAWN_STEP)
    if DEBUG:
        assert_position(t, child)


@entry(TABLES, POSITION, POSITION)
def make_null(t, parent, child):
    """Write into `child` the position after passing; the mover must not be in check.

    The clock runs on as after a quiet move; no repetition reaches back across it.
    """
    copy_record(child, parent)
    start_turn(t, child)
    child.reversible = 0
    pass_turn(t, child)
    if DEBUG:
        assert_position(t, child)
