"""Shell. Rules of chess for arrays: moves, checks, exchanges, keys and network features."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import chess
import numpy as np
import numpy.typing as npt

from quiesce.batch.positions import LARGEST_PIECE, sheets, to_fens
from quiesce.batch.run import Progress, Reasons, Rows, reasons_of, rows_of, settled, work_through
from quiesce.board.movetext import move_to_uci
from quiesce.board.rows import (
    BAD_MOVE,
    BAD_ROWS,
    MOST_PIECES,
    ROW,
    ask_checks,
    ask_stillness,
    count_rows,
    find_rows,
    key_rows,
    list_rows,
    play_rows,
    weigh_rows,
)
from quiesce.board.tables import tables
from quiesce.board.types import NO_KIND, NO_MOVE, PIECES, SQUARES
from quiesce.eval.featurerows import list_features, list_planes
from quiesce.eval.features import FEATURE_INDEX, NO_FEATURE

SIDE = 8
SPARSE, PLANES = "sparse", "planes"
LARGEST_MOVE = np.iinfo(np.uint16).max
PLACES, PROMOTIONS = frozenset(chess.SQUARES), frozenset((None, *chess.PIECE_TYPES))
NO_BYTES = SQUARES, SQUARES, int(NO_KIND)
"""Values of no square."""

Moves = npt.NDArray[np.uint16]
Kernel = Callable[..., Any]


class LegalMoves(NamedTuple):
    """Moves of many positions, 16 bits each: those of row i are `moves[offsets[i]:offsets[i + 1]]`."""

    offsets: npt.NDArray[np.int64]
    moves: Moves


class Inputs(NamedTuple):
    """Features of the mover and of the other side, at most 32 a row, then -1."""

    mover: npt.NDArray[np.int16]
    other: npt.NDArray[np.int16]


def asked(kernel: Kernel, rows: Rows, arrays: Sequence[Any], threads: int | None, progress: Progress | None) -> Reasons:
    """Run a kernel that fills arrays for all rows; returns errors by row."""
    codes = np.zeros(len(rows), np.uint8)

    def ask(sheet: Any, first: int, end: int) -> None:
        kernel(tables(), sheet, rows, codes, first, end, *arrays)

    work_through(len(rows), sheets(threads), ask, LARGEST_PIECE, progress)
    return reasons_of(codes)


def legal_counts(
    positions: Any, *, threads: int | None = None, progress: Progress | None = None, bad: Reasons | None = None
) -> npt.NDArray[np.int32]:
    """Number of legal moves of each position; 0 in bad rows."""
    rows = rows_of(positions)
    counts = np.zeros(len(rows), np.int32)
    return settled(counts, asked(count_rows, rows, [counts], threads, progress), bad)


def legal_moves(
    positions: Any, *, threads: int | None = None, progress: Progress | None = None, bad: Reasons | None = None
) -> LegalMoves:
    """All legal moves of each position; none in bad rows. `moves_to_uci` converts them."""
    rows = rows_of(positions)
    counts = np.zeros(len(rows), np.int32)
    reasons = asked(count_rows, rows, [counts], threads, None)
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    moves = np.zeros(int(offsets[-1]), np.uint16)
    asked(list_rows, rows, [offsets, moves], threads, progress)
    return settled(LegalMoves(offsets, moves), reasons, bad)


def in_check(
    positions: Any, *, threads: int | None = None, progress: Progress | None = None, bad: Reasons | None = None
) -> npt.NDArray[np.bool_]:
    """Is the side to move in check? False in bad rows."""
    rows = rows_of(positions)
    answers = np.zeros(len(rows), np.uint8)
    return settled(answers.view(np.bool_), asked(ask_checks, rows, [answers], threads, progress), bad)


def is_quiet(
    positions: Any, *, threads: int | None = None, progress: Progress | None = None, bad: Reasons | None = None
) -> npt.NDArray[np.bool_]:
    """Is the side to move not in check, and does no capture or promotion win material by SEE? False in bad rows."""
    rows = rows_of(positions)
    answers = np.zeros(len(rows), np.uint8)
    return settled(answers.view(np.bool_), asked(ask_stillness, rows, [answers], threads, progress), bad)


def keys(
    positions: Any, *, threads: int | None = None, progress: Progress | None = None, bad: Reasons | None = None
) -> npt.NDArray[np.uint64]:
    """Zobrist key of each position, without counters; 0 in bad rows."""
    rows = rows_of(positions)
    found = np.zeros(len(rows), np.uint64)
    return settled(found, asked(key_rows, rows, [found], threads, progress), bad)


def moves_to_uci(moves: Any, *, chess960: bool = False) -> list[str]:
    """Moves as UCI text; 0 is the null move 0000."""
    return [move_to_uci(int(move), chess960) for move in np.asarray(moves)]


def moves_to_san(positions: Any, moves: Any, *, bad: Reasons | None = None) -> list[str]:
    """Each position's move as SAN, by python-chess; empty in bad rows and for no move.

    >>> from quiesce import batch
    >>> rows = batch.from_fens(["4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"])
    >>> batch.moves_to_san(rows, batch.search(rows)["move"])
    ['exd5']
    """
    rows = rows_of(positions)
    own, reasons = own_moves(rows, moves, None)
    found = [""] * len(rows)
    for index, fen in enumerate(to_fens(rows, shredder=True, bad=reasons)):
        if index in reasons or own[index] == NO_MOVE:
            continue
        board = chess.Board(fen, chess960=True)
        try:
            found[index] = board.san(board.parse_uci(move_to_uci(int(own[index]), chess960=True)))
        except ValueError:
            reasons[index] = BAD_ROWS[BAD_MOVE]
    return settled(found, reasons, bad)


def moves_from(
    positions: Any, moves: Sequence[chess.Move | str], *, threads: int | None = None, bad: Reasons | None = None
) -> Moves:
    """The legal 16-bit moves of UCI texts or chess.Moves; 0 in bad rows."""
    rows = rows_of(positions)
    check_length(rows, moves)
    written, unread = np.full((len(rows), 3), SQUARES, np.uint8), dict[int, str]()
    for index, move in enumerate(moves):
        if isinstance(move, str | chess.Move):
            written[index] = bytes_of(move)
        else:
            unread[index] = f"a {type(move).__name__} is no move"
    found = np.zeros(len(rows), np.uint16)
    reasons = asked(find_rows, rows, [written.reshape(-1), found], threads, None)
    return settled(found, reasons | unread, bad)


def bytes_of(move: chess.Move | str) -> tuple[int, int, int]:
    """Origin, target and promotion kind; NO_SQUARE values for no move."""
    try:
        read = chess.Move.from_uci(move) if isinstance(move, str) else move
    except chess.InvalidMoveError:
        return NO_BYTES
    if read.from_square not in PLACES or read.to_square not in PLACES or read.promotion not in PROMOTIONS:
        return NO_BYTES
    return read.from_square, read.to_square, int(NO_KIND) if read.promotion is None else read.promotion - 1


def check_length(rows: Rows, moves: Sequence[Any]) -> None:
    """Raise ValueError unless there is one move for each row."""
    if isinstance(moves, str | chess.Move):
        raise TypeError("moves must be a list with one move for each position")
    if len(moves) != len(rows):
        raise ValueError(f"{len(rows)} positions, but {len(moves)} moves")


def own_moves(rows: Rows, moves: Any, threads: int | None) -> tuple[Moves, Reasons]:
    """16-bit moves from numbers or from what `moves_from` reads, and errors by row."""
    check_length(rows, moves)
    if isinstance(moves, np.ndarray) and np.issubdtype(moves.dtype, np.integer):
        if moves.ndim != 1:
            raise ValueError(f"moves must be one-dimensional, not {moves.ndim}-dimensional")
        is_move = (moves >= 0) & (moves <= LARGEST_MOVE)
        return np.ascontiguousarray(np.where(is_move, moves, NO_MOVE), np.uint16), {}
    numbers = {index: int(move) for index, move in enumerate(moves) if is_number(move)}
    if len(numbers) == len(rows):
        return np.array([in_range(numbers[index]) for index in range(len(rows))], np.uint16), {}
    reasons: Reasons = {}
    found = moves_from(rows, moves, threads=threads, bad=reasons)
    for index, number in numbers.items():
        found[index] = in_range(number)
        del reasons[index]
    return found, reasons


def is_number(move: Any) -> bool:
    """Is a move given as an integer?"""
    return isinstance(move, int | np.integer) and not isinstance(move, bool)


def in_range(number: int) -> int:
    """A number as a 16-bit move; out of range becomes the null move, which is never legal."""
    return number if 0 <= number <= LARGEST_MOVE else int(NO_MOVE)


def see(
    positions: Any,
    moves: Any,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> npt.NDArray[np.int32]:
    """SEE in points of each position's move, for the side to move; 0 in bad rows."""
    rows = rows_of(positions)
    own, reasons = own_moves(rows, moves, threads)
    values = np.zeros(len(rows), np.int32)
    return settled(values, asked(weigh_rows, rows, [own, values], threads, progress) | reasons, bad)


