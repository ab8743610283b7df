"""Shell. Suites: EPD positions with best moves, moves to avoid or mates, solved under one limit each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits, Report

DEFAULT_MEGABYTES = 32


class SuiteFileError(ValueError):
    """A file that is no suite; the message names line and reason."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position and what solves it: one of the best moves, none of the bad ones, or a mate in so many."""

    name: str
    board: chess.Board
    best: frozenset[chess.Move]
    avoid: frozenset[chess.Move]
    mate: int | None

    def is_solved(self, move: chess.Move, mate: int | None) -> bool:
        """Is this the answer? Where only a mate is asked for, any that is short enough is."""
        if self.best:
            return move in self.best
        if self.avoid:
            return move not in self.avoid
        return mate is not None and self.mate is not None and 0 < mate <= self.mate


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a problem; `seconds` and `nodes` tell when the answer was found that was then held to the end."""

    problem: Problem
    move: chess.Move
    score: int
    is_solved: bool
    seconds: float | None
    nodes: int | None
    depth: int


def read_suite(path: Path) -> list[Problem]:
    """The problems of an EPD file."""
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            problems.append(read_problem(line, f"{path.stem}.{number}"))
        except ValueError as error:
            raise SuiteFileError(f"{path}:{number}: {error}") from None
    if not problems:
        raise SuiteFileError(f"{path}: no positions in it")
    return problems


def read_problem(line: str, name: str) -> Problem:
    """One line of an EPD file."""
    board, operations = chess.Board.from_epd(line)
    if not board.is_valid():
        raise ValueError("the position is not valid")
    mate = operations.get("dm")
    best, avoid = (frozenset(moves_in(operations, key)) for key in ("bm", "am"))
    if not (best or avoid or mate):
        raise ValueError("no bm, am or dm: nothing says what solves it")
    return Problem(str(operations.get("id", name)), board, best, avoid, mate if isinstance(mate, int) else None)


def moves_in(operations: Mapping[str, Any], key: str) -> list[chess.Move]:
    """The moves of an EPD operation, one or several."""
    value = operations.get(key) or []
    return [move for move in (value if isinstance(value, list) else [value]) if isinstance(move, chess.Move)]


class Solver:
    """Solves problems one after the other, each from nothing learnt."""

    def __init__(self, limits: Limits, options: Mapping[str, int] | None = None, threads: int = 1) -> None:
        self._limits = limits
        self.engine = Engine(DEFAULT_MEGABYTES, options, threads)

    def close(self) -> None:
        """End the engine."""
        self.engine.close()

    def solve(self, problem: Problem) -> Outcome:
        """Search one problem."""
        game, reports = Game(problem.board.fen(), problem.board.chess960), list[Report]()
        self.engine.new_game()
        last = self.engine.search(game, self._limits, reports.append)
        line = last.lines[0]
        move = to_chess_move(line.moves[0], game.chess960)
        solved = problem.is_solved(move, line.mate)
        first = first_held(problem, game, reports) if solved else None
        seconds, nodes = (first.seconds, first.nodes) if first else (None, None)
        return Outcome(problem, move, line.score, solved, seconds, nodes, last.depth)

    def solve_all(
        self, problems: list[Problem], on_outcome: Callable[[Outcome], None] | None = None
    ) -> Iterator[Outcome]:
        """Search all of them."""
        for problem in problems:
            outcome = self.solve(problem)
            if on_outcome is not None:
                on_outcome(outcome)
            yield outcome


def first_held(problem: Problem, game: Game, reports: list[Report]) -> Report | None:
    """The report from which on the answer was held to the end."""
    held = None
    for report in reports:
        line = report.lines[0]
        is_held = problem.is_solved(to_chess_move(line.moves[0], game.chess960), line.mate)
        held = (held or report) if is_held else None
    return held
