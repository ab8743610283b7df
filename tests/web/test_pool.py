"""The engines browsers share: order, turns, and nothing left running."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.engine.strength import nodes_for
from quiesce.web import pool as pool_module
from quiesce.web.pool import Job, SearchPool

FOREVER = Limits(is_infinite=True)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@asynccontextmanager
async def pool_of(engines):
    """A pool that serves."""
    pool = SearchPool(engines, 1)
    pool.start()
    try:
        yield pool
    finally:
        await pool.close()
        assert pool.running == 0


async def until(holds, seconds=5.0):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def test_a_job_is_answered():
    """A search with a limit gives its report, and reports come on the way, in this thread."""

    async def body():
        async with pool_of(1) as pool:
            heard = []
            report = await pool.search(Job(Game(), Limits(depth=6), heard.append, multi_pv=2))
            assert report.depth == 6
            assert len(report.lines) == 2
            await asyncio.sleep(0)
            assert [found.depth for found in heard] == [1, 2, 3, 4, 5, 6]

    asyncio.run(body())


def test_giving_up_frees_the_engine():
    """A cancelled search stops at once, whether it runs or waits."""

    async def body():
        async with pool_of(1) as pool:
            running = asyncio.create_task(pool.search(Job(Game(), FOREVER)))
            await until(lambda: pool.running == 1)
            waiting = asyncio.create_task(pool.search(Job(Game(KIWIPETE), FOREVER)))
            await until(lambda: pool.waiting == 1)
            for task in (waiting, running):
                task.cancel()
            await asyncio.gather(running, waiting, return_exceptions=True)
            assert pool.waiting == 0
            await until(lambda: pool.running == 0, 0.5)
            assert (await pool.search(Job(Game(), Limits(depth=1)))).lines

    asyncio.run(body())


def test_moves_of_games_come_before_analysis(monkeypatch):
    """One engine, one analysis running, another waiting: a move that comes last is played first."""
    monkeypatch.setattr(pool_module, "TURN", 0.1)

    async def body():
        async with pool_of(1) as pool:
            done = []
            tasks = [asyncio.create_task(pool.search(Job(Game(), FOREVER)))]
            await until(lambda: pool.running == 1)

            async def note(name, job):
                await pool.search(job)
                done.append(name)

            later = Job(Game(), Limits(depth=2))
            urgent = Job(Game(), Limits(depth=2), is_urgent=True)
            others = [asyncio.create_task(note("later", later)), asyncio.create_task(note("urgent", urgent))]
            await asyncio.gather(*others)
            assert done == ["urgent", "later"]
            tasks[0].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(body())


def test_games_do_not_starve_analysis():
    """With more moves waiting than an engine can make, an analysis still gets its turn after some of them."""

    async def body():
        async with pool_of(1) as pool:
            done = []
            busy = asyncio.create_task(pool.search(Job(Game(), FOREVER, is_urgent=True)))
            await until(lambda: pool.running == 1)

            async def note(name, job):
                await pool.search(job)
                done.append(name)

            jobs = [("later", Job(Game(), Limits(depth=1))) for _ in range(2)]
            jobs += [("urgent", Job(Game(), Limits(depth=1), is_urgent=True)) for _ in range(12)]
            tasks = [asyncio.create_task(note(name, job)) for name, job in jobs]
            await until(lambda: pool.waiting == len(jobs))
            busy.cancel()
            await asyncio.gather(busy, *tasks, return_exceptions=True)
            assert done == [*["urgent"] * 4, "later", *["urgent"] * 4, "later", *["urgent"] * 4]

    asyncio.run(body())


def test_analyses_take_turns(monkeypatch):
    """Three analyses on one engine all get on, again and again, and none ends by itself."""
    monkeypatch.setattr(pool_module, "TURN", 0.1)

    async def body():
        async with pool_of(1) as pool:
            heard = [[], [], []]
            jobs = [Job(Game(), FOREVER, reports.append) for reports in heard]
            tasks = [asyncio.create_task(pool.search(job)) for job in jobs]
            await until(lambda: all(job.spent > 0.25 for job in jobs), 10)
            assert all(heard)
            assert not any(task.done() for task in tasks)
            spent = [job.spent for job in jobs]
            assert max(spent) < 3 * min(spent)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(body())


def test_everybody_soon_sees_something():
    """Twelve analyses come at once to one engine: each has told a line within 3 s, not after turns of 2 s each."""

    async def body():
        async with pool_of(1) as pool:
            heard = [[] for _ in range(12)]
            began = time.monotonic()
            tasks = [asyncio.create_task(pool.search(Job(Game(), FOREVER, reports.append))) for reports in heard]
            await until(lambda: all(heard), 15)
            assert time.monotonic() - began < 3
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(body())


def test_a_first_look_does_not_cut_a_search_with_a_limit(monkeypatch):
    """A review's position keeps its nodes, whoever waits."""
    monkeypatch.setattr(pool_module, "FIRST_TURN", 0.0)

    async def body():
        async with pool_of(1) as pool:
            limited = asyncio.create_task(pool.search(Job(Game(KIWIPETE), Limits(nodes=200_000), lambda _: None)))
            await until(lambda: pool.running == 1)
            looks = [asyncio.create_task(pool.search(Job(Game(), FOREVER, lambda _: None))) for _ in range(3)]
            assert (await limited).nodes >= 190_000
            for task in looks:
                task.cancel()
            await asyncio.gather(*looks, return_exceptions=True)

    asyncio.run(body())


