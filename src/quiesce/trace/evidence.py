"""Shell. What the trace build kept of a search: times, positions that reached a limit, a log of quiescence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quiesce.board.fen import write_fen
from quiesce.jit import TRACE
from quiesce.search.reasons import REASONS
from quiesce.search.scores import NO_SCORE
from quiesce.search.worker import LIMIT_SLOTS, TIMED, TRACE_SLOTS

NANOSECONDS = 1e9


class NoTraceError(RuntimeError):
    """The kernels of this process were built without a trace."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How often something was done, and how long it took on average and at most, in seconds."""

    what: str
    calls: int
    average: float
    longest: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was recorded in one worker's search, up to fixed numbers."""

    timings: list[Timing]
    limit_count: int
    limit_fens: list[str]
    node_count: int
    log: list[dict[str, Any]]


def evidence_of(w: Any) -> Evidence:
    """All that was kept of a worker's last search; raises NoTraceError in a build that keeps nothing."""
    if not TRACE:
        raise NoTraceError("set QUIESCE_TRACE=1 before kernels are loaded")
    limits = int(w.limit_count)
    fens = [write_fen(w.limit_hits[index]) for index in range(min(limits, LIMIT_SLOTS))]
    return Evidence(list(timings_of(w)), limits, fens, int(w.tree_count), list(log_of(w)))


def timings_of(w: Any) -> Iterator[Timing]:
    """Each timed part."""
    for what, timer in zip(TIMED, w.timers, strict=True):
        calls = int(timer["calls"])
        yield Timing(
            what, calls, int(timer["total"]) / max(calls, 1) / NANOSECONDS, int(timer["longest"]) / NANOSECONDS
        )


def log_of(w: Any) -> Iterator[dict[str, Any]]:
    """Each node of quiescence and each move left out, in order: where, window, scores, reason."""
    for slot in range(min(int(w.tree_count), TRACE_SLOTS)):
        entry = {name: int(w.tree[slot][name]) for name in w.tree.dtype.names}
        scores = {name: None if entry[name] == NO_SCORE else entry[name] for name in ("stand_pat", "score")}
        words = {"key": f"{entry['key']:016x}", "reason": REASONS[entry["reason"]].word}
        yield {"slot": slot} | entry | scores | words
