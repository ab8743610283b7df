"""Python in the README and on the pages about it runs as it is written."""

import re

import pytest

from quiesce.cachekey import PACKAGE
from tests.conftest import run_python

ROOT = PACKAGE.parent.parent


def scripts(name):
    """The Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text("utf-8"), re.DOTALL)


@pytest.mark.timeout(400)
def test_the_readme_runs_as_written(tmp_path):
    """Best move, explanation, and a game annotated to PGN, each of its moves but the mate."""
    (script,) = scripts("README.md")
    path = tmp_path / "script.py"
    path.write_text(script)
    done = run_python(str(path), timeout=300)
    assert done.returncode == 0, done.stderr
    assert "best move: Qxf7#" in done.stdout
    assert "With quiescence, after" in done.stdout
    assert done.stdout.count("[%eval ") == 6


@pytest.mark.timeout(400)
def test_the_pages_run_as_written(tmp_path):
    """Every block on the page about the API, and the one about batches with a file of games beside it."""
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n")
    found = [*scripts("docs/howto/api.md"), *scripts("docs/howto/batch.md")]
    assert len(found) == 3
    for script in found:
        done = run_python("-c", f"import os; os.chdir({str(tmp_path)!r})\n{script}", timeout=300)
        assert done.returncode == 0, done.stderr
