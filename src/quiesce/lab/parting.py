"""Shell. How processes of the lab end: with whoever started them, and not before they have cleaned up."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.util import Finalize

DEATH_SIGNAL_OPTION = 1
"""`PR_SET_PDEATHSIG`: Linux sends a signal to a process when the thread that started it ends."""
CLOSED_EARLY = 10
"""Among what a process does when it ends."""
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Run in a new process: it must not outlive the one that started it, even if that is killed, or was before."""
    if LIBC is not None:
        LIBC.prctl(DEATH_SIGNAL_OPTION, by)
        if os.getppid() != parent:
            os.kill(os.getpid(), by)


def at_end(close: Callable[[], None]) -> None:
    """Have something closed when this process, a worker or not, ends in any way it can notice."""
    Finalize(None, close, exitpriority=CLOSED_EARLY)
