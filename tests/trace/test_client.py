"""The process that traces: it answers as we would, hands back errors, and is replaced when it dies."""

import os
import signal
import subprocess
import sys
import time

import pytest

from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.search.params import OptionError
from quiesce.trace.client import Tracer, TracerError, tracer
from quiesce.trace.explain import quiesce

CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
OWNER = """
import time
from quiesce.board.game import Game
from quiesce.trace.client import tracer
tracer().explain(Game())
print(tracer().child._process.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def mine():
    """A tracer that is closed afterwards."""
    found = Tracer()
    yield found
    found.close()


@pytest.mark.timeout(400)
def test_a_tracer_that_died_is_replaced(mine):
    """The next question starts another; closing ends it for good."""
    assert mine.explain(Game(CHECK)).root.size > 0
    mine.child._process.kill()
    mine.child._process.wait()
    assert mine.explain(Game(CHECK)).root.size > 0
    child = mine.child._process
    mine.close()
    assert child.poll() is not None
    with pytest.raises(TracerError, match="closed"):
        mine.explain(Game(CHECK))
    assert tracer() is tracer()


@pytest.mark.timeout(400)
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no signals to hang a process with")
def test_a_tracer_that_hangs_is_ended(mine):
    """Whoever asked is told, and the next one is served."""
    mine.explain(Game(CHECK))
    os.kill(mine.child._process.pid, signal.SIGSTOP)
    mine.child.patience = 0.3
    with pytest.raises(TracerError, match="has ended"):
        mine.explain(Game(CHECK))
    mine.child.patience = 60
    assert mine.explain(Game(CHECK)).root.size > 0


@pytest.mark.timeout(400)
def test_moves_and_options_reach_it():
    """The position after moves is searched with the options given; a bad one is refused, the next question answered."""
    game = Game()
    for move in ("e2e4", "d7d5"):
        game.push(next(own for own in game.legal_moves() if move_to_uci(own) == move))
    options = {"QSearchFutility": 0}
    found, plain = tracer().explain(game, options), quiesce(game, options)
    assert (found.score, found.line, found.counters) == (plain.score, plain.line, plain.counters)
    with pytest.raises(OptionError):
        tracer().explain(game, {"QSearchMaxPly": 10_000})
    assert tracer().explain(Game(CHECK)).root.size > 0


def is_running(process):
    """Is there still a process of this number?"""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.timeout(400)
@pytest.mark.skipif(sys.platform == "win32", reason="asks for processes by number")
def test_a_tracer_ends_with_its_owner():
    """However that ends: killed, it leaves no process behind."""
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        child = int(owner.stdout.readline())
        assert is_running(child)
        owner.kill()
        owner.wait()
    end = time.monotonic() + 20
    while is_running(child):
        assert time.monotonic() < end
        time.sleep(0.05)
