"""Shell. Runs the lab's tasks on a Dask cluster.

The scheduler gives a dead worker's task to another. This process keeps the results, so failures cost time, never
results. Workers with other sources get no tasks.
"""

import contextlib
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from quiesce import __version__
from quiesce.work.identity import sources_digest
from quiesce.work.pool import TRIES, Done, Key, PoolError, Work

CONNECT_SECONDS = 15
CLOSING_SECONDS = 2
"""Dask's farewell calls, which are useless without a scheduler."""
MISSING = "the extra `cluster` is not installed: pip install 'quiesce[cluster]'"
CONNECTED = "running"
"""What Dask calls a client that has its scheduler."""


def whoami() -> tuple[str, str]:
    """A worker's version and sources."""
    return __version__, sources_digest()


def say(words: str) -> None:
    """Write a message to the user."""
    sys.stderr.write(f"quiesce: {words}\n")


def difference(worker: str, found: Any) -> str:
    """Why a worker cannot be used; empty if its engine is ours."""
    if found == whoami():
        return ""
    if isinstance(found, BaseException):
        return f"worker {worker} has no quiesce like ours ({type(found).__name__}: {found})"
    version, _ = found
    return f"worker {worker} has quiesce {version} with other sources"


class ClusterPool:
    """Workers of a Dask cluster, found by the address of its scheduler."""

    def __init__(self, address: str, concurrency: int = 0, tell: Callable[[str], None] = say) -> None:
        try:
            from distributed import Client  # noqa: PLC0415  (an extra that few have)
        except ImportError:
            raise PoolError(MISSING) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it logs tracebacks of what we tell in a sentence
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise PoolError(f"no cluster at {address}: {error}") from None
        self._address, self._concurrency, self._tell = address, concurrency, tell
        self._cores, self._refused = dict[str, int](), set[str]()
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            if trouble := self._meet_workers():
                raise PoolError(f"{trouble[0]}; install the same on all")
        except BaseException as error:
            self._close()
            if isinstance(error, PoolError) or not isinstance(error, Exception):
                raise
            raise PoolError(f"the workers at {address} cannot be used: {type(error).__name__}: {error}") from None

    def _meet_workers(self) -> list[str]:
        """Learn which workers there are now; returns what is wrong with those met for the first time.

        All must have the engine we have, or results would be of another one.
        """
        there = dict(self._client.ncores())
        new = [worker for worker in there if worker not in self._cores and worker not in self._refused]
        answers = self._client.run(whoami, workers=new, on_error="return") if new else {}
        trouble = {worker: words for worker, found in answers.items() if (words := difference(worker, found))}
        self._refused |= set(trouble)
        known = {worker for worker in there if worker in self._cores or worker in answers}
        self._cores = {worker: there[worker] for worker in known - self._refused}
        return list(trouble.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def _close(self) -> None:
        """Leave the cluster, whether it is there or not."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=CLOSING_SECONDS)

    @property
    def size(self) -> int:
        """Tasks at once."""
        return self._concurrency or max(sum(self._cores.values()), 1)

    def do(self, work: Work, tasks: Iterable[tuple[Key, Any]]) -> Iterator[Done]:
        """Yield results as they come; stopping early cancels what is still to be done.

        Workers with another engine that join later are reported and get no tasks.
        """
        from distributed import as_completed  # noqa: PLC0415  (an extra that few have)

        waiting, keys = iter(tasks), dict[Any, Key]()
        finished = as_completed(loop=self._client.loop)

        def hand_out() -> None:
            """Keep as many tasks with the cluster as it has hands."""
            for words in self._meet_workers():
                self._tell(f"{words}: it gets no work")
            while len(keys) < self.size and (task := next(waiting, None)) is not None:
                ours = list(self._cores) or None
                future = self._client.submit(work, task[1], pure=False, retries=TRIES, workers=ours)
                keys[future] = task[0]
                finished.add(future)

        try:
            self._checked(hand_out)
            while keys:
                future = self._checked(lambda: next(finished))
                key = keys.pop(future)
                if future.status != "finished":
                    self._check_connection()
                    raise PoolError(f"{key}: {future.exception() if future.status == 'error' else future.status}")
                answer = self._checked(future.result)
                self._checked(hand_out)
                yield key, answer
        finally:
            if self._client.status == CONNECTED:
                self._client.cancel(list(keys), force=True)

    def _check_connection(self) -> None:
        """Raise PoolError if the scheduler is gone."""
        if self._client.status != CONNECTED:
            raise PoolError(
                f"the scheduler at {self._address} is lost; finished work is stored, the same command resumes"
            )

    def _checked(self, step: Callable[[], Any]) -> Any:
        """The value of a step; whatever Dask raises where the scheduler is gone is a PoolError that says so."""
        try:
            return step()
        except PoolError:
            raise
        except Exception:
            self._check_connection()
            raise
