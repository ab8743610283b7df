"""Shell. A game: where it started, the moves played, the position now and what it may repeat."""

from collections.abc import Iterable
from copy import copy
from functools import cached_property
from typing import Any, Self

import numpy as np

from quiesce.board.draws import (
    GAME_KEYS,
    PATH,
    is_dead_material,
    is_insufficient_material,
    is_move_clock_full,
    times_seen,
)
from quiesce.board.fen import START_FEN, read_fen, write_fen
from quiesce.board.makemove import make_move, make_null
from quiesce.board.movegen import generate_all
from quiesce.board.position import POSITION
from quiesce.board.tables import tables
from quiesce.board.types import MOVE_LIST, NO_MOVE
from quiesce.jit import copy_record
from quiesce.records import new

THREEFOLD = 2
"""How often a position must have stood before for a draw to be claimed."""


class MoveError(ValueError):
    """An illegal or unreadable move; the message says why."""


class Game:
    """A position with the moves that led to it. An error in FEN or moves leaves no half-made game behind."""

    def __init__(self, fen: str = START_FEN, chess960: bool = False) -> None:
        """Start from a FEN; raises FenError if it is not one."""
        self._begin(*read_fen(fen, chess960))

    @classmethod
    def from_position(cls, position: Any, chess960: bool) -> Self:
        """Start from a position that is valid and will not be changed by the caller."""
        made = cls.__new__(cls)
        made._begin(position, chess960)
        return made

    def _begin(self, position: Any, chess960: bool) -> None:
        """No move was played yet."""
        self.position, self.chess960 = position, chess960
        self._start = position
        self.moves: list[int] = []
        self.path = new(PATH)
        self.index = 0
        self.path.keys[0] = self.position.key

    @cached_property
    def start_fen(self) -> str:
        """The FEN the game began with, by the files of the rooks in Chess960."""
        return write_fen(self._start, shredder=self.chess960)

    def copy(self) -> "Game":
        """The same game, to be played on apart."""
        other = copy(self)
        other.moves = self.moves.copy()
        other.path = new(PATH)
        copy_record(other.path, self.path)
        return other

    def legal_moves(self) -> list[int]:
        """All legal moves, as 16-bit numbers."""
        moves = new(MOVE_LIST)
        count = generate_all(tables(), self.position, moves)
        return [int(move) for move in moves.moves[:count]]

    def push(self, move: int) -> None:
        """Play a legal move, or pass with NO_MOVE out of check; raises MoveError for any other."""
        if move == NO_MOVE and self.is_check:
            raise MoveError("a null move cannot be played in check")
        if move != NO_MOVE and move not in self.legal_moves():
            raise MoveError(f"move 0x{move:04x} is illegal in {self.fen()}")
        self.follow(move)

    def follow(self, move: int) -> None:
        """Play a move that is known to be legal, or pass."""
        child = new(POSITION)
        if move == NO_MOVE:
            make_null(tables(), self.position, child)
        else:
            make_move(tables(), self.position, child, np.uint64(move))
        self.position = child
        self.moves.append(move)
        self._remember(int(child.key))

    def push_all(self, moves: Iterable[int]) -> None:
        """Play legal moves one after the other."""
        for move in moves:
            self.push(move)

    def _remember(self, key: int) -> None:
        """Note the key of the new position; what can no longer be repeated is forgotten."""
        self.index = 0 if self.position.reversible == 0 else self.index + 1
        if self.index == GAME_KEYS:
            half = GAME_KEYS // 2
            self.path.keys[:half] = self.path.keys[half:GAME_KEYS].copy()
            self.index = half
        self.path.keys[self.index] = key

    @property
    def is_check(self) -> bool:
        """Is the side to move in check?"""
        return bool(self.position.checkers)

    @property
    def is_checkmate(self) -> bool:
        """Is the side to move mated?"""
        return self.is_check and not self.legal_moves()

    @property
    def is_stalemate(self) -> bool:
        """Has the side to move no move, though it is not in check?"""
        return not self.is_check and not self.legal_moves()

    @property
    def is_fifty_moves(self) -> bool:
        """May a draw be claimed by the move clock? Mate on the hundredth ply comes first."""
        return bool(is_move_clock_full(self.position)) and bool(self.legal_moves())

    @property
    def is_threefold(self) -> bool:
        """Does the position stand on the board for the third time?"""
        return bool(times_seen(self.path, self.index, int(self.position.reversible)) >= THREEFOLD)

    @property
    def is_insufficient(self) -> bool:
        """Can neither side mate with what is left, as python-chess sees it?"""
        return bool(is_insufficient_material(self.position))

    @property
    def is_dead(self) -> bool:
        """Is it one of the dead positions FIDE names?"""
        return bool(is_dead_material(self.position))

    def fen(self, shredder: bool = False) -> str:
        """The FEN of the position now."""
        return write_fen(self.position, shredder)
