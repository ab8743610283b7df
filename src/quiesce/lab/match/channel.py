"""Shell. A channel to an engine: a process, lines to it and from it, with deadlines and an end it cannot escape."""

import contextlib
import os
import queue
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from quiesce.work.lifetime import bound_to_us, kill_all

CHUNK = 1 << 16
MOST_CHUNKS = 64
"""How far a thread may read ahead."""
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


class PolledPipe:
    """Output of a process, read without a thread: the system reports when data is there."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._poll = pipe, select.poll()
        self._poll.register(pipe, select.POLLIN)

    def take(self, seconds: float) -> bytes | None:
        """What has come within that time: None is nothing, no bytes the end."""
        return os.read(self._pipe, CHUNK) if self._poll.poll(seconds * 1000) else None

    def close(self) -> None:
        """Nothing to end."""


class ThreadedPipe:
    """The same for systems that cannot wait for a pipe, as Windows: a thread reads on."""

    def __init__(self, pipe: int) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue(MOST_CHUNKS)
        self._is_over = False
        self._thread = threading.Thread(target=self._read_on, args=(pipe,), daemon=True)
        self._thread.start()

    def _read_on(self, pipe: int) -> None:
        """Read until the end, which is noted too."""
        chunk = b" "
        while chunk:
            try:
                chunk = os.read(pipe, CHUNK)
            except OSError:
                chunk = b""
            self._chunks.put(chunk)

    def take(self, seconds: float) -> bytes | None:
        """What has come within that time: None is nothing, no bytes the end."""
        try:
            chunk = b"" if self._is_over else self._chunks.get(timeout=seconds)
        except queue.Empty:
            return None
        self._is_over = not chunk
        return chunk

    def close(self) -> None:
        """Wait for the reading thread, which ends with the process."""
        end = time.perf_counter() + PARTING_SECONDS
        while self._thread.is_alive() and time.perf_counter() < end:
            self.take(PARTING_SECONDS / 100)


intake = PolledPipe if hasattr(select, "poll") else ThreadedPipe
"""How output is taken in on this system."""


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
                **bound_to_us(),
            )
        except OSError as error:
            raise Fault(CRASH, f"{command[0]} cannot be started: {error.strerror or error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), intake(self._process.stdout.fileno())
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
        """The next line without its end, or None after the deadline. Raises Fault if the engine has ended."""
        while not self._lines:
            left = deadline - time.perf_counter()
            chunk = self._output.take(left) if left > 0 else None
            if chunk is None:
                return None
            self._take(chunk)
        return self._lines.popleft()

    def _take(self, chunk: bytes) -> None:
        """Part what has come into lines; nothing is the end."""
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
        kill_all(self._process.pid)
        self._process.wait()
        self._output.close()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
