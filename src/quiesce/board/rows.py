"""Kernels. Many positions at once: ROW, a position in 32 bytes, and what is asked of arrays of them.

Each entry works on the rows from `first` to before `end` and writes what is wrong with a row, an index into
BAD_ROWS, beside its answer; a row that is wrong gets no answer and does no harm.
"""

# mypy: ignore-errors

from quiesce.board.bits import EMPTY, ONE, RANK_1, RANK_3, RANK_6, has, rest
from quiesce.board.invariants import are_pieces_sound, is_castling_sound
from quiesce.board.legality import is_legal
from quiesce.board.makemove import castled_king, make_move
from quiesce.board.movegen import count_legal, generate_all, generate_noisy
from quiesce.board.position import (
    PAWN_STEP,
    POSITION,
    can_take_king,
    clear_pieces,
    count_pieces,
    finish_position,
    place,
)
from quiesce.board.see import see, see_reaches
from quiesce.board.tables import TABLES
from quiesce.board.types import (
    BLACK,
    CASTLE,
    KINDS,
    MOVE_LIST,
    NO_KIND,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    PIECES,
    WHITE,
    flag_of,
    is_promotion,
    origin_of,
    piece_of,
    promoted_kind,
    target_of,
    u64,
)
from quiesce.jit import Many, entry, kernel, lsb, popcount
from quiesce.records import Field, record

