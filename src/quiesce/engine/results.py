"""Shell. What a search has found: its lines, with scores and counters, as Python values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from quiesce.engine.scoretext import mate_in, mate_plies
from quiesce.engine.wdl import centipawns
from quiesce.search.reasons import REASONS
from quiesce.search.scores import INFINITE
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER
from quiesce.search.worker import COUNTER_FIELDS

__all__ = [
    "BOUND_EXACT",
    "BOUND_LOWER",
    "BOUND_UPPER",
    "Line",
    "Report",
    "counters_of",
    "line_of",
    "lines_of",
    "merged",
]

COUNTERS = [item.name for item in COUNTER_FIELDS]
GREATEST = ("seldepth", "q_deepest", "q_longest")
"""Counters that are no sums."""
REASON_COUNTERS = [f"q_{reason.word}" for reason in REASONS]
SHORTEST = 1e-6
"""Seconds below which no speed is worked out."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an iteration; moves are 16-bit numbers."""

    score: int
    moves: list[int]
    depth: int
    seldepth: int
    bound: int = BOUND_EXACT

    @property
    def centipawns(self) -> int:
        """The score in centipawns."""
        return centipawns(self.score)

    @property
    def mate_plies(self) -> int | None:
        """Moves of both sides to the mate; None if the score is no mate."""
        return mate_plies(self.score)

    @property
    def mate(self) -> int | None:
        """Moves to mate, negative if we are mated; None if the score is no mate."""
        return mate_in(self.score)


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a search after a step or at its end; no lines if there is no legal move."""

    depth: int
    lines: list[Line]
    seconds: float
    hashfull: int
    counters: dict[str, int] = field(default_factory=dict)
    tablebase_hits: int = 0
    trouble: str = ""

    @property
    def nodes(self) -> int:
        """Positions entered."""
        return self.counters["nodes"]

    @property
    def moves(self) -> list[int]:
        """The first line's moves."""
        return self.lines[0].moves if self.lines else []

    @property
    def speed(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, SHORTEST))

    def marked(self, bound: int) -> "Report":
        """The same with the first line's score as a bound found at this depth."""
        return replace(self, lines=[replace(self.lines[0], bound=bound, depth=self.depth), *self.lines[1:]])


def line_of(root: Any) -> Line:
    """A root move's line."""
    moves = [int(move) for move in root.pv[: int(root.pv_length)]]
    return Line(int(root.score), moves, int(root.depth), int(root.seldepth))


def lines_of(w: Any) -> list[Line]:
    """The best lines that have a score, at most as many as wanted."""
    count = min(int(w.multi_pv), int(w.root_count))
    return [line_of(w.roots[index]) for index in range(count) if int(w.roots[index].score) != -INFINITE]


def merged(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Counters of two searches: summed, or the maximum if a sum is meaningless."""
    return {
        name: max(one.get(name, 0), count) if name in GREATEST else one.get(name, 0) + count
        for name, count in other.items()
    }


def counters_of(workers: list[Any]) -> dict[str, int]:
    """All counters of all workers: summed, or the maximum if a sum is meaningless."""
    found = dict[str, int]()
    for w in workers:
        reasons = zip(REASON_COUNTERS, w.q_reasons.tolist(), strict=True)
        found = merged(found, dict(zip(COUNTERS, w[COUNTERS].item(), strict=True)) | dict(reasons))
    return found
