"""Shell. One thread that updates all long searches."""

import os
import threading
import time
import weakref
from typing import Protocol

TICK_SECONDS = 1.0
"""Seconds between two ticks, and before the first."""


class Ticking(Protocol):
    """A search that wants ticks."""

    def tick(self) -> None:
        """Update it."""


_running: "weakref.WeakSet[Ticking]" = weakref.WeakSet()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(search: Ticking) -> None:
    """Start ticking a search, until `let_go`."""
    global _thread  # noqa: PLW0603  (one thread for the process, started again after a fork)
    with _lock:
        _running.add(search)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look, name="ticker", daemon=True)
            _thread.start()


def let_go(search: Ticking) -> None:
    """Stop ticking a search."""
    with _lock:
        _running.discard(search)


def _begin_anew() -> None:
    """After a fork: forget all searches and replace the lock, which another thread may have held."""
    global _lock, _thread
    _lock, _thread = threading.Lock(), None
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def _look() -> None:
    """Tick all searches until none is left."""
    global _thread  # noqa: PLW0603  (the same)
    while True:
        time.sleep(TICK_SECONDS)
        with _lock:
            searches = list(_running)
            if not searches:
                _thread = None
                return
        for search in searches:
            search.tick()
