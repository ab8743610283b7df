"""A program ends: not kept by an analysis that nobody stops, and not before its own threads have done their work."""

import subprocess
import sys

HELD = """
import chess, quiesce
engine = quiesce.Engine({"Threads": 2})
held = engine.analysis(chess.Board())
print(held.get()["depth"], flush=True)
"""
OWN_THREAD = """
import threading, time
import chess, chess.engine, quiesce
engine = quiesce.Engine()

def work():
    found = engine.analyse(chess.Board(), chess.engine.Limit(nodes=1_000_000))
    print(found["nodes"], flush=True)

threading.Thread(target=work).start()
while not engine._core.is_searching:
    time.sleep(0.001)
"""


def answer(script):
    """What a program prints; a failure if it does not end."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout


def test_a_held_analysis_does_not_keep_the_program():
    """An endless one, held by a global, with two workers: the program ends as soon as its last line is done."""
    assert int(answer(HELD)) >= 1


def test_threads_of_the_program_are_waited_for():
    """A search of another thread goes on to its limit after the main one has ended."""
    assert int(answer(OWN_THREAD)) >= 1_000_000
