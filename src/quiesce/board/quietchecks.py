"""Kernels. Quiet moves that give check: found from the king's side, without looking at all the others."""

# mypy: ignore-errors

from quiesce.board.attacks import (
    bishop_attacks,
    diagonal_sliders,
    king_square,
    occupied_squares,
    pieces_of,
    rook_attacks,
    straight_sliders,
)
from quiesce.board.bits import EMPTY, END_RANKS, FULL, ONE, has, rest
from quiesce.board.legality import gives_check
from quiesce.board.movegen import add_castling, add_moves, add_pawns, generate_quiet
from quiesce.board.types import BLACK, KNIGHT, QUEEN, u64
from quiesce.jit import kernel, lsb


@kernel
def may_uncover(t, pos):
    """Does one piece of the mover stand alone between a slider of his and the other king?"""
    us = u64(pos.turn)
    own, king = pos.colours[us], king_square(pos, us ^ BLACK)
    snipers = (t.bishop_rays[king] & diagonal_sliders(pos)) | (t.rook_rays[king] & straight_sliders(pos))
    snipers &= own
    while snipers:
        shields = t.between[king, lsb(snipers)] & occupied_squares(pos)
        if shields & own and not rest(shields):
            return True
        snipers = rest(snipers)
    return False


@kernel
def keep_checks(t, pos, moves, first, count):
    """Leave from `first` on only moves that give check; returns how many there are in all."""
    kept = first
    for index in range(first, count):
        move = u64(moves.moves[index])
        if gives_check(t, pos, move):
            moves.moves[kept] = move
            kept += ONE
    return kept


@kernel
def add_sliding_checks(t, pos, moves, count, slant, straight):
    """Append quiet moves of bishops, rooks and queens onto squares from which they see the king."""
    us, occupied = u64(pos.turn), occupied_squares(pos)
    own, king = pos.colours[us], king_square(pos, us)
    sliders = diagonal_sliders(pos) & own
    while sliders:
        origin = lsb(sliders)
        line = t.line[king, origin] if has(pos.pinned, origin) else FULL
        wanted = slant | straight if has(pos.pieces[QUEEN], origin) else slant
        count = add_moves(moves, count, origin, bishop_attacks(t, origin, occupied) & line & wanted, EMPTY)
        sliders = rest(sliders)
    sliders = straight_sliders(pos) & own
    while sliders:
        origin = lsb(sliders)
        line = t.line[king, origin] if has(pos.pinned, origin) else FULL
        wanted = slant | straight if has(pos.pieces[QUEEN], origin) else straight
        count = add_moves(moves, count, origin, rook_attacks(t, origin, occupied) & line & wanted, EMPTY)
        sliders = rest(sliders)
    return count


@kernel
def generate_quiet_checks(t, pos, moves):
    """Write all legal quiet moves that give check; returns how many.

    In check, or where a move may uncover a slider, all quiet moves are looked at; else only squares that see the king.
    """
    us = u64(pos.turn)
    if pos.checkers or may_uncover(t, pos):
        return keep_checks(t, pos, moves, EMPTY, generate_quiet(t, pos, moves))
    king, occupied = king_square(pos, us ^ BLACK), occupied_squares(pos)
    count = EMPTY
    if pos.castling:
        count = keep_checks(t, pos, moves, EMPTY, add_castling(t, pos, moves, EMPTY, us))
    pushes = t.pawns[us ^ BLACK, king] & ~occupied & ~END_RANKS
    count = add_pawns(t, pos, moves, count, us, EMPTY, pushes)
    knights = pieces_of(pos, KNIGHT, us) & ~pos.pinned
    while knights:
        origin = lsb(knights)
        count = add_moves(moves, count, origin, t.knights[origin] & t.knights[king] & ~occupied, EMPTY)
        knights = rest(knights)
    slant, straight = bishop_attacks(t, king, occupied) & ~occupied, rook_attacks(t, king, occupied) & ~occupied
    return add_sliding_checks(t, pos, moves, count, slant, straight)
