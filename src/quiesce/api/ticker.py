"""Shell. One thread that looks now and then at all searches that run long."""

import os
import threading
import time
import weakref
from typing import Protocol

TICK_SECONDS = 1.0
"""Seconds between two looks, and those a search runs before the first."""


class Ticking(Protocol):
    """A search that wants to be looked at."""

    def tick(self) -> None:
        """Look at it."""


_running: "weakref.WeakSet[Ticking]" = weakref.WeakSet()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(search: Ticking) -> None:
    """Look at a search now and then, until it is let go of."""
    global _thread  # noqa: PLW0603  (one thread for the process, started again after a fork)
    with _lock:
        _running.add(search)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look, name="ticker", daemon=True)
            _thread.start()


def let_go(search: Ticking) -> None:
    """Look at a search no more."""
    with _lock:
        _running.discard(search)


def _begin_anew() -> None:
    """In a forked copy: no thread and no search came along, and a thread that did not may have held the lock."""
    global _lock, _thread
    _lock, _thread = threading.Lock(), None
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def _look() -> None:
    """Look at all, again and again, until there is none."""
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
