"""What all tests share: compiled kernels, data folders, and a way to run us as a process."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("QUIESCE_OPEN", "1")  # tests call kernels that no shell calls

from quiesce.board.tables import tables
from quiesce.jit import warm_up

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background; our children must hear it

TESTS = Path(__file__).parent
DATA = TESTS / "data"
SHARED = TESTS.parent.parent / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def compiled():
    """Every entry compiled before the first test, so that none is timed with a compile in it."""
    warm_up()


@pytest.fixture(scope="session")
def t():
    """The board's tables."""
    return tables()


def shared(name):
    """A file of the shared data, or a skip that says so."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"shared data is not beside this checkout: {name}")
    return path


def run_python(*arguments, timeout=240, **environment):
    """Run a Python process with extra environment variables; returns what it did."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=os.environ | environment,
        check=False,
    )


def run_json(*arguments, **environment):
    """Run a Python process that must succeed and print one JSON value."""
    done = run_python(*arguments, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
