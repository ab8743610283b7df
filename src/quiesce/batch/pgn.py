"""Shell. Positions of games in PGN: every position of every main line, with what was played and how it ended."""

from pathlib import Path
from typing import NamedTuple, TextIO

import chess
import chess.pgn
import numpy as np
import numpy.typing as npt

from quiesce.batch.board import Moves, moves_from
from quiesce.batch.positions import gathered
from quiesce.batch.run import Progress, Reasons, Rows, settled
from quiesce.board.bridge import columns_of

RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
UNFINISHED = -128
"""The result of a game that says none, or `*`: far from all others, so that no mean of results passes over it."""


class Games(NamedTuple):
    """Rows of many games, one after the other: position, the move played in it (0 at the end), game, White's result.

    A result is 1, 0 for a draw, -1, or UNFINISHED where the file tells none; leave those out before learning from them.
    """

    positions: Rows
    moves: Moves
    games: npt.NDArray[np.int32]
    results: npt.NDArray[np.int8]


def from_pgn(source: Path | str | TextIO, *, progress: Progress | None = None, bad: Reasons | None = None) -> Games:
    """All positions of the games of a file; variations are left out. Trouble is told by the number of the game.

    A game with an illegal move is kept up to it; one that cannot be set up gives nothing. `progress` hears of games
    read, in all unknown, so as many again.
    """
    if not isinstance(source, Path | str):
        return read_games(source, progress, bad)
    with Path(source).open(encoding="utf-8", errors="replace") as file:
        return read_games(file, progress, bad)


def read_games(file: TextIO, progress: Progress | None, bad: Reasons | None) -> Games:
    """All positions of the games of an open file."""
    numbers, moves, games, results = list[tuple[int, ...]](), list[chess.Move](), list[int](), list[int]()
    reasons: Reasons = {}
    count = 0
    while True:
        game = chess.pgn.read_game(file)
        if game is None:
            break
        if game.errors:
            reasons[count] = str(game.errors[0])
        before = len(numbers)
        try:
            add_game(game, numbers, moves)
        except ValueError as error:
            reasons[count] = str(error)
        games += [count] * (len(numbers) - before)
        results += [RESULTS.get(game.headers.get("Result", "*"), UNFINISHED)] * (len(numbers) - before)
        count += 1
        if progress is not None:
            progress(count, count)
    rows, wrong = gathered(numbers, {}, None, None)
    reasons |= {games[row]: why for row, why in wrong.items()}
    played = moves_from(rows, moves, bad={})
    made = Games(rows, played, np.array(games, np.int32), np.array(results, np.int8))
    return settled(made, reasons, bad)


def add_game(game: chess.pgn.Game, numbers: list[tuple[int, ...]], moves: list[chess.Move]) -> None:
    """Add a game's positions and moves; raises ValueError for what is no game of chess."""
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}")
    for move in game.mainline_moves():
        numbers.append(columns_of(board))
        moves.append(move)
        board.push(move)
    numbers.append(columns_of(board))
    moves.append(chess.Move.null())
