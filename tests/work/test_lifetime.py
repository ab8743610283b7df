"""How processes end: with whoever started them, also if that was killed before they could ask for it."""

import os
import signal
import sys

import pytest

from tests.conftest import run_python

SCRIPT = "import os; from quiesce.work.lifetime import die_with_parent; die_with_parent({}); print('lives')"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells children of a death")
def test_an_orphan_ends_at_once():
    """Whose parent is not the one that started it; a child whose parent lives goes on."""
    assert run_python("-c", SCRIPT.format("os.getppid()")).stdout == "lives\n"
    assert run_python("-c", SCRIPT.format(os.getppid())).returncode == -signal.SIGKILL
