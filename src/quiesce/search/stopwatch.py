"""Kernels. How long the parts of a search take, in the trace build; elsewhere nothing is left of this."""

# mypy: ignore-errors

from quiesce.board.types import u64
from quiesce.jit import TRACE, copy_record, kernel, now_ns
from quiesce.search.worker import LIMIT_SLOTS, TIMED

QUIESCENCE, GENERATION, EVALUATION = range(len(TIMED))


@kernel
def tick():
    """When something began, for `tock`."""
    return now_ns() if TRACE else 0


@kernel
def tock(w, part, since):
    """Something that began at `since` is over: count it among its kind."""
    if TRACE:
        taken, timer = now_ns() - since, w.timers[u64(part)]
        timer.calls += 1
        timer.total += taken
        timer.longest = max(timer.longest, taken)


@kernel
def keep_limit_position(w, ply):
    """Keep the position in which a limit was reached, as long as there is room."""
    if TRACE:
        if w.limit_count < LIMIT_SLOTS:
            copy_record(w.limit_hits[u64(w.limit_count)], w.stack[u64(ply)])
        w.limit_count += 1


@kernel
def clear_stopwatch(w):
    """Forget all that was timed and kept."""
    if TRACE:
        w.limit_count = 0
        for part in range(u64(len(TIMED))):
            timer = w.timers[part]
            timer.calls = 0
            timer.total = 0
            timer.longest = 0
