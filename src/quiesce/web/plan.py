"""Shell. How to serve, in numbers; loads without what serves."""

import os
from dataclasses import dataclass

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8337
DEFAULT_MEGABYTES = 32
MOST_ENGINES = 8
"""Engines that are started unasked, however many cores there are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to serve."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    engines: int = 0
    """How many search at once; 0 for one a core."""
    megabytes: int = DEFAULT_MEGABYTES
    names: tuple[str, ...] = ()
    """Names under which the server may be asked for, beside addresses and localhost."""
    syzygy: str = ""
    """Folders with Syzygy tables, separated as the system separates paths; empty for none."""

    @property
    def engine_count(self) -> int:
        """Engines to start."""
        return self.engines or min(cores(), MOST_ENGINES)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
