"""Processes of the soak: their parents, their memory, and how to end them all."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

OURS = (sys.executable, "-P", "-m", "quiesce")
"""How our commands and our engine are started."""
PROC = Path("/proc")
MEGABYTE = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")
PARTING_SECONDS = 20.0
"""What a process has to end after it was asked to."""
WATCH_SECONDS = 1.0
WARM_SAMPLES = 15
"""Samples of a process before its memory counts as warm: tables are touched, caches filled."""


def memory(process):
    """Memory of a process in MB; 0 if unknown."""
    try:
        return int((PROC / str(process) / "statm").read_text().split()[1]) * PAGE / MEGABYTE
    except (OSError, IndexError):
        return 0.0


def parents():
    """The parent of each process that runs; those that ended and are not waited for are left out."""
    found = {}
    for path in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                found[int(path.parent.name)] = int(parent)
    return found


def descendants(process):
    """All descendants of a process."""
    known, found = parents(), {process}
    while more := {child for child, parent in known.items() if parent in found} - found:
        found |= more
    return found - {process}


def is_engine(process):
    """Is a process our engine, playing?"""
    try:
        words = (PROC / str(process) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[-4:] == [b"-P", b"-m", b"quiesce", b""]


class Growth:
    """How much processes have gained since they were warm."""

    def __init__(self, warm_samples=WARM_SAMPLES):
        self._warm, self._samples = warm_samples, {}

    def sample(self, processes):
        """Measure the memory of some processes."""
        for process in processes:
            self._samples.setdefault(process, []).append(memory(process))

    def megabytes(self):
        """The largest gain; the least of the last samples counts, so that a search under way is no leak."""
        gains = [
            min(samples[-3:]) - max(samples[: self._warm])
            for samples in self._samples.values()
            if len(samples) >= self._warm + 3
        ]
        return max([0.0, *gains])


def started(command, **options):
    """A process in its own session, so that killing its group spares us; output goes to pipes."""
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options
    )


def watch(process, seconds, growth=None):
    """Wait for a process for a while, looking at the memory of our engines under it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(min(WATCH_SECONDS, max(end - time.monotonic(), 0.01)))
        if growth is not None:
            growth.sample(filter(is_engine, descendants(process.pid)))


def outliving(processes):
    """Those of some processes that still run after a while."""
    limit = time.monotonic() + PARTING_SECONDS
    while (left := set(processes) & set(parents())) and time.monotonic() < limit:
        time.sleep(0.1)
    return left


def end(process, family=()):
    """Kill a process and its family, whatever it does."""
    for member in {process.pid, *family, *descendants(process.pid)}:
        with contextlib.suppress(OSError):
            os.kill(member, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
