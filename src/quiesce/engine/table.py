"""Shell. The memory of a transposition table: allocated lazily, aligned, counted in megabytes."""

import ctypes
import mmap
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from quiesce.records import new
from quiesce.search.tt import BUCKET_BYTES, GENERATIONS, TABLE

MEGABYTE = 1 << 20
DEFAULT_MEGABYTES = 16
EAGER_MEGABYTES = 1_024
SPARE_MEGABYTES = 64
"""Left to everybody else when a table is taken."""
KILOBYTES = 1_024
MEMINFO = Path("/proc/meminfo")
GROUP_LIMIT, GROUP_USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


def free_megabytes() -> int | None:
    """Memory that can be allocated safely, by machine and container limits; None if unknown."""
    found = []
    with suppress(OSError, KeyError, ValueError):
        rows = dict(line.split(":", 1) for line in MEMINFO.read_text("ascii").splitlines())
        found.append(int(rows["MemAvailable"].split()[0]) // KILOBYTES)
    with suppress(OSError, ValueError):
        found.append((int(GROUP_LIMIT.read_text("ascii")) - int(GROUP_USED.read_text("ascii"))) // MEGABYTE)
    return min(found, default=None)


def resident_megabytes(memory: np.ndarray[Any, Any]) -> int:
    """Megabytes of an array in physical memory; 0 if unknown."""
    start = memory.ctypes.data & -mmap.PAGESIZE
    length = memory.ctypes.data + memory.nbytes - start
    pages = np.zeros(-(-length // mmap.PAGESIZE), np.uint8)
    try:
        failed = ctypes.CDLL(None).mincore(
            ctypes.c_void_p(start), ctypes.c_size_t(length), ctypes.c_void_p(pages.ctypes.data)
        )
    except (AttributeError, OSError, TypeError):
        return 0
    return 0 if failed else int(np.count_nonzero(pages & 1)) * mmap.PAGESIZE // MEGABYTE


class Table:
    """Owns the memory that kernels reach by address through `record`."""

    def __init__(self, megabytes: int = DEFAULT_MEGABYTES) -> None:
        self.record: Any = new(TABLE)
        self.megabytes, self.memory = 0, np.zeros(0, np.uint8)
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Take another size, forgetting everything; raises MemoryError, and changes nothing, if there is no room.

        Up to EAGER_MEGABYTES all pages are touched now rather than on the clock; beyond, the system
        hands them out as they are needed. So room is asked for first, and of the old table only what
        was handed out counts as room to come: the rest still counts as free.
        """
        free = free_megabytes()
        if free is not None and megabytes > max(free - SPARE_MEGABYTES, 0) + resident_megabytes(self.memory):
            raise MemoryError(f"{megabytes} MB of hash do not fit: {free} MB are free")
        old, self.memory = self.megabytes, np.zeros(0, np.uint8)
        try:
            self._take(megabytes)
        except MemoryError:
            self._take(old)
            raise MemoryError(f"{megabytes} MB of hash do not fit") from None

    def _take(self, megabytes: int) -> None:
        """Allocate, and give the kernels the address."""
        buckets = megabytes * MEGABYTE // BUCKET_BYTES
        self.memory = np.zeros((buckets + 1) * BUCKET_BYTES, np.uint8)
        self.megabytes = megabytes
        start = self.memory.ctypes.data
        self.record.address = -(-start // BUCKET_BYTES) * BUCKET_BYTES
        self.record.buckets = buckets
        self.record.generation = 0
        if megabytes <= EAGER_MEGABYTES:
            self.memory.fill(0)

    def clear(self) -> None:
        """Forget everything."""
        if self.megabytes > EAGER_MEGABYTES:
            self.resize(self.megabytes)
        else:
            self.memory.fill(0)
            self.record.generation = 0

    def age(self) -> None:
        """Start a new search: existing entries become older."""
        self.record.generation = (int(self.record.generation) + 1) % GENERATIONS
