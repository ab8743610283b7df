"""Shell. FENs and boards to arrays of 32 bytes a position, and back."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from quiesce.batch.run import (
    Progress,
    Reasons,
    Rows,
    reasons_of,
    rows_of,
    settled,
    thread_count,
    work_through,
)
from quiesce.board.bridge import columns_of
from quiesce.board.fen import FenError, read_fen
from quiesce.board.fenrows import FEN_BYTES, UNREAD, read_rows, write_rows
from quiesce.board.rows import BAD_ROWS, COLUMNS, GOOD_ROW, ROW, SHEET, gather_rows, keep_position
from quiesce.board.tables import tables
from quiesce.jit import have_ready
from quiesce.records import new

LARGEST_PIECE = 4_096
"""Rows per task: one or two milliseconds of work."""


def sheets(threads: int | None) -> list[Any]:
    """A sheet a thread, the board's kernels ready."""
    have_ready("board.")
    return [new(SHEET) for _ in range(thread_count(threads))]


def from_fens(
    fens: Iterable[str],
    *,
    chess960: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> Rows:
    """Positions of FENs, or of EPDs without operations. Unreadable ones are blank and reported as bad rows.

    With `chess960`, K and Q mean the outermost rooks. Shredder-FENs need no flag.
    """
    check_several(fens, str, "FENs")
    given = list(fens)
    texts = [fen if isinstance(fen, str) else "" for fen in given]
    rows, codes = np.zeros(len(texts), ROW), np.zeros(len(texts), np.uint8)
    whole = np.frombuffer("".join(texts).encode("ascii", "replace"), np.uint8)
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])

    def read(sheet: Any, first: int, end: int) -> None:
        read_rows(tables(), sheet, rows, codes, first, end, whole, offsets)

    work_through(len(texts), sheets(threads), read, LARGEST_PIECE, progress)
    reasons: Reasons = {}
    for index in np.flatnonzero(codes == UNREAD).tolist():
        if isinstance(given[index], str):
            why = read_slowly(rows, index, texts[index], chess960)
        else:
            why = f"a FEN is a str, not {type(given[index]).__name__}"
        if why:
            reasons[index] = why
    return settled(rows, reasons, bad)


def check_several(given: Any, one: type, noun: str) -> None:
    """Raise TypeError for a single item where several are needed."""
    if isinstance(given, one):
        raise TypeError(f"{noun} must be a list, even of one")
    if not isinstance(given, Iterable):
        raise TypeError(f"{noun} must be a list or another iterable, not {type(given).__name__}")


def read_slowly(rows: Rows, index: int, text: str, chess960: bool) -> str:
    """Read an unusual FEN; returns its error, or an empty text."""
    try:
        position, _ = read_fen(text, chess960)
    except FenError as error:
        return str(error)
    code = int(keep_position(tables(), position, rows, index))
    return "" if code == GOOD_ROW else BAD_ROWS[code]


def to_fens(
    positions: Any, *, shredder: bool = False, threads: int | None = None, bad: Reasons | None = None
) -> list[str]:
    """The FEN of each position, castling as KQkq (X-FEN) or with `shredder` by files; empty for bad rows."""
    rows = rows_of(positions)
    codes, text = np.zeros(len(rows), np.uint8), np.zeros(len(rows) * FEN_BYTES, np.uint8)

    def write(sheet: Any, first: int, end: int) -> None:
        write_rows(tables(), sheet, rows, codes, first, end, text, int(shredder))

    work_through(len(rows), sheets(threads), write, LARGEST_PIECE)
    whole = text.tobytes().decode("ascii")
    fens = [whole[at : at + FEN_BYTES].rstrip("\0") for at in range(0, len(whole), FEN_BYTES)]
    return settled(fens, reasons_of(codes), bad)


def columns(positions: Any) -> dict[str, npt.NDArray[Any]]:
    """The fields of positions as one-dimensional arrays by name, as data frames need them; the pieces are men_0 to
    men_15.

    >>> from quiesce import batch
    >>> rows = batch.from_fens(["4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"])
    >>> found = batch.columns(rows)
    >>> len(found), found["halfmove"].tolist(), {array.ndim for array in found.values()}
    (22, [0], {1})
    """
    rows, found = rows_of(positions), dict[str, npt.NDArray[Any]]()
    assert rows.dtype.names is not None
    for name in rows.dtype.names:
        field = rows[name]
        parts = {name: field} if field.ndim == 1 else {f"{name}_{at}": part for at, part in enumerate(field.T)}
        found |= {part: np.ascontiguousarray(array) for part, array in parts.items()}
    return found


BLANK = (0,) * COLUMNS
LARGEST_NUMBER = np.iinfo(np.uint64).max
NO_NUMBER = "a counter or another number of the board is missing, negative or too large"


def why_refused(board: Any) -> str:
    """Why an object is no board we accept, or an empty text."""
    if not isinstance(board, chess.Board):
        return f"a {type(board).__name__} is no chess.Board"
    return "" if board.uci_variant == "chess" else f"a board of {board.uci_variant}"


def from_boards(
    boards: Iterable[chess.Board],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> Rows:
    """Positions of chess.Boards, without their move stacks. Unplayable ones are blank and reported as bad rows."""
    check_several(boards, chess.Board, "boards")
    reasons: Reasons = {}
    numbers: list[tuple[int, ...]] = []
    for index, board in enumerate(boards):
        why = why_refused(board)
        if why:
            reasons[index] = why
        numbers.append(BLANK if why else columns_of(board))
    return settled(*gathered(numbers, reasons, threads, progress), bad)


def gathered(
    numbers: Sequence[tuple[int, ...]], refused: Reasons, threads: int | None, progress: Progress | None
) -> tuple[Rows, Reasons]:
    """Rows from the columns of boards, and errors by row."""
    rows, codes = np.zeros(len(numbers), ROW), np.zeros(len(numbers), np.uint8)
    try:
        columns = flat(numbers)
    except (OverflowError, TypeError, ValueError):
        refused = refused | {index: NO_NUMBER for index, row in enumerate(numbers) if not fits(row)}
        columns = flat([row if fits(row) else BLANK for row in numbers])

    def gather(sheet: Any, first: int, end: int) -> None:
        gather_rows(tables(), sheet, rows, codes, first, end, columns)

    work_through(len(numbers), sheets(threads), gather, LARGEST_PIECE, progress)
    return rows, reasons_of(codes) | refused


def flat(numbers: Sequence[tuple[int, ...]]) -> npt.NDArray[np.uint64]:
    """The columns of all rows, one row after the other; raises what NumPy raises where one does not fit."""
    return np.fromiter((number for row in numbers for number in row), np.uint64, len(numbers) * COLUMNS)


def fits(row: tuple[int, ...]) -> bool:
    """Are a board's numbers such as kernels can be told?"""
    return all(isinstance(number, Integral) and 0 <= number <= LARGEST_NUMBER for number in row)