MOST_PIECES = 32
ROW_FIELDS = (
    Field("occupied", "u8", "squares that are not empty, a1 the lowest bit"),
    Field("men", ("u1", (MOST_PIECES // 2,)), "piece on each, four bits each, lowest square and lower bits first"),
    Field("castling", "u2", "files of rooks that may castle: White's in the low byte, Black's in the high one"),
    Field("halfmove", "u2", "plies since a capture or pawn move"),
    Field("fullmove", "u2", "number of the move, as in FEN"),
    Field("turn", "u1", "WHITE or BLACK, the side to move"),
    Field("ep", "u1", "square behind a pawn that can legally be taken en passant, else NO_SQUARE"),
)
ROW = record(*ROW_FIELDS)

SHEET = record(
    Field("pos", POSITION, "the row's position"),
    Field("child", POSITION, "the position after a move"),
    Field("moves", MOVE_LIST, "legal moves"),
)
"""What one thread needs to go through rows."""

GOOD_ROW, BAD_PIECES_HERE, BAD_TURN, BAD_RIGHTS, BAD_PASSANT, KING_HANGS, MANY_CHECKS, BAD_MOVE = range(8)
BAD_ROWS = (
    "good",
    "kings, pawns or other pieces as no position has them",
    "the side to move is neither 0 nor 1",
    "a right to castle without king and rook in place",
    "an en passant square behind no pawn that has just moved",
    "the side that moved is in check",
    "more than two pieces give check",
    "the move is illegal",
)
"""What may be wrong with a row."""
CLOCK_MOST = 9_999
"""No counter of a FEN is larger."""
COLUMNS = KINDS + 2 + 5
"""Numbers that tell a board of python-chess."""

_LOW_NIBBLE, _NIBBLE_BITS = u64(15), u64(4)
_BLACK_HOME, _FILES = u64(56), u64(8)
_TWO_CHECKERS = u64(2)


@kernel
def set_pieces(t, row, pos):
    """Put a row's pieces on the board, sets and keys included; returns whether all of them are pieces."""
    clear_pieces(t, pos)
    squares, slot = row.occupied, EMPTY
    if popcount(squares) > u64(MOST_PIECES):
        return False
    while squares:
        piece = (u64(row.men[slot >> ONE]) >> ((slot & ONE) * _NIBBLE_BITS)) & _LOW_NIBBLE
        if piece >= u64(PIECES):
            return False
        place(t, pos, piece, lsb(squares))
        squares = rest(squares)
        slot += ONE
    return True


@kernel
def could_pass(pos):
    """Is there no en passant square, or one that a pawn may just have passed?"""
    ep, us = u64(pos.ep), u64(pos.turn)
    if ep == NO_SQUARE:
        return True
    if ep > NO_SQUARE or not has(RANK_6 if us == WHITE else RANK_3, ep):
        return False
    passed, came_from = ep ^ PAWN_STEP, ep + PAWN_STEP if us == WHITE else ep - PAWN_STEP
    if u64(pos.board[ep]) != NO_PIECE or u64(pos.board[came_from]) != NO_PIECE:
        return False
    return u64(pos.board[passed]) == piece_of(PAWN, us ^ BLACK)


@kernel
def check_row(t, pos):
    """Complete a position whose pieces, turn, castling, ep and counters are set; returns what is wrong with it."""
    if u64(pos.turn) > BLACK:
        return BAD_TURN
    if not are_pieces_sound(pos):
        return BAD_PIECES_HERE
    if not is_castling_sound(pos):
        return BAD_RIGHTS
    if not could_pass(pos):
        return BAD_PASSANT
    finish_position(t, pos)
    if can_take_king(t, pos):
        return KING_HANGS
    if popcount(pos.checkers) > _TWO_CHECKERS:
        return MANY_CHECKS
    return GOOD_ROW


@kernel
def unpack_row(t, row, pos):
    """Write a row's position into `pos`; returns what is wrong with it, an index into BAD_ROWS."""
    pos.turn = row.turn
    pos.ep = row.ep
    pos.halfmove = min(row.halfmove, CLOCK_MOST)
    pos.reversible = pos.halfmove
    pos.fullmove = min(row.fullmove, CLOCK_MOST)
    pos.moved_count = 0
    rights = u64(row.castling)
    pos.castling = (rights & RANK_1) | ((rights >> _FILES) << _BLACK_HOME)
    if not set_pieces(t, row, pos):
        return BAD_PIECES_HERE
    return check_row(t, pos)


@kernel
def pack_row(pos, row):
    """Write a position into a row."""
    row.occupied = pos.colours[WHITE] | pos.colours[BLACK]
    row.men[:] = 0
    squares, slot = row.occupied, EMPTY
    while squares:
        row.men[slot >> ONE] |= u64(pos.board[lsb(squares)]) << ((slot & ONE) * _NIBBLE_BITS)
        squares = rest(squares)
        slot += ONE
    row.castling = (pos.castling & RANK_1) | ((pos.castling >> _BLACK_HOME) << _FILES)
    row.halfmove = pos.halfmove
    row.fullmove = pos.fullmove
    row.turn = pos.turn
    row.ep = pos.ep


@entry(TABLES, POSITION, Many(ROW), "i8", lazy=True)
def keep_position(t, pos, rows, index):
    """Check a position whose board, turn, castling, ep and counters are set, and write it into a row."""
    count_pieces(t, pos)
    why = check_row(t, pos)
    if why == GOOD_ROW:
        pack_row(pos, rows[u64(index)])
    return why


@kernel
def set_board(t, columns, at, pos):
    """Put the pieces of a board of python-chess on ours; returns whether every piece has one kind and one colour."""
    clear_pieces(t, pos)
    seen, kinds = EMPTY, EMPTY
    white, black = columns[at + u64(KINDS)], columns[at + u64(KINDS + 1)]
    for kind in range(u64(KINDS)):
        kinds |= columns[at + kind]
        for colour in range(u64(2)):
            squares = columns[at + kind] & (white if colour == WHITE else black)
            if squares & seen:
                return False
            seen |= squares
            while squares:
                place(t, pos, piece_of(kind, colour), lsb(squares))
                squares = rest(squares)
    return seen == kinds and seen == white | black


@kernel
def gather(t, columns, at, pos):
    """Make a position from a board of python-chess, COLUMNS numbers from `at` on; returns what is wrong with it.

    Those are sets by kind, by colour, castling rooks, turn, ep, both counters.
    """
    after = at + u64(KINDS + 2)
    pos.castling = columns[after]
    pos.turn = columns[after + u64(1)]
    pos.ep = columns[after + u64(2)]
    pos.halfmove = min(columns[after + u64(3)], u64(CLOCK_MOST))
    pos.reversible = pos.halfmove
    pos.fullmove = min(columns[after + u64(4)], u64(CLOCK_MOST))
    pos.moved_count = 0
    return check_row(t, pos) if set_board(t, columns, at, pos) else BAD_PIECES_HERE


@entry(TABLES, Many("u8", is_read=True), POSITION)
def gather_position(t, columns, pos):
    """Make a position from one board of python-chess; returns what is wrong with it."""
    return gather(t, columns, u64(0), pos)


@entry(TABLES, SHEET, Many(ROW), Many("u1"), "i8", "i8", Many("u8", is_read=True), lazy=True)
def gather_rows(t, sheet, rows, bad, first, end, columns):
    """Each row from a board of python-chess."""
    for index in range(u64(first), u64(end)):
        bad[index] = gather(t, columns, u64(COLUMNS) * index, sheet.pos)
        if bad[index] == GOOD_ROW:
            pack_row(sheet.pos, rows[index])


@entry(TABLES, Many(ROW, is_read=True), "i8", POSITION, lazy=True)
def open_row(t, rows, index, pos):
    """Write the position of one row into `pos`; returns what is wrong with it."""
    return unpack_row(t, rows[u64(index)], pos)


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("i4"), lazy=True)
def count_rows(t, sheet, rows, bad, first, end, counts):
    """Legal moves of each row."""
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] == GOOD_ROW:
            counts[index] = count_legal(t, sheet.pos)


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("i8"), Many("u2"), lazy=True)
def list_rows(t, sheet, rows, bad, first, end, offsets, moves):
    """Write each row's legal moves from its offset on; `offsets` come from the counts."""
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] == GOOD_ROW:
            count = generate_all(t, sheet.pos, sheet.moves)
            start = u64(offsets[index])
            for slot in range(count):
                moves[start + slot] = sheet.moves.moves[slot]


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u1"), lazy=True)
def ask_checks(t, sheet, rows, bad, first, end, answers):
    """Is the side to move in check?"""
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] == GOOD_ROW:
            answers[index] = sheet.pos.checkers != EMPTY


