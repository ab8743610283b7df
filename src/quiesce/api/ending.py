"""Shell. Let the interpreter exit while an abandoned analysis is still running."""

import concurrent.futures.thread  # noqa: F401  (first: what is registered later is called before its wait)
import threading
import time
import weakref
from typing import Protocol

SEARCHERS = ("search", "helper")
"""Names of search threads."""
LOOK_SECONDS = 0.05


class Endless(Protocol):
    """Something that runs until it is stopped."""

    def stop(self) -> None:
        """Stop it."""


_running: "weakref.WeakSet[Endless]" = weakref.WeakSet()


def end_with_program(endless: Endless) -> None:
    """Stop it when the main thread and all other non-search threads have ended."""
    _running.add(endless)


def is_others(thread: threading.Thread) -> bool:
    """Does the interpreter wait for this thread, and is it no search thread?"""
    return not (thread.daemon or thread is threading.main_thread() or thread.name.startswith(SEARCHERS))


def end() -> None:
    """Wait for all other threads, then stop the searches."""
    while _running and any(map(is_others, threading.enumerate())):
        time.sleep(LOOK_SECONDS)
    for endless in list(_running):
        endless.stop()


register = getattr(threading, "_register_atexit", None)
"""Python has no public hook that runs before it waits for threads. Without this one such a program would hang."""
if register is not None:
    register(end)
