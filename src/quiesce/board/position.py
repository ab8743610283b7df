"""Kernels. The POSITION record, its hash keys, and who gives check or is pinned."""

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
from quiesce.board.bits import EMPTY, ONE, bit, rest
from quiesce.board.tables import TABLES
from quiesce.board.types import (
    BLACK,
    KNIGHT,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    PIECES,
    SQUARES,
    colour_of,
    file_of,
    kind_of,
    u64,
)
from quiesce.jit import entry, kernel, lsb, popcount
from quiesce.records import Field, record

MOVED_SLOTS = 3
"""A promotion that captures changes three things: pawn off, victim off, new piece on."""
PAWN_STEP = u64(8)

POSITION_FIELDS = (
    Field("pieces", ("u8", (6,)), "squares by kind, both colours"),
    Field("colours", ("u8", (2,)), "squares by colour"),
    Field("board", ("u1", (SQUARES,)), "piece on each square, NO_PIECE where empty"),
    Field("key", "u8", "Zobrist key of all that decides legality: pieces, turn, castling, legal en passant"),
    Field("pawn_key", "u8", "Zobrist key of the pawns alone"),
    Field("nonpawn_keys", ("u8", (2,)), "Zobrist key of each colour's pieces but pawns, kings included"),
    Field("material_key", "u8", "key of how many pieces of each kind there are"),
    Field("castling", "u8", "squares of rooks that may still castle (Chess960: any square of the home rank)"),
    Field("checkers", "u8", "enemy pieces that give check to the side to move"),
    Field("pinned", "u8", "pieces of the side to move that shield their king from a slider"),
    Field("halfmove", "u2", "plies since a capture or pawn move"),
    Field("reversible", "u2", "plies since a capture, pawn move or null move: how far back a repetition may lie"),
    Field("fullmove", "u2", "number of the move, as in FEN"),
    Field("turn", "u1", "WHITE or BLACK, the side to move"),
    Field("ep", "u1", "square behind a pawn that can legally be taken en passant, else NO_SQUARE"),
    Field("moved_count", "u1", "how many pieces the last move changed"),
    Field("moved_piece", ("u1", (MOVED_SLOTS,)), "which pieces those were, for incremental evaluation"),
    Field("moved_from", ("u1", (MOVED_SLOTS,)), "where each stood, NO_SQUARE if it is new"),
    Field("moved_to", ("u1", (MOVED_SLOTS,)), "where each stands, NO_SQUARE if it is gone"),
)
POSITION = record(*POSITION_FIELDS)


@kernel
def toggle_keys(pos, piece, number):
    """Add a piece's Zobrist number to the keys that count it, or take it out."""
    pos.key ^= number
    if kind_of(piece) == PAWN:
        pos.pawn_key ^= number
    else:
        pos.nonpawn_keys[colour_of(piece)] ^= number


@kernel
def count_of(pos, piece):
    """How many such pieces there are."""
    return popcount(pieces_of(pos, kind_of(piece), colour_of(piece)))


@kernel
def place(t, pos, piece, square):
    """Put a piece on an empty square."""
    pos.material_key ^= t.piece_keys[piece, count_of(pos, piece)]
    pos.pieces[kind_of(piece)] ^= bit(square)
    pos.colours[colour_of(piece)] ^= bit(square)
    pos.board[square] = piece
    toggle_keys(pos, piece, t.piece_keys[piece, square])


@kernel
def remove(t, pos, piece, square):
    """Take a piece off its square."""
    pos.pieces[kind_of(piece)] ^= bit(square)
    pos.colours[colour_of(piece)] ^= bit(square)
    pos.board[square] = NO_PIECE
    pos.material_key ^= t.piece_keys[piece, count_of(pos, piece)]
    toggle_keys(pos, piece, t.piece_keys[piece, square])


@kernel
def shift(t, pos, piece, origin, target):
    """Move a piece to an empty square."""
    change = bit(origin) | bit(target)
    pos.pieces[kind_of(piece)] ^= change
    pos.colours[colour_of(piece)] ^= change
    pos.board[origin] = NO_PIECE
    pos.board[target] = piece
    toggle_keys(pos, piece, t.piece_keys[piece, origin] ^ t.piece_keys[piece, target])


@kernel
def drop_castling(t, pos, squares):
    """Take away the right to castle with rooks on these squares."""
    lost = pos.castling & squares
    pos.castling ^= lost
    while lost:
        pos.key ^= t.castling_keys[lsb(lost)]
        lost = rest(lost)


