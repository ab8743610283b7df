"""The process that draws trees: replaced when it dies or hangs, and gone when the server is."""

import asyncio
import os
import signal

import pytest

from quiesce.board.game import Game
from quiesce.search.params import OptionError
from quiesce.trace.client import TracerError
from quiesce.web.treequeue import PATIENCE, TreeQueue

CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"


@pytest.fixture
def trees():
    """A queue that is closed afterwards."""
    found = TreeQueue()
    yield found
    found.close()


def ask(trees, **options):
    """The tree of a position."""
    return asyncio.run(trees.tree(Game(CHECK), options))


@pytest.mark.timeout(400)
def test_a_process_that_died_is_replaced(trees):
    """The next question is answered as the first."""
    first = ask(trees)
    assert first["line"] == ["Kxe2"]
    trees.client.child._process.kill()
    trees.client.child._process.wait()
    assert ask(trees) == first


@pytest.mark.timeout(400)
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no signals to hang a process with")
def test_a_process_that_hangs_is_ended(trees):
    """Whoever asked is told, and the next one is served."""
    ask(trees)
    os.kill(trees.client.child._process.pid, signal.SIGSTOP)
    trees.client.child.patience = 0.3
    with pytest.raises(TracerError, match="has ended"):
        ask(trees)
    trees.client.child.patience = PATIENCE
    assert ask(trees)["line"] == ["Kxe2"]


@pytest.mark.timeout(400)
def test_trouble_with_one_question_is_told(trees):
    """The process lives on."""
    with pytest.raises(OptionError, match="Nonsense"):
        ask(trees, Nonsense=1)
    child = trees.client.child._process
    assert ask(trees)["line"] == ["Kxe2"]
    assert trees.client.child._process is child


@pytest.mark.timeout(400)
def test_closing_ends_the_process():
    """Ready or not; a question after it is refused."""
    trees = TreeQueue()
    trees.start()
    trees.close()
    assert trees.client.child._process is None
    with pytest.raises((TracerError, RuntimeError)):
        ask(trees)
