"""Shell. Engines shared by all browsers: moves of games first, analyses in turns.

Jobs wait in three queues: moves of games, new analyses, and the rest. A new analysis gets a short first turn, so that
everybody soon sees something; then it goes to the end of the last queue while others wait. Every job gets a turn from
time to time.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits, Report
from quiesce.work.cores import cores

FIRST_TURN = 0.1
"""Seconds of an analysis' turn while a move of a game or a new analysis waits, if it has reported something."""
TURN = 2.0
"""Seconds of an analysis' turn while others wait."""
LONGEST_MOVE = 5.0
"""Seconds for a move of a game while others wait."""
MOST_PASSES = 4
"""Most jobs that go before one in a later queue."""
LONGEST = 600.0
"""Most seconds a job may search in total."""
MOST_THREADS, MOST_MEGABYTES = 8, 256
"""Limits of what a browser may ask for."""
TICK = 0.05
"""Seconds between two checks for waiting jobs."""

URGENT, NEW, LATER = range(3)

OnReport = Callable[[Report], None]


@dataclass(eq=False, slots=True)
class Job:
    """A search to do; `on_report` is called in the server's thread."""

    game: Game
    limits: Limits
    on_report: OnReport | None = None
    multi_pv: int = 1
    threads: int = 1
    """Wanted threads; 1 while others search or wait."""
    megabytes: int = 0
    """Wanted table in MB; 0 for the server's default."""
    longest: float = LONGEST
    """Most seconds to search in total."""
    is_urgent: bool = False
    options: Mapping[str, int] | None = None
    """Search options, if not the server's."""
    is_weak: bool = False
    """Limited strength: the table must not hold others' results."""
    spent: float = 0.0
    is_shown: bool = False
    """Has it reported something?"""
    is_given_up: bool = False
    engine: Engine | None = None
    answer: "asyncio.Future[Report]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def rank(self) -> int:
        """The queue it waits in."""
        return URGENT if self.is_urgent else NEW if self.limits.is_infinite and not self.spent else LATER

    def give_up(self) -> None:
        """Stop: the result is not wanted any more."""
        self.is_given_up = True
        if self.engine is not None:
            self.engine.stop()


