"""Python in the README runs as it is written; that on the pages is run by tests/docs/test_python.py."""

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
