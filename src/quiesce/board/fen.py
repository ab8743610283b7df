"""Shell. FEN in and out: Forsyth-Edwards notation, X-FEN and Shredder-FEN for Chess960.

Reading is strict, with one sentence that names the field and what is wrong with it. Only slips that
leave no doubt are repaired: extra blanks, missing counters, move number 0, and an en passant square
on which no capture is legal (dropped, as Stockfish does). Positions that no game can reach but that
break no rule of movement are accepted, published test positions are among them.
"""

import re
from typing import Any

from quiesce.board.position import POSITION, can_take_king, complete
from quiesce.board.tables import tables
from quiesce.board.types import NO_PIECE, NO_SQUARE, PAWN
from quiesce.records import new

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

PIECE_LETTERS = "PpNnBbRrQqKk"
"""Letters of the pieces in the order of their numbers."""
FILE_LETTERS = "abcdefgh"
SIDES = ("White", "Black")
CASTLING_SIDES = {"k": "king-side", "q": "queen-side"}
MOST_FIELDS, FEWEST_FIELDS = 6, 4
MOST_PIECES, MOST_PAWNS, MOST_CHECKERS = 16, 8, 2
MOST_PLIES = 9_999
SIDE = 8
KING_FILE, ROOK_FILES = 4, {"k": 7, "q": 0}
"""Where king and rooks stand in standard chess."""


KINGS, ROOKS, PAWNS = ([PIECE_LETTERS.index(letter) for letter in pair] for pair in ("Kk", "Rr", "Pp"))
"""Numbers of the pieces, by colour."""


class FenError(ValueError):
    """A FEN that cannot be read or describes no playable position; the message says why."""


def square_name(square: int) -> str:
    """Name of a square, such as "e4"."""
    return f"{FILE_LETTERS[square % SIDE]}{square // SIDE + 1}"


def square_of(name: str) -> int:
    """Number of the square with a valid name."""
    return FILE_LETTERS.index(name[0]) + SIDE * (int(name[1]) - 1)


def read_fen(text: str, chess960: bool = False) -> tuple[Any, bool]:
    """The position a FEN describes, and whether its castling is Chess960's.

    With `chess960`, K and Q mean the outermost rook (X-FEN); files named by letter (Shredder-FEN)
    mean Chess960 by themselves.
    """
    fields = text.split()
    if not FEWEST_FIELDS <= len(fields) <= MOST_FIELDS:
        raise FenError(
            f"FEN has {len(fields)} fields instead of 4 to 6 (board, side to move, castling, en passant, "
            f"half-move clock, move number): {shorten(text)}"
        )
    board, turn, castling, ep, halfmove, fullmove = (*fields, "0", "1")[: len(fields)] + ("0", "1")[len(fields) - 4 :]
    pos = new(POSITION)
    pos.board[:] = read_board(board)
    check_pieces(list(pos.board))
    pos.turn = read_turn(turn)
    rooks, lettered = read_castling(castling, list(pos.board), chess960)
    pos.castling = sum(1 << rook for rook in rooks)
    pos.ep = read_ep(ep, list(pos.board), int(pos.turn))
    pos.halfmove = read_counter("half-move clock", halfmove)
    pos.fullmove = max(1, read_counter("move number", fullmove))
    pos.reversible = pos.halfmove
    complete(tables(), pos)
    check_kings(pos)
    return pos, chess960 or lettered


def shorten(text: str, most: int = 80) -> str:
    """A text as an error message may show it: printable and not too long."""
    shown = repr(text)
    return shown if len(shown) <= most else f"{shown[: most - 4]}...'"


def read_board(field: str) -> list[int]:
    """The piece on each square, a1 first."""
    ranks = field.split("/")
    if len(ranks) != SIDE:
        raise FenError(f"board field has {len(ranks)} ranks instead of 8: {shorten(field)}")
    squares: list[int] = []
    for number, rank in zip(range(SIDE, 0, -1), ranks, strict=True):
        squares = read_rank(rank, number) + squares
    return squares


