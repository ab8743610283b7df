"""Kernels. Pieces: attacks, mobility, and good and bad places."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import bishop_attacks, king_square, occupied_squares, pieces_of, rook_attacks
from quiesce.board.bits import (
    DARK_SQUARES,
    EMPTY,
    FILE_A,
    RANK_1,
    bit,
    capture_east,
    capture_west,
    forward,
    has,
    has_several,
    rest,
)
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, file_of, rank_of, u64
from quiesce.eval.sides import relative_rank, sign_of
from quiesce.eval.termscore import TERM_INDEX, term_score
from quiesce.jit import kernel, lsb, popcount

KNIGHT_MOBILITY, BISHOP_MOBILITY = TERM_INDEX["knight_mobility"], TERM_INDEX["bishop_mobility"]
ROOK_MOBILITY, QUEEN_MOBILITY = TERM_INDEX["rook_mobility"], TERM_INDEX["queen_mobility"]
BISHOP_PAIR, KNIGHT_PAWNS, ROOK_PAWNS = TERM_INDEX["bishop_pair"], TERM_INDEX["knight_pawns"], TERM_INDEX["rook_pawns"]
OUTPOST, OUTPOST_NEAR, BEHIND_PAWN = TERM_INDEX["outpost"], TERM_INDEX["outpost_near"], TERM_INDEX["behind_pawn"]
FAR_FROM_KING, BISHOP_TRAPPED = TERM_INDEX["far_from_king"], TERM_INDEX["bishop_trapped"]
BISHOP_PAWNS, BISHOP_BLOCKED, BISHOP_DIAGONAL = (
    TERM_INDEX[name] for name in ("bishop_pawns", "bishop_blocked", "bishop_diagonal")
)
ROOK_FILE, ROOK_SEVENTH, ROOK_TRAPPED = TERM_INDEX["rook_file"], TERM_INDEX["rook_seventh"], TERM_INDEX["rook_trapped"]
DANGER_ATTACKERS, DANGER_RING = TERM_INDEX["danger_attackers"], TERM_INDEX["danger_ring"]

CENTRE = u64(0x0000001818000000)
WHITE_OUTPOSTS, BLACK_OUTPOSTS = u64(0x0000FFFFFF000000), u64(0x000000FFFFFF0000)
"""Ranks four to six of each side."""
WHITE_LOW, BLACK_LOW = u64(0x0000000000FFFF00), u64(0x00FFFF0000000000)
"""Ranks two and three of each side."""
SHUT_IN = 3
"""Largest mobility of a rook that is shut in by its own king."""
SEVENTH, EIGHTH = 6, 7
INNER_LOW, INNER_HIGH = 1, 6
MIDDLE_FILE = u64(4)


@kernel
def ring_of(t, square):
    """Nine squares around a king, moved inside the board at its edge."""
    file = min(max(np.int64(file_of(square)), INNER_LOW), INNER_HIGH)
    rank = min(max(np.int64(rank_of(square)), INNER_LOW), INNER_HIGH)
    centre = u64(8 * rank + file)
    return t.kings[centre] | bit(centre)


@kernel
def start_attacks(t, evaluator, pos):
    """Start the attack bitboards with pawns and kings; set the king rings and mobility areas."""
    attacks, occupied = evaluator.attacks, occupied_squares(pos)
    for side in range(u64(2)):
        own, king = pieces_of(pos, PAWN, side), king_square(pos, side)
        west, east, steps = capture_west(own, side), capture_east(own, side), t.kings[king]
        attacks.by_kind[side, PAWN] = west | east
        attacks.by_kind[side, KING] = steps
        attacks.by_any[side] = west | east | steps
        attacks.by_two[side] = (west & east) | ((west | east) & steps)
        attacks.king_ring[side] = ring_of(t, king)
        attacks.king_attackers[side] = 0
        attacks.danger[side] = 0
        for kind in range(KNIGHT, KING):
            attacks.by_kind[side, kind] = EMPTY
    for side in range(u64(2)):
        own, low = pieces_of(pos, PAWN, side), WHITE_LOW if side == WHITE else BLACK_LOW
        stuck = own & (low | forward(occupied, side ^ BLACK))
        kept = pieces_of(pos, KING, side) | pieces_of(pos, QUEEN, side)
        attacks.mobility_area[side] = ~(stuck | kept | attacks.by_kind[side ^ BLACK, PAWN])


@kernel
def add_attacks(evaluator, trace, side, kind, seen):
    """Add a piece's attacks to its side's bitboards, and to the danger of the other king."""
    attacks, them = evaluator.attacks, side ^ BLACK
    attacks.by_two[side] |= attacks.by_any[side] & seen
    attacks.by_any[side] |= seen
    attacks.by_kind[side, kind] |= seen
    hits = seen & attacks.king_ring[them]
    if hits:
        attacks.king_attackers[them] += 1
        index = DANGER_ATTACKERS + np.int64(kind) - 1
        attacks.danger[them] += term_score(evaluator, trace, them, index, 1)
        attacks.danger[them] += term_score(evaluator, trace, them, DANGER_RING, np.int64(popcount(hits)))


@kernel
def evaluate_minor(t, evaluator, trace, pos, entry, side, square, which):
    """Score of a knight's (0) or bishop's (1) place: outposts, shelter, distance to the king."""
    attacks, them = evaluator.attacks, side ^ BLACK
    score = term_score(
        evaluator, trace, side, FAR_FROM_KING + which, np.int64(t.distance[square, king_square(pos, side)])
    )
    score += term_score(
        evaluator, trace, side, BEHIND_PAWN, np.int64(has(forward(pos.pieces[PAWN], side ^ BLACK), square))
    )
    posts = (WHITE_OUTPOSTS if side == WHITE else BLACK_OUTPOSTS) & attacks.by_kind[side, PAWN] & ~entry.reach[them]
    if posts:
        is_there = np.int64(has(posts, square))
        score += term_score(evaluator, trace, side, OUTPOST + which, is_there)
        if which == 0 and t.knights[square] & posts & ~pos.colours[side]:
            score += term_score(evaluator, trace, side, OUTPOST_NEAR, 1 - is_there)
    return score


@kernel
def evaluate_knights(t, evaluator, trace, pos, entry, side):
    """Score of a side's knights."""
    score, mobility_area, left = np.int64(0), evaluator.attacks.mobility_area[side], pieces_of(pos, KNIGHT, side)
    pawns = np.int64(popcount(pieces_of(pos, PAWN, side)))
    while left:
        square = lsb(left)
        left = rest(left)
        seen = t.knights[square]
        add_attacks(evaluator, trace, side, KNIGHT, seen)
        score += term_score(evaluator, trace, side, KNIGHT_MOBILITY + np.int64(popcount(seen & mobility_area)), 1)
        score += term_score(evaluator, trace, side, KNIGHT_PAWNS, pawns)
        score += evaluate_minor(t, evaluator, trace, pos, entry, side, square, 0)
    return score


