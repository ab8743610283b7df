"""Shell. Games in PGN as python-chess reads them, one after the other; whatever a file holds is told by its game.

python-chess raises what it raises at some damaged texts, and logs every error with the whole game. Here nothing is
logged, and what is wrong with a game is in its `errors`.
"""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import chess
import chess.pgn

from quiesce.board.readfile import UnreadableFileError, regular_file

BEGINNING = 4_096
"""Bytes by which a file that is no text is known."""
ENCODING, ELSE_LATIN = "utf-8-sig", "else_latin"
UNKNOWN = ("?", "????.??.??", "*")
"""The values of headers that were left empty."""


def as_latin(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are not UTF-8 are letters of Latin-1, which the standard of PGN asks for."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(ELSE_LATIN, as_latin)


class MainLine(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Reads what was played up to the first error; variations are passed over, whatever stands in them."""

    def begin_variation(self) -> chess.pgn.SkipType:  # type: ignore[override]
        """Pass over what begins here; the base never does, though every visitor may."""
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        """Nothing was begun."""

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:  # noqa: ARG002
        """Read no moves behind an error: they would belong to another position."""
        return chess.pgn.SKIP if self.game.errors else None

    def handle_error(self, error: Exception) -> None:
        """Keep it; the base would log it with the whole game."""
        self.game.errors.append(error)


@contextmanager
def open_pgn(path: Path) -> Iterator[TextIO]:
    """A PGN file open for reading; raises OSError with its name if it is not a regular text file."""
    regular_file(path)
    with path.open("rb") as file:
        if b"\0" in file.read(BEGINNING):
            raise UnreadableFileError(path, "not a text, so no games in PGN")
    with path.open(encoding=ENCODING, errors=ELSE_LATIN) as text:
        yield text


def read_game(file: TextIO) -> chess.pgn.Game | None:
    """The next game of a text, None at the end; what is wrong with it is in `errors`, and it is kept up to there."""
    builder = MainLine()
    try:
        return chess.pgn.read_game(file, Visitor=lambda: builder)
    except (OSError, UnicodeError):
        raise  # the file's trouble, not the game's
    except Exception as error:  # noqa: BLE001  (of damaged texts the reader raises whatever comes about)
        while file.readline().strip():
            pass  # to the end of the game
        builder.game.errors.append(ValueError(f"python-chess gives it up: {type(error).__name__}: {error}"))
        return builder.game


def is_empty(game: chess.pgn.Game) -> bool:
    """Does a text say nothing of a game that can be used?"""
    return game.next() is None and all(value in UNKNOWN for value in game.headers.values())
