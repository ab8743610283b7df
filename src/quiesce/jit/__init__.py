"""Shell. The one door to compiled code: `@kernel`, `@entry`, the warm-up and the machine's own instructions.

Behind it stand two back ends with one face. `native` calls one object that holds all kernels: a wheel brings it, or
this machine compiles it once. `compile` has Numba compile each kernel in this process: for tests, debugging, and
`QUIESCE_JIT=1`.
"""

from functools import cache
from importlib.util import find_spec

from quiesce.cachekey import DEBUG, LIVE, TRACE
from quiesce.jit import library
from quiesce.jit.entries import NEEDS_NUMBA, CompileError, Many
from quiesce.jit.intrinsics import (
    CLOCK_ID,
    copy_record,
    load_atomic,
    lsb,
    msb,
    now_ns,
    peek,
    poke,
    popcount,
    prefetch,
    square_root,
)

if LIVE and find_spec("numba") is None:
    raise ImportError(NEEDS_NUMBA)
if LIVE:
    from quiesce.jit.compile import (
        COMPILED,
        compile_all,
        entry,
        fastmath_entry,
        inlined,
        is_compiled,
        kernel,
        warm_up,
    )
else:
    from quiesce.jit.native import (
        COMPILED,
        compile_all,
        entry,
        fastmath_entry,
        inlined,
        is_compiled,
        kernel,
        warm_up,
    )


@cache
def have_ready(part: str = "") -> None:
    """Have the entries whose names begin so, or all, compiled or loaded; only the first call takes time."""
    warm_up(None, (lambda name: name.startswith(part)) if part else None)


def is_available() -> bool:
    """Are there kernels here, or can they be compiled?"""
    return LIVE or library.has_numba() or library.found() is not None


__all__ = [
    "CLOCK_ID",
    "COMPILED",
    "DEBUG",
    "TRACE",
    "CompileError",
    "Many",
    "compile_all",
    "copy_record",
    "entry",
    "fastmath_entry",
    "have_ready",
    "inlined",
    "is_available",
    "is_compiled",
    "kernel",
    "load_atomic",
    "lsb",
    "msb",
    "now_ns",
    "peek",
    "poke",
    "popcount",
    "prefetch",
    "square_root",
    "warm_up",
]
