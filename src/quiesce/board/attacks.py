"""Kernels. Attack sets of every piece, and who attacks a square."""

# mypy: ignore-errors

from quiesce.board.bits import EMPTY
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK
from quiesce.jit import kernel, lsb


@kernel
def rook_attacks(t, square, occupied):
    """Squares a rook attacks, the first piece on each ray included."""
    slider = t.rooks[square]
    return t.slides[slider.offset + (((occupied & slider.mask) * slider.magic) >> slider.shift)]


@kernel
def bishop_attacks(t, square, occupied):
    """Squares a bishop attacks, the first piece on each ray included."""
    slider = t.bishops[square]
    return t.slides[slider.offset + (((occupied & slider.mask) * slider.magic) >> slider.shift)]


@kernel
def piece_attacks(t, kind, square, occupied):
    """Squares a piece of any kind but pawn attacks."""
    if kind == KNIGHT:
        return t.knights[square]
    if kind == BISHOP:
        return bishop_attacks(t, square, occupied)
    if kind == ROOK:
        return rook_attacks(t, square, occupied)
    if kind == QUEEN:
        return bishop_attacks(t, square, occupied) | rook_attacks(t, square, occupied)
    return t.kings[square]


@kernel
def occupied_squares(pos):
    """Squares with any piece."""
    return pos.colours[0] | pos.colours[1]


@kernel
def pieces_of(pos, kind, colour):
    """Squares of a colour's pieces of one kind."""
    return pos.pieces[kind] & pos.colours[colour]


@kernel
def king_square(pos, colour):
    """Square of a colour's king."""
    return lsb(pieces_of(pos, KING, colour))


@kernel
def diagonal_sliders(pos):
    """Bishops and queens of both colours."""
    return pos.pieces[BISHOP] | pos.pieces[QUEEN]


@kernel
def straight_sliders(pos):
    """Rooks and queens of both colours."""
    return pos.pieces[ROOK] | pos.pieces[QUEEN]


@kernel
def attackers(t, pos, square, occupied):
    """Pieces of both colours that attack a square, sliders pass squares that are not in `occupied`."""
    return (
        (t.knights[square] & pos.pieces[KNIGHT])
        | (t.kings[square] & pos.pieces[KING])
        | (t.pawns[BLACK, square] & pos.pieces[PAWN] & pos.colours[0])
        | (t.pawns[0, square] & pos.pieces[PAWN] & pos.colours[1])
        | (bishop_attacks(t, square, occupied) & diagonal_sliders(pos))
        | (rook_attacks(t, square, occupied) & straight_sliders(pos))
    )


@kernel
def is_attacked(t, pos, square, by, occupied):
    """Does a colour attack the square, sliders pass squares that are not in `occupied`?"""
    enemy = pos.colours[by]
    leapers = (
        (t.knights[square] & pos.pieces[KNIGHT])
        | (t.kings[square] & pos.pieces[KING])
        | (t.pawns[by ^ BLACK, square] & pos.pieces[PAWN])
    )
    if leapers & enemy:
        return True
    if bishop_attacks(t, square, occupied) & diagonal_sliders(pos) & enemy:
        return True
    return (rook_attacks(t, square, occupied) & straight_sliders(pos) & enemy) != EMPTY
