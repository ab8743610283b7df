"""Kernels. Move ordering of quiet moves by the board itself: checks, and pieces attacked by lesser ones."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import (
    bishop_attacks,
    king_square,
    occupied_squares,
    piece_attacks,
    pieces_of,
    rook_attacks,
)
from quiesce.board.bits import EMPTY, capture_east, capture_west, has, rest
from quiesce.board.see import see_reaches
from quiesce.board.types import BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, kind_of, origin_of, target_of, u64
from quiesce.jit import kernel, lsb


@kernel
def attacks_of_kind(t, pos, kind, colour):
    """Squares that a colour's pieces of one kind attack."""
    attacked, pieces, occupied = EMPTY, pieces_of(pos, kind, colour), occupied_squares(pos)
    while pieces:
        attacked |= piece_attacks(t, kind, lsb(pieces), occupied)
        pieces = rest(pieces)
    return attacked


@kernel
def attacks_of_lesser(t, pos):
    """Squares where the opponent's lesser pieces attack a minor piece, a rook, a queen of the mover."""
    them = u64(pos.turn) ^ BLACK
    pawns = pieces_of(pos, PAWN, them)
    minor = capture_west(pawns, them) | capture_east(pawns, them)
    rook = minor | attacks_of_kind(t, pos, KNIGHT, them) | attacks_of_kind(t, pos, BISHOP, them)
    return minor, rook, rook | attacks_of_kind(t, pos, ROOK, them)


@kernel
def threat_bonus(w, t, move, kind, attacks):
    """Bonus for a piece that leaves the attacks of lesser pieces, the same less for one that enters them."""
    if kind < KNIGHT or kind > QUEEN:
        return np.int64(0)
    attacked = attacks[2] if kind == QUEEN else (attacks[1] if kind == ROOK else attacks[0])
    change = np.int64(has(attacked, origin_of(move))) - np.int64(has(attacked, target_of(move)))
    return change * t.piece_values[kind] * w.params.threat_order_weight


@kernel
def check_squares(t, pos):
    """Squares from which a pawn, a knight, a bishop, a rook of the mover would give check."""
    them = u64(pos.turn) ^ BLACK
    king, occupied = king_square(pos, them), occupied_squares(pos)
    return t.pawns[them, king], t.knights[king], bishop_attacks(t, king, occupied), rook_attacks(t, king, occupied)


@kernel
def gives_direct_check(kind, target, squares):
    """Would a piece of this kind give check from there?"""
    if kind == PAWN:
        return has(squares[0], target)
    if kind == KNIGHT:
        return has(squares[1], target)
    slant, straight = has(squares[2], target), has(squares[3], target)
    return (slant and (kind == BISHOP or kind == QUEEN)) or (straight and (kind == ROOK or kind == QUEEN))


@kernel
def add_check_order(w, t, ply, count):
    """Raise the scores of a ply's quiet moves that give direct check and lose nothing.

    Why: a check forces the reply, so it is cheap to search first.
    Worth: CheckOrder +8.1 ± 8.9, +8.1 ± 12.1 and +14.6 ± 9.9 Elo at 5,000 nodes (three runs).
    Test: tests/search/test_ordering.py::test_checks_that_lose_nothing_come_first
    """
    if not w.params.check_order:
        return
    moves, pos = w.quiet[u64(ply)], w.stack[u64(ply)]
    squares = check_squares(t, pos)
    for index in range(u64(count)):
        move = u64(moves.moves[index])
        kind = kind_of(u64(pos.board[origin_of(move)]))
        if gives_direct_check(kind, target_of(move), squares) and see_reaches(t, pos, move, np.int64(0)):
            moves.scores[index] += w.params.check_order_bonus


@kernel
def add_threat_order(w, t, ply, count):
    """Raise or lower the scores of a ply's quiet moves that leave or enter the attacks of lesser pieces.

    Why: a piece attacked by a lesser one has to move, and one that moves there is lost.
    Worth: ThreatOrder +25.5 ± 8.9, +10.1 ± 12.2 and +9.5 ± 9.9 Elo at 5,000 nodes (three runs).
    Test: tests/search/test_ordering.py::test_pieces_leave_the_attacks_of_lesser_ones
    """
    if not w.params.threat_order:
        return
    moves, pos = w.quiet[u64(ply)], w.stack[u64(ply)]
    attacks = attacks_of_lesser(t, pos)
    for index in range(u64(count)):
        move = u64(moves.moves[index])
        moves.scores[index] += threat_bonus(w, t, move, kind_of(u64(pos.board[origin_of(move)])), attacks)


@kernel
def add_order_bonuses(w, t, ply, count):
    """Add bonuses for checks and threats to the scores of a ply's quiet moves."""
    add_check_order(w, t, ply, count)
    add_threat_order(w, t, ply, count)