@kernel
def is_still(t, pos, moves):
    """Is the side to move out of check, with no capture or promotion that wins material?"""
    if pos.checkers:
        return False
    count, slot = generate_noisy(t, pos, moves), EMPTY
    while slot < count and not see_reaches(t, pos, u64(moves.moves[slot]), 1):
        slot += ONE
    return slot == count


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u1"), lazy=True)
def ask_stillness(t, sheet, rows, bad, first, end, answers):
    """Is the row quiet: out of check, with nothing to win by an exchange?"""
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] == GOOD_ROW:
            answers[index] = is_still(t, sheet.pos, sheet.moves)


@kernel
def open_for_move(t, rows, index, pos, move):
    """Write the position of a row into `pos`; returns what is wrong with it, or with a move in it."""
    why = unpack_row(t, rows[index], pos)
    if why == GOOD_ROW and not is_legal(t, pos, move):
        return BAD_MOVE
    return why


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u2", is_read=True), Many("i4"), lazy=True)
def weigh_rows(t, sheet, rows, bad, first, end, moves, values):
    """Points the exchange that a row's move starts is worth to its side."""
    for index in range(u64(first), u64(end)):
        move = u64(moves[index])
        bad[index] = open_for_move(t, rows, index, sheet.pos, move)
        if bad[index] == GOOD_ROW:
            values[index] = see(t, sheet.pos, move)


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u2", is_read=True), Many(ROW), lazy=True)
def play_rows(t, sheet, rows, bad, first, end, moves, after):
    """The row after its move."""
    for index in range(u64(first), u64(end)):
        move = u64(moves[index])
        bad[index] = open_for_move(t, rows, index, sheet.pos, move)
        if bad[index] == GOOD_ROW:
            make_move(t, sheet.pos, sheet.child, move)
            pack_row(sheet.child, after[index])


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u8"), lazy=True)
def key_rows(t, sheet, rows, bad, first, end, keys):
    """The Zobrist key of each row."""
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] == GOOD_ROW:
            keys[index] = sheet.pos.key


@kernel
def is_move_written(move, origin, target, promoted):
    """Is it the move with these squares and this kind, castling written onto the rook or to the king's target?"""
    kind = promoted_kind(move) if is_promotion(move) else NO_KIND
    if origin_of(move) != origin or kind != promoted:
        return False
    if target_of(move) == target:
        return True
    return flag_of(move) == CASTLE and castled_king(origin, target_of(move)) == target


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u1", is_read=True), Many("u2"), lazy=True)
def find_rows(t, sheet, rows, bad, first, end, written, moves):
    """The legal move of each row that is written as origin, target and kind promoted to, three bytes a row.

    Where a move onto the king's target and castling are written alike, the plain move comes first.
    """
    for index in range(u64(first), u64(end)):
        at = u64(3) * index
        origin, target, promoted = u64(written[at]), u64(written[at + u64(1)]), u64(written[at + u64(2)])
        bad[index] = unpack_row(t, rows[index], sheet.pos)
        if bad[index] != GOOD_ROW:
            continue
        bad[index] = BAD_MOVE
        for slot in range(generate_all(t, sheet.pos, sheet.moves)):
            move = u64(sheet.moves.moves[slot])
            is_first = bad[index] == BAD_MOVE or flag_of(move) != CASTLE
            if is_move_written(move, origin, target, promoted) and is_first:
                moves[index] = move
                bad[index] = GOOD_ROW
