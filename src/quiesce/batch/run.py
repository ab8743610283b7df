"""Shell. Work on rows in pieces, on several threads, with progress, interrupts and errors by row."""

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
from quiesce.work.cores import cores

LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""
PIECES_A_THREAD = 4
"""Least pieces per thread, so that threads end at about the same time."""

Progress = Callable[[int, int], None]
"""Called with rows done and total rows, in the calling thread; an exception in it stops the work."""
Rows = npt.NDArray[np.void]
Codes = npt.NDArray[np.uint8]
Reasons = dict[int, str]
Worker = TypeVar("Worker")
Result = TypeVar("Result")


class BadRowsError(ValueError):
    """Some rows have no valid position or move: `reasons` by row, `result` with all other answers.

    For PGN files `reasons` is by game.
    """

    def __init__(self, reasons: Reasons, result: Any, noun: str = "row") -> None:
        rows = sorted(reasons)
        more = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
        super().__init__(f"{noun} {rows[0]}: {reasons[rows[0]]}{more}")
        self.reasons, self.result = reasons, result


def settled(result: Result, reasons: Reasons, bad: Reasons | None, noun: str = "row") -> Result:
    """The result, with bad rows written into `bad`, or raised if `bad` is None."""
    if reasons and bad is None:
        raise BadRowsError(reasons, result, noun)
    if bad is not None:
        bad.update(reasons)
    return result


def reasons_of(codes: Codes) -> Reasons:
    """Errors by row."""
    return {int(row): BAD_ROWS[codes[row]] for row in np.flatnonzero(codes)}


def rows_of(positions: Any) -> Rows:
    """An array of positions as kernels take it. Raises ValueError for any other array."""
    array = np.asarray(positions)
    is_ours = array.dtype.fields == ROW.fields and array.dtype.itemsize == ROW.itemsize
    if array.ndim != 1 or not is_ours:
        raise ValueError("positions must be a one-dimensional array of quiesce.batch.ROW, as from_fens returns")
    return np.ascontiguousarray(array).view(ROW)


def thread_count(threads: int | None) -> int:
    """Number of threads: as asked, or one for each available core."""
    if threads is not None:
        if not isinstance(threads, Integral):
            raise TypeError(f"threads is a whole number, not {threads!r}")
        if threads < 1:
            raise ValueError(f"threads is {threads} but must be at least 1")
        return int(threads)
    return cores()


def let_wrap() -> None:
    """In this thread, let integers of uncompiled kernels wrap around silently, as compiled ones do."""
    if not COMPILED:
        np.seterr(over="ignore")


class Pieces:
    """Hands out pieces of the rows to threads until none is left or the work is given up."""

    def __init__(self, count: int, size: int) -> None:
        self._starts = iter(range(0, count, size))
        self._count, self._size = count, size
        self._lock = threading.Lock()
        self._is_over = False
        self.finished: queue.SimpleQueue[int] = queue.SimpleQueue()

    def give_up(self) -> None:
        """Hand out no more."""
        self._is_over = True

    def work(self, worker: Worker, job: Callable[[Worker, int, int], None]) -> None:
        """Take pieces and do them."""
        while not self._is_over:
            with self._lock:
                first = next(self._starts, None)
            if first is None:
                return
            end = min(first + self._size, self._count)
            job(worker, first, end)
            self.finished.put(end - first)


def work_through(
    count: int,
    workers: Sequence[Worker],
    job: Callable[[Worker, int, int], None],
    largest: int,
    progress: Progress | None = None,
    stop: Callable[[], None] | None = None,
) -> None:
    """Do all rows in pieces of at most `largest`, with one thread for each worker. An interrupt or error stops the work
    and is raised.

    `stop` can stop the pieces under way sooner.
    """
    pieces = Pieces(count, max(1, min(largest, count // (PIECES_A_THREAD * len(workers)))))
    done = 0
    with ThreadPoolExecutor(len(workers), "batch", let_wrap) as pool:
        running = [pool.submit(pieces.work, worker, job) for worker in workers]
        try:
            while done < count:
                done = tell_of(pieces, done, count, progress)
                for future in running:
                    if future.done():
                        future.result()
            wait(running)
        except BaseException:
            pieces.give_up()
            if stop is not None:
                stop()
            raise


def tell_of(pieces: Pieces, done: int, count: int, progress: Progress | None) -> int:
    """Wait for a piece, and report the number of finished rows; returns it."""
    try:
        done += pieces.finished.get(timeout=LONGEST_WAIT)
    except queue.Empty:
        return done
    if progress is not None:
        progress(done, count)
    return done
