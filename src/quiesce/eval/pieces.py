"""Kernels. Pieces: what each sees, how it may move, and where it stands well or badly."""

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
from quiesce.eval.counting import PLACES, worth
from quiesce.eval.pawns import rank_for, sign_of
from quiesce.jit import kernel, lsb, popcount

KNIGHT_MOBILITY, BISHOP_MOBILITY = PLACES["knight_mobility"], PLACES["bishop_mobility"]
ROOK_MOBILITY, QUEEN_MOBILITY = PLACES["rook_mobility"], PLACES["queen_mobility"]
BISHOP_PAIR, KNIGHT_PAWNS, ROOK_PAWNS = PLACES["bishop_pair"], PLACES["knight_pawns"], PLACES["rook_pawns"]
OUTPOST, OUTPOST_NEAR, BEHIND_PAWN = PLACES["outpost"], PLACES["outpost_near"], PLACES["behind_pawn"]
FAR_FROM_KING, BISHOP_TRAPPED = PLACES["far_from_king"], PLACES["bishop_trapped"]
BISHOP_PAWNS, BISHOP_BLOCKED, BISHOP_DIAGONAL = (
    PLACES[name] for name in ("bishop_pawns", "bishop_blocked", "bishop_diagonal")
)
ROOK_FILE, ROOK_SEVENTH, ROOK_TRAPPED = PLACES["rook_file"], PLACES["rook_seventh"], PLACES["rook_trapped"]
DANGER_ATTACKERS, DANGER_RING = PLACES["danger_attackers"], PLACES["danger_ring"]

CENTRE = u64(0x0000001818000000)
WHITE_OUTPOSTS, BLACK_OUTPOSTS = u64(0x0000FFFFFF000000), u64(0x000000FFFFFF0000)
"""Ranks four to six of each side."""
WHITE_LOW, BLACK_LOW = u64(0x0000000000FFFF00), u64(0x00FFFF0000000000)
"""Ranks two and three of each side."""
SHUT_IN = 3
"""Squares a rook has at most where its own king shuts it in."""
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
def look_around(t, judge, pos):
    """Set what pawns and kings attack, the rings, and the squares that count for mobility."""
    sight, occupied = judge.sight, occupied_squares(pos)
    for side in range(u64(2)):
        own, king = pieces_of(pos, PAWN, side), king_square(pos, side)
        west, east, steps = capture_west(own, side), capture_east(own, side), t.kings[king]
        sight.by_kind[side, PAWN] = west | east
        sight.by_kind[side, KING] = steps
        sight.all_attacks[side] = west | east | steps
        sight.twice[side] = (west & east) | ((west | east) & steps)
        sight.ring[side] = ring_of(t, king)
        sight.attackers[side] = 0
        sight.danger[side] = 0
        for kind in range(KNIGHT, KING):
            sight.by_kind[side, kind] = EMPTY
    for side in range(u64(2)):
        own, low = pieces_of(pos, PAWN, side), WHITE_LOW if side == WHITE else BLACK_LOW
        stuck = own & (low | forward(occupied, side ^ BLACK))
        kept = pieces_of(pos, KING, side) | pieces_of(pos, QUEEN, side)
        sight.area[side] = ~(stuck | kept | sight.by_kind[side ^ BLACK, PAWN])


@kernel
def note_sight(judge, ledger, side, kind, seen):
    """Add what a piece sees to its side's attacks, and to the other king's danger."""
    sight, them = judge.sight, side ^ BLACK
    sight.twice[side] |= sight.all_attacks[side] & seen
    sight.all_attacks[side] |= seen
    sight.by_kind[side, kind] |= seen
    hits = seen & sight.ring[them]
    if hits:
        sight.attackers[them] += 1
        index = DANGER_ATTACKERS + np.int64(kind) - 1
        sight.danger[them] += worth(judge, ledger, them, index, 1)
        sight.danger[them] += worth(judge, ledger, them, DANGER_RING, np.int64(popcount(hits)))


@kernel
def judge_minor(t, judge, ledger, pos, entry, side, square, which):
    """Pair of a knight's (0) or bishop's (1) place: outposts, shelter, nearness to the king."""
    sight, them = judge.sight, side ^ BLACK
    pair = worth(judge, ledger, side, FAR_FROM_KING + which, np.int64(t.distance[square, king_square(pos, side)]))
    pair += worth(judge, ledger, side, BEHIND_PAWN, np.int64(has(forward(pos.pieces[PAWN], side ^ BLACK), square)))
    posts = (WHITE_OUTPOSTS if side == WHITE else BLACK_OUTPOSTS) & sight.by_kind[side, PAWN] & ~entry.reach[them]
    if posts:
        is_there = np.int64(has(posts, square))
        pair += worth(judge, ledger, side, OUTPOST + which, is_there)
        if which == 0 and t.knights[square] & posts & ~pos.colours[side]:
            pair += worth(judge, ledger, side, OUTPOST_NEAR, 1 - is_there)
    return pair


@kernel
def judge_knights(t, judge, ledger, pos, entry, side):
    """Pair of a side's knights."""
    pair, area, left = np.int64(0), judge.sight.area[side], pieces_of(pos, KNIGHT, side)
    pawns = np.int64(popcount(pieces_of(pos, PAWN, side)))
    while left:
        square = lsb(left)
        left = rest(left)
        seen = t.knights[square]
        note_sight(judge, ledger, side, KNIGHT, seen)
        pair += worth(judge, ledger, side, KNIGHT_MOBILITY + np.int64(popcount(seen & area)), 1)
        pair += worth(judge, ledger, side, KNIGHT_PAWNS, pawns)
        pair += judge_minor(t, judge, ledger, pos, entry, side, square, 0)
    return pair


