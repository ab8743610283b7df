"""Shell. Root moves by Syzygy tables, probed by python-chess: only those that keep the best result are searched."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.syzygy

from quiesce.board.bridge import from_chess_move, to_board
from quiesce.board.draws import FIFTY_MOVES
from quiesce.board.game import Game

TABLE_WIN = 20_000
"""Score of a won table position, minus the plies to the next capture or pawn move; between evaluations and mates."""
TABLE_EDGE = 4
"""Points of a win that the fifty-move rule takes away."""
CLEAR_WIN, DRAWN = 2, 0
RESULT_SUFFIX = ".rtbw"
"""Of tables with results; the others have distances."""
FIRST_PIECE, PAWN_FILES, HEAD_BYTES = 5, 4, 64
"""Where a table begins to list its pieces, before which stands their order; tables with pawns have a list for each of
these files of the board; and bytes that surely hold all of it."""


class TablesError(ValueError):
    """Missing or damaged tables; the message names them."""


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """What tables say of a root: the moves worth searching, the score they keep, the probes it took."""

    moves: list[int]
    score: int
    hits: int


class CheckedTablebase(chess.syzygy.Tablebase):
    """python-chess's tables; every error of reading a damaged file is a TablesError.

    A file that lists other pieces than its name would make the reader loop forever, so this is checked before the first
    read.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sound: set[str] = set()

    def probe_wdl_table(self, board: chess.Board) -> int:
        """Result for the side to move from one table, ignoring captures."""
        with self._reading(self.wdl.get(chess.syzygy.calc_key(board))):
            found = super().probe_wdl_table(board)
            if abs(found) > CLEAR_WIN:
                raise ValueError(f"a result of {found}")
            return found

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> tuple[int, int]:
        """Plies to the next capture or pawn move from one table, and whether it has them."""
        with self._reading(self.dtz.get(chess.syzygy.calc_key(board))):
            return super().probe_dtz_table(board, wdl)

    @contextmanager
    def _reading(self, table: chess.syzygy.Table | None) -> Iterator[None]:
        """Turn all that reading a table raises into TablesError, but a missing table stays one."""
        if table is None:
            yield  # the reader says so itself
            return
        try:
            if table.path not in self._sound:
                check_pieces(Path(table.path))
                self._sound.add(table.path)
            yield
        except Exception as error:  # noqa: BLE001  (of damaged files the reader raises whatever comes about)
            raise TablesError(f"{table.path} is damaged: {described(error)}") from None


def check_pieces(path: Path) -> None:
    """Raise ValueError unless a table lists the pieces of its name, with colours either way.

    All lists of a table must have the colours the same way, else the reader loops forever.
    """
    name = path.stem
    piece_count, has_pawns = len(name) - 1, "P" in name
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    named = {chess.syzygy.normalize_tablename(name, mirror=mirror) for mirror in (False, True)}
    order = 2 if all("P" in side for side in name.split("v")) else 1
    keys = set[str]()
    for part in range(PAWN_FILES if has_pawns else 1):
        start = FIRST_PIECE + part * (piece_count + order) + order
        listed = head[start : start + piece_count]
        for shift in (0, 4) if path.suffix == RESULT_SUFFIX else (0,):  # a result's table has both sides' lists
            keys.add(chess.syzygy.recalc_key([piece >> shift & 15 for piece in listed]))
    if len(keys) > 1 or not keys <= named:
        raise ValueError("it lists other pieces than its name")


def described(error: Exception) -> str:
    """The text of an error, with its type if the text is too short."""
    return str(error) if type(error) in (ValueError, OSError) else f"{type(error).__name__}: {error}".rstrip(": ")


