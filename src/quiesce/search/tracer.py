"""Shell. Trees of quiescence for those whose own kernels leave no trace: asked of a process whose kernels do.

Whether kernels leave a trace is compiled into them, and one process holds one build: recording must cost nothing where
nobody records. So a child process with the other build is started at the first question and kept for the next ones.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from functools import cache
from typing import IO, Any

from quiesce.board.game import Game
from quiesce.cachekey import PACKAGE
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import TRACE, warm_up
from quiesce.search.explain import Explanation, Finding, explain, explanation_of, is_needed, quiesce

PATIENCE = 3.0
"""Seconds of compiling after which a word is due."""


class TracerError(RuntimeError):
    """The process that traces has ended."""


class Tracer:
    """Asks one child process, one question at a time; a child that was interrupted is replaced."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def explain(self, game: Game, options: Mapping[str, int] | None = None, weights: str = DEFAULT_EVAL) -> Explanation:
        """Search a position by quiescence alone and return its whole tree."""
        if TRACE:
            return explain(game, options, weights)
        question = (game.start_fen, game.chess960, game.moves, dict(options or {}), weights)
        with self._lock:
            try:
                answer = self._ask(question)
            except BaseException:
                self._drop()
                raise
        if isinstance(answer, Exception):
            raise answer
        return explanation_of(game, Finding(*answer))

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._drop()

    def _ask(self, question: Any) -> Any:
        """Send a question, return the answer."""
        if self._child is None or self._owner != os.getpid():  # a forked copy must not talk to its parent's child
            self._child, self._owner = start_child(), os.getpid()
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            pickle.dump(question, self._child.stdin)
            self._child.stdin.flush()
            return pickle.load(self._child.stdout)  # noqa: S301  (our own child)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise TracerError("the process that traces quiescence has ended; its last words are on stderr") from None

    def _drop(self) -> None:
        """Let go of the child, if it is ours."""
        if self._child is not None and self._owner == os.getpid():
            self._child.kill()
            self._child.communicate()
        self._child = None


def start_child() -> "subprocess.Popen[bytes]":
    """Start a process with the trace build, of this very package."""
    path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "quiesce.search.tracer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"QUIESCE_TRACE": "1", "PYTHONPATH": path},
    )


@cache
def tracer() -> Tracer:
    """The one tracer of this process, ended with it."""
    made = Tracer()
    atexit.register(made.close)
    return made


class Patient:
    """Says a word, once, if compiling takes its time."""

    def __init__(self) -> None:
        self._since, self._has_spoken = time.monotonic(), False

    def __call__(self, done: int, total: int, _what: str) -> None:
        """Hear of one more kernel."""
        if not self._has_spoken and done < total and time.monotonic() - self._since > PATIENCE:
            self._has_spoken = True
            sys.stderr.write("quiesce: compiling a build that records its tree, this happens once...\n")


def answer_of(question: Any) -> Any:
    """A finding, or the error there was instead."""
    fen, chess960, moves, options, weights = question
    try:
        game = Game(fen, chess960)
        game.push_all(moves)
        return tuple(quiesce(game, options, weights))
    except Exception as error:  # noqa: BLE001  (whoever asked shall have it)
        return error


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until there are no more questions."""
    warm_up(Patient(), is_needed)
    while True:
        try:
            question = pickle.load(questions)  # noqa: S301  (our own parent)
        except EOFError:
            return
        pickle.dump(answer_of(question), answers)
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked hears it too, and ends us
    serve(sys.stdin.buffer, sys.stdout.buffer)
