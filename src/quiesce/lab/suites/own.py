"""Shell. Our engine as a solver, in this process, with empty tables for each problem."""

from collections.abc import Mapping

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits, Report
from quiesce.engine.results import BOUND_UPPER
from quiesce.lab.suites.problems import Problem
from quiesce.lab.suites.scoring import Glimpse, Limit

DEFAULT_MEGABYTES = 32


class OwnSolver:
    """Solves problems one after the other."""

    def __init__(self, limit: Limit, options: Mapping[str, int] | None = None, threads: int = 1) -> None:
        plain = Limits()
        self._limits = Limits(limit.depth or plain.depth, limit.nodes or plain.nodes, limit.seconds)
        self._engine = Engine(DEFAULT_MEGABYTES, options, threads)

    def solve(self, problem: Problem) -> tuple[list[Glimpse], Glimpse]:
        """Search a problem; returns the best moves over time, and the answer."""
        game, reports = Game(problem.board.fen()), list[Report]()
        self._engine.new_game()
        last = self._engine.search(game, self._limits, reports.append)
        return [glimpse_of(report) for report in reports if report.lines[0].bound != BOUND_UPPER], glimpse_of(last)

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def glimpse_of(report: Report) -> Glimpse:
    """What a report holds best."""
    line = report.lines[0]
    move = to_chess_move(line.moves[0], chess960=False)
    return Glimpse(move, report.seconds, report.nodes, report.depth, line.centipawns, line.mate)