@kernel
def is_bishop_trapped(pos, side, square):
    """Is a bishop trapped by an enemy pawn: on a7 or b8 by b6, on h7 or g8 by g6?"""
    rank, file = relative_rank(side, square), np.int64(file_of(square))
    if rank < SEVENTH or (INNER_LOW < file < INNER_HIGH) or (rank == SEVENTH) == (INNER_LOW <= file <= INNER_HIGH):
        return False
    guard = u64(INNER_LOW if file <= INNER_LOW else INNER_HIGH) + (u64(40) if side == WHITE else u64(16))
    return has(pieces_of(pos, PAWN, side ^ BLACK), guard)


@kernel
def evaluate_bishops(t, evaluator, trace, pos, entry, side):
    """Score of a side's bishops."""
    own = pieces_of(pos, PAWN, side)
    score, mobility_area, left = np.int64(0), evaluator.attacks.mobility_area[side], pieces_of(pos, BISHOP, side)
    blocked = own & forward(occupied_squares(pos), side ^ BLACK)
    through = occupied_squares(pos) ^ pieces_of(pos, QUEEN, side)
    if left & DARK_SQUARES and left & ~DARK_SQUARES:
        score += term_score(evaluator, trace, side, BISHOP_PAIR, 1)
    while left:
        square = lsb(left)
        left = rest(left)
        seen = bishop_attacks(t, square, through)
        add_attacks(evaluator, trace, side, BISHOP, seen)
        same = DARK_SQUARES if has(DARK_SQUARES, square) else ~DARK_SQUARES
        score += term_score(evaluator, trace, side, BISHOP_MOBILITY + np.int64(popcount(seen & mobility_area)), 1)
        score += term_score(evaluator, trace, side, BISHOP_PAWNS, np.int64(popcount(own & same)))
        score += term_score(evaluator, trace, side, BISHOP_BLOCKED, np.int64(popcount(blocked & same)))
        is_long = has_several(bishop_attacks(t, square, pos.pieces[PAWN]) & CENTRE)
        score += term_score(evaluator, trace, side, BISHOP_DIAGONAL, np.int64(is_long))
        if is_bishop_trapped(pos, side, square):
            score += term_score(evaluator, trace, side, BISHOP_TRAPPED, 1)
        score += evaluate_minor(t, evaluator, trace, pos, entry, side, square, 1)
    return score