def test_threads_and_memory_are_for_who_is_alone(monkeypatch):
    """A wish is granted while nobody else searches, and the next job has the server's table and one thread again."""
    monkeypatch.setattr(pool_module, "cores", lambda: 2)

    async def body():
        async with pool_of(1) as pool:
            engine = pool._engines[0]
            grand = Job(Game(), FOREVER, lambda _: None, threads=2, megabytes=4)
            task = asyncio.create_task(pool.search(grand))
            await until(lambda: pool.running == 1)
            assert (engine.threads, engine.table.megabytes) == (2, 4)
            seen = []

            def note(_):
                seen.append((engine.threads, engine.table.megabytes))

            await pool.search(Job(Game(), Limits(depth=6), note, is_urgent=True))
            assert set(seen) == {(1, 1)}
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(body())


def test_alone_nobody_is_interrupted(monkeypatch):
    """A turn is over only where others wait."""
    monkeypatch.setattr(pool_module, "TURN", 0.05)

    async def body():
        async with pool_of(1) as pool:
            job = Job(Game(), FOREVER)
            task = asyncio.create_task(pool.search(job))
            await asyncio.sleep(0.4)
            assert job.spent == 0.0
            assert pool.running == 1
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(body())


def test_a_slow_move_is_made_where_others_wait(monkeypatch):
    """A move with all the time in the world is played soon if somebody wants the engine."""
    monkeypatch.setattr(pool_module, "LONGEST_MOVE", 0.2)

    async def body():
        async with pool_of(1) as pool:
            slow = asyncio.create_task(pool.search(Job(Game(), Limits(seconds=60), is_urgent=True)))
            await until(lambda: pool.running == 1)
            started = time.monotonic()
            await pool.search(Job(Game(), Limits(depth=1), is_urgent=True))
            assert (await slow).lines
            assert time.monotonic() - started < 5

    asyncio.run(body())


def test_nothing_runs_for_ever(monkeypatch):
    """An analysis nobody stops ends by itself after a long time."""
    monkeypatch.setattr(pool_module, "LONGEST", 0.2)

    async def body():
        async with pool_of(1) as pool:
            report = await asyncio.wait_for(pool.search(Job(Game(), FOREVER)), 5)
            assert report.lines

    asyncio.run(body())


def test_weak_play_learns_nothing_from_others():
    """A weak move is the same with and without a strong analysis of the same position before it."""

    async def body():
        weak = Limits(nodes=nodes_for(1_000))
        async with pool_of(1) as pool:
            before = await pool.search(Job(Game(KIWIPETE), weak, is_weak=True))
            await pool.search(Job(Game(KIWIPETE), Limits(nodes=200_000)))
            after = await pool.search(Job(Game(KIWIPETE), weak, is_weak=True))
            assert (after.lines, after.nodes) == (before.lines, before.nodes)

    asyncio.run(body())


def test_a_failed_search_is_its_owner_s_trouble(monkeypatch):
    """The next one is served."""

    def fail(*_, **__):
        raise RuntimeError("no luck")

    async def body():
        async with pool_of(1) as pool:
            with monkeypatch.context() as broken:
                broken.setattr(Engine, "go", fail)
                with pytest.raises(RuntimeError, match="no luck"):
                    await pool.search(Job(Game(), Limits(depth=1)))
            assert (await pool.search(Job(Game(), Limits(depth=1)))).lines

    asyncio.run(body())