@kernel
def is_bishop_trapped(pos, side, square):
    """Is a bishop in the enemy's corner behind a pawn of his: a7 or b8 behind b6, h7 or g8 behind g6?"""
    rank, file = rank_for(side, square), np.int64(file_of(square))
    if rank < SEVENTH or (INNER_LOW < file < INNER_HIGH) or (rank == SEVENTH) == (INNER_LOW <= file <= INNER_HIGH):
        return False
    guard = u64(INNER_LOW if file <= INNER_LOW else INNER_HIGH) + (u64(40) if side == WHITE else u64(16))
    return has(pieces_of(pos, PAWN, side ^ BLACK), guard)


@kernel
def judge_bishops(t, judge, ledger, pos, entry, side):
    """Pair of a side's bishops."""
    own = pieces_of(pos, PAWN, side)
    pair, area, left = np.int64(0), judge.sight.area[side], pieces_of(pos, BISHOP, side)
    blocked = own & forward(occupied_squares(pos), side ^ BLACK)
    through = occupied_squares(pos) ^ pieces_of(pos, QUEEN, side)
    if left & DARK_SQUARES and left & ~DARK_SQUARES:
        pair += worth(judge, ledger, side, BISHOP_PAIR, 1)
    while left:
        square = lsb(left)
        left = rest(left)
        seen = bishop_attacks(t, square, through)
        note_sight(judge, ledger, side, BISHOP, seen)
        same = DARK_SQUARES if has(DARK_SQUARES, square) else ~DARK_SQUARES
        pair += worth(judge, ledger, side, BISHOP_MOBILITY + np.int64(popcount(seen & area)), 1)
        pair += worth(judge, ledger, side, BISHOP_PAWNS, np.int64(popcount(own & same)))
        pair += worth(judge, ledger, side, BISHOP_BLOCKED, np.int64(popcount(blocked & same)))
        is_long = has_several(bishop_attacks(t, square, pos.pieces[PAWN]) & CENTRE)
        pair += worth(judge, ledger, side, BISHOP_DIAGONAL, np.int64(is_long))
        if is_bishop_trapped(pos, side, square):
            pair += worth(judge, ledger, side, BISHOP_TRAPPED, 1)
        pair += judge_minor(t, judge, ledger, pos, entry, side, square, 1)
    return pair


@kernel
def is_shut_in(pos, side, square, mobility):
    """Has a rook hardly a move, shut in on its wing by a king that cannot castle?"""
    king = king_square(pos, side)
    if mobility > SHUT_IN or pos.castling & pos.colours[side]:
        return False
    return (file_of(king) < MIDDLE_FILE) == (file_of(square) < file_of(king))


@kernel
def judge_rooks(t, judge, ledger, pos, side):
    """Pair of a side's rooks."""
    them, own = side ^ BLACK, pieces_of(pos, PAWN, side)
    pair, area, left = np.int64(0), judge.sight.area[side], pieces_of(pos, ROOK, side)
    through = occupied_squares(pos) ^ pieces_of(pos, ROOK, side) ^ pieces_of(pos, QUEEN, side)
    home = RANK_1 << u64(8 * SEVENTH) if side == WHITE else RANK_1 << u64(8)
    targets = pieces_of(pos, PAWN, them) & home != EMPTY or rank_for(side, king_square(pos, them)) == EIGHTH
    pawns = np.int64(popcount(own))
    while left:
        square = lsb(left)
        left = rest(left)
        seen = rook_attacks(t, square, through)
        note_sight(judge, ledger, side, ROOK, seen)
        mobility = np.int64(popcount(seen & area))
        pair += worth(judge, ledger, side, ROOK_MOBILITY + mobility, 1)
        pair += worth(judge, ledger, side, ROOK_PAWNS, pawns)
        file = FILE_A << file_of(square)
        is_half = np.int64(file & own == EMPTY)
        is_open = np.int64(file & pos.pieces[PAWN] == EMPTY)
        pair += worth(judge, ledger, side, ROOK_FILE + is_open, is_half)
        if not is_half and is_shut_in(pos, side, square, mobility):
            pair += worth(judge, ledger, side, ROOK_TRAPPED, 1)
        if targets and rank_for(side, square) == SEVENTH:
            pair += worth(judge, ledger, side, ROOK_SEVENTH, 1)
    return pair


@kernel
def judge_queens(t, judge, ledger, pos, side):
    """Pair of a side's queens."""
    pair, area, left = np.int64(0), judge.sight.area[side], pieces_of(pos, QUEEN, side)
    occupied = occupied_squares(pos)
    while left:
        square = lsb(left)
        left = rest(left)
        seen = bishop_attacks(t, square, occupied) | rook_attacks(t, square, occupied)
        note_sight(judge, ledger, side, QUEEN, seen)
        pair += worth(judge, ledger, side, QUEEN_MOBILITY + np.int64(popcount(seen & area)), 1)
    return pair


@kernel
def judge_pieces(t, judge, ledger, pos, entry):
    """Pair of all pieces, White's side; fills what everyone attacks."""
    look_around(t, judge, pos)
    pair = np.int64(0)
    for side in range(u64(2)):
        own = judge_knights(t, judge, ledger, pos, entry, side) + judge_bishops(t, judge, ledger, pos, entry, side)
        own += judge_rooks(t, judge, ledger, pos, side) + judge_queens(t, judge, ledger, pos, side)
        pair += sign_of(side) * own
    return pair
