"""Shell. How long to think: from the clock a soft limit, after which no iteration starts, and a hard one."""

from dataclasses import dataclass

MILLISECONDS = 1_000

MOVES_AHEAD = 28
"""Moves to share the remaining time, without moves to go."""
MOST_MOVES_AHEAD = 40
"""A control further away than this is treated as this far."""
INCREMENT_SHARE = 0.75
"""Share of the increment that a move may use."""
HARD_FACTOR = 4.5
"""Largest hard limit, as a multiple of the soft limit."""
HARD_SHARE, LAST_MOVE_SHARE = 0.4, 0.85
"""Largest share of the remaining time for one move, and for the last one before a time control."""
RESERVE, RESERVE_SHARE = 0.05, 0.3
"""Seconds kept in reserve, and the largest share of the clock for it."""
LEAST = 0.001
"""Least seconds for a move."""
LONGEST = 10 * 24 * 3_600
"""Longest clock in seconds; more makes no difference."""

STABILITY = (1.6, 1.3, 1.1, 1.0, 0.9, 0.82, 0.76)
"""Soft limit times this, by the iterations the best move has stood."""
TREND_WEIGHT, TREND_LEAST, TREND_MOST = 0.008, 0.85, 1.5
"""A centipawn lost since the last iteration adds this share."""
EFFORT_BASE, EFFORT_WEIGHT = 1.5, 0.9
"""The soft limit shrinks with the best move's share of nodes."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What the side to move has, in milliseconds as the protocol says it; zero and less are possible."""

    left: int
    increment: int = 0
    moves_to_go: int | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for one move."""

    soft: float
    hard: float


def budget(clock: Clock, overhead: int) -> Budget:
    """Seconds for the next move; `overhead` is what each move loses on its way, in milliseconds."""
    left = min((clock.left - overhead) / MILLISECONDS, LONGEST)
    left -= min(RESERVE, max(left, 0) * RESERVE_SHARE)
    increment = min(max(clock.increment, 0) / MILLISECONDS, LONGEST)
    if clock.moves_to_go is not None and clock.moves_to_go > 0:
        moves = min(clock.moves_to_go, MOST_MOVES_AHEAD)
        share = LAST_MOVE_SHARE if moves == 1 else HARD_SHARE
        soft = left / (moves + 1 - LAST_MOVE_SHARE)
    else:
        share = HARD_SHARE
        soft = left / MOVES_AHEAD
    soft += min(increment * INCREMENT_SHARE, max(left, 0) * HARD_SHARE)
    hard = min(soft * HARD_FACTOR, left * share)
    return Budget(max(min(soft, hard), LEAST), max(hard, LEAST))


def fixed_budget(milliseconds: int, overhead: int) -> Budget:
    """Seconds for a move of fixed time."""
    seconds = min(max((milliseconds - overhead) / MILLISECONDS, LEAST), LONGEST)
    return Budget(seconds, seconds)


class Pace:
    """Follows the iterations of one search and says how much of the soft limit it deserves."""

    def __init__(self) -> None:
        self._best = -1
        self._stood = 0
        self._score: int | None = None
        self.factor = 1.0

    def note(self, best: int, score: int, effort: float) -> None:
        """Take in an iteration: its best move, score in centipawns, and the share of nodes that move took."""
        self._stood = self._stood + 1 if best == self._best else 0
        self._best = best
        drop = 0 if self._score is None else self._score - score
        self._score = score
        trend = min(max(1 + drop * TREND_WEIGHT, TREND_LEAST), TREND_MOST)
        doubt = EFFORT_BASE - EFFORT_WEIGHT * effort
        self.factor = STABILITY[min(self._stood, len(STABILITY) - 1)] * trend * doubt