def read_rank(rank: str, number: int) -> list[int]:
    """The pieces on one rank, a-file first."""
    where = f"board field, rank {number} {shorten(rank)}"
    unknown = re.search(rf"[^1-8{PIECE_LETTERS}]", rank)
    if unknown:
        raise FenError(f"{where}: {unknown.group()!r} is neither a piece letter nor a digit from 1 to 8")
    if re.search("[1-8]{2}", rank):
        raise FenError(f"{where}: two digits stand side by side")
    squares: list[int] = []
    for letter in rank:
        squares += [int(NO_PIECE)] * int(letter) if letter.isdigit() else [PIECE_LETTERS.index(letter)]
    if len(squares) != SIDE:
        raise FenError(f"{where}: describes {len(squares)} squares instead of 8")
    return squares


def check_pieces(board: list[int]) -> None:
    """Refuse what no rule of movement covers: kings missing or doubled, pawns at the end, too many pieces."""
    for colour, side in enumerate(SIDES):
        kings = board.count(KINGS[colour])
        if kings != 1:
            raise FenError(f"board field: {side} has {'no king' if kings == 0 else f'{kings} kings instead of one'}")
        piece_count = sum(piece != NO_PIECE and piece % 2 == colour for piece in board)
        if piece_count > MOST_PIECES:
            raise FenError(f"board field: {side} has {piece_count} pieces, more than the {MOST_PIECES} a side can have")
        pawns = board.count(PAWNS[colour])
        if pawns > MOST_PAWNS:
            raise FenError(f"board field: {side} has {pawns} pawns, more than the {MOST_PAWNS} a side can have")
    for square in (*range(SIDE), *range(len(board) - SIDE, len(board))):
        if board[square] // 2 == PAWN:
            raise FenError(f"board field: a pawn stands on {square_name(square)}, where it would have promoted")


def read_turn(field: str) -> int:
    """WHITE or BLACK."""
    if field not in ("w", "b"):
        raise FenError(f"side to move is {shorten(field)} instead of 'w' or 'b'")
    return "wb".index(field)


def read_castling(field: str, board: list[int], chess960: bool) -> tuple[set[int], bool]:
    """Squares of the rooks that may castle, and whether a file was named by letter; naming one twice does no harm."""
    rooks: set[int] = set()
    lettered = False
    if field == "-":
        return rooks, lettered
    for letter in field:
        where, colour = f"castling field {shorten(field)}", int(letter.islower())
        home = board[SIDE * 7 * colour :][:SIDE]
        king = KINGS[colour]
        if not letter.isascii() or letter.lower() not in "kq" + FILE_LETTERS:
            raise FenError(f"{where}: {letter!r} is neither one of KQkq nor the letter of a file")
        if king not in home:
            raise FenError(f"{where}: {letter!r}, but {SIDES[colour]}'s king has left its home rank")
        if letter.lower() in CASTLING_SIDES:
            file = castling_file(letter, home, home.index(king), chess960, where)
        else:
            file, lettered = named_file(letter, home, where), True
        rooks.add(file + SIDE * 7 * colour)
    check_one_rook_a_side(field, rooks, board)
    return rooks, lettered


def castling_file(letter: str, home: list[int], king: int, chess960: bool, where: str) -> int:
    """File of the rook that K, Q, k or q means: the usual one, or in Chess960 the outermost."""
    rook = ROOKS[letter.islower()]
    side = letter.lower()
    colour = SIDES[letter.islower()]
    if chess960:
        files = [file for file in range(SIDE) if home[file] == rook and (file > king) == (side == "k")]
        if not files:
            raise FenError(f"{where}: {letter!r}, but {colour} has no rook on the {CASTLING_SIDES[side]} of its king")
        return files[-1] if side == "k" else files[0]
    rank = 8 if letter.islower() else 1
    if king != KING_FILE:
        raise FenError(f"{where}: {letter!r}, but {colour}'s king is not on e{rank} (Chess960 must be asked for)")
    file = ROOK_FILES[side]
    if home[file] != rook:
        where = f"{where}: {letter!r}, but {colour} has no rook on {FILE_LETTERS[file]}{rank}"
        raise FenError(f"{where} (Chess960 must be asked for)")
    return file


def named_file(letter: str, home: list[int], where: str) -> int:
    """File of the rook named by its own letter."""
    colour = int(letter.islower())
    file = FILE_LETTERS.index(letter.lower())
    if home[file] != ROOKS[colour]:
        rank = 8 if colour else 1
        raise FenError(f"{where}: {letter!r}, but {SIDES[colour]} has no rook on {FILE_LETTERS[file]}{rank}")
    return file


