"""Shell. The few machine instructions Python has no word for.

Each is a plain Python function that says what it means; `lowering.py` has the LLVM code that compiled kernels use in
its place. Shells may call them too.
"""

import ctypes
import time
from typing import Any

import numpy as np

CLOCK_ID = getattr(time, "CLOCK_MONOTONIC", None)
"""The clock that kernels read; None where libc has no such call (Windows): there `now_ns` stands still."""


def popcount(bits: Any) -> Any:
    """Number of bits set in a 64-bit set."""
    return np.uint64(int(bits).bit_count())


def lsb(bits: Any) -> Any:
    """Index of the lowest bit of a set that is not empty."""
    value = int(bits)
    return np.uint64((value & -value).bit_length() - 1)


def msb(bits: Any) -> Any:
    """Index of the highest bit of a set that is not empty."""
    return np.uint64(int(bits).bit_length() - 1)


def square_root(number: Any) -> Any:
    """The root of a real number of 32 bits, NaN of a negative one."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(np.float32(number))


def copy_record(target: Any, source: Any) -> None:
    """Copy all of one record into another of its type."""
    for name in target.dtype.names:
        target[name] = source[name]


def load_atomic(flags: Any) -> Any:
    """First item of an int64 array, read from memory each time: another thread may have set it."""
    return flags[0]


def peek(address: Any) -> Any:
    """The 64-bit word at an address, never half of one and half of another."""
    return np.uint64(ctypes.c_uint64.from_address(int(address)).value)


def poke(address: Any, word: Any) -> None:
    """Write a 64-bit word at an address."""
    ctypes.c_uint64.from_address(int(address)).value = int(word)


def prefetch(address: Any) -> None:
    """Ask the processor to have the memory at an address ready soon."""


def now_ns() -> Any:
    """Nanoseconds on the clock that kernels read: it never goes back."""
    return np.int64(time.clock_gettime_ns(CLOCK_ID) if CLOCK_ID is not None else 0)
