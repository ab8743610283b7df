"""Kernels. FENs by the million: rows from text and text from rows.

Only what is plainly right is read here. Anything else, slips and Chess960 included, is left to the reader in
`board/fen.py`, which knows how to repair it or has words for what is wrong.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, pieces_of
from quiesce.board.bits import EMPTY, ONE, bit, has
from quiesce.board.fen import MOST_PLIES, PIECE_LETTERS
from quiesce.board.position import count_pieces
from quiesce.board.rows import GOOD_ROW, ROW, SHEET, check_row, pack_row, unpack_row
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, KING, NO_PIECE, NO_SQUARE, PIECES, ROOK, WHITE, file_of, piece_of, rank_of, u64
from quiesce.jit import Many, entry, kernel

FEN_BYTES = 96
"""More than any FEN takes."""
UNREAD = 255
"""What stands for a FEN that is left to others."""
NOWHERE = -1

LETTERS = np.frombuffer(PIECE_LETTERS.encode("ascii"), np.uint8)
PIECE_OF = np.full(256, PIECES, np.uint8)
PIECE_OF[LETTERS] = np.arange(PIECES, dtype=np.uint8)
"""The piece of each letter; PIECES for any other byte."""
SPACE, SLASH, DASH, ZERO, NINE, FILE_A, WHITE_LETTER, BLACK_LETTER = (np.int64(ord(sign)) for sign in " /-09awb")
CAPITAL_A, CAPITAL_K, CAPITAL_Q = (np.int64(ord(sign)) for sign in "AKQ")
LOWER = np.int64(32)
"""What makes a capital letter small."""
KING_SIDE, QUEEN_SIDE = np.int64(ord("k")), np.int64(ord("q"))
_KING_FILE, _ROOK_FILES = u64(4), (u64(7), u64(0))
_BLACK_HOME, _TOP = u64(56), 7
_SIDE = 8
TEN = 10


@kernel
def read_pieces(text, at, end, pos):
    """Read the board field from `at`; returns where it ends, or NOWHERE."""
    pos.board[:] = NO_PIECE
    rank, file, was_digit = _TOP, 0, False
    while at < end and np.int64(text[at]) != SPACE:
        sign = np.int64(text[at])
        is_digit = ZERO < sign < NINE
        if sign == SLASH:
            if file != _SIDE:
                return NOWHERE
            rank, file = rank - 1, 0
        elif is_digit:
            file += sign - ZERO
        elif PIECE_OF[sign] < PIECES and file < _SIDE and rank >= 0:
            pos.board[u64(rank * _SIDE + file)] = PIECE_OF[sign]
            file += 1
        else:
            return NOWHERE
        if file > _SIDE or (is_digit and was_digit):
            return NOWHERE
        was_digit = is_digit
        at += 1
    return at if rank == 0 and file == _SIDE else NOWHERE


@kernel
def read_rights(text, at, end, pos):
    """Read KQkq with kings and rooks on their usual squares from `at`; returns where the field ends, or NOWHERE."""
    pos.castling = EMPTY
    if at < end and np.int64(text[at]) == DASH:
        return at + 1
    start = at
    while at < end and np.int64(text[at]) != SPACE:
        sign = np.int64(text[at])
        colour = BLACK if sign >= FILE_A else WHITE
        side = sign | LOWER
        if side != KING_SIDE and side != QUEEN_SIDE:
            return NOWHERE
        home = _BLACK_HOME * colour
        rook = home + (_ROOK_FILES[0] if side == KING_SIDE else _ROOK_FILES[1])
        if u64(pos.board[rook]) != piece_of(ROOK, colour) or u64(pos.board[home + _KING_FILE]) != piece_of(
            KING, colour
        ):
            return NOWHERE
        pos.castling |= bit(rook)
        at += 1
    return at if at > start else NOWHERE


@kernel
def read_passed(text, at, end, pos):
    """Read the en passant field from `at`; returns where it ends, or NOWHERE."""
    pos.ep = NO_SQUARE
    if at < end and np.int64(text[at]) == DASH:
        return at + 1
    if at + 1 >= end:
        return NOWHERE
    file, rank = np.int64(text[at]) - FILE_A, np.int64(text[at + 1]) - ZERO - 1
    if not (0 <= file < _SIDE and 0 <= rank < _SIDE):
        return NOWHERE
    pos.ep = rank * _SIDE + file
    return at + 2


@kernel
def read_count(text, at, end):
    """Read a number of at most MOST_PLIES from `at`; returns it, and where it ends or NOWHERE."""
    start, number = at, np.int64(0)
    while at < end and ZERO <= np.int64(text[at]) <= NINE:
        number = number * TEN + np.int64(text[at]) - ZERO
        if number > MOST_PLIES:
            return number, NOWHERE
        at += 1
    return number, (at if at > start else NOWHERE)


@kernel
def after_space(text, at, end):
    """Where the next field begins, or NOWHERE if no single blank parts it."""
    return at + 1 if NOWHERE < at < end - 1 and np.int64(text[at]) == SPACE else NOWHERE


@kernel
def read_counts(text, at, end, pos):
    """Read both counters, or their absence, at the end of a FEN; returns whether that is all there is."""
    pos.halfmove, pos.fullmove = 0, 1
    if at < end:
        at = after_space(text, at, end)
        if at == NOWHERE:
            return False
        pos.halfmove, at = read_count(text, at, end)
        at = after_space(text, at, end)
        if at == NOWHERE:
            return False
        number, at = read_count(text, at, end)
        pos.fullmove = max(number, 1)
    pos.reversible = pos.halfmove
    pos.moved_count = 0
    return at == end


@kernel
def read_text(text, at, end, pos):
    """Read a FEN into a position that is still to be completed; returns whether it was plainly right."""
    at = after_space(text, read_pieces(text, at, end, pos), end)
    if at == NOWHERE:
        return False
    turn = np.int64(text[at])
    if turn != WHITE_LETTER and turn != BLACK_LETTER:
        return False
    pos.turn = turn == BLACK_LETTER
    at = after_space(text, at + 1, end)
    if at == NOWHERE:
        return False
    at = after_space(text, read_rights(text, at, end, pos), end)
    if at == NOWHERE:
        return False
    at = read_passed(text, at, end, pos)
    return at != NOWHERE and read_counts(text, at, end, pos)


@kernel
def read_position(t, text, at, end, pos):
    """Read a FEN into a whole position; returns whether it was plainly right and can be played."""
    if not read_text(text, at, end, pos):
        return False
    count_pieces(t, pos)
    return check_row(t, pos) == GOOD_ROW


@entry(TABLES, SHEET, Many(ROW), Many("u1"), "i8", "i8", Many("u1", is_read=True), Many("i8", is_read=True), lazy=True)
def read_rows(t, sheet, rows, bad, first, end, text, offsets):
    """Each row from its FEN, in the text between its offset and the next; UNREAD where it is left to others."""
    for index in range(first, end):
        if read_position(t, text, offsets[index], offsets[index + 1], sheet.pos):
            pack_row(sheet.pos, rows[index])
            bad[index] = GOOD_ROW
        else:
            bad[index] = UNREAD


@kernel
def write_sign(text, at, sign):
    """Write one letter; returns where the next goes."""
    text[at] = sign
    return at + 1


@kernel
def write_count(text, at, number):
    """Write a number; returns where the next sign goes."""
    scale = np.int64(1)
    while number // scale >= TEN:
        scale *= TEN
    while scale > 0:
        at = write_sign(text, at, ZERO + number // scale % TEN)
        scale //= TEN
    return at


@kernel
def write_pieces(text, at, pos):
    """Write the board field; returns where it ends."""
    for rank in range(_TOP, -1, -1):
        empty = 0
        for file in range(_SIDE):
            piece = u64(pos.board[u64(rank * _SIDE + file)])
            if piece == NO_PIECE:
                empty += 1
                continue
            if empty:
                at = write_sign(text, at, ZERO + empty)
            empty = 0
            at = write_sign(text, at, LETTERS[piece])
        if empty:
            at = write_sign(text, at, ZERO + empty)
        if rank > 0:
            at = write_sign(text, at, SLASH)
    return at


@kernel
def is_outermost(pos, rook, colour):
    """Is there no other rook of its colour between a rook and its edge, seen from the king?"""
    step = ONE if rook > king_square(pos, colour) else ~EMPTY
    square = rook + step
    while square < NO_SQUARE and rank_of(square) == rank_of(rook):
        if has(pieces_of(pos, ROOK, colour), square):
            return False
        square += step
    return True


@kernel
def write_rights(text, at, pos, shredder):
    """Write the castling field, White first, king-side first; returns where it ends."""
    start = at
    for colour in range(u64(2)):
        for file in range(_TOP, -1, -1):
            rook = _BLACK_HOME * colour + u64(file)
            if has(pos.castling, rook):
                letter = CAPITAL_K if rook > king_square(pos, colour) else CAPITAL_Q
                if shredder or not is_outermost(pos, rook, colour):
                    letter = CAPITAL_A + file
                at = write_sign(text, at, letter + LOWER * np.int64(colour))
    return at if at > start else write_sign(text, at, DASH)


@kernel
def write_text(text, at, pos, shredder):
    """Write a FEN; returns where it ends."""
    at = write_sign(text, write_pieces(text, at, pos), SPACE)
    at = write_sign(text, at, BLACK_LETTER if u64(pos.turn) == BLACK else WHITE_LETTER)
    at = write_rights(text, write_sign(text, at, SPACE), pos, shredder)
    at = write_sign(text, at, SPACE)
    ep = u64(pos.ep)
    if ep == NO_SQUARE:
        at = write_sign(text, at, DASH)
    else:
        at = write_sign(text, at, FILE_A + np.int64(file_of(ep)))
        at = write_sign(text, at, ZERO + np.int64(rank_of(ep)) + 1)
    at = write_count(text, write_sign(text, at, SPACE), np.int64(pos.halfmove))
    return write_count(text, write_sign(text, at, SPACE), np.int64(pos.fullmove))


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u1"), "i8", lazy=True)
def write_rows(t, sheet, rows, bad, first, end, text, shredder):
    """The FEN of each row, FEN_BYTES a row, filled up with zeros."""
    for index in range(first, end):
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] == GOOD_ROW:
            write_text(text, np.int64(index * FEN_BYTES), sheet.pos, shredder)
