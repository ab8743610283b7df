"""A cluster whose scheduler dies, and workers with another engine: told in a sentence that names them."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from quiesce.lab.match.contest import Contest
from quiesce.work import cluster as ours
from quiesce.work.pool import PoolError
from quiesce.work.pools import worker_pool
from quiesce.work.store import Store
from tests.lab.match.conftest import mock, plan_with
from tests.lab.match.test_contest import played

distributed = pytest.importorskip("distributed")
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
OTHER = "from quiesce.work import identity; identity.sources_digest = lambda: 'another'; "
WORKER = "import runpy; runpy.run_module('distributed.cli.dask_worker', run_name='__main__', alter_sys=True)"


def slow(task):
    """A task of some moments, done by a process that says which it is."""
    time.sleep(task)
    return {"process": os.getpid()}


class Cluster:
    """A scheduler and workers on this machine."""

    def __init__(self, folder):
        file = folder / "scheduler.json"
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
        self.scheduler = subprocess.Popen([*words, "--host", "127.0.0.1", "--scheduler-file", str(file)], **QUIET)
        self.folder, self.started = folder, [self.scheduler]
        while not file.exists() or not file.read_text().strip():
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def join(self, is_ours=True):
        """Start a worker, with our sources or with others; returns its process."""
        code = ("" if is_ours else OTHER) + WORKER
        told = ["--no-nanny", "--nthreads", "1", "--no-dashboard"]
        folder = self.folder / str(len(self.started))
        worker = subprocess.Popen(
            [sys.executable, "-c", code, self.address, *told, "--local-directory", str(folder)], **QUIET
        )
        self.started.append(worker)
        return worker

    def end(self):
        """End all processes."""
        for process in self.started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    """A cluster with one worker."""
    made = Cluster(tmp_path)
    made.join()
    yield made
    made.end()


def test_a_cluster_that_loses_a_worker_plays_the_same_match(tmp_path, cluster):
    """One of two workers is killed in the middle: complete, and the games are those of a local run."""
    worker, plan = cluster.join(), plan_with(mock(salt="a"), mock(salt="b"), pairs=12)
    _, here = played(plan, tmp_path / "here")
    with Store(tmp_path / "there") as store, worker_pool(cluster.address) as pool:
        contest = Contest(plan, store)

        def kill_one(score):
            if score.pairs == 3:
                worker.kill()

        score = contest.play(pool, kill_one)
        there = {key: [game["moves"] for game in facts["games"]] for key, facts in contest.kept()}
    assert score.pairs == 12
    assert there == here
    assert worker.wait() == -signal.SIGKILL


def test_a_lost_scheduler_is_named(cluster, capfd):
    """Killed in the middle of the work: one sentence with its address, soon, and no traceback of Dask's beside."""
    with worker_pool(cluster.address) as pool:
        results = pool.do(slow, ((str(number), 0.2) for number in range(100)))
        next(results)
        cluster.scheduler.kill()
        killed = time.monotonic()
        with pytest.raises(PoolError, match=f"^the scheduler at {cluster.address} is lost; finished work is stored"):
            list(results)
    assert time.monotonic() - killed < 20
    assert "Traceback" not in capfd.readouterr().err


def test_a_worker_with_another_engine_is_refused_at_the_start(cluster):
    """Nothing is begun; the worker is named."""
    cluster.join(is_ours=False)
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        with pytest.raises(PoolError, match=r"^worker tcp://127\.0\.0\.1:\d+ has quiesce .* with other sources"):
            ours.ClusterPool(cluster.address)


def test_a_worker_with_another_engine_that_joins_later_gets_nothing(cluster):
    """It is told of once, by name; the work goes on with those that have ours, a new one among them."""
    told = []
    with ours.ClusterPool(cluster.address, tell=told.append) as pool:
        results = pool.do(slow, ((str(number), 0.1) for number in range(60)))
        done = [next(results)[1]["process"]]
        stranger, friend = cluster.join(is_ours=False), cluster.join()
        pool._client.wait_for_workers(3, timeout=60)
        done += [answer["process"] for _, answer in results]
    assert len(done) == 60
    assert stranger.pid not in done
    assert friend.pid in done
    (words,) = told
    assert words.startswith("worker tcp://127.0.0.1:")
    assert words.endswith("with other sources: it gets no work")
