"""Shell. Asks for trees: a process with the trace build lives as long as the server, and is replaced if it fails."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

TRACE_VARIABLE = "QUIESCE_TRACE"
PATIENCE = 30.0
"""Seconds a tree may take once the process is ready."""
COMPILING = 300.0
"""Seconds the process may take to be ready: its kernels are compiled once."""


class TracerError(RuntimeError):
    """A tree could not be had; the message says why."""


class Tracer:
    """Answers one question after the other, in the order they came."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "tracer")
        self._child: subprocess.Popen[str] | None = None
        self._is_closed = False
        self.is_ready = False

    def start(self) -> None:
        """Begin to load the trace build, so that it is ready when the first tree is wanted."""
        self._thread.submit(self._child_ready)

    def close(self) -> None:
        """End the process and the thread that waits for it."""
        self._is_closed = True
        child = self._child
        if child is not None:
            child.kill()
        self._thread.shutdown(cancel_futures=True)
        self._end()

    async def tree(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The tree of a position; raises TracerError. Being cancelled leaves the process unharmed."""
        answer = await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, question)
        if "error" in answer:
            raise TracerError(answer["error"])
        return answer

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Send a question and wait for its answer, in the thread of the process."""
        child = self._child_ready()
        assert child.stdin is not None
        try:
            child.stdin.write(json.dumps(question) + "\n")
            child.stdin.flush()
        except OSError:
            child.kill()
        return self._heard(child, PATIENCE)

    def _child_ready(self) -> "subprocess.Popen[str]":
        """The process, started and with its kernels loaded."""
        child = self._child
        if child is not None and child.poll() is None:
            return child
        self._end()
        if self._is_closed:
            raise TracerError("the server is closing")
        self._child = child = subprocess.Popen(
            [sys.executable, "-m", "quiesce.web.traced"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | {TRACE_VARIABLE: "1"},
        )
        if self._is_closed:
            child.kill()
        self._heard(child, COMPILING)
        self.is_ready = True
        return child

    def _heard(self, child: "subprocess.Popen[str]", patience: float) -> dict[str, Any]:
        """The next thing the process says; raises TracerError if it ends, or is ended for saying nothing so long."""
        assert child.stdout is not None
        timer = threading.Timer(patience, child.kill)
        timer.start()
        try:
            line = child.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            self._end()
            raise TracerError("the process that draws trees has ended; ask again")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> None:
        """End the process, in the only thread that uses it; the next question starts another."""
        child, self._child, self.is_ready = self._child, None, False
        if child is not None:
            child.kill()
            with suppress(OSError), child:
                pass
