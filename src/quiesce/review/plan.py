"""Shell. Budget and thresholds of a review."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quiesce.engine import Limits

DEFAULT_NODES = 100_000
MEGABYTES = 64
"""Transposition table of a review in MB; results depend on it."""
LEAST_NODES = 100
"""Nodes of the shortest search."""
BOTH = ("white", "black")
INACCURACY, MISTAKE, BLUNDER, GOOD = "?!", "?", "??", "!"
NAGS = {GOOD: 1, MISTAKE: 2, BLUNDER: 4, INACCURACY: 6}
"""Marks as PGN numbers them."""
ONLY_MOVE_NAG = 7


class PlanError(ValueError):
    """An invalid plan; the message says why."""


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """Nodes or seconds per move on average, further searches included; thresholds in expected points lost."""

    nodes: int = DEFAULT_NODES
    seconds: float | None = None
    inaccuracy: float = 0.05
    mistake: float = 0.10
    blunder: float = 0.20
    colours: tuple[str, ...] = BOTH
    """Sides whose moves are judged."""
    from_move: int = 1
    """Number of the first move to judge."""

    def __post_init__(self) -> None:
        """Raise PlanError for invalid values."""
        if not 0 < self.inaccuracy <= self.mistake <= self.blunder <= 1:
            raise PlanError("thresholds must rise from ?! over ? to ??, between 0 and 1 expected point")
        if self.nodes < LEAST_NODES or (self.seconds is not None and self.seconds <= 0):
            raise PlanError(f"a review needs at least {LEAST_NODES} nodes, or some time, a move")
        if not set(self.colours) <= set(BOTH):
            raise PlanError(f"colours are {' and '.join(BOTH)}, not {', '.join(self.colours)}")

    def limits(self, share: float, moves: Sequence[int] | None = None) -> Limits:
        """Limits of a search with this share of a move's budget."""
        if self.seconds is not None:
            return Limits(seconds=self.seconds * share, moves=moves)
        return Limits(nodes=max(LEAST_NODES, round(self.nodes * share)), moves=moves)

    def mark_of(self, loss: float) -> str:
        """The mark for a loss of expected points; empty for none."""
        return next((mark for mark in (BLUNDER, MISTAKE, INACCURACY) if loss >= self.threshold_of(mark)), "")

    def threshold_of(self, mark: str) -> float:
        """Least loss of expected points for a mark; 0 for no mark."""
        return {BLUNDER: self.blunder, MISTAKE: self.mistake, INACCURACY: self.inaccuracy}.get(mark, 0.0)

    def facts(self) -> dict[str, Any]:
        """The plan as plain values."""
        return asdict(self) | {"colours": list(self.colours)}


def plan_from(facts: dict[str, Any]) -> ReviewPlan:
    """The plan of plain values."""
    return ReviewPlan(**facts | {"colours": tuple(facts["colours"])})
