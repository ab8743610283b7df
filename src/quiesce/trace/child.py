"""Shell. The tracing process: questions and answers as JSON lines over a pipe.

Kernels either record a tree or not, and a process has one build, so that recording costs nothing in normal searches.
Traces are therefore made by a second process, started when needed.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from quiesce.cachekey import PACKAGE
from quiesce.jit import warm_up
from quiesce.trace.explain import is_needed

COMPILING = 600.0
"""Seconds until a child must be ready: its kernels are compiled once."""
LONGEST_ANSWER = 1 << 26
"""Bytes; a full trace takes a tenth of it."""

Answer = dict[str, Any]
OnCompiling = Callable[[int, int, str], None]


class TracerError(RuntimeError):
    """A trace could not be had; the message says why."""


class Child:
    """Asks one child process, one question at a time, from any thread.

    A child that died is replaced; one that says nothing for too long, or was asked in vain, is ended first.
    """

    def __init__(self, module: str, patience: float, on_compiling: OnCompiling | None = None) -> None:
        """The module `serve`s; an answer may take `patience` seconds. Nothing is started yet.

        `on_compiling` is called while kernels are compiled with those done, those in all, and what comes next.
        """
        self._module, self.patience, self.on_compiling = module, patience, on_compiling
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._is_closed = False
        self.is_ready = False

    def start(self) -> None:
        """Start the child process and wait until it is ready; it may have to compile first."""
        with self._lock:
            self._ready()

    def ask(self, question: Mapping[str, Any]) -> Answer:
        """The answer to a question; what went wrong in the child is one too, under `error` and `kind`."""
        with self._lock:
            process = self._ready()
            try:
                tell(process, question)
                return self._hear(process, self.patience)
            except BaseException:
                self._drop()
                raise

    def close(self) -> None:
        """End the child, whatever it is at; there will be no other."""
        self._is_closed = True
        process = self._process
        if process is not None and self._owner == os.getpid():
            process.kill()
        with self._lock:
            self._drop()

    def _ready(self) -> "subprocess.Popen[bytes]":
        """The child, started and with its kernels loaded."""
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._process
        self._drop()
        if self._is_closed:
            raise TracerError("the tracer is closed")
        self._process, self._owner = started(self._module), os.getpid()
        try:
            if self._is_closed:
                self._process.kill()
            while "compiling" in (said := self._hear(self._process, COMPILING)):
                if self.on_compiling is not None:
                    self.on_compiling(*said["compiling"])
        except BaseException:
            self._drop()
            raise
        self.is_ready = True
        return self._process

    def _hear(self, process: "subprocess.Popen[bytes]", patience: float) -> Answer:
        """The next thing a child says."""
        assert process.stdout is not None
        timer = threading.Timer(patience, process.kill)
        timer.daemon = True
        timer.start()
        try:
            line = process.stdout.readline(LONGEST_ANSWER)
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            raise TracerError("the process that traces quiescence has ended; ask again")
        answer: Answer = json.loads(line)
        return answer

    def _drop(self) -> None:
        """Let go of the child, and end it if it is ours: a forked copy must leave its parent's child alone."""
        process, self._process, self.is_ready = self._process, None, False
        if process is not None and self._owner == os.getpid():
            process.kill()
            with suppress(OSError), process:
                pass


def started(module: str) -> "subprocess.Popen[bytes]":
    """A process with the trace build, of this very package."""
    path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"QUIESCE_TRACE": "1", "PYTHONPATH": path},
    )


def tell(process: "subprocess.Popen[bytes]", question: Mapping[str, Any]) -> None:
    """Send a question. If the child has died, waiting for the answer raises."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()


def serve(answer: Callable[[Answer], Answer]) -> None:
    """Run the child: report readiness, answer questions, and end when the owner is gone.

    It reports progress while kernels compile. An error in one question is returned and does not end it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner hears it too, and ends us
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing else may speak through the pipe
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    warm_up(lambda done, total, what: say(out, {"compiling": [done, total, what]}), is_needed)
    say(out, {"ready": True})
    while True:
        line = questions.get()
        try:
            found = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001  (whatever it is, whoever asked shall have it)
            found = {"error": str(error), "kind": type(error).__name__}
        say(out, found)


def listen(source: BinaryIO, questions: "queue.SimpleQueue[bytes]") -> None:
    """Pass on questions as they come, then the end."""
    for line in source:
        questions.put(line)
    os._exit(0)


def say(out: BinaryIO, answer: Mapping[str, Any]) -> None:
    """One line."""
    with suppress(BrokenPipeError):
        out.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        out.flush()
