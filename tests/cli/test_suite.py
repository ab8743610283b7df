"""`quiesce suite` as people use it: engines side by side, interrupts, what cannot be used, puzzles as a gate."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from quiesce.cli.suite import contenders_of, suites_of
from quiesce.lab.suites.problems import read_problem
from quiesce.lab.suites.scoring import Limit
from quiesce.lab.suites.solve import Contender
from quiesce.work.store import Store
from tests.conftest import run_json, run_python
from tests.lab.scripted import MATE, QUEENS, ROOKS, Scripted, is_alive

PUZZLES = 95
PUZZLE_NODES = 100_000
LIMIT = Limit(seconds=0.5)
GONE_SECONDS = 10.0


def wait_until(is_so):
    """Wait for something that must come true soon."""
    deadline = time.monotonic() + GONE_SECONDS * 3
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_names_are_never_shared(tmp_path):
    """Suites or engines that would have one name are called as they were asked for, so that no figures mix."""
    path = tmp_path / "bk.epd"
    path.write_text(f"{QUEENS}\n", encoding="utf-8")
    assert [one.name for one in suites_of(["bk", str(path), "bk"])] == ["bk", str(path)]
    assert [one.name for one in suites_of([str(path)])] == ["bk"]
    command = shlex.join(Scripted(tmp_path, {}).command)
    ours, other = Contender(options={"NullMove": 0}), f"{command} "
    found = contenders_of(ours, ["quiesce", command, other, command], LIMIT)
    assert [one.name for one in found] == ["quiesce (NullMove=0)", "quiesce", Path(sys.executable).name, other]
    assert contenders_of(Contender(), ["quiesce"], LIMIT) == [Contender()]


def test_engines_beside_ours(tmp_path):
    """Every engine solves every suite: a column each, what was missed and wanted, and the same for programs."""
    path = tmp_path / "mine.epd"
    path.write_text(f"{QUEENS}\n{MATE}\n", encoding="utf-8")
    engine = Scripted(tmp_path, {QUEENS: ["bestmove g1f2"], MATE: ["bestmove f6f7"]})
    words = ["-m", "quiesce", "suite", str(path), "--nodes", "5000", "--engine", shlex.join(engine.command)]
    facts = run_json(*words, "--json", QUIESCE_STORE=str(tmp_path / "lab.sqlite"))
    assert (facts["solved"], facts["positions"]) == (2, 2)
    assert [(result["suite"], result["solved"]) for result in facts["results"]] == [("mine", 2), ("mine", 1)]
    done = run_python(*words, "--least", "3", QUIESCE_STORE=str(tmp_path / "lab.sqlite"))
    assert done.returncode == 1
    lines = [line.split() for line in done.stdout.splitlines()]
    name = Path(sys.executable).name
    assert ["mine", name, "queens", "Kf2", "Qxd5+", *read_problem(QUEENS, "").board.fen().split()] in lines
    assert ["suite", "quiesce", name] in lines
    assert ["mine", "solved", "2", "of", "2", "1", "of", "2"] in lines
    assert ["mine", "share", "100.0%", "50.0%"] in lines
    assert len(engine.heard("go")) == 2


def test_an_interrupt_keeps_what_is_finished(tmp_path):
    """Ctrl-C ends with code 130, keeps finished positions, and leaves no engine behind."""
    path, base = tmp_path / "mine.epd", tmp_path / "lab.sqlite"
    path.write_text(f"{QUEENS}\n{ROOKS}\n", encoding="utf-8")
    engine = Scripted(tmp_path, {QUEENS: ["bestmove d1d5"], ROOKS: [600]})
    command = [
        sys.executable,
        "-m",
        "quiesce",
        "suite",
        str(path),
        "--time",
        "100",
        "--depth",
        "1",
        "--store",
        str(base),
    ]
    with subprocess.Popen(
        [*command, "--store", str(base), "--engine", shlex.join(engine.command)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until(lambda: len(engine.heard("go")) == 2 or process.poll() is not None)
        os.kill(process.pid, signal.SIGINT)
        words = process.communicate(timeout=GONE_SECONDS)[1]
    assert process.returncode == 130, words
    assert "the same command resumes" in words
    wait_until(lambda: not is_alive(engine.heard("go")[-1]))
    with Store(base) as store:
        assert [len(run.items()) for run in store.runs()] == [2, 1]


def test_what_cannot_be_used_is_told(tmp_path):
    """A store that is none and a suite that is none end with a word, not with a traceback."""
    (tmp_path / "text").write_text("no database, but long enough to be looked at" * 30, encoding="utf-8")
    bad = run_python("-m", "quiesce", "suite", "bk", "--depth", "1", "--store", str(tmp_path / "text"))
    assert (bad.returncode, bad.stderr.splitlines()[-1].startswith("Error: ")) == (1, True)
    assert str(tmp_path / "text") in bad.stderr
    unknown = run_python("-m", "quiesce", "suite", "nothing")
    assert unknown.returncode == 2
    assert "lichess_puzzles" in unknown.stderr


def test_the_puzzle_gate(tmp_path):
    """Of a hundred bundled puzzles at fixed nodes at least 95 are solved, the same ones every time."""
    words = ("-m", "quiesce", "suite", "puzzles", "--nodes", str(PUZZLE_NODES), "--json")
    found = run_json(*words, QUIESCE_STORE=str(tmp_path / "lab.sqlite"))
    assert found["positions"] == 100
    assert found["solved"] >= PUZZLES