def play(
    positions: Any,
    moves: Any,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> Rows:
    """Each position after its move (16-bit number, chess.Move or UCI text); blank in bad rows."""
    rows = rows_of(positions)
    own, reasons = own_moves(rows, moves, threads)
    after = np.zeros(len(rows), ROW)
    return settled(after, asked(play_rows, rows, [own, after], threads, progress) | reasons, bad)


def features(
    positions: Any,
    form: str = SPARSE,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> Inputs | npt.NDArray[np.uint8]:
    """Network features: "sparse" indices, or "planes" of shape (n, 12, 8, 8) from the side to move's perspective.

    A feature is `(is_enemy * 6 + kind) * 64 + square`, with the own first rank lowest. Sparse features are mirrored if
    the own king stands on files e to h, as in our network; planes are not.
    """
    rows = rows_of(positions)
    if form == PLANES:
        planes = np.zeros(len(rows) * PIECES * SQUARES, np.uint8)
        reasons = asked(list_planes, rows, [FEATURE_INDEX.ravel(), planes], threads, progress)
        return settled(planes.reshape(-1, PIECES, SIDE, SIDE), reasons, bad)
    if form != SPARSE:
        raise ValueError(f"form must be {SPARSE!r} or {PLANES!r}, not {form!r}")
    mover, other = (np.full(len(rows) * MOST_PIECES, NO_FEATURE, np.int16) for _ in range(2))
    reasons = asked(list_features, rows, [FEATURE_INDEX.ravel(), mover, other], threads, progress)
    return settled(Inputs(mover.reshape(-1, MOST_PIECES), other.reshape(-1, MOST_PIECES)), reasons, bad)
