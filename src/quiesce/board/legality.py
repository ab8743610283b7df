"""Kernels. Questions about one move: is it legal here, does it give check?"""

# mypy: ignore-errors

from quiesce.board.attacks import (
    bishop_attacks,
    diagonal_sliders,
    is_attacked,
    king_square,
    occupied_squares,
    piece_attacks,
    rook_attacks,
    straight_sliders,
)
from quiesce.board.bits import EMPTY, END_RANKS, RANK_3, RANK_6, bit, forward, has, home_rank, rest
from quiesce.board.makemove import castled_king, castled_rook
from quiesce.board.position import PAWN_STEP, ep_capturers, has_several_checkers, may_capture_ep
from quiesce.board.types import (
    BISHOP,
    BLACK,
    CAPTURE,
    CASTLE,
    DOUBLE_PUSH,
    EN_PASSANT,
    KING,
    KNIGHT,
    NO_PIECE,
    PAWN,
    QUEEN,
    QUIET,
    ROOK,
    WHITE,
    colour_of,
    flag_of,
    is_capture,
    is_promotion,
    kind_of,
    origin_of,
    promoted_kind,
    target_of,
    u64,
)
from quiesce.jit import kernel, lsb


@kernel
def is_castling_legal(t, pos, rook):
    """May the side to move, not in check, castle with its rook on this square, which has the right?

    A rook that is pinned (Chess960) shields its king from the edge and would no longer.
    """
    us = u64(pos.turn)
    king = king_square(pos, us)
    king_target, rook_target = castled_king(king, rook), castled_rook(king, rook)
    occupied = occupied_squares(pos) ^ bit(king) ^ bit(rook)
    king_path = t.between[king, king_target] | bit(king_target)
    if (king_path | t.between[rook, rook_target] | bit(rook_target)) & occupied or has(pos.pinned, rook):
        return False
    while king_path:
        if is_attacked(t, pos, lsb(king_path), us ^ BLACK, occupied | bit(rook)):
            return False
        king_path = rest(king_path)
    return True


@kernel
def is_pawn_move_possible(t, pos, origin, target, flag, move):
    """Does a pawn of the side to move go so, kings aside? Not for en passant."""
    us = u64(pos.turn)
    if has(END_RANKS, target) != is_promotion(move):
        return False
    if is_capture(move):
        return has(t.pawns[us, origin], target)
    one = forward(bit(origin), us) & ~occupied_squares(pos)
    if flag == DOUBLE_PUSH:
        return has(forward(one & (RANK_3 if us == WHITE else RANK_6), us), target)
    return has(one, target)


@kernel
def is_flag_possible(pos, target, flag, move):
    """Does the flag exist, and does it say rightly whether the target holds an enemy?"""
    them = u64(pos.turn) ^ BLACK
    if is_capture(move):
        return (flag == CAPTURE or is_promotion(move)) and has(pos.colours[them], target)
    if flag != QUIET and flag != DOUBLE_PUSH and not is_promotion(move):
        return False
    return u64(pos.board[target]) == NO_PIECE


@kernel
def is_king_left_safe(t, pos, origin, target):
    """Does a move of a piece other than the king, not en passant, leave the king out of check?"""
    king = king_square(pos, u64(pos.turn))
    if pos.checkers:
        if has_several_checkers(pos):
            return False
        if not has(pos.checkers | t.between[king, lsb(pos.checkers)], target):
            return False
    return not has(pos.pinned, origin) or has(t.line[king, origin], target)


@kernel
def is_legal(t, pos, move):
    """Is any 16-bit number a legal move here?"""
    us = u64(pos.turn)
    origin, target, flag = origin_of(move), target_of(move), flag_of(move)
    piece = u64(pos.board[origin])
    kind = kind_of(piece)
    if piece == NO_PIECE or colour_of(piece) != us:
        return False
    if flag == CASTLE:
        if kind != KING or pos.checkers or not has(pos.castling & home_rank(us), target):
            return False
        return is_castling_legal(t, pos, target)
    if flag == EN_PASSANT:
        if target != u64(pos.ep) or not has(ep_capturers(t, pos, target), origin):
            return False
        return may_capture_ep(t, pos, origin, target)
    if not is_flag_possible(pos, target, flag, move):
        return False
    if kind == PAWN:
        return is_pawn_move_possible(t, pos, origin, target, flag, move) and is_king_left_safe(t, pos, origin, target)
    if flag != QUIET and flag != CAPTURE:
        return False
    occupied = occupied_squares(pos)
    if not has(piece_attacks(t, kind, origin, occupied), target):
        return False
    if kind == KING:
        return not is_attacked(t, pos, target, us ^ BLACK, occupied ^ bit(origin))
    return is_king_left_safe(t, pos, origin, target)


@kernel
def does_castling_check(t, pos, king, rook):
    """Does the rook give check once both have castled?"""
    enemy_king = king_square(pos, u64(pos.turn) ^ BLACK)
    rook_target = castled_rook(king, rook)
    after = (occupied_squares(pos) ^ bit(king) ^ bit(rook)) | bit(castled_king(king, rook)) | bit(rook_target)
    return has(rook_attacks(t, enemy_king, after), rook_target)


@kernel
def gives_check(t, pos, move):
    """Does this legal move give check, directly or by uncovering a slider?"""
    us = u64(pos.turn)
    origin, target, flag = origin_of(move), target_of(move), flag_of(move)
    if flag == CASTLE:
        return does_castling_check(t, pos, origin, target)
    king = king_square(pos, us ^ BLACK)
    kind = promoted_kind(move) if is_promotion(move) else kind_of(u64(pos.board[origin]))
    if kind == KNIGHT and has(t.knights[king], target):
        return True
    if kind == PAWN and has(t.pawns[us ^ BLACK, king], target):
        return True
    gone = bit(origin) | (bit(target ^ PAWN_STEP) if flag == EN_PASSANT else EMPTY)
    if not (gone | bit(target)) & (t.rook_rays[king] | t.bishop_rays[king]):
        return False
    after = (occupied_squares(pos) & ~gone) | bit(target)
    own = pos.colours[us] & ~gone
    diagonal, straight = diagonal_sliders(pos) & own, straight_sliders(pos) & own
    if kind == BISHOP or kind == QUEEN:
        diagonal |= bit(target)
    if kind == ROOK or kind == QUEEN:
        straight |= bit(target)
    if bishop_attacks(t, king, after) & diagonal:
        return True
    return (rook_attacks(t, king, after) & straight) != EMPTY
