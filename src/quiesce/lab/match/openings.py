"""Shell. Openings: where games begin, from EPD, PGN, Polyglot or plain lines of moves, in an order a seed decides."""

import hashlib
import io
import random
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import chess
import chess.polyglot

from quiesce.board.pgnfile import read_game
from quiesce.board.readfile import read_text, regular_file

DEFAULT_BOOK = "gnubook"
"""The book that comes with the package."""
BUNDLED = {DEFAULT_BOOK: "gnubook.txt"}
DEFAULT_PLIES = 16
"""Default number of plies of PGN and Polyglot openings."""
LARGEST_FILE = 1 << 30


MOST_WALKS, WALKS_IN_VAIN = 500, 50
"""Lines taken from a Polyglot book, and walks without a new one after which it is taken to have no more."""


class BookError(ValueError):
    """No openings can be had from a file; the message says why."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A position to start from and moves to play from it, in UCI's form."""

    fen: str
    moves: tuple[str, ...] = ()
    is_chess960: bool = False

    def board(self) -> chess.Board:
        """The position after the moves, which are its move stack."""
        board = chess.Board(self.fen, chess960=self.is_chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


def read_book(name: str, plies: int = DEFAULT_PLIES, seed: int = 1) -> list[Opening]:
    """Openings of a bundled book or of a file, by its suffix. A Polyglot book is walked at random by the seed."""
    if name in BUNDLED:
        text = resources.files("quiesce.lab").joinpath("books", BUNDLED[name]).read_text("utf-8")
        return [line_opening(line) for line, _ in meant(text, name)]  # a test has checked them
    path = Path(name)
    try:
        if path.suffix == ".bin":
            found = list(read_polyglot(path, plies, seed))
        else:
            found = list(openings_in(read_text(path, LARGEST_FILE), name, plies))
    except OSError as error:
        raise BookError(f"{name}: {error.strerror or error} (bundled books: {', '.join(BUNDLED)})") from None
    if not found:
        raise BookError(f"{name}: no openings in it")
    return found


def openings_in(text: str, name: str, plies: int) -> Iterator[Opening]:
    """Openings of a text: games, lines of moves, or positions."""
    suffix = Path(name).suffix.lower()
    if suffix == ".pgn":
        return read_pgn(text, name, plies)
    return read_lines(text, name) if suffix == ".txt" else read_epd(text, name)


def checked(opening: Opening, where: str) -> Opening:
    """The opening, if its position is valid and there is something to play."""
    try:
        board = opening.board()
    except ValueError as error:
        raise BookError(f"{where}: {error}") from None
    if not board.is_valid():
        raise BookError(f"{where}: the position is not valid")
    if board.is_game_over():
        raise BookError(f"{where}: the game is over there")
    return opening


def meant(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Lines that are not empty or comments, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield line.split("#")[0].strip(), f"{name}:{number}"


def read_lines(text: str, name: str) -> Iterator[Opening]:
    """Moves from the start position, in UCI's form, one opening a line."""
    for line, where in meant(text, name):
        yield checked(line_opening(line), where)


def line_opening(line: str) -> Opening:
    """The opening of a line of moves."""
    return Opening(chess.STARTING_FEN, tuple(line.split()))


def read_epd(text: str, name: str) -> Iterator[Opening]:
    """FEN or EPD, one position a line."""
    for line, where in meant(text, name):
        fields = line.split(";")[0].split()
        counters = fields[4:6] if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else ["0", "1"]
        yield checked(Opening(" ".join([*fields[:4], *counters])), where)


def read_pgn(text: str, name: str, plies: int) -> Iterator[Opening]:
    """The first moves of each game."""
    file, number = io.StringIO(text), 0
    while (game := read_game(file)) is not None:
        number += 1
        if game.errors:
            raise BookError(f"{name}: game {number}: {game.errors[0]}")
        moves = tuple(move.uci() for move in game.mainline_moves())[:plies]
        start = game.board()
        yield checked(Opening(start.fen(), moves, start.chess960), f"{name}: game {number}")


def read_polyglot(path: Path, plies: int, seed: int) -> Iterator[Opening]:
    """Walks through a Polyglot book by its weights, each line once, until new ones get rare."""
    regular_file(path)
    choice, seen, in_vain = random.Random(seed), set[tuple[str, ...]](), 0
    try:
        with chess.polyglot.open_reader(path) as book:
            while len(seen) < MOST_WALKS and in_vain < WALKS_IN_VAIN:
                moves = walk(book, plies, choice)
                in_vain += 1
                if moves and moves not in seen:
                    seen.add(moves)
                    in_vain = 0
                    yield checked(Opening(chess.STARTING_FEN, moves), str(path))
    except (ValueError, IndexError) as error:
        raise BookError(f"{path}: {error}") from None


def walk(book: chess.polyglot.MemoryMappedReader, plies: int, choice: random.Random) -> tuple[str, ...]:
    """One line of a book from the start."""
    board = chess.Board()
    while len(board.move_stack) < plies:
        entries = list(book.find_all(board))
        if not any(entry.weight for entry in entries):
            break
        board.push(choice.choices(entries, [entry.weight for entry in entries])[0].move)
    return tuple(move.uci() for move in board.move_stack)


def book_digest(openings: list[Opening]) -> str:
    """A name for what a book holds."""
    text = "\n".join(f"{opening.fen} {' '.join(opening.moves)}" for opening in openings)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shuffled(openings: list[Opening], seed: int) -> list[Opening]:
    """Openings in the order of a seed."""
    order = list(openings)
    random.Random(seed).shuffle(order)
    return order