class Tablebases:
    """Tables in one or several folders."""

    def __init__(self, paths: str) -> None:
        """Open all tables in the folders, which are separated as the system separates paths."""
        self.paths = paths
        self._tables = CheckedTablebase()
        self._lock = threading.Lock()
        self._probing, self._is_closed = 0, False
        self.count = 0
        try:
            for folder in paths.split(os.pathsep):
                if not Path(folder).is_dir():
                    raise TablesError(f"{folder} is no folder with Syzygy tables")
                self.count += self._tables.add_directory(folder)
            if self.count == 0:
                raise TablesError(f"there are no Syzygy tables in {paths}")
        except TablesError:
            self._tables.close()
            raise
        except Exception as error:  # noqa: BLE001  (names of files are read by python-chess too)
            self._tables.close()
            raise TablesError(f"{paths} cannot be read: {described(error)}") from None
        self._most = max((sum(map(len, name.split("v"))) for name in self._tables.wdl), default=0)

    def close(self) -> None:
        """Close all files soon; a running probe closes them at its end."""
        with self._lock:
            self._is_closed = True
            is_idle = self._probing == 0
        if is_idle:
            self._tables.close()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Keep the files open, and turn errors of reading into TablesError, except missing tables.

        python-chess's `close` waits for probes, and a probe of a damaged file can take very long.
        """
        with self._lock:
            self._raise_if_closed()
            self._probing += 1
        try:
            yield
        except (TablesError, chess.syzygy.MissingTableError):
            raise
        except Exception as error:  # noqa: BLE001  (tables that contradict each other may lead anywhere)
            raise TablesError(f"the tables in {self.paths} cannot be used: {described(error)}") from None
        finally:
            with self._lock:
                self._probing -= 1
                is_last = self._is_closed and self._probing == 0
            if is_last:
                self._tables.close()

    def _raise_if_closed(self) -> None:
        """Raise TablesError once the tables are closed."""
        if self._is_closed:
            raise TablesError(f"the tables in {self.paths} are closed")

    def verdict(self, game: Game) -> TableVerdict | None:
        """The tables' answer for a position, None if there is none. Raises TablesError if one is damaged.

        A damaged or slow table can take any time: call it in a thread if time is short.
        """
        board = to_board(game)
        if chess.popcount(board.occupied) > self._most or board.castling_rights:
            return None
        ranks: dict[int, tuple[int, int]] = {}
        try:
            with self._in_use():
                for move in board.legal_moves:
                    self._raise_if_closed()
                    number = from_chess_move(game, move)
                    assert number is not None
                    board.push(move)
                    ranks[number] = self._rank(board)
                    board.pop()
        except chess.syzygy.MissingTableError:
            return None
        if not ranks:
            return None
        best = max(ranks.values())
        return TableVerdict([move for move, rank in ranks.items() if rank == best], score_of(best), len(ranks))

    def result(self, board: chess.Board) -> int | None:
        """Result for the side to move, -2 to 2, as if the last move had been a capture; None if unknown.

        Raises TablesError if a table is damaged.
        """
        if chess.popcount(board.occupied) > self._most or board.castling_rights:
            return None
        try:
            with self._in_use():
                return self._tables.probe_wdl(board)
        except chess.syzygy.MissingTableError:
            return None

    def _rank(self, board: chess.Board) -> tuple[int, int]:
        """Result for the side that just moved, and how soon: quick wins and slow losses rank high."""
        if board.is_checkmate():
            return CLEAR_WIN, 0
        if board.is_fifty_moves() or board.is_repetition() or board.is_insufficient_material():
            return DRAWN, 0
        result = -self._tables.probe_wdl(board)
        plies = 0
        if board.halfmove_clock > 0:  # a capture or pawn move is progress enough
            with suppress(chess.syzygy.MissingTableError):
                plies = abs(self._tables.probe_dtz(board))
        if abs(result) == CLEAR_WIN and plies + board.halfmove_clock > FIFTY_MOVES:
            result //= 2
        return result, -plies if result > 0 else plies if result < 0 else 0


def score_of(rank: tuple[int, int]) -> int:
    """Centipawns of a rank."""
    result, plies = rank
    if abs(result) == CLEAR_WIN:
        return TABLE_WIN + plies if result > 0 else plies - TABLE_WIN
    return TABLE_EDGE * result
