"""Files damaged on purpose: bits turned over, ends cut off; and what comes of reading them."""

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONGEST = 1.0
"""Seconds of the processor that reading one file may take."""
FLIPS, CUT_STEP = 1_000, 64
"""Single bits turned over, and bytes between two cuts, of each kind of file, where all is tried."""


class TooSlowError(BaseException):
    """Reading took too long; no `except Exception` keeps it."""


@contextmanager
def hurried(seconds: float = LONGEST) -> Iterator[None]:
    """Raise TooSlowError in what takes longer, by the clock of the processor, which other programs do not slow."""

    def give_up(*_: Any) -> None:
        raise TooSlowError(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def damaged(data: bytes, flips: int, cuts: int | None, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Copies of a file, each with one bit turned over or cut short, and what was done; all cuts, or some of them."""
    draw = random.Random(seed)
    for _ in range(flips):
        place, bit = draw.randrange(len(data)), draw.randrange(8)
        copy = bytearray(data)
        copy[place] ^= 1 << bit
        yield f"bit {bit} of byte {place} turned over", bytes(copy)
    ends = range(0, len(data), CUT_STEP)
    for end in ends if cuts is None else sorted(draw.sample(ends, min(cuts, len(ends)))):
        yield f"cut after {end} bytes", data[:end]


@dataclass
class Tally:
    """What came of reading damaged files."""

    named: int = 0
    read: int = 0
    longest: float = 0.0
    strange: Counter[str] = field(default_factory=Counter)
    """What was raised that is not the kind's own error, and by which damage."""

    def __str__(self) -> str:
        return f"{self.named} named, {self.read} read, longest {1000 * self.longest:.0f} ms"


def try_all(
    path: Path,
    copies: Iterator[tuple[str, bytes]],
    read: Callable[[Path], object],
    errors: type[Exception] | tuple[type[Exception], ...],
) -> Tally:
    """Read every copy from a file of this name; count what is named, what is read, and what is neither."""
    tally = Tally()
    for what, data in copies:
        path.write_bytes(data)
        started = time.thread_time()
        try:
            with hurried():
                read(path)
            tally.read += 1
        except errors:
            tally.named += 1
        except (Exception, TooSlowError) as error:  # noqa: BLE001  (whatever it is, it is what we look for)
            tally.strange[f"{type(error).__name__}: {error}"[:100] + f" ({what})"] += 1
        tally.longest = max(tally.longest, time.thread_time() - started)
    return tally
