"""Shell. A line played on boards: what all detectors of motifs look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import chess

from quiesce.review.exchange import material, settled

LEAST_GAIN = 1
"""Pawns a line must win for a motif to be told."""


class Motif(NamedTuple):
    """What was found: its name, the clause that tells it, and the place in the line of the move that shows it."""

    name: str
    words: str
    place: int = 0


@dataclass(frozen=True)
class Played:
    """A line from a board; its even places are moves of the attacker, who is to move first."""

    start: chess.Board
    moves: tuple[chess.Move, ...]

    @property
    def attacker(self) -> chess.Color:
        """The side that makes the first move of the line."""
        return self.start.turn

    @cached_property
    def boards(self) -> list[chess.Board]:
        """The position before each move, and after the last."""
        found = [self.start.copy(stack=False)]
        for move in self.moves:
            board = found[-1].copy(stack=False)
            board.push(move)
            found.append(board)
        return found

    @property
    def end(self) -> chess.Board:
        """The position after the last move."""
        return self.boards[-1]

    @property
    def own(self) -> range:
        """Places of the attacker's moves."""
        return range(0, len(self.moves), 2)

    @property
    def is_mate(self) -> bool:
        """Does the line end in a mate by the attacker?"""
        return self.end.turn != self.attacker and self.end.is_checkmate()

    @cached_property
    def rest(self) -> chess.Board:
        """The end, once captures that pay there are made."""
        return settled(self.end)

    @cached_property
    def gain(self) -> int:
        """Pawns the attacker has won when captures are over."""
        return material(self.rest, self.attacker) - material(self.start, self.attacker)

    @property
    def wins(self) -> bool:
        """Does the line win something?"""
        return self.is_mate or self.gain >= LEAST_GAIN

    @property
    def last_capture(self) -> int:
        """The place of the last capture; 0 where there is none."""
        return max((place for place in range(len(self.moves)) if self.is_capture(place)), default=0)

    def san(self, place: int) -> str:
        """A move of the line in algebraic notation."""
        return self.boards[place].san(self.moves[place])

    def is_capture(self, place: int) -> bool:
        """Does a move of the line capture? False beyond its end."""
        return place < len(self.moves) and self.boards[place].is_capture(self.moves[place])


def line_of(start: chess.Board, moves: Sequence[chess.Move]) -> Played:
    """A line from a board."""
    return Played(start.copy(stack=False), tuple(moves))
