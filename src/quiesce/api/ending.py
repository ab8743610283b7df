"""Shell. A program that has nothing else left to do ends, though an analysis runs that nobody will stop any more."""

import concurrent.futures.thread  # noqa: F401  (first: what is registered later is called before its wait)
import threading
import time
import weakref
from typing import Protocol

SEARCHERS = ("search", "helper")
"""How threads of searches are called: those of the engine and of its team."""
LOOK_SECONDS = 0.05


class Endless(Protocol):
    """Something that runs until it is stopped."""

    def stop(self) -> None:
        """End it."""


_running: "weakref.WeakSet[Endless]" = weakref.WeakSet()


def end_with_program(endless: Endless) -> None:
    """Have it stopped once the main thread and all threads of others are at their end."""
    _running.add(endless)


def is_others(thread: threading.Thread) -> bool:
    """Is a thread waited for that does something else than to search?"""
    return not (thread.daemon or thread is threading.main_thread() or thread.name.startswith(SEARCHERS))


def end() -> None:
    """Wait for everybody else, then stop what runs."""
    while _running and any(map(is_others, threading.enumerate())):
        time.sleep(LOOK_SECONDS)
    for endless in list(_running):
        endless.stop()


register = getattr(threading, "_register_atexit", None)
"""Python has no public way to be called before it waits for threads; without this one such a program waits again."""
if register is not None:
    register(end)
