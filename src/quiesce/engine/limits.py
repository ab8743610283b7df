"""Shell. Limits: when a search ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from quiesce.engine.clock import MILLISECONDS, Budget, Clock, budget, fixed_budget
from quiesce.search.worker import MAX_PLY

NO_LIMIT = (1 << 62) - 1
"""Nodes that no search reaches."""
DEEPEST = MAX_PLY - 1
"""The greatest depth that can be asked for."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; whichever comes first. `moves` restricts the root to some of its legal moves.

    `mate` ends it once either side is known to be mated within that number of moves.
    """

    depth: int = DEEPEST
    nodes: int = NO_LIMIT
    seconds: float | None = None
    mate: int | None = None
    clock: Clock | None = None
    is_infinite: bool = False
    is_ponder: bool = False
    moves: Sequence[int] | None = None

    def budget(self, overhead: int) -> Budget | None:
        """Seconds for this move, None where time sets no limit."""
        if self.seconds is not None:
            return fixed_budget(round(self.seconds * MILLISECONDS), overhead)
        return None if self.clock is None else budget(self.clock, overhead)
