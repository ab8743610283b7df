"""Shell. How suites are scored: answers held to the end, points of the STS and of the LCT-II, and the sum of it all."""

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import chess

from quiesce.lab.suites.problems import Problem, Suite

PLAIN, POINTS, LCT2 = ("solved", "points", "lct2")
"""Counted only; points for moves (STS); points for the time of the solution (LCT-II)."""
LCT2_NAME = re.compile(r"lct[-_ ]?(2|ii)", re.IGNORECASE)
LCT2_POINTS = ((9, 30), (29, 25), (89, 20), (179, 15), (389, 10), (600, 5))
"""Seconds until which a solution is worth so much."""
LCT2_BASE, LCT2_SECONDS, LCT2_POSITIONS = 1900, 600, 35
MATE_SCORE = 100_000
"""Centipawns of being mated; a mate in n is so much less n."""

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit per position: time, nodes or depth; the first one reached ends the search."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __str__(self) -> str:
        told = ((self.seconds, "{:g} s"), (self.nodes, "{} nodes"), (self.depth, "depth {}"))
        return ", ".join(words.format(value) for value, words in told if value is not None)

    def facts(self) -> dict[str, Any]:
        """The limit as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The best move of an engine at some moment; the score is in centipawns for the side to move."""

    move: chess.Move
    seconds: float
    nodes: int | None = None
    depth: int | None = None
    score: int | None = None
    mate: int | None = None

    @property
    def value(self) -> int | None:
        """The score as one number, mates too."""
        if self.mate is None:
            return self.score
        return MATE_SCORE - self.mate if self.mate > 0 else -MATE_SCORE - self.mate


def outcome_of(problem: Problem, glimpses: Sequence[Glimpse], answer: Glimpse) -> dict[str, Any]:
    """What came of a problem; seconds, nodes and depth are those from which on the solution was held to the end."""
    is_solved = problem.is_solved(answer.move, answer.mate)
    first: Glimpse | None = None
    if is_solved:
        for glimpse in glimpses:
            first = (first or glimpse) if problem.is_solved(glimpse.move, glimpse.mate) else None
        first = first or answer
    return {
        "move": answer.move.uci(),
        "solved": is_solved,
        "seconds": first and first.seconds,
        "nodes": first and first.nodes,
        "depth": first and first.depth,
        "score": answer.value,
        "trouble": "",
    }


def failed(trouble: str) -> dict[str, Any]:
    """What came of a problem over which the engine broke down."""
    facts = dict.fromkeys(("move", "seconds", "nodes", "depth", "score"))
    return facts | {"solved": False, "trouble": trouble}


def rule_of(suite: Suite, limit: Limit) -> str:
    """How a suite is scored: the LCT-II, known by its name or ids, only where time is what limits."""
    is_lct2 = LCT2_NAME.search(suite.name) or all(LCT2_NAME.search(problem.name) for problem in suite.problems)
    if is_lct2 and limit.seconds is not None:
        return LCT2
    return POINTS if any(problem.points for problem in suite.problems) else PLAIN


def points_of(rule: str, problem: Problem, facts: Facts) -> tuple[int | None, int | None]:
    """Points earned and possible; None if the suite gives none."""
    if rule == LCT2:
        most = LCT2_POINTS[0][1]
        return (lct2_points(facts["seconds"]) if facts["solved"] else 0), most
    if rule == POINTS and problem.points:
        earned = problem.points.get(chess.Move.from_uci(facts["move"]), 0) if facts["move"] else 0
        return earned, max(problem.points.values())
    return None, None


def lct2_points(seconds: float) -> int:
    """Points in LCT-II for a solution held from this second."""
    return next((points for until, points in LCT2_POINTS if seconds <= until), 0)


@dataclass(frozen=True, slots=True)
class Result:
    """What an engine made of a suite: the facts of each position, in the order of the suite."""

    suite: str
    engine: str
    limit: Limit
    rule: str
    outcomes: Sequence[Facts]

    @property
    def solved(self) -> int:
        """Positions solved."""
        return sum(facts["solved"] for facts in self.outcomes)

    @property
    def share(self) -> float:
        """Of all positions."""
        return self.solved / max(len(self.outcomes), 1)

    @property
    def points(self) -> int | None:
        """Sum of points; None if the suite gives none."""
        return None if self.rule == PLAIN else sum(facts["points"] or 0 for facts in self.outcomes)

    @property
    def max_points(self) -> int | None:
        """The most there were."""
        return None if self.rule == PLAIN else sum(facts["max_points"] or 0 for facts in self.outcomes)

    @property
    def rating(self) -> int | None:
        """By the LCT-II."""
        return None if self.points is None or self.rule != LCT2 else LCT2_BASE + self.points

    @property
    def median(self) -> float | None:
        """Seconds to solution, of those solved."""
        times = [facts["seconds"] for facts in self.outcomes if facts["seconds"] is not None]
        return statistics.median(times) if times else None

    @property
    def broken(self) -> int:
        """Positions over which the engine broke down."""
        return sum(bool(facts["trouble"]) for facts in self.outcomes)

    @property
    def assumptions(self) -> list[str]:
        """What a rating by the LCT-II takes for granted here."""
        words = []
        if self.rule == LCT2 and self.limit.seconds is not None and self.limit.seconds < LCT2_SECONDS:
            words.append(
                f"the LCT-II gives {LCT2_SECONDS} s a position; at {self.limit.seconds:g} s its rating assumes that "
                f"what was held then is held to {LCT2_SECONDS} s, and that what was not found then is never found"
            )
        if self.rule == LCT2 and len(self.outcomes) != LCT2_POSITIONS:
            words.append(f"its rating is meant for {LCT2_POSITIONS} positions, these are {len(self.outcomes)}")
        return words

    def facts(self) -> dict[str, Any]:
        """The result for programs."""
        return {
            "suite": self.suite,
            "engine": self.engine,
            "limit": self.limit.facts(),
            "solved": self.solved,
            "positions": len(self.outcomes),
            "points": self.points,
            "max_points": self.max_points,
            "rating": self.rating,
            "median_seconds": self.median,
            "trouble": self.broken,
            "assumptions": self.assumptions,
            "outcomes": list(self.outcomes),
        }
