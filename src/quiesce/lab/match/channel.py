"""Shell. A channel to an engine: a process, lines to it and from it, with deadlines and an end it cannot escape."""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from quiesce.lab.parting import die_with_parent

CHUNK = 1 << 16
LONGEST_LINE = 1 << 20
"""Bytes without an end of line that no engine means."""
PARTING_SECONDS = 1.0
"""What an engine has to end by itself."""

CRASH, STALL, TIME, ILLEGAL = FAULTS = ("crash", "stall", "time", "illegal")
RESIGNED = "resigned"
"""A way for a player to end the game that is no fault."""


class Fault(Exception):  # noqa: N818  (it ends a game, not the program)
    """What a player did that ends the game: one of FAULTS, or that it resigned; in words."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind, self.words = kind, words


class Channel:
    """Talks to one process. Times are those of `time.perf_counter`."""

    def __init__(
        self, command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=environment,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509  (a call or two of libc)
            )
        except OSError as error:
            raise Fault(CRASH, f"{command[0]} cannot be started: {error.strerror or error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._lines: deque[bytes] = deque()
        self._rest = b""

    def send(self, *lines: str) -> None:
        """Write lines."""
        data = ("\n".join(lines) + "\n").encode()
        try:
            while data:
                data = data[os.write(self._input, data) :]
        except OSError:
            raise Fault(CRASH, f"gone, exit code {self._process.poll()}") from None

    def read(self, deadline: float) -> bytes | None:
        """The next line without its end, None when the deadline has passed; an engine that is gone is a crash."""
        while not self._lines:
            left = deadline - time.perf_counter()
            if left <= 0 or not self._poll.poll(left * 1000):
                return None
            self._take()
        return self._lines.popleft()

    def _take(self) -> None:
        """Take in what there is."""
        chunk = os.read(self._output, CHUNK)
        if not chunk:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PARTING_SECONDS)
            raise Fault(CRASH, f"ended with code {self._process.poll()}")
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._lines.extend(lines)
        if len(self._rest) > LONGEST_LINE:
            raise Fault(CRASH, "sends bytes without end")

    def close(self, farewell: str = "quit") -> None:
        """Ask the engine to end, then end it and whatever it started."""
        with contextlib.suppress(Fault):
            self.send(farewell)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the engine and whatever it started, now."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
