"""The process that traces: it answers as we would, hands back errors, and is replaced when it dies."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.search.params import OptionError
from quiesce.trace.child import Child
from quiesce.trace.client import TraceClient, TracerError, trace_client
from quiesce.trace.explain import quiesce
from quiesce.trace.rows import explanation_facts
from tests.conftest import TESTS

CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
OWNER = """
import time
from quiesce.board.game import Game
from quiesce.trace.client import trace_client
trace_client().explain(Game())
print(trace_client().child._process.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def mine():
    """A tracer that is closed afterwards."""
    found = TraceClient()
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
    assert trace_client() is trace_client()


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
    found, plain = trace_client().explain(game, options), quiesce(game, options)
    assert (found.score, found.line, found.counters) == (plain.score, plain.line, plain.counters)
    with pytest.raises(OptionError):
        trace_client().explain(game, {"QSearchMaxPly": 10_000})
    assert trace_client().explain(Game(CHECK)).root.size > 0


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


@pytest.mark.timeout(400)
def test_facts_are_those_of_the_explanation(mine):
    """The child makes the rows that would be made here, and stops the search where it is asked to."""
    game = Game(CHECK)
    found = mine.facts(game, {}, 1_000)
    assert found == json.loads(json.dumps(explanation_facts(mine.explain(game))))


def test_compiling_is_told(monkeypatch):
    """What a child says while it compiles reaches whoever asked, before it is ready."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS.parent))
    heard = []
    child = Child("tests.trace.slowchild", 60.0, lambda *said: heard.append(said))
    child.start()
    child.close()
    assert heard == [(0, 2, "one"), (1, 2, "two")]
