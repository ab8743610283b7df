"""Shell. Moves from an opening book in Polyglot's format, read by python-chess."""

import random
from pathlib import Path

import chess.polyglot

from quiesce.board.bridge import from_chess_move, to_board
from quiesce.board.game import Game
from quiesce.board.readfile import regular_file

ENTRY_BYTES = 16


class BookError(ValueError):
    """A file that is no book; the message names it and says why."""


class Book:
    """An open book; moves are drawn by their weights."""

    def __init__(self, path: str | Path, seed: int | None = None) -> None:
        """Open a file. Raises BookError if it is not a book or is truncated."""
        self.path = Path(path)
        self._choice = random.Random(seed)
        try:
            size = regular_file(self.path).st_size
            if size == 0 or size % ENTRY_BYTES:
                raise BookError(f"{self.path} is no Polyglot book: {size} bytes are not whole entries")
            self._reader = chess.polyglot.open_reader(self.path)
        except OSError as error:
            raise BookError(f"book {self.path} cannot be read: {error.strerror or error}") from None
        if not self._is_sorted():
            self.close()
            raise BookError(f"{self.path} is no Polyglot book: its keys are not in order")

    def __len__(self) -> int:
        return len(self._reader)

    def _is_sorted(self) -> bool:
        """Are sampled keys in order, as the search for them needs?"""
        step = max(len(self._reader) // 256, 1)
        keys = [self._reader[index].key for index in range(0, len(self._reader), step)]
        return keys == sorted(keys)

    def move(self, game: Game) -> int | None:
        """A move for this position, None if the book has none."""
        try:
            entry = self._reader.weighted_choice(to_board(game), random=self._choice)
        except IndexError:
            return None
        return from_chess_move(game, entry.move)

    def close(self) -> None:
        """Close the file."""
        self._reader.close()
