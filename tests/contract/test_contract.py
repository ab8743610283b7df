"""What python-chess promises of engines holds for ours: its own tests and the examples of its page, by name."""

import json
import os
import stat
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.contract.runner import TESTS, examples

FOLDER = Path(__file__).parents[2] / "build" / "contract"
PAGE = FOLDER / "docs" / "engine.rst"
RUNNER = Path(__file__).with_name("runner.py")
IS_HERE = PAGE.exists()
EXAMPLES = list(examples(PAGE.read_text(encoding="utf-8"))) if IS_HERE else ["examples"]
WAYS = ("uci", "inside")

pytestmark = [
    pytest.mark.skipif(not IS_HERE, reason="python-chess's own tests are not here: make contract fetches them"),
    pytest.mark.xdist_group("contract"),
]


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """A folder with a program named stockfish that is our engine."""
    folder = tmp_path_factory.mktemp("programs")
    shim = folder / "stockfish"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m quiesce\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return str(folder)


@cache
def outcomes(way, programs):
    """How each test and example ended."""
    path = programs + os.pathsep + os.environ["PATH"]
    command = [sys.executable, "-W", "ignore", str(RUNNER), str(FOLDER), way]
    done = subprocess.run(
        command, env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stderr
    return {told["name"]: told for told in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", TESTS)
def test_their_tests_pass(name, way, programs):
    """Each test that python-chess asks of Stockfish passes on ours, over UCI and in process."""
    assert outcomes(way, programs)[name]["trouble"] == ""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_their_examples_run(name, way, programs):
    """Each example of their page runs, and says what the page says that it says where that is no matter of taste."""
    told = outcomes(way, programs)[name]
    assert told["trouble"] == ""
    if told["output"].count("PovScore") == 2:
        assert told["output"].rstrip().endswith("PovScore(Mate(+1), WHITE)")