def check_one_rook_a_side(field: str, rooks: set[int], board: list[int]) -> None:
    """Refuse rights for two rooks on the same side of their king."""
    for colour, side in enumerate(SIDES):
        king = board.index(KINGS[colour])
        mine = {rook for rook in rooks if rook // SIDE == 7 * colour}
        if len({rook > king for rook in mine}) != len(mine):
            raise FenError(f"castling field {shorten(field)}: {side} has two rights on one side of the king")


def read_ep(field: str, board: list[int], turn: int) -> int:
    """The en passant square, capture legal or not, or NO_SQUARE."""
    if field == "-":
        return int(NO_SQUARE)
    where = f"en passant field {shorten(field)}"
    if not re.fullmatch("[a-h][1-8]", field):
        raise FenError(f"{where} is neither '-' nor a square")
    square = square_of(field)
    forward = SIDE if turn else -SIDE
    if square // SIDE != (2 if turn else 5):
        raise FenError(f"{where}: with {SIDES[turn]} to move it must be on rank {3 if turn else 6}")
    if board[square + forward] != PAWNS[1 - turn]:
        raise FenError(
            f"{where}: there is no {SIDES[1 - turn].lower()} pawn on {square_name(square + forward)} to take"
        )
    if board[square] != NO_PIECE or board[square - forward] != NO_PIECE:
        raise FenError(f"{where}: the pawn on {square_name(square + forward)} cannot have just moved two squares")
    return square


def read_counter(name: str, field: str) -> int:
    """A count of plies or moves."""
    if not (field.isascii() and field.isdigit()):
        raise FenError(f"{name} is {shorten(field)} instead of a whole number")
    if len(field.lstrip("0")) > len(str(MOST_PLIES)):
        raise FenError(f"{name} {shorten(field)} is larger than {MOST_PLIES}")
    return int(field)


def check_kings(pos: Any) -> None:
    """Refuse positions where a king could be taken, or is attacked by more pieces than one move can uncover."""
    mover, other = SIDES[pos.turn], SIDES[1 - pos.turn]
    if can_take_king(tables(), pos):
        raise FenError(f"side to move: {mover} is to move, but {other}'s king is already in check")
    checkers = int(pos.checkers).bit_count()
    if checkers > MOST_CHECKERS:
        raise FenError(f"board field: {mover}'s king is in check from {checkers} pieces at once, two is the most")


def write_fen(pos: Any, shredder: bool = False) -> str:
    """The FEN of a position: castling as KQkq (X-FEN), or by the files of the rooks (Shredder-FEN).

    The en passant square stands only where a capture is legal.
    """
    ep = "-" if pos.ep == NO_SQUARE else square_name(int(pos.ep))
    return (
        f"{write_board(pos)} {'wb'[pos.turn]} {write_castling(pos, shredder)} {ep} "
        f"{int(pos.halfmove)} {int(pos.fullmove)}"
    )


def write_board(pos: Any) -> str:
    """The board field."""
    ranks = []
    for rank in range(SIDE - 1, -1, -1):
        letters = "".join(
            "1" if piece == NO_PIECE else PIECE_LETTERS[piece] for piece in pos.board[rank * SIDE :][:SIDE]
        )
        ranks.append(re.sub("1+", lambda run: str(len(run.group())), letters))
    return "/".join(ranks)


def write_castling(pos: Any, shredder: bool) -> str:
    """The castling field, White first, king-side first."""
    written = ""
    for colour in (0, 1):
        home = [int(piece) for piece in pos.board[SIDE * 7 * colour :][:SIDE]]
        rights = int(pos.castling) >> SIDE * 7 * colour & 0xFF
        for file in (file for file in range(SIDE - 1, -1, -1) if rights >> file & 1):
            king = home.index(KINGS[colour])
            beyond = home[file + 1 :] if file > king else home[:file]
            is_outermost = ROOKS[colour] not in beyond
            letter = "KQ"[file < king] if is_outermost and not shredder else FILE_LETTERS[file].upper()
            written += letter.lower() if colour else letter
    return written or "-"
