"""The bench: its positions, and the signature that commits carry."""

import subprocess

import pytest

from quiesce.board.game import Game
from quiesce.cachekey import PACKAGE
from quiesce.lab.searchbench import bench_positions, run_bench

ROOT = PACKAGE.parent.parent


def git(*words):
    """What git prints."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def test_fifty_sound_positions():
    """All positions read, with a move to make."""
    fens = bench_positions()
    assert len(set(fens)) == len(fens) == 50
    assert all(Game(fen).legal_moves() for fen in fens)


def test_the_commit_tells_the_truth():
    """The `Bench:` trailer of the last commit is what bench finds."""
    trailer = git("log", "-1", "--format=%(trailers:key=Bench,valueonly)")
    if not trailer or git("status", "--porcelain", "--", "src"):
        pytest.skip("no commit with a Bench trailer, or changes since")
    assert run_bench().nodes == int(trailer)
