"""A wheel that brings its kernels: everything works without Numba, nothing is compiled, nothing is written."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from quiesce.lab.searchbench import run_bench
from tests.test_architecture import ROOT
from tools import build_native

from .conftest import run

SIGNATURE = """
import json, sys, chess, quiesce, quiesce.batch as batch
from quiesce.lab.searchbench import run_bench
board = chess.Board()
with quiesce.Engine() as engine:
    trace = engine.qsearch(board, trace=True)
rows = batch.from_fens([board.fen()])
print(json.dumps([
    quiesce.perft(board, 4), run_bench(6).nodes, quiesce.see(board, "e2e4"), int(batch.legal_counts(rows)[0]),
    trace.tree is not None, sorted({"numba", "llvmlite"} & set(sys.modules)),
]))
"""
COMMANDS = {
    "--version": "compiled ahead",
    "eval": "points",
    "explain": "quiescence",
    "warmup": "compiled already",
    "arena --pairs 1 --nodes 100": "2 games",
    "perft 3": "8,902",
    "suite bk --nodes 500 --first 1 --again": "bk",
}


@pytest.fixture
def bare(tmp_path):
    """Next to nothing, and a home that is empty."""
    home = tmp_path / "home"
    home.mkdir()
    return {"PATH": os.defpath, "HOME": str(home)}


def test_everything_answers_and_nothing_is_written(without_numba, bare, tmp_path):
    """Perft, bench, exchanges, batches and traces, with neither Numba nor llvmlite to be had; the home stays empty."""
    bench = json.loads(run(str(without_numba / "python"), "-c", SIGNATURE, cwd=tmp_path, env=bare))
    assert bench == [197_281, run_bench(6).nodes, 0, 20, True, []]
    assert not list((tmp_path / "home").iterdir())


@pytest.mark.parametrize(("words", "said"), COMMANDS.items())
def test_commands_work_without_numba(without_numba, bare, tmp_path, words, said):
    """Those that need rare entries or the build of traces too."""
    store = ("--store", str(tmp_path / "s")) if words.startswith("suite") else ()
    assert said in run(str(without_numba / "quiesce"), *words.split(), *store, cwd=tmp_path, env=bare)


def test_the_engine_answers(without_numba, bare, tmp_path):
    """UCI from the first line to a move."""
    talk = "uci\nisready\nposition startpos\ngo depth 6\n"
    said = run(str(without_numba / "quiesce"), input=talk, cwd=tmp_path, env=bare)
    assert "uciok" in said
    assert "readyok" in said
    assert re.search(r"^bestmove [a-h][1-8]", said, re.MULTILINE)
    assert "compiling" not in said


@pytest.mark.parametrize("switch", ["QUIESCE_JIT", "QUIESCE_DEBUG"])
def test_what_needs_numba_says_so(without_numba, bare, tmp_path, switch):
    """In one sentence, with the extra that brings it."""
    words = [str(without_numba / "python"), "-c", "import quiesce.jit"]
    done = subprocess.run(words, env=bare | {switch: "1"}, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith("pip install 'quiesce[jit]'")


def test_edited_sources_are_not_run_from_old_code(without_numba, bare, tmp_path):
    """A word on why, and without Numba the sentence that names the extra: never the library of other sources."""
    (package,) = without_numba.parent.glob("lib/python*/site-packages/quiesce")
    copy = shutil.copytree(package, tmp_path / "edited" / "quiesce")
    with (copy / "search" / "params.py").open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    words = [str(without_numba / "python"), "-m", "quiesce", "perft", "2"]
    there = bare | {"PYTHONPATH": str(copy.parent)}
    done = subprocess.run(words, env=there, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "were edited since they were compiled" in done.stderr
    assert "pip install 'quiesce[jit]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_same_sources_are_the_same_bytes(tmp_path):
    """Two builds of the libraries for x86-64, each in processes of its own, are equal file by file."""
    built = []
    for name in ("one", "two"):
        words = [sys.executable, "tools/build_native.py", str(tmp_path / name), "--machine", "x86_64"]
        subprocess.run(words, cwd=ROOT, env=os.environ, check=True)
        built.append({path.name: path.read_bytes() for path in (tmp_path / name / "x86_64").iterdir()})
    assert len(built[0]) == 8
    assert built[0] == built[1]


EMULATOR = "qemu-x86_64-static"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(EMULATOR) is None, reason=f"no {EMULATOR}")
@pytest.mark.parametrize(("processor", "levels"), [("Nehalem", ["x86-64-v2"]), ("Haswell", ["x86-64-v3", "x86-64-v2"])])
def test_a_level_is_never_too_high(processor, levels):
    """As an emulated processor tells it: the system's own files still speak of the real one."""
    program = (
        "from quiesce.jit import library as l; print([n for n in l.LEVELS if n != 'generic' and l.processor_has(n)])"
    )
    bare = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    assert run(EMULATOR, "-cpu", processor, sys.executable, "-c", program, env=bare).strip() == str(levels)


WORKFLOW = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")


def test_the_hosted_workflow_builds_what_there_is():
    """Every platform by its name, and the script that checks a wheel; it says that nobody has run it."""
    (asked,) = re.findall(r'make wheel NATIVE_FOR="(.*)"', WORKFLOW)
    assert asked.split() == list(build_native.PLATFORMS)
    assert "tools/check_wheel.py --nodes" in WORKFLOW
    assert "never been run" in WORKFLOW
