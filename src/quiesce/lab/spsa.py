"""Shell. SPSA: tune many parameters at once by moving all of them a little to both sides and comparing.

Simultaneous perturbation stochastic approximation (James Spall, 1992) with fishtest's schedule: each parameter has its
own step c; gains follow from c and one rate; the measurement is wins minus losses. All randomness follows from the seed
and the iteration, so a run can resume at any point.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ALPHA, GAMMA = 0.602, 0.101
"""How fast steps and reaches shrink; Spall's values."""
STEADY_SHARE = 0.1
"""Share of the iterations that the size of the first steps is evened out over."""
DEFAULT_RATE = 0.002
"""Last step size, in c, for each win more than losses; fishtest's r_end."""
LEAST_REACH = 0.5
"""With less, both sides might be rounded to the same value."""
REACHES = 20
"""The usual reach is the range divided by this."""

Values = dict[str, float]
Trial = dict[str, int]
State = dict[str, Any]
"""`applied`: how many iterations count; `recent`: values before and after the last of them, newest last;
`waiting`: results, by iteration, of those that came early."""


class SpsaError(ValueError):
    """A number that cannot be tuned so; the message says why."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An integer parameter to tune: start, bounds and final step c."""

    name: str
    start: float
    low: int
    high: int
    c: float

    def __post_init__(self) -> None:
        if not self.low <= self.start <= self.high or self.low == self.high:
            raise SpsaError(
                f"{self.name}: it starts at {self.start}, which leaves no room in {self.low} to {self.high}"
            )
        if not (self.c >= LEAST_REACH and math.isfinite(self.c)):
            raise SpsaError(f"{self.name}: c is {self.c}, at least {LEAST_REACH} is needed to tell two values apart")

    def bounded(self, value: float) -> float:
        """The nearest value within the bounds."""
        return min(max(value, self.low), self.high)


def usual_reach(low: int, high: int) -> float:
    """The default final step c."""
    return max((high - low) / REACHES, LEAST_REACH)


@dataclass(frozen=True, slots=True)
class Spsa:
    """Everything that determines a run, except the results.

    Iteration k uses the values of iteration k - in_flight, so that several can run at once, and its result is applied
    after all earlier ones. So the outcome does not depend on timing.
    """

    parameters: tuple[Parameter, ...]
    iterations: int
    seed: int = 1
    in_flight: int = 1
    rate: float = DEFAULT_RATE

    def begin(self) -> State:
        """The state before the first iteration."""
        return {"applied": 0, "recent": [{item.name: float(item.start) for item in self.parameters}], "waiting": {}}

    def reach(self, parameter: Parameter, iteration: int) -> float:
        """How far a number is moved to both sides: c_k."""
        return parameter.c * math.pow(self.iterations / (iteration + 1), GAMMA)

    def gain(self, parameter: Parameter, iteration: int) -> float:
        """The size of the step: a_k."""
        steady = STEADY_SHARE * self.iterations
        last = self.rate * parameter.c**2
        return last * math.pow((self.iterations + steady) / (iteration + 1 + steady), ALPHA)

    def draws(self, iteration: int) -> dict[str, tuple[int, float]]:
        """For each parameter its direction, +1 or -1, and a number in [0, 1) for rounding."""
        source = random.Random(f"{self.seed}/{iteration}")
        return {item.name: (1 if source.random() < 0.5 else -1, source.random()) for item in self.parameters}

    def is_ready(self, state: State, iteration: int) -> bool:
        """Is there such an iteration, and is it known around which values it is tried?"""
        return bool(iteration < min(self.iterations, state["applied"] + self.in_flight))

    def values(self, state: State) -> Values:
        """The values as they are now."""
        return dict(state["recent"][-1])

    def trial(self, state: State, iteration: int) -> tuple[Trial, Trial]:
        """Two sides to compare, plus and minus, as whole numbers within the bounds.

        Both are rounded with the same draw: up or down by chance, right on average, and never to the same value
        unless a bound is in the way.
        """
        if not (state["applied"] <= iteration and self.is_ready(state, iteration)):
            raise SpsaError(f"iteration {iteration} cannot be tried after {state['applied']} iterations")
        count, recent = state["applied"], state["recent"]
        around: Values = recent[max(iteration - self.in_flight + 1, 0) - count - 1]
        plus, minus = Trial(), Trial()
        draws = self.draws(iteration)
        for item in self.parameters:
            direction, draw = draws[item.name]
            shift = direction * self.reach(item, iteration)
            for side, value in ((plus, around[item.name] + shift), (minus, around[item.name] - shift)):
                side[item.name] = int(item.bounded(math.floor(value + draw)))
        return plus, minus

    def tell(self, state: State, iteration: int, result: float) -> list[tuple[int, Values]]:
        """Take the result of an iteration: wins less losses of plus, or any other measure of how much better it was.

        Changes the state; returns what counts now that did not before, iterations with the values after them.
        """
        if iteration < state["applied"] or str(iteration) in state["waiting"] or not self.is_ready(state, iteration):
            raise SpsaError(f"iteration {iteration} has no place after {state['applied']} iterations")
        state["waiting"][str(iteration)] = result
        applied = []
        while str(state["applied"]) in state["waiting"]:
            number = state["applied"]
            values = self.stepped(state["recent"][-1], number, state["waiting"].pop(str(number)))
            state["recent"] = [*state["recent"], values][-self.in_flight :]
            state["applied"] = number + 1
            applied.append((number, dict(values)))
        return applied

    def stepped(self, values: Mapping[str, float], iteration: int, result: float) -> Values:
        """The values after an iteration."""
        draws = self.draws(iteration)
        return {
            item.name: item.bounded(
                values[item.name]
                + self.gain(item, iteration) / self.reach(item, iteration) * result * draws[item.name][0]
            )
            for item in self.parameters
        }
