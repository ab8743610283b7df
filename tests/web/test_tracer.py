"""The process that draws trees: replaced when it dies or hangs, and gone when the server is."""

import asyncio
import os
import signal

import pytest

from quiesce.web.tracer import PATIENCE, Tracer, TracerError

QUESTION = {"fen": "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"}


@pytest.fixture
def tracer():
    """A tracer that is closed afterwards."""
    found = Tracer()
    yield found
    found.close()


def ask(tracer, question=QUESTION):
    """The answer to a question."""
    return asyncio.run(tracer.tree(question))


@pytest.mark.timeout(400)
def test_a_process_that_died_is_replaced(tracer):
    """The next question is answered as the first."""
    first = ask(tracer)
    assert first["line"] == ["Kxe2"]
    tracer.child._process.kill()
    tracer.child._process.wait()
    assert ask(tracer) == first


@pytest.mark.timeout(400)
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no signals to hang a process with")
def test_a_process_that_hangs_is_ended(tracer):
    """Whoever asked is told, and the next one is served."""
    ask(tracer)
    os.kill(tracer.child._process.pid, signal.SIGSTOP)
    tracer.child.patience = 0.3
    with pytest.raises(TracerError, match="has ended"):
        ask(tracer)
    tracer.child.patience = PATIENCE
    assert ask(tracer)["line"] == ["Kxe2"]


@pytest.mark.timeout(400)
def test_trouble_with_one_question_is_told(tracer):
    """The process lives on."""
    with pytest.raises(TracerError, match="FenError: FEN has 1 fields"):
        ask(tracer, {"fen": "rubbish"})
    child = tracer.child._process
    assert ask(tracer)["line"] == ["Kxe2"]
    assert tracer.child._process is child


@pytest.mark.timeout(400)
def test_closing_ends_the_process():
    """Ready or not; a question after it is refused."""
    tracer = Tracer()
    tracer.start()
    tracer.close()
    assert tracer.child._process is None
    with pytest.raises((TracerError, RuntimeError)):
        ask(tracer)
