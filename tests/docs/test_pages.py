"""What single pages promise: lichess-bot's settings, names in tables, the tutorial's patch, the audited positions."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from quiesce.engine.options import OPTIONS
from quiesce.uci.options import read
from tests.conftest import run_python

from .pages import ROOT, blocks

DOCS = ROOT / "docs"
PATCH = DOCS / "tutorials" / "technique.patch"
BRANCH = ("src", "tests", "web/src", "pyproject.toml")
"""What the tutorial works on."""


def test_lichess_bot_is_told_options_we_have():
    """Each option of the page's config.yml is one of ours, with a value it may have."""
    (text,) = blocks(DOCS / "howto/lichess.md", "yaml")
    engine = yaml.safe_load(text)["engine"]
    assert engine["protocol"] == "uci"
    assert len(engine["uci_options"]) > 3
    for name, value in engine["uci_options"].items():
        read(OPTIONS[name.lower()], str(value).lower() if isinstance(value, bool) else str(value))


@pytest.mark.parametrize("name", ["howto/gui.md", "howto/lichess.md", "explanation/techniques.md"])
def test_options_a_page_names_exist(name):
    """Words in backticks that look like options are options."""
    found = re.findall(r"`((?:UCI_|QSearch|Use)\w+|Hash|Threads|Move Overhead)`", (DOCS / name).read_text("utf-8"))
    assert found
    assert {word for word in found if word.lower() not in OPTIONS} == set()


@pytest.fixture
def patched(tmp_path):
    """A copy of the sources with the tutorial's change applied."""
    for name in BRANCH:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "static"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    done = subprocess.run(["git", "apply", str(PATCH)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the tutorial's patch no longer applies: {done.stderr}"
    return tmp_path


def test_the_tutorials_change_works(patched):
    """Its patch applies to the sources of today, and the tests it tells to run pass without the compiler."""
    tests = [str(patched / "tests" / "search" / name) for name in ("test_qpruning.py", "test_params.py")]
    environment = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(patched / "src")}
    done = run_python("-m", "pytest", "--rootdir", str(patched), "-p", "no:cacheprovider", *tests, **environment)
    assert done.returncode == 0, done.stdout


def test_the_tutorial_shows_its_patch():
    """Every line the tutorial adds or takes away is a line of the patch, and but for imports none is missing."""
    shown = {line for text in blocks(DOCS / "tutorials/technique.md", "diff") for line in text.splitlines()}
    lines = {
        line for line in PATCH.read_text("utf-8").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    }
    changed = {line for line in shown if line[:1] in ("+", "-")}
    assert changed <= lines
    assert {line for line in lines - changed if line.strip("+- ")} == set()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_audited_positions_are_as_the_page_says():
    """Stockfish and our engine, asked again, come to the same verdicts."""
    if not (shutil.which("stockfish") or Path("/usr/games/stockfish").exists()):
        pytest.skip("stockfish is not installed")
    done = run_python(str(ROOT / "tools" / "verify_audited.py"), "--check", timeout=800)
    assert done.returncode == 0, done.stderr
