"""The harvest: one of it at a time, paused, stopped and gone on with, with what it finds there taken over."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quiesce.cachekey import PACKAGE

TOOL = PACKAGE.parent.parent / "tools" / "harvest.py"
FAKE = "#!{python}\nimport sys, time\nprint(*sys.argv[1:], flush=True)\ntime.sleep(120)\n"

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it asks Linux about processes")


@pytest.fixture
def harvest(tmp_path):
    """Calls the tool in a folder whose engine only waits; ends all it started."""
    program = tmp_path / "home" / "engine" / ".venv" / "bin" / "quiesce"
    program.parent.mkdir(parents=True)
    program.write_text(FAKE.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    environment = os.environ | {"QUIESCE_HARVEST": str(tmp_path / "home")}

    def call(action):
        done = subprocess.run(
            [sys.executable, str(TOOL), action],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=True,
        )
        return done.stdout

    yield call
    call("stop")


def pids(home):
    """Processes that the tool knows."""
    return [int(word) for word in (home / "pids").read_text().split()]


def heard(home, name):
    """Command lines that the engine was started with, once they are told."""
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and not (home / "log" / name).read_text():
        time.sleep(0.05)
    return (home / "log" / name).read_text().splitlines()


def test_it_starts_pauses_and_goes_on(harvest, tmp_path):
    """Its state is one word; started again it starts nothing; stopped and started it goes on with the same plans."""
    home = tmp_path / "home"
    assert harvest("state").startswith("stopped: ")
    assert harvest("start").startswith("running: ")
    first = pids(home)
    assert len(first) == 2
    assert all(os.getpriority(os.PRIO_PROCESS, pid) == 19 for pid in first)
    (line,) = heard(home, "lines")
    seed = (home / "seed").read_text().strip()
    each = max((os.cpu_count() or 1) // 2, 1)
    rest = f"--seed {seed} --positions 200000000 --concurrency {each}"
    plan = "--nodes 400 --openings lines --random-plies 4..8 --interior 3"
    assert line == f"datagen {home / 'data'} {plan} {rest}"
    plan = "--nodes 400 --openings ends --random-plies 0..4 --interior 3"
    assert heard(home, "ends") == [f"datagen {home / 'data'} {plan} {rest}"]
    assert harvest("start").startswith("running: ")
    assert pids(home) == first
    assert harvest("pause").startswith("paused: ")
    assert harvest("start").startswith("paused: ")
    assert harvest("resume").startswith("running: ")
    assert harvest("stop").startswith("stopped: ")
    harvest("start")
    assert set(pids(home)).isdisjoint(first)
    deadline = time.monotonic() + 100
    while len(lines := heard(home, "lines")) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert lines == [line, line]


def test_it_takes_a_large_book(harvest, tmp_path):
    """A book of one's own in its folder is played from the ends of its lines, in place of the bundled one."""
    home = tmp_path / "home"
    (home / "book.epd").write_text("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n", encoding="utf-8")
    harvest("start")
    (line,) = heard(home, "ends")
    assert f" --book {home / 'book.epd'} " in line
    assert "--book" not in heard(home, "lines")[0]


def test_it_takes_over_what_runs(harvest, tmp_path):
    """Processes that another tool has started and noted in the same file are its own: no others are started beside."""
    home = tmp_path / "home"
    engine = str(home / "engine/.venv/bin/quiesce")
    others = [
        subprocess.Popen([engine, "datagen", "x"], stdout=subprocess.DEVNULL, start_new_session=True) for _ in "ab"
    ]
    (home / "pids").write_text("".join(f"{other.pid}\n" for other in others))
    assert harvest("start").startswith("running: ")
    assert pids(home) == [other.pid for other in others]
    others[0].send_signal(signal.SIGKILL)
    others[0].wait()
    harvest("start")
    assert others[1].wait(60) < 0
    assert len(pids(home)) == 2


def test_a_number_that_others_use_now_is_left_alone(harvest, tmp_path):
    """A process that makes no data is none of it, whatever its number, and is not ended."""
    other = subprocess.Popen(
        [sys.executable, "-c", "input()", "test_datagen"], stdin=subprocess.PIPE, start_new_session=True
    )
    (tmp_path / "home" / "pids").write_text(f"{other.pid}\nnonsense\n")
    assert harvest("stop").startswith("stopped: ")
    assert other.poll() is None
    other.communicate(b"\n")


def test_an_engine_that_does_not_build_is_told(tmp_path):
    """The log is named; nothing runs."""
    done = subprocess.run(
        [sys.executable, str(TOOL), "start", "--source", str(tmp_path / "none")],
        capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"QUIESCE_HARVEST": str(tmp_path / "home")},
    )  # fmt: skip
    assert done.returncode == 1
    assert "git clone" in done.stderr
    assert "failed, see" in done.stderr
