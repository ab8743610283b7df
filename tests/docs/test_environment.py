"""The page on completion, variables and the cache says all of them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quiesce.cachekey import FOLDERS_KEPT, PACKAGE
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs/howto/terminal.md").read_text(encoding="utf-8")
FOREIGN = {"NO_COLOR", "NUMBA_DISABLE_JIT"}
"""Variables of others that we honour."""


def test_all_variables_are_told():
    """Every variable that the sources read is in the table, and nothing else is."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    read = set(re.findall(r'"(QUIESCE_[A-Z_]+)"', sources)) | FOREIGN
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.MULTILINE)) == read


def test_numbers_are_those_of_the_code():
    """As many folders are kept as the page says."""
    assert FOLDERS_KEPT == 6
    assert "the six used last are kept" in PAGE


def asked(**environment):
    """What the installed command prints where a shell asks it."""
    command = Path(sys.executable).with_name("quiesce")
    return subprocess.run(
        [command], capture_output=True, text=True, timeout=60, env=os.environ | environment, check=True
    ).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_works(shell):
    """What the page has a shell read is there, and a command completes."""
    assert f"_QUIESCE_COMPLETE={shell}_source quiesce" in PAGE
    assert "COMP_WORDS" in asked(_QUIESCE_COMPLETE=f"{shell}_source")
    words = {"COMP_WORDS": "quiesce ana", "COMP_CWORD": "ana" if shell == "fish" else "1"}
    assert "analyse" in asked(_QUIESCE_COMPLETE=f"{shell}_complete", **words)
