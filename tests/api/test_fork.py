"""A process that forks: engines do not go with it, and say so."""

import os

import pytest

from tests.conftest import run_json

FORKED = """
import json, os, sys
import chess, chess.engine, quiesce

def told(ask):
    try:
        return str(ask())
    except chess.engine.EngineTerminatedError as error:
        return type(error).__name__ + ": " + str(error)

few = chess.engine.Limit(nodes=500)
with quiesce.Engine({"Hash": 1}) as engine:
    engine.play(chess.Board(), few)
    with engine.analysis(chess.Board()) as analysis:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            asked = [
                told(lambda: engine.play(chess.Board(), few)),
                told(lambda: engine.analysis(chess.Board())),
                told(lambda: engine.qsearch(chess.Board())),
                told(lambda: engine.configure({"Hash": 2})),
                told(lambda: [next(analysis) for _ in range(1_000)]),
                told(analysis.wait),
            ]
            analysis.stop()
            analysis.__exit__()
            analysis = None
            engine.close()
            with quiesce.Engine({"Hash": 1}) as own:
                asked.append(told(lambda: own.play(chess.Board(), few).move is not None))
            os.write(write, json.dumps(asked).encode())
            os._exit(0)
        os.waitpid(child, 0)
        next(analysis)
    move = engine.play(chess.Board(), few).move
    print(json.dumps({"child": json.loads(os.read(read, 10_000)), "goes on": move is not None}))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_copy_says_so():
    """Every question to a copy is refused, none waits; a new engine there answers, and the first one goes on."""
    found = run_json("-W", "ignore::DeprecationWarning", "-c", FORKED, timeout=120)
    *refused, own = found["child"]
    assert len(refused) == 6
    assert all("EngineTerminatedError" in told and "make one in each process" in told for told in refused)
    assert own == "True"
    assert found["goes on"]


HELD = """
import json, os, sys, threading
from quiesce.api import ticker

class Search:
    def tick(self):
        pass

with ticker._lock:
    child = os.fork()
    if child == 0:
        search = Search()
        ticker.watch(search)
        ticker.let_go(search)
        os._exit(7)
print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_in_the_middle_of_a_tick():
    """A lock that a thread of the parent holds at that moment keeps no copy waiting."""
    assert run_json("-W", "ignore::DeprecationWarning", "-c", HELD, timeout=60) == 7
