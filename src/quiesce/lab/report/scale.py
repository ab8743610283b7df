"""Shell. Scales: positions of values on an axis, and round tick values."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

ROUND = (1, 2, 5, 10)
"""Tick steps in each decade."""
EMPTY = (0.0, 1.0)
"""Range of an axis without data."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps low..high to start..end, linearly or by logarithms; values outside are put at the edge."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """Position of a value."""
        bounded = min(max(value, self.low), self.high)
        low, high, here = (math.log10(x) if self.is_log else x for x in (self.low, self.high, bounded))
        return self.start + (here - low) / (high - low) * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """About `count` round values on the axis."""
        if self.is_log:
            return self._decades(count)
        step = round_step((self.high - self.low) / count)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]

    def _decades(self, count: int) -> list[float]:
        """Powers of ten, every second or third where there are many, with 2 and 5 where there are few."""
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        if last - first < 2:
            values = [factor * 10.0**power for power in range(first - 1, last + 1) for factor in ROUND[:-1]]
            return [value for value in values if self.low <= value <= self.high]
        return [10.0**power for power in range(first, last + 1, -(-(last - first) // count))]


def round_step(rough: float) -> float:
    """The round step nearest to a rough one."""
    decade = 10.0 ** math.floor(math.log10(rough))
    return min((factor * decade for factor in ROUND), key=lambda step: abs(math.log(step / rough)))


def span(values: Iterable[float], is_log: bool = False) -> tuple[float, float]:
    """From the least to the greatest finite value with a little room, never of no width."""
    known = [value for value in values if math.isfinite(value) and (value > 0 or not is_log)]
    if not known:
        return (0.1, 1.0) if is_log else EMPTY
    low, high = min(known), max(known)
    if is_log:
        return (low / 1.2, high * 1.2)
    room = (high - low) * 0.05 or abs(high) * 0.1 or 1.0
    return low - room, high + room


def tick_text(value: float) -> str:
    """A tick value as short text."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value + 0.0:g}" if abs(value) > 1e-9 else "0"
