"""Shell. The end of the lab's processes: they end with their parent, after cleaning up.

Linux supports all of it. macOS does not report a parent's death, Windows has no process groups either.
"""

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing.util import Finalize
from typing import Any

DEATH_SIGNAL_OPTION = 1
"""`PR_SET_PDEATHSIG`: Linux sends a signal to a process when the thread that started it ends."""
CLOSED_EARLY = 10
"""Among what a process does when it ends."""
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""What no process survives; Windows has one way to end a process, and calls it by this name."""
HAS_GROUPS = hasattr(os, "killpg")
"""Can a process be killed with all it has started?"""


def die_with_parent(parent: int, by: int = KILL) -> None:
    """Run in a new process: it must not outlive the one that started it, even if that is killed, or was before."""
    if LIBC is not None:
        LIBC.prctl(DEATH_SIGNAL_OPTION, by)
        if os.getppid() != parent:
            os.kill(os.getpid(), by)


def bound_to_us() -> dict[str, Any]:
    """Arguments of `subprocess` for a process that ends with this one, and whose children `kill_all` ends."""
    told: dict[str, Any] = {"start_new_session": True} if HAS_GROUPS else {}
    return told if LIBC is None else told | {"preexec_fn": partial(die_with_parent, os.getpid())}


def kill_all(process: int) -> None:
    """Kill a process that was started as `bound_to_us` says, by its number, and whatever it started."""
    with contextlib.suppress(OSError):
        if HAS_GROUPS:
            os.killpg(process, KILL)
        else:
            os.kill(process, KILL)


def at_end(close: Callable[[], None]) -> None:
    """Have something closed when this process, a worker or not, ends in any way it can notice."""
    Finalize(None, close, exitpriority=CLOSED_EARLY)
