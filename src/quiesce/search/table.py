"""Shell. The memory of a transposition table: allocated lazily, aligned, counted in megabytes."""

from typing import Any

import numpy as np

from quiesce.records import new
from quiesce.search.tt import BUCKET_BYTES, GENERATIONS, TABLE

MEGABYTE = 1 << 20
DEFAULT_MEGABYTES = 16
EAGER_MEGABYTES = 1_024


class Table:
    """Owns the memory that kernels reach by address through `record`."""

    def __init__(self, megabytes: int = DEFAULT_MEGABYTES) -> None:
        self.record: Any = new(TABLE)
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Take another size, forgetting everything.

        Up to EAGER_MEGABYTES all pages are touched now rather than on the clock; beyond, the system
        hands them out as they are needed.
        """
        buckets = megabytes * MEGABYTE // BUCKET_BYTES
        self.megabytes = megabytes
        self._memory = np.zeros((buckets + 1) * BUCKET_BYTES, np.uint8)
        start = self._memory.ctypes.data
        self.record.address = -(-start // BUCKET_BYTES) * BUCKET_BYTES
        self.record.buckets = buckets
        self.record.generation = 0
        if megabytes <= EAGER_MEGABYTES:
            self._memory.fill(0)

    def clear(self) -> None:
        """Forget everything."""
        if self.megabytes > EAGER_MEGABYTES:
            self.resize(self.megabytes)
        else:
            self._memory.fill(0)
            self.record.generation = 0

    def age(self) -> None:
        """Start a new search: what is there becomes older."""
        self.record.generation = (int(self.record.generation) + 1) % GENERATIONS
