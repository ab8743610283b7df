"""Suites: what counts as solved, when it was found, files that are none; and the gate of a hundred puzzles."""

import json

import pytest

from quiesce.engine import Limits
from quiesce.lab.suite import Solver, SuiteFileError, read_suite
from tests.conftest import run_python

MATE = '7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7; id "mate"; dm 2;'
AVOID = '6k1/8/4p3/3p4/8/8/3Q4/4K3 w - - am Qxd5; id "avoid";'
DISTANCE = '7k/8/5K2/8/8/8/8/6R1 w - - dm 2; id "distance";'
PUZZLES = 95
PUZZLE_NODES = 100_000


def test_problems_are_read_and_solved(tmp_path):
    """Best moves, moves to avoid and mates are understood; the time to solution is that of an answer held."""
    path = tmp_path / "some.epd"
    path.write_text(f"# a comment\n{MATE}\n\n{AVOID}\n{DISTANCE}", encoding="utf-8")
    solver = Solver(Limits(nodes=50_000))
    outcomes = list(solver.solve_all(read_suite(path)))
    solver.close()
    assert [outcome.problem.name for outcome in outcomes] == ["mate", "avoid", "distance"]
    assert all(outcome.is_solved for outcome in outcomes)
    assert all(outcome.nodes is not None for outcome in outcomes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - bm e4;", ":1: "),
        (MATE + "\nnonsense", ":2: "),
        ('7k/8/5K2/8/8/8/8/6R1 w - - id "x";', "nothing says"),
        ("7k/8/5K2/8/8/8/8/6R1 w - - bm Qh7;", ":1: "),
        ("", "no positions"),
    ],
)
def test_bad_files_are_named(tmp_path, text, words):
    """A line that makes no sense is named by number and reason."""
    path = tmp_path / "bad.epd"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteFileError, match=r"bad\.epd") as error:
        read_suite(path)
    assert words in str(error.value)


def test_the_puzzle_gate():
    """Of a hundred bundled puzzles at fixed nodes at least 95 are solved, the same ones every time."""
    done = run_python(
        "-m", "quiesce", "suite", "src/quiesce/lab/data/puzzles.epd", "--nodes", str(PUZZLE_NODES), "--json"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["positions"] == 100
    assert found["solved"] >= PUZZLES
