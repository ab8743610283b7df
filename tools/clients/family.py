"""All processes that a client starts, known by a mark in their environment: no fork, session or D-Bus hides one."""

import contextlib
import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

PROC = Path("/proc")
MARK = "QUIESCE_CLIENT"
PARTING_SECONDS = 5.0
"""What a process has to end once it was asked to."""


class Family:
    """Processes of one client; a context manager that leaves none of them running."""

    def __init__(self):
        self.mark = uuid.uuid4().hex
        self._started = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.end()

    def start(self, command, environment, **options):
        """Start a process; Ctrl-C in our terminal does not reach it, we end it."""
        process = subprocess.Popen(
            command, env={**os.environ, **environment, MARK: self.mark}, start_new_session=True, **options
        )
        self._started.append(process)
        return process

    def members(self):
        """The numbers of those that still run, with their command lines."""
        found, wanted = {}, f"{MARK}={self.mark}".encode()
        for folder in PROC.glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it ended meanwhile, or is not ours
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                    if words:  # what has ended and is not waited for has none
                        found[int(folder.name)] = words
        return found

    def end(self):
        """Ask all to end, then kill; returns the command lines of those that had to be killed."""
        self._signal(signal.SIGTERM, self.members())
        limit = time.monotonic() + PARTING_SECONDS
        while (left := self.members()) and time.monotonic() < limit:
            self._reap()
            time.sleep(0.1)
        killed = list(left.values())
        limit += PARTING_SECONDS
        while (
            left := self.members()
        ) and time.monotonic() < limit:  # one that was killed may have started another just before
            self._signal(signal.SIGKILL, left)
            self._reap()
            time.sleep(0.05)
        for process in self._started:  # also where there is no /proc
            if process.poll() is None:
                process.kill()
                process.wait()
        self._reap()
        return killed

    def _signal(self, number, members):
        for member in members:
            with contextlib.suppress(OSError):
                os.kill(member, number)

    def _reap(self):
        for process in self._started:
            if process.poll() is None:
                continue
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
