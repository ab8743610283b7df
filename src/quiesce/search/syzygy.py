"""Shell. Root moves by Syzygy tables, probed by python-chess: only those that keep the best result are searched."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.syzygy

from quiesce.board.bridge import from_chess_move, to_board
from quiesce.board.draws import FIFTY_MOVES
from quiesce.board.game import Game

TABLE_WIN = 20_000
"""Score of a won table position, less the plies to the next capture or pawn move; between evaluations and mates."""
TABLE_EDGE = 4
"""Points of a win that the fifty-move rule takes away."""
CLEAR_WIN, DRAWN = 2, 0


class TablesError(ValueError):
    """A path without tables; the message names it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What tables say of a root: the moves worth searching, the score they keep, the probes it took."""

    moves: list[int]
    score: int
    hits: int


class Tablebases:
    """Tables in one or several folders."""

    def __init__(self, paths: str) -> None:
        """Open all tables in the folders, which are separated as the system separates paths."""
        self._tables = chess.syzygy.Tablebase()
        self.count = 0
        for folder in paths.split(os.pathsep):
            if not Path(folder).is_dir():
                self._tables.close()
                raise TablesError(f"{folder} is no folder with Syzygy tables")
            self.count += self._tables.add_directory(folder)
        if self.count == 0:
            self._tables.close()
            raise TablesError(f"there are no Syzygy tables in {paths}")
        self._most = max((sum(map(len, name.split("v"))) for name in self._tables.wdl), default=0)

    def close(self) -> None:
        """Close all files."""
        self._tables.close()

    def verdict(self, game: Game) -> Verdict | None:
        """What the tables say of a position, None where they are silent."""
        board = to_board(game)
        if chess.popcount(board.occupied) > self._most or board.castling_rights:
            return None
        ranks: dict[int, tuple[int, int]] = {}
        try:
            for move in board.legal_moves:
                number = from_chess_move(game, move)
                assert number is not None
                board.push(move)
                ranks[number] = self._rank(board)
                board.pop()
        except (KeyError, chess.syzygy.MissingTableError):
            return None
        if not ranks:
            return None
        best = max(ranks.values())
        return Verdict([move for move, rank in ranks.items() if rank == best], score_of(best), len(ranks))

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
