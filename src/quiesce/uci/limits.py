"""Shell. The limits of a search from the words of `go` and the options."""

from quiesce.engine import Limits
from quiesce.engine.clock import MILLISECONDS, Clock
from quiesce.engine.limits import DEEPEST, NO_LIMIT
from quiesce.uci.parse import Go

LIMITING = {"depth", "nodes", "movetime", "mate"}


def is_open(limits: Limits) -> bool:
    """Can a search with these limits run until it is stopped?"""
    is_bounded = limits.depth < DEEPEST or limits.nodes < NO_LIMIT or (limits.mate or DEEPEST) < DEEPEST
    is_timed = limits.clock is not None or limits.seconds is not None
    return limits.is_infinite or limits.is_ponder or not (is_bounded or is_timed)


def limits_of(go: Go, is_white: bool) -> Limits:
    """The limits of a `go`, without those of options. A bare `go` ends at a proven mate."""
    numbers = go.numbers
    clock = None if go.is_infinite else clock_of(numbers, is_white)
    is_bare = clock is None and not go.is_infinite and not numbers.keys() & LIMITING
    return Limits(
        depth=min(max(numbers.get("depth", DEEPEST), 1), DEEPEST),
        nodes=max(numbers.get("nodes", NO_LIMIT), 1),
        seconds=max(numbers["movetime"], 0) / MILLISECONDS if "movetime" in numbers and not go.is_infinite else None,
        mate=DEEPEST if is_bare else max(numbers["mate"], 1) if "mate" in numbers else None,
        clock=clock,
        is_infinite=go.is_infinite,
        is_ponder=go.is_ponder,
    )


def clock_of(numbers: dict[str, int], is_white: bool) -> Clock | None:
    """The mover's clock; None if the GUI sent none."""
    side = "w" if is_white else "b"
    left, increment = numbers.get(f"{side}time"), numbers.get(f"{side}inc", 0)
    if left is None and not (increment or "movestogo" in numbers):
        return None
    return Clock(left if left is not None else increment, increment, numbers.get("movestogo"))