class SearchPool:
    """Engines that search one job at a time each."""

    def __init__(self, engines: int, megabytes: int, options: Mapping[str, int] | None = None) -> None:
        """Load kernels and tables; call `start` in a running loop."""
        self._engines = [Engine(megabytes, options) for _ in range(engines)]
        self._megabytes = megabytes
        self._options = dict(options or {})
        self._changed = set[Engine]()
        self._queues: tuple[deque[Job], ...] = (deque(), deque(), deque())
        self._passes = 0
        self._wanted = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the engines."""
        self._tasks = [asyncio.create_task(self._serve(engine)) for engine in self._engines]

    async def close(self) -> None:
        """Stop every search and end all threads."""
        for engine in self._engines:
            engine.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for engine in self._engines:
            await asyncio.to_thread(engine.close)

    @property
    def size(self) -> int:
        """Number of engines."""
        return len(self._engines)

    @property
    def most_threads(self) -> int:
        """Most threads of one search."""
        return min(cores(), MOST_THREADS)

    @property
    def most_megabytes(self) -> int:
        """Largest table of one search, in MB."""
        return max(self._megabytes, MOST_MEGABYTES)

    @property
    def is_full(self) -> bool:
        """Are all engines busy, or jobs waiting?"""
        return self.waiting > 0 or self.running == self.size

    @property
    def running(self) -> int:
        """Number of running searches."""
        return sum(engine.is_searching for engine in self._engines)

    @property
    def waiting(self) -> int:
        """Number of waiting jobs."""
        return self._waiting_up_to(LATER)

    def _waiting_up_to(self, rank: int) -> int:
        """Number of jobs in the queues up to this one."""
        return sum(not job.is_given_up for queue in self._queues[: rank + 1] for job in queue)

    async def search(self, job: Job) -> Report:
        """Run a job; cancelling it frees its engine."""
        await self._put(job)
        try:
            return await job.answer
        finally:
            job.give_up()

    async def _put(self, job: Job) -> None:
        """Put a job into its queue."""
        async with self._wanted:
            self._queues[job.rank].append(job)
            self._wanted.notify()

    async def _next(self) -> Job:
        """The next job to run."""
        async with self._wanted:
            while True:
                is_due = self._passes >= MOST_PASSES
                for queue in reversed(self._queues) if is_due else self._queues:
                    while queue:
                        job = queue.popleft()
                        if not job.is_given_up:
                            is_pass = any(other for other in self._queues[self._queues.index(queue) + 1 :])
                            self._passes = self._passes + 1 if is_pass else 0
                            return job
                await self._wanted.wait()

    async def _serve(self, engine: Engine) -> None:
        """Run jobs, one after the other."""
        while True:
            job = await self._next()
            try:
                report = await self._run(engine, job)
            except Exception as error:  # noqa: BLE001  (one failed search is its owner's trouble, not the server's)
                if not job.answer.done():
                    job.answer.set_exception(error)
                continue
            if report is None:
                await self._put(job)
            elif not job.answer.done():
                job.answer.set_result(report)

    async def _run(self, engine: Engine, job: Job) -> Report | None:
        """Search a job for one turn; None if it is not finished."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Report] = loop.create_future()
        self._fit(engine, job)
        self._set_options(engine, job)
        if job.is_weak:
            engine.new_game()
        engine.set_position(job.game)

        def on_report(report: Report) -> None:
            loop.call_soon_threadsafe(self._tell, job, report)

        def on_done(report: Report) -> None:
            loop.call_soon_threadsafe(done.set_result, report)

        engine.go(job.limits, on_report if job.on_report is not None else None, on_done, multi_pv=job.multi_pv)
        job.engine, started, is_over = engine, time.monotonic(), False
        if job.is_given_up:
            engine.stop()
        try:
            while not done.done():
                await asyncio.wait([done], timeout=TICK)
                ran = time.monotonic() - started
                is_over = is_over or self._is_turn_over(job, ran)
                if is_over or job.spent + ran > min(job.longest, LONGEST):
                    engine.stop()
        finally:
            job.engine = None
        job.spent += time.monotonic() - started
        may_go_on = is_over and not job.is_urgent and not job.is_given_up and job.spent < min(job.longest, LONGEST)
        return None if may_go_on and job.limits.is_infinite else done.result()

    def _fit(self, engine: Engine, job: Job) -> None:
        """Give an engine the job's threads and table, as far as it is alone."""
        threads = 1 if self.waiting or self.running else min(job.threads, self.most_threads)
        if engine.threads != threads:
            engine.set_threads(threads)
        megabytes = min(job.megabytes, self.most_megabytes) or self._megabytes
        if engine.table.megabytes != megabytes:
            with suppress(MemoryError):  # then it keeps the one it has
                engine.set_hash(megabytes)

    def _set_options(self, engine: Engine, job: Job) -> None:
        """Set the job's options or the server's; a job of limited strength starts with an empty table."""
        if job.options is not None:
            engine.configure(self._options | dict(job.options))
            engine.new_game()
            self._changed.add(engine)
        elif engine in self._changed:
            engine.configure(self._options)
            engine.new_game()
            self._changed.discard(engine)

    def _is_turn_over(self, job: Job, ran: float) -> bool:
        """Has the job had its turn, given who waits?"""
        if self._waiting_up_to(NEW) and job.limits.is_infinite and job.is_shown and ran > FIRST_TURN:
            return True
        return self.waiting > 0 and ran > (LONGEST_MOVE if job.is_urgent else TURN)

    @staticmethod
    def _tell(job: Job, report: Report) -> None:
        """Pass a report to its owner."""
        if job.on_report is not None and not job.is_given_up:
            job.is_shown = True
            job.on_report(report)
