"""Shell. Work on rows piece by piece, on several threads, with progress, a stop, and bad rows told by number."""

import os
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from quiesce.board.rows import BAD_ROWS, ROW
from quiesce.jit import COMPILED

LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""
PIECES_A_THREAD = 4
"""So that threads end at about the same time."""

Progress = Callable[[int, int], None]
"""Called with rows done and rows in all, in the thread that asked; raise in it to give up."""
Rows = npt.NDArray[np.void]
Codes = npt.NDArray[np.uint8]
Reasons = dict[int, str]
Desk = TypeVar("Desk")
Result = TypeVar("Result")


class BadRowsError(ValueError):
    """Some rows are no positions, or have no such moves: `reasons` by row; `result` holds the answers of all others.

    Of files of games the reasons are by game.
    """

    def __init__(self, reasons: Reasons, result: Any, noun: str = "row") -> None:
        rows = sorted(reasons)
        more = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
        super().__init__(f"{noun} {rows[0]}: {reasons[rows[0]]}{more}")
        self.reasons, self.result = reasons, result


def settled(result: Result, reasons: Reasons, bad: Reasons | None, noun: str = "row") -> Result:
    """A result whose bad rows are told: written into `bad`, or raised if nobody asked for them."""
    if reasons and bad is None:
        raise BadRowsError(reasons, result, noun)
    if bad is not None:
        bad.update(reasons)
    return result


def reasons_of(codes: Codes) -> Reasons:
    """What is wrong with which row."""
    return {int(row): BAD_ROWS[codes[row]] for row in np.flatnonzero(codes)}


def rows_of(positions: Any) -> Rows:
    """An array of positions as kernels take it, loaded or sliced as it may be; raises ValueError for any other."""
    array = np.asarray(positions)
    is_ours = array.dtype.fields == ROW.fields and array.dtype.itemsize == ROW.itemsize
    if array.ndim != 1 or not is_ours:
        raise ValueError("positions are a one-dimensional array of quiesce.batch.ROW, such as from_fens makes")
    return np.ascontiguousarray(array).view(ROW)


def thread_count(threads: int | None) -> int:
    """How many threads to use: those asked for, or as many as there are cores for us."""
    if threads is not None:
        if not isinstance(threads, Integral):
            raise TypeError(f"threads is a whole number, not {threads!r}")
        if threads < 1:
            raise ValueError(f"threads is {threads}, at least 1 is needed")
        return int(threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def let_wrap() -> None:
    """In this thread, kernels that run as plain Python wrap around without a word, as compiled ones do."""
    if not COMPILED:
        np.seterr(over="ignore")


class Pieces:
    """Hands out pieces of the rows to whoever is free, until there are none or somebody gives up."""

    def __init__(self, count: int, size: int) -> None:
        self._starts = iter(range(0, count, size))
        self._count, self._size = count, size
        self._lock = threading.Lock()
        self._is_over = False
        self.finished: queue.SimpleQueue[int] = queue.SimpleQueue()

    def give_up(self) -> None:
        """Hand out no more."""
        self._is_over = True

    def work(self, desk: Desk, job: Callable[[Desk, int, int], None]) -> None:
        """Take pieces and do them, at a desk of one's own."""
        while not self._is_over:
            with self._lock:
                first = next(self._starts, None)
            if first is None:
                return
            end = min(first + self._size, self._count)
            job(desk, first, end)
            self.finished.put(end - first)


def work_through(
    count: int,
    desks: Sequence[Desk],
    job: Callable[[Desk, int, int], None],
    largest: int,
    progress: Progress | None = None,
    stop: Callable[[], None] | None = None,
) -> None:
    """Do all rows in pieces of at most `largest`, a thread a desk; an interrupt or any error ends it soon, then rises.

    `stop` may be given to end the pieces under way sooner.
    """
    pieces = Pieces(count, max(1, min(largest, count // (PIECES_A_THREAD * len(desks)))))
    done = 0
    with ThreadPoolExecutor(len(desks), "batch", let_wrap) as pool:
        running = [pool.submit(pieces.work, desk, job) for desk in desks]
        try:
            while done < count:
                done = tell_of(pieces, done, count, progress)
                for worker in running:
                    if worker.done():
                        worker.result()
            wait(running)
        except BaseException:
            pieces.give_up()
            if stop is not None:
                stop()
            raise


def tell_of(pieces: Pieces, done: int, count: int, progress: Progress | None) -> int:
    """Wait for a piece, and tell how many rows are done; returns that."""
    try:
        done += pieces.finished.get(timeout=LONGEST_WAIT)
    except queue.Empty:
        return done
    if progress is not None:
        progress(done, count)
    return done
