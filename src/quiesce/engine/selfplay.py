"""Shell. Games of the engine against itself, wholly compiled: two settings of the search, fixed nodes a move."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from quiesce.board.tables import tables
from quiesce.engine.searcher import Searcher
from quiesce.engine.table import Table
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import copy_record
from quiesce.records import new
from quiesce.search.arena import ARENA, BROKEN_OFF, DRAWN, MOST_INTERIOR, REPLAY, play_game, replay_game

__all__ = ["BROKEN_OFF", "DEFAULT_WEIGHTS", "DRAWN", "KERNELS", "MOST_INTERIOR", "SelfPlay", "replayed"]

KERNELS = (play_game, replay_game)
"""What self-play needs compiled and playing by UCI does not."""
TABLE_MEGABYTES = 4
WIN_SCORE, WIN_PLIES = 800, 8
"""Points for one side that both agree on, and plies in a row, that decide a game."""
DRAW_SCORE, DRAW_PLIES = 8, 40
"""Points that both stay within, and plies in a row, that make it a draw."""
DEFAULT_WEIGHTS = (DEFAULT_EVAL, DEFAULT_EVAL)
"""Evaluation weights of each side, by name or file."""


class SelfPlay:
    """A board, and a searcher with a table for each side; for one thread at a time."""

    def __init__(
        self,
        first: Mapping[str, int],
        second: Mapping[str, int],
        nodes: int,
        weights: tuple[str, str] = DEFAULT_WEIGHTS,
        megabytes: int = TABLE_MEGABYTES,
        soft_nodes: int | None = None,
        bare_score: int = 0,
        interior: int = 0,
    ) -> None:
        """Options of each side; nodes that end a move's search, and those after which no iteration begins.

        `bare_score` points against a bare king win at once, unless 0; of each search `interior` nodes are kept.
        """
        self.game = new(ARENA)
        self.game.nodes, self.game.soft_nodes = nodes, nodes if soft_nodes is None else soft_nodes
        self.game.win_score, self.game.win_plies = WIN_SCORE, WIN_PLIES
        self.game.draw_score, self.game.draw_plies = DRAW_SCORE, DRAW_PLIES
        self.game.bare_score, self.game.interior_wanted = bare_score, interior
        settings = zip((first, second), weights, strict=True)
        self._sides = [Searcher(options, name, Table(megabytes)) for options, name in settings]

    def play(self, opening: Any, white_side: int) -> int:
        """Play one game from nothing learnt; returns +1, 0 or -1 for the first side, BROKEN_OFF if stopped."""
        for side in self._sides:
            side.forget()
            side.table.clear()
        white, black = self._sides[white_side], self._sides[1 - white_side]
        copy_record(self.game.position, opening)
        players = (white.worker, white.table.record, black.worker, black.table.record)
        result = int(play_game(self.game, tables(), *players))
        return result if white_side == 0 or result == BROKEN_OFF else -result

    def play_pair(self, opening: Any) -> tuple[int, int]:
        """Play an opening with both colours."""
        return self.play(opening, 0), self.play(opening, 1)

    @property
    def plies(self) -> int:
        """Moves of the last game."""
        return int(self.game.plies)

    @property
    def moves(self) -> Any:
        """Those moves, 16-bit numbers."""
        return self.game.moves[: self.plies].copy()

    @property
    def scores(self) -> Any:
        """Points that the mover saw before each of them."""
        return self.game.scores[: self.plies].copy()

    @property
    def interior(self) -> Any:
        """Interior nodes of the last game's searches, as records with position and score."""
        return self.game.interior[: int(self.game.interior_count)].copy()

    def stop(self) -> None:
        """Break the game off; may be called from any thread."""
        self.game.stop[0] = 1


def replayed(opening: Any, moves: Any) -> tuple[Any, Any]:
    """The positions before each move of a game, as an array of records, and how many moves were legal in each."""
    game, replay = new(ARENA), new(REPLAY)
    copy_record(replay.positions[0], opening)
    game.moves[: len(moves)], game.plies = moves, len(moves)
    replay_game(game, tables(), replay)
    return np.asarray(replay.positions[: len(moves)]), np.asarray(replay.choices[: len(moves)])