@kernel
def find_checks(t, pos):
    """Set `checkers` and `pinned` for the side to move.

    Sliders on a line with the king are looked at one by one: with nothing between they give check,
    with one piece of ours between they pin it.
    """
    us = u64(pos.turn)
    own, enemy = pos.colours[us], pos.colours[us ^ BLACK]
    king = king_square(pos, us)
    occupied = own | enemy
    checkers = ((t.knights[king] & pos.pieces[KNIGHT]) | (t.pawns[us, king] & pos.pieces[PAWN])) & enemy
    snipers = (t.bishop_rays[king] & diagonal_sliders(pos)) | (t.rook_rays[king] & straight_sliders(pos))
    snipers &= enemy
    pinned = EMPTY
    while snipers:
        sniper = lsb(snipers)
        snipers = rest(snipers)
        shields = t.between[king, sniper] & occupied
        if not shields:
            checkers |= bit(sniper)
        elif not rest(shields):
            pinned |= shields & own
    pos.checkers = checkers
    pos.pinned = pinned


@kernel
def may_capture_ep(t, pos, origin, ep):
    """May the pawn on `origin` take en passant on `ep`, its own king safe when both pawns are gone?"""
    us = u64(pos.turn)
    victim = bit(ep ^ PAWN_STEP)
    if pos.checkers & ~victim & (pos.pieces[KNIGHT] | pos.pieces[PAWN]):
        return False
    occupied = (occupied_squares(pos) ^ bit(origin) ^ victim) | bit(ep)
    king, enemy = king_square(pos, us), pos.colours[us ^ BLACK]
    if bishop_attacks(t, king, occupied) & diagonal_sliders(pos) & enemy:
        return False
    return (rook_attacks(t, king, occupied) & straight_sliders(pos) & enemy) == EMPTY


@kernel
def ep_capturers(t, pos, ep):
    """Pawns of the side to move that stand ready to take on `ep`, legal or not."""
    us = u64(pos.turn)
    return t.pawns[us ^ BLACK, ep] & pieces_of(pos, PAWN, us)


@kernel
def set_ep(t, pos, ep):
    """Note the en passant square if some capture there is legal; checks must be known."""
    capturers = ep_capturers(t, pos, ep)
    while capturers:
        if may_capture_ep(t, pos, lsb(capturers), ep):
            pos.ep = ep
            pos.key ^= t.ep_keys[file_of(ep)]
            return
        capturers = rest(capturers)


@kernel
def clear_sets(t, pos):
    """No pieces in any set or key; what `turn` and `castling` add to the keys is there."""
    pos.pieces[:] = EMPTY
    pos.colours[:] = EMPTY
    pos.nonpawn_keys[:] = EMPTY
    pos.pawn_key = EMPTY
    pos.material_key = EMPTY
    pos.key = t.turn_key if u64(pos.turn) == BLACK else EMPTY
    rooks = pos.castling
    while rooks:
        pos.key ^= t.castling_keys[lsb(rooks)]
        rooks = rest(rooks)


@kernel
def clear_pieces(t, pos):
    """Take all pieces off, so that others can be placed; `turn` and `castling` must be set."""
    pos.board[:] = NO_PIECE
    clear_sets(t, pos)


@kernel
def count_pieces(t, pos):
    """Make all sets and keys from `board`, `turn` and `castling`, from scratch; no king is needed for it."""
    clear_sets(t, pos)
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        if piece != NO_PIECE:
            place(t, pos, piece, square)


@kernel
def finish_position(t, pos):
    """Find checks and pins; an `ep` on which no capture is legal is taken back."""
    find_checks(t, pos)
    ep = u64(pos.ep)
    pos.ep = NO_SQUARE
    if ep != NO_SQUARE:
        set_ep(t, pos, ep)


@entry(TABLES, POSITION)
def complete(t, pos):
    """Work out everything that follows from `board`, `turn`, `castling` and `ep`, from scratch.

    An `ep` on which no capture is legal is taken back.
    """
    count_pieces(t, pos)
    finish_position(t, pos)


@entry(TABLES, POSITION)
def can_take_king(t, pos):
    """Does the side to move attack the other king, as never happens in a legal game?"""
    us = u64(pos.turn)
    return is_attacked(t, pos, king_square(pos, us ^ BLACK), us, occupied_squares(pos))


@kernel
def material_key_of(t, pos):
    """The material key from scratch."""
    key = EMPTY
    for piece in range(u64(PIECES)):
        for number in range(count_of(pos, piece)):
            key ^= t.piece_keys[piece, number]
    return key


@kernel
def has_several_checkers(pos):
    """Is it a double check?"""
    return (pos.checkers & (pos.checkers - ONE)) != EMPTY