@kernel
def is_shut_in(pos, side, square, mobility):
    """Is a rook with little mobility shut in by its own king, which cannot castle?"""
    king = king_square(pos, side)
    if mobility > SHUT_IN or pos.castling & pos.colours[side]:
        return False
    return (file_of(king) < MIDDLE_FILE) == (file_of(square) < file_of(king))


@kernel
def evaluate_rooks(t, evaluator, trace, pos, side):
    """Score of a side's rooks."""
    them, own = side ^ BLACK, pieces_of(pos, PAWN, side)
    score, mobility_area, left = np.int64(0), evaluator.attacks.mobility_area[side], pieces_of(pos, ROOK, side)
    through = occupied_squares(pos) ^ pieces_of(pos, ROOK, side) ^ pieces_of(pos, QUEEN, side)
    home = RANK_1 << u64(8 * SEVENTH) if side == WHITE else RANK_1 << u64(8)
    targets = pieces_of(pos, PAWN, them) & home != EMPTY or relative_rank(side, king_square(pos, them)) == EIGHTH
    pawns = np.int64(popcount(own))
    while left:
        square = lsb(left)
        left = rest(left)
        seen = rook_attacks(t, square, through)
        add_attacks(evaluator, trace, side, ROOK, seen)
        mobility = np.int64(popcount(seen & mobility_area))
        score += term_score(evaluator, trace, side, ROOK_MOBILITY + mobility, 1)
        score += term_score(evaluator, trace, side, ROOK_PAWNS, pawns)
        file = FILE_A << file_of(square)
        is_half = np.int64(file & own == EMPTY)
        is_open = np.int64(file & pos.pieces[PAWN] == EMPTY)
        score += term_score(evaluator, trace, side, ROOK_FILE + is_open, is_half)
        if not is_half and is_shut_in(pos, side, square, mobility):
            score += term_score(evaluator, trace, side, ROOK_TRAPPED, 1)
        if targets and relative_rank(side, square) == SEVENTH:
            score += term_score(evaluator, trace, side, ROOK_SEVENTH, 1)
    return score


@kernel
def evaluate_queens(t, evaluator, trace, pos, side):
    """Score of a side's queens."""
    score, mobility_area, left = np.int64(0), evaluator.attacks.mobility_area[side], pieces_of(pos, QUEEN, side)
    occupied = occupied_squares(pos)
    while left:
        square = lsb(left)
        left = rest(left)
        seen = bishop_attacks(t, square, occupied) | rook_attacks(t, square, occupied)
        add_attacks(evaluator, trace, side, QUEEN, seen)
        score += term_score(evaluator, trace, side, QUEEN_MOBILITY + np.int64(popcount(seen & mobility_area)), 1)
    return score


@kernel
def evaluate_pieces(t, evaluator, trace, pos, entry):
    """Score of all knights, bishops, rooks and queens, White's side; fills the attack bitboards."""
    start_attacks(t, evaluator, pos)
    score = np.int64(0)
    for side in range(u64(2)):
        own = evaluate_knights(t, evaluator, trace, pos, entry, side) + evaluate_bishops(
            t, evaluator, trace, pos, entry, side
        )
        own += evaluate_rooks(t, evaluator, trace, pos, side) + evaluate_queens(t, evaluator, trace, pos, side)
        score += sign_of(side) * own
    return score
