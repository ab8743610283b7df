"""Shell. Compiles kernels in a separate process and waits for it; only one process compiles at a time.

It goes on, out of everybody's way, when whoever started it has lost patience and is gone; the next who asks joins it,
or finds what it made. How far it is stands in a file of the folder that it fills.
"""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import filelock

from quiesce import cachekey
from quiesce.jit import library
from quiesce.jit.entries import NEEDS_NUMBA, CompileError, Report

LOCK = "making.lock"
"""Held by the process that compiles into the folder."""
PROGRESS = "making.txt"
"""Steps done, steps in all, and what is under way."""
BUILDER = ("-m", "quiesce.jit.builder")
"""What compiles a build into a folder."""
GLANCE = 0.05
"""Seconds between two looks."""
TRIES = 2
"""How often a compiling process that was killed is replaced."""

Made = tuple[dict[str, Any], bytes]
"""A manifest and its object, where they cannot be kept."""


class Making:
    """One build being compiled, by our process or by another's."""

    def __init__(self, build: str) -> None:
        self.build = build
        self.folder = cachekey.folder(build)
        self.made: Made | None = None
        self.steps = (0, 1, "waiting for another process that compiles")
        self._process: subprocess.Popen[bytes] | None = None
        self._heard: list[bytes] = []
        self._ears: list[threading.Thread] = []
        self._tries = 0

    def is_over(self) -> bool:
        """Is the object there? Starts a compiling process if none runs."""
        if self.made is not None or is_kept(self.build):
            self._part()
            return True
        if self._process is not None and self._process.poll() is not None:
            self._hear_out()
        elif self._process is None and not is_held(self.folder / LOCK):
            if is_kept(self.build):  # the other process ended just now
                return True
            self._start()
        self._look()
        return self.made is not None

    def _start(self) -> None:
        """Begin a process that compiles; its input ends when we do, which it hears."""
        self._tries += 1
        self._process = subprocess.Popen(
            [sys.executable, "-P", *BUILDER, self.build, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=builders_environment(self.build),
            start_new_session=True,
        )
        self._heard = [b"", b""]
        pipes = enumerate((self._process.stdout, self._process.stderr))
        self._ears = [threading.Thread(target=self._listen, args=pair, daemon=True) for pair in pipes]
        for ear in self._ears:
            ear.start()

    def _listen(self, place: int, pipe: Any) -> None:
        """Keep what the process says."""
        self._heard[place] = pipe.read()

    def _hear_out(self) -> None:
        """The process has ended: what is there now, or what it said instead."""
        process = self._process
        assert process is not None
        for ear in self._ears:
            ear.join()
        self._close(process)
        self._process = None
        out, trouble = self._heard
        if process.returncode == 0 and out:
            head, _, image = out.partition(b"\n")
            self.made = json.loads(head), image
            sys.stderr.write(trouble.decode(errors="replace"))
        elif process.returncode > 0 or self._tries >= TRIES:
            raise CompileError(f"kernels could not be compiled: {trouble.decode(errors='replace')[-2000:]}")

    def _part(self) -> None:
        """Let go of a process that is about to end."""
        if self._process is not None:
            self._process.wait()
            self._close(self._process)
            self._process = None

    @staticmethod
    def _close(process: "subprocess.Popen[bytes]") -> None:
        """Close what leads to a process that has ended."""
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _look(self) -> None:
        """See how far it is."""
        with suppress(OSError, ValueError):
            done, total, what = (self.folder / PROGRESS).read_text(encoding="utf-8").split(" ", 2)
            self.steps = (int(done), int(total), what)


def is_kept(build: str) -> bool:
    """Does the cache have the object of a build?"""
    try:
        library.kept(build)
    except library.MisfitError:
        return False
    return True


def is_held(path: Path) -> bool:
    """Does another process hold a lock?"""
    try:
        with filelock.FileLock(path, timeout=0):
            return False
    except filelock.Timeout:
        return True
    except OSError:
        return False


def builders_environment(build: str) -> dict[str, str]:
    """What a process that compiles sees: this very package, the switches of the build, and one order of everything."""
    path = os.pathsep.join([str(cachekey.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    switches = {"QUIESCE_DEBUG": "", "QUIESCE_OPEN": "", "QUIESCE_TRACE": "1" if build == "trace" else ""}
    return os.environ | switches | {"QUIESCE_JIT": "1", "PYTHONHASHSEED": "0", "PYTHONPATH": path}


def have_made(builds: list[str], report: Report | None = None) -> Made | None:
    """Have builds compiled and kept, side by side; returns what was made if it cannot be kept, of a single one."""
    if not library.has_numba():
        raise CompileError(NEEDS_NUMBA)
    tell = report or (lambda *_: None)
    under_way = [Making(build) for build in builds]
    while not all([one.is_over() for one in under_way]):  # noqa: C419  (each is looked at)
        tell(sum(one.steps[0] for one in under_way), sum(one.steps[1] for one in under_way), under_way[0].steps[2])
        time.sleep(GLANCE)
    return under_way[0].made if len(under_way) == 1 else None
