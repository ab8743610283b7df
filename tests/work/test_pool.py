"""The pool: every task done once, by workers that may die, and none left when it ends."""

import os
import signal
import time
from pathlib import Path

import pytest

from quiesce.work.pool import LocalPool, PoolError


def square(task):
    """A task that works."""
    return {"square": task * task, "process": os.getpid()}


def die_once(path):
    """A task whose first worker dies."""
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"path": path}


def die_always(_task):
    """A task that kills whoever does it."""
    os._exit(9)


def fail(task):
    """A task with a bug."""
    raise KeyError(f"no {task}")


def wait_long(path):
    """A task that takes for ever."""
    Path(path).write_text(str(os.getpid()))
    time.sleep(600)


def is_alive(process):
    """Does a process run?"""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0]
    except OSError:
        return False


def test_all_tasks_are_done_by_all_hands():
    """Each once; the same processes serve a second round."""
    with LocalPool(2) as pool:
        first = list(pool.do(square, ((str(n), n) for n in range(12))))
        assert sorted((int(key), answer["square"]) for key, answer in first) == [(n, n * n) for n in range(12)]
        second = dict(pool.do(square, [("a", 5)]))
        assert second["a"]["process"] in {answer["process"] for _, answer in first}


def test_tasks_are_taken_only_as_they_are_needed():
    """Stopping after three results means that few more were begun."""
    asked = []

    def tasks():
        for n in range(1000):
            asked.append(n)
            yield str(n), n

    with LocalPool(2) as pool:
        results = pool.do(square, tasks())
        for _ in range(3):
            next(results)
        results.close()
    assert len(asked) <= 3 + 2


def test_a_dead_worker_is_replaced(tmp_path):
    """Its task is done by another, and nothing else is lost."""
    with LocalPool(2) as pool:
        answers = dict(pool.do(die_once, [(str(n), str(tmp_path / str(n))) for n in range(3)]))
    assert sorted(answers) == ["0", "1", "2"]


def test_a_deadly_task_is_given_up():
    """With a word, after three workers."""
    with LocalPool(1) as pool, pytest.raises(PoolError, match="died 3 times"):
        list(pool.do(die_always, [("bad", 0)]))


def test_an_error_in_a_task_is_told():
    """With its kind and words."""
    with LocalPool(1) as pool, pytest.raises(PoolError, match=r"KeyError.*no 7"):
        list(pool.do(fail, [("bad", 7)]))


def test_nobody_is_left_behind(tmp_path):
    """Workers in the middle of a task end when the pool does."""
    where = tmp_path / "process"
    with LocalPool(2) as pool:
        results = pool.do(wait_or_square, [("slow", str(where)), ("quick", "")])
        assert next(results)[0] == "quick"
        while not where.exists() or not where.read_text():
            time.sleep(0.01)
        begun = time.monotonic()
    assert not is_alive(int(where.read_text()))
    assert time.monotonic() - begun < 10


def wait_or_square(task):
    """One of both."""
    return wait_long(task) if task else square(3)
