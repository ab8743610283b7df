"""Shell. Positions of PGN games: all main-line positions, with move and result."""

from pathlib import Path
from sys import intern
from typing import NamedTuple, TextIO

import chess
import chess.pgn
import numpy as np
import numpy.typing as npt

from quiesce.batch.board import Moves, moves_from
from quiesce.batch.positions import gathered
from quiesce.batch.run import Progress, Reasons, Rows, settled
from quiesce.board.bridge import columns_of
from quiesce.board.pgnfile import is_empty, open_pgn, read_game

RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
UNFINISHED = -128
"""The result of a game without one, or with `*`. Far from 1, 0 and -1, so that a wrong mean is noticed."""


class Games(NamedTuple):
    """Rows of many games in order: position, move played (0 at the end), game number, White's result.

    A result is 1, 0, -1, or UNFINISHED if the file has none. `headers` has the tags of each game in file order, also of
    games without rows.
    """

    positions: Rows
    moves: Moves
    games: npt.NDArray[np.int32]
    results: npt.NDArray[np.int8]
    headers: list[dict[str, str]]

    def tag(self, name: str) -> npt.NDArray[np.object_]:
        r"""The value of a tag such as White, WhiteElo or ECO for each row; empty if the game has none.

        >>> import io
        >>> from quiesce import batch
        >>> games = batch.from_pgn(io.StringIO('[White "Anderssen"]\n\n1. e4 e5 *'))
        >>> (games.tag("White") == "Anderssen").tolist()
        [True, True, True]
        """
        return np.array([headers.get(name, "") for headers in self.headers], np.object_)[self.games]


def from_pgn(source: Path | str | TextIO, *, progress: Progress | None = None, bad: Reasons | None = None) -> Games:
    """All main-line positions of a PGN file. Errors are reported by game number.

    A game with an illegal move is kept up to it; a game whose start position is invalid is skipped. A file that is not
    text raises OSError. `progress(done, total)` is called with the games read; the total is unknown and equals `done`.
    """
    if not isinstance(source, Path | str):
        return read_games(source, str(getattr(source, "name", "")), progress, bad)
    with open_pgn(Path(source)) as file:
        return read_games(file, str(source), progress, bad)


def read_games(file: TextIO, name: str, progress: Progress | None, bad: Reasons | None) -> Games:
    """All positions of an open PGN file; `name` is for errors."""
    numbers, moves, games, results = list[tuple[int, ...]](), list[chess.Move](), list[int](), list[int]()
    headers = list[dict[str, str]]()
    reasons: Reasons = {}
    while (game := read_game(file)) is not None:
        count, before = len(headers), len(numbers)
        try:
            add_game(game, numbers, moves)
        except ValueError as error:
            reasons[count] = str(error)
        if game.errors:
            reasons[count] = str(game.errors[0])
        headers.append({intern(tag): intern(value) for tag, value in game.headers.items()})
        games += [count] * (len(numbers) - before)
        results += [RESULTS.get(game.headers.get("Result", "*"), UNFINISHED)] * (len(numbers) - before)
        if progress is not None:
            progress(count + 1, count + 1)
    rows, wrong = gathered(numbers, {}, None, None)
    reasons |= {games[row]: why for row, why in wrong.items()}
    played = moves_from(rows, moves, bad={})
    made = Games(rows, played, np.array(games, np.int32), np.array(results, np.int8), headers)
    return settled(made, reasons, bad, f"{name}: game" if name else "game")


def add_game(game: chess.pgn.Game, numbers: list[tuple[int, ...]], moves: list[chess.Move]) -> None:
    """Add a game's positions and moves. Raises ValueError if it is no game of chess."""
    if is_empty(game):
        raise ValueError("neither tags nor moves: not a game")
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}")
    for move in game.mainline_moves():
        numbers.append(columns_of(board))
        moves.append(move)
        board.push(move)
    numbers.append(columns_of(board))
    moves.append(chess.Move.null())
