"""Kernels. What the board itself says of the order of quiet moves: checks, and men in reach of lesser ones."""

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
def reach_of(t, pos, kind, colour):
    """Squares that a colour's pieces of one kind attack."""
    reach, men, occupied = EMPTY, pieces_of(pos, kind, colour), occupied_squares(pos)
    while men:
        reach |= piece_attacks(t, kind, lsb(men), occupied)
        men = rest(men)
    return reach


@kernel
def reach_of_lesser(t, pos):
    """Squares where the other side's lesser men attack a minor piece, a rook, a queen of the mover."""
    them = u64(pos.turn) ^ BLACK
    pawns = pieces_of(pos, PAWN, them)
    minor = capture_west(pawns, them) | capture_east(pawns, them)
    rook = minor | reach_of(t, pos, KNIGHT, them) | reach_of(t, pos, BISHOP, them)
    return minor, rook, rook | reach_of(t, pos, ROOK, them)


@kernel
def threat_bonus(w, t, move, kind, reaches):
    """Threat order: a man's value if it leaves the reach of a lesser one, less that if it enters it."""
    if kind < KNIGHT or kind > QUEEN:
        return np.int64(0)
    reach = reaches[2] if kind == QUEEN else (reaches[1] if kind == ROOK else reaches[0])
    change = np.int64(has(reach, origin_of(move))) - np.int64(has(reach, target_of(move)))
    return change * t.piece_values[kind] * w.params.threat_order_weight


@kernel
def check_squares(t, pos):
    """Squares from which a pawn, a knight, a bishop, a rook of the mover would give check."""
    them = u64(pos.turn) ^ BLACK
    king, occupied = king_square(pos, them), occupied_squares(pos)
    return t.pawns[them, king], t.knights[king], bishop_attacks(t, king, occupied), rook_attacks(t, king, occupied)


@kernel
def does_see_king(kind, target, squares):
    """Would a man of this kind give check from there?"""
    if kind == PAWN:
        return has(squares[0], target)
    if kind == KNIGHT:
        return has(squares[1], target)
    slant, straight = has(squares[2], target), has(squares[3], target)
    return (slant and (kind == BISHOP or kind == QUEEN)) or (straight and (kind == ROOK or kind == QUEEN))


@kernel
def add_check_order(w, t, ply, count):
    """Check order: raise the scores of a ply's quiet moves that give check directly and lose nothing."""
    moves, pos = w.quiet[u64(ply)], w.stack[u64(ply)]
    squares = check_squares(t, pos)
    for index in range(u64(count)):
        move = u64(moves.moves[index])
        kind = kind_of(u64(pos.board[origin_of(move)]))
        if does_see_king(kind, target_of(move), squares) and see_reaches(t, pos, move, np.int64(0)):
            moves.scores[index] += w.params.check_order_bonus


@kernel
def add_threat_order(w, t, ply, count):
    """Threat order: raise or lower the scores of a ply's quiet moves that leave or enter the reach of lesser men."""
    moves, pos = w.quiet[u64(ply)], w.stack[u64(ply)]
    reaches = reach_of_lesser(t, pos)
    for index in range(u64(count)):
        move = u64(moves.moves[index])
        moves.scores[index] += threat_bonus(w, t, move, kind_of(u64(pos.board[origin_of(move)])), reaches)


@kernel
def add_board_order(w, t, ply, count):
    """Add to the scores of a ply's quiet moves what the board says of them."""
    if w.params.check_order:
        add_check_order(w, t, ply, count)
    if w.params.threat_order:
        add_threat_order(w, t, ply, count)
