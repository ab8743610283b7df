"""Shell. Suites as EPD files: positions with best moves, moves to avoid, mates or points, bundled or anyone's."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import chess

from quiesce.board.readfile import read_text
from quiesce.work.store import digest_of

BUNDLED = {
    "bk": ("bk", 1),
    "puzzles": ("lichess_puzzles", 4),
    "lichess_puzzles": ("lichess_puzzles", 1),
    "lichess_mates": ("lichess_mates", 1),
    "mates_pychess": ("mates_pychess", 1),
    "mz_tactics": ("mz_tactics", 1),
}
"""Suites that come with the package: the file of each, and that it takes every so-manieth position of it."""
LARGEST_FILE = 1 << 26
MOST_POINTS = 10
"""Points of a move."""


class SuiteFileError(ValueError):
    """A file that is no suite, or an unknown name; the message says which line and why."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position and its solution: best moves, moves to avoid, or a mate in n."""

    name: str
    board: chess.Board
    best: frozenset[chess.Move] = frozenset()
    avoid: frozenset[chess.Move] = frozenset()
    mate: int | None = None
    points: Mapping[chess.Move, int] = field(default_factory=dict)
    """Points by move, if the suite gives any."""

    def is_solved(self, move: chess.Move, mate: int | None) -> bool:
        """Is this a solution? If a mate is required, any that is short enough counts."""
        if mate is not None and self.mate is not None and 0 < mate <= self.mate:
            return True
        if self.best:
            return move in self.best
        if self.avoid:
            return move not in self.avoid
        return False

    @property
    def wanted(self) -> str:
        """The solution in words."""
        if self.best:
            return " or ".join(sorted(self.board.san(move) for move in self.best))
        if self.avoid:
            return "anything but " + " or ".join(sorted(self.board.san(move) for move in self.avoid))
        return f"a mate in {self.mate}"

    def facts(self) -> dict[str, Any]:
        """The problem as JSON values."""
        return {
            "id": self.name,
            "fen": self.board.fen(),
            "best": sorted(move.uci() for move in self.best),
            "avoid": sorted(move.uci() for move in self.avoid),
            "mate": self.mate,
            "points": {move.uci(): points for move, points in self.points.items()},
        }


def problem_from(facts: Mapping[str, Any]) -> Problem:
    """The problem of plain values."""
    best, avoid = (frozenset(chess.Move.from_uci(move) for move in facts[key]) for key in ("best", "avoid"))
    points = {chess.Move.from_uci(move): points for move, points in facts["points"].items()}
    return Problem(facts["id"], chess.Board(facts["fen"]), best, avoid, facts["mate"], points)


@dataclass(frozen=True, slots=True)
class Suite:
    """Problems under a name."""

    name: str
    problems: tuple[Problem, ...]

    @property
    def digest(self) -> str:
        """Digest of the problems, without comments."""
        return digest_of({"problems": [problem.facts() for problem in self.problems]})


def suite_named(word: str) -> Suite:
    """The suite of a bundled name, or of a file."""
    if word in BUNDLED:
        file, step = BUNDLED[word]
        text = resources.files("quiesce.lab.suites").joinpath("data", f"{file}.epd").read_text("utf-8")
        return Suite(word, tuple(problems_in(text.splitlines(), word, file)[::step]))
    path = Path(word)
    if not path.exists():
        raise SuiteFileError(f"no file {word!r}, and no bundled suite of that name; bundled are {', '.join(BUNDLED)}")
    return read_suite(path)


def read_suite(path: Path) -> Suite:
    """The suite of an EPD file."""
    try:
        text = read_text(path, LARGEST_FILE)
    except OSError as error:
        raise SuiteFileError(f"{path}: {error.strerror or error}") from None
    return Suite(path.stem, tuple(problems_in(text.splitlines(), str(path), path.stem)))


def problems_in(lines: Iterable[str], source: str, stem: str) -> list[Problem]:
    """The problems of an EPD text; one without an id is named by its line."""
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            problems.append(read_problem(line, f"{stem}.{number}"))
        except ValueError as error:
            raise SuiteFileError(f"{source}:{number}: {error}") from None
    if not problems:
        raise SuiteFileError(f"{source}: no positions in it")
    return problems


def read_problem(line: str, name: str) -> Problem:
    """One line of an EPD file."""
    board, operations = chess.Board.from_epd(line)
    if not board.is_valid():
        raise ValueError("the position is not valid")
    if not any(board.legal_moves):
        raise ValueError("there is no legal move")
    mate = operations.get("dm")
    mate = mate if isinstance(mate, int) and mate > 0 else None
    best, avoid = (frozenset(moves_in(operations, key)) for key in ("bm", "am"))
    if not (best or avoid or mate):
        raise ValueError("no bm, am or dm: nothing says what solves it")
    return Problem(
        str(operations.get("id", name)), board, best, avoid, mate, points_in(board, str(operations.get("c0", "")))
    )


def moves_in(operations: Mapping[str, Any], key: str) -> list[chess.Move]:
    """The moves of an EPD operation, one or several."""
    value = operations.get(key) or []
    return [move for move in (value if isinstance(value, list) else [value]) if isinstance(move, chess.Move)]


def points_in(board: chess.Board, comment: str) -> dict[chess.Move, int]:
    """Points by move of a comment such as `f5=10, Be5+=2`; empty for other comments."""
    pairs = [part.strip().rpartition("=") for part in comment.split(",")]
    if not all(is_san(move) and points.isdecimal() for move, _, points in pairs):
        return {}
    table = {board.parse_san(move): int(points) for move, _, points in pairs}
    if max(table.values()) > MOST_POINTS:
        raise ValueError(f"c0: more than {MOST_POINTS} points for a move")
    return table


def is_san(text: str) -> bool:
    """Does it look like a move?"""
    return bool(chess.SAN_REGEX.match(text)) or text.rstrip("+#").replace("0", "O") in ("O-O", "O-O-O")
