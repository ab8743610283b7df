"""Kernels. Everything that must hold of a position, checked from scratch; the debug build asks after each move."""

# mypy: ignore-errors

from quiesce.board.attacks import attackers, king_square, occupied_squares, pieces_of
from quiesce.board.bits import END_RANKS, RANK_3, RANK_6, bit, has, has_several, home_rank
from quiesce.board.position import (
    PAWN_STEP,
    can_take_king,
    ep_capturers,
    material_key_of,
    may_capture_ep,
)
from quiesce.board.types import (
    BLACK,
    KINDS,
    KING,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    ROOK,
    SQUARES,
    WHITE,
    colour_of,
    file_of,
    kind_of,
    piece_of,
    u64,
)
from quiesce.jit import kernel, popcount

MEN_A_SIDE = u64(16)
PAWNS_A_SIDE = u64(8)

SOUND, BAD_BOARD, BAD_PIECES, BAD_CHECKS, IN_CHECK_TO_MOVE, BAD_CASTLING, BAD_EP, BAD_KEYS = range(8)
"""What `broken` answers: SOUND, or the first thing found wrong."""
BROKEN = (
    "sound",
    "board and sets disagree",
    "pieces: kings, pawns on end ranks or too many",
    "checkers or pins are not what the board says",
    "the side that moved is in check",
    "castling rights without king or rook in place",
    "en passant square without a legal capture",
    "a hash key differs from one made from scratch",
)


@kernel
def is_board_sound(pos):
    """Do board, pieces and colours tell the same of every square?"""
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        for kind in range(u64(KINDS)):
            if has(pos.pieces[kind], square) != (piece != NO_PIECE and kind_of(piece) == kind):
                return False
        for colour in range(u64(2)):
            if has(pos.colours[colour], square) != (piece != NO_PIECE and colour_of(piece) == colour):
                return False
    return True


@kernel
def are_pieces_sound(pos):
    """One king each, no pawn on an end rank, no more pieces than a side can have?"""
    for colour in range(u64(2)):
        if popcount(pieces_of(pos, KING, colour)) != 1 or popcount(pos.colours[colour]) > MEN_A_SIDE:
            return False
        if popcount(pieces_of(pos, PAWN, colour)) > PAWNS_A_SIDE:
            return False
    return (pos.pieces[PAWN] & END_RANKS) == 0


@kernel
def are_checks_sound(t, pos):
    """Are `checkers` all attackers of the king, and `pinned` the pieces whose absence would expose it?"""
    us = u64(pos.turn)
    king, enemy, occupied = king_square(pos, us), pos.colours[us ^ BLACK], occupied_squares(pos)
    if pos.checkers != attackers(t, pos, king, occupied) & enemy:
        return False
    for square in range(u64(SQUARES)):
        if has(pos.colours[us], square) and square != king:
            exposed = attackers(t, pos, king, occupied ^ bit(square)) & enemy & ~pos.checkers
            if has(pos.pinned, square) != (exposed != 0):
                return False
    return (pos.pinned & ~pos.colours[us]) == 0


@kernel
def is_castling_sound(pos):
    """Does every right have its rook, and its king on the same rank?"""
    for colour in range(u64(2)):
        rights = pos.castling & home_rank(colour)
        if rights & ~pieces_of(pos, ROOK, colour):
            return False
        if rights and not pieces_of(pos, KING, colour) & home_rank(colour):
            return False
        if has_several(rights):
            king = king_square(pos, colour)
            if popcount(rights) != 2 or popcount(rights >> king) != 1:
                return False
    return (pos.castling & ~END_RANKS) == 0


@kernel
def is_ep_sound(t, pos):
    """Is there a pawn that just came by, and one that may take it?"""
    ep, us = u64(pos.ep), u64(pos.turn)
    if ep == NO_SQUARE:
        return True
    if not has(RANK_6 if us == WHITE else RANK_3, ep):
        return False
    if u64(pos.board[ep]) != NO_PIECE or u64(pos.board[ep ^ PAWN_STEP]) != piece_of(PAWN, us ^ BLACK):
        return False
    for square in range(u64(SQUARES)):
        if has(ep_capturers(t, pos, ep), square) and may_capture_ep(t, pos, square, ep):
            return True
    return False


@kernel
def are_keys_sound(t, pos):
    """Are all keys what the board says?"""
    key = t.turn_key if u64(pos.turn) == BLACK else u64(0)
    pawn_key, white_key, black_key = u64(0), u64(0), u64(0)
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        if piece != NO_PIECE:
            number = t.piece_keys[piece, square]
            key ^= number
            if kind_of(piece) == PAWN:
                pawn_key ^= number
            elif colour_of(piece) == WHITE:
                white_key ^= number
            else:
                black_key ^= number
        if has(pos.castling, square):
            key ^= t.castling_keys[square]
    if u64(pos.ep) != NO_SQUARE:
        key ^= t.ep_keys[file_of(u64(pos.ep))]
    if key != pos.key or pawn_key != pos.pawn_key or material_key_of(t, pos) != pos.material_key:
        return False
    return white_key == pos.nonpawn_keys[0] and black_key == pos.nonpawn_keys[1]


@kernel
def broken(t, pos):
    """The first invariant that does not hold, as an index into BROKEN, or SOUND."""
    if not is_board_sound(pos):
        return BAD_BOARD
    if not are_pieces_sound(pos):
        return BAD_PIECES
    if not are_checks_sound(t, pos):
        return BAD_CHECKS
    if can_take_king(t, pos):
        return IN_CHECK_TO_MOVE
    if not is_castling_sound(pos):
        return BAD_CASTLING
    if not is_ep_sound(t, pos):
        return BAD_EP
    if not are_keys_sound(t, pos):
        return BAD_KEYS
    return SOUND


@kernel
def assert_position(t, pos):
    """Raise AssertionError if any invariant is broken."""
    assert broken(t, pos) == SOUND, "a position broke its invariants: see quiesce.board.invariants.broken"
