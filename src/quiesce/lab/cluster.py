"""Shell. A crew on many machines: the same tasks on a Dask distributed cluster.

The scheduler gives a dead worker's task to another; what is finished comes back to this process, which keeps it. So
worker death, lost connections and slow workers cost time, never results.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Self

from quiesce import __version__
from quiesce.lab.crew import TRIES, CrewError, Done, Key, Work
from quiesce.lab.match.engines import sources_digest

CONNECT_SECONDS = 15
MISSING = "the extra `cluster` is not installed: pip install 'quiesce[cluster]'"


def whoami() -> tuple[str, str]:
    """What a worker says of its own engine."""
    return __version__, sources_digest()


class ClusterCrew:
    """Workers of a Dask cluster, found by the address of its scheduler."""

    def __init__(self, address: str, concurrency: int = 0) -> None:
        try:
            from distributed import Client  # noqa: PLC0415  (an extra that few have)
        except ImportError:
            raise CrewError(MISSING) from None
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise CrewError(f"no cluster at {address}: {error}") from None
        self._concurrency = concurrency
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self._check_workers()
        except BaseException as error:
            self._client.close()
            if isinstance(error, CrewError) or not isinstance(error, Exception):
                raise
            raise CrewError(f"the workers at {address} cannot be used: {type(error).__name__}: {error}") from None

    def _check_workers(self) -> None:
        """All workers must have the engine we have, or results would be of another one."""
        for worker, found in self._client.run(whoami).items():
            if found != whoami():
                raise CrewError(f"worker {worker} has quiesce {found[0]} with other sources; install the same on all")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    @property
    def size(self) -> int:
        """Tasks at once."""
        return self._concurrency or max(sum(self._client.ncores().values()), 1)

    def do(self, work: Work, tasks: Iterable[tuple[Key, Any]]) -> Iterator[Done]:
        """Yield results as they come; stopping early cancels what is still to be done."""
        from distributed import as_completed  # noqa: PLC0415  (an extra that few have)

        waiting, keys = iter(tasks), dict[Any, Key]()
        finished = as_completed(loop=self._client.loop)

        def hand_out() -> None:
            """Keep as many tasks with the cluster as it has hands."""
            while len(keys) < self.size and (task := next(waiting, None)) is not None:
                future = self._client.submit(work, task[1], pure=False, retries=TRIES)
                keys[future] = task[0]
                finished.add(future)

        try:
            hand_out()
            while keys:
                future = next(finished)
                key = keys.pop(future)
                if future.status != "finished":
                    raise CrewError(f"{key}: {future.exception() if future.status == 'error' else future.status}")
                answer = future.result()
                hand_out()
                yield key, answer
        finally:
            self._client.cancel(list(keys), force=True)
