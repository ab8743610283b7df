"""Shell. The pool: worker processes that do the lab's tasks.

A task is a key and arguments of a plain function that returns a dictionary. Idle workers get the next task, so the
caller may stop at any result. If a worker dies, another does its task.
"""

import contextlib
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from quiesce.work.lifetime import die_with_parent

TRIES = 3
"""A task whose worker dies is given to another this often in all."""
PARTING_SECONDS = 2.0
"""What a worker has to end its engines before it is killed."""

Key = str
Work = Callable[[Any], dict[str, Any]]
Done = tuple[Key, dict[str, Any]]


class PoolError(RuntimeError):
    """A task failed for good; the message says why."""


class WorkerPool(Protocol):
    """Workers that do tasks, here or on a cluster."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def do(self, work: Work, tasks: Iterable[tuple[Key, Any]]) -> Iterator[Done]:
        """Yield each task's key and result as it is done, in any order."""


def serve(connection: Connection) -> None:
    """Run a worker process until there are no more tasks."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    die_with_parent(parent.pid, signal.SIGTERM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    while True:
        try:
            work, task = connection.recv()
        except EOFError:
            return
        try:
            answer: tuple[bool, Any] = True, work(task)
        except Exception as error:  # noqa: BLE001  (whatever it is, the one who asked hears of it)
            trouble = "".join(traceback.format_exception(error, limit=-3))
            answer = False, (type(error).__name__, str(error), trouble)
        connection.send(answer)


@dataclass(slots=True)
class Worker:
    """One process and the task it has."""

    process: multiprocessing.process.BaseProcess
    connection: Connection
    key: Key | None = None
    task: Any = None

    def give(self, work: Work, key: Key, task: Any) -> None:
        """Hand out a task."""
        self.key, self.task = key, task
        with contextlib.suppress(OSError):  # it died while idle: found when the answer is awaited
            self.connection.send((work, task))

    def end(self) -> None:
        """Let the process end itself and its children, or kill it."""
        self.connection.close()
        if self.process.is_alive() and self.key is not None:
            self.process.terminate()
        self.process.join(PARTING_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


@dataclass(slots=True)
class LocalPool:
    """Processes of this machine."""

    size: int
    _workers: list[Worker] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        """End all workers."""
        for worker in self._workers:
            if worker.key is not None and worker.process.is_alive():
                worker.process.terminate()
        while self._workers:
            self._workers.pop().end()

    def _start_worker(self) -> Worker:
        """Start a worker; it begins as a new interpreter, not as a copy of this one with its threads."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        worker = Worker(process, ours)
        self._workers.append(worker)
        return worker

    def do(self, work: Work, tasks: Iterable[tuple[Key, Any]]) -> Iterator[Done]:
        """Yield results as they come; stopping early ends those who are at work."""
        waiting, lost = iter(tasks), list[tuple[Key, Any]]()
        deaths: dict[Key, int] = {}
        try:
            while True:
                self._hand_out(work, lost, waiting)
                busy = {worker.connection: worker for worker in self._workers if worker.key is not None}
                if not busy:
                    return
                for connection in wait(list(busy)):
                    worker = busy[connection]  # type: ignore[index]
                    key, task = worker.key, worker.task
                    assert key is not None
                    try:
                        is_done, answer = worker.connection.recv()
                    except (EOFError, OSError):
                        deaths[key] = deaths.get(key, 0) + 1
                        self._reap(worker, deaths[key])
                        lost.append((key, task))
                        continue
                    worker.key = worker.task = None
                    if not is_done:
                        kind, words, trouble = answer
                        raise PoolError(f"{key}: {kind}: {words}\n{trouble}")
                    yield key, answer
        finally:
            for worker in [worker for worker in self._workers if worker.key is not None]:
                self._workers.remove(worker)
                worker.end()

    def _hand_out(self, work: Work, lost: list[tuple[Key, Any]], waiting: Iterator[tuple[Key, Any]]) -> None:
        """Give tasks to all who are idle, starting more up to the size of the pool."""
        while True:
            idle = next((worker for worker in self._workers if worker.key is None), None)
            if idle is None and len(self._workers) >= self.size:
                return
            task = lost.pop() if lost else next(waiting, None)
            if task is None:
                return
            (idle or self._start_worker()).give(work, *task)

    def _reap(self, worker: Worker, deaths: int) -> None:
        """Forget a worker that died; too many deaths over one task are no accident."""
        key, worker.key = worker.key, None
        self._workers.remove(worker)
        worker.end()
        if deaths >= TRIES:
            raise PoolError(
                f"{key}: the process doing it died {deaths} times, last with code {worker.process.exitcode}"
            )
