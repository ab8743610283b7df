"""Shell. The one door to Numba: `@kernel`, `@entry`, the warm-up and the machine's own instructions."""

from quiesce.cachekey import DEBUG, TRACE
from quiesce.jit.compile import COMPILED, Many, entry, fastmath_entry, have_ready, inlined, is_compiled, kernel, warm_up
from quiesce.jit.intrinsics import CLOCK_ID, copy_record, load_atomic, lsb, msb, now_ns, peek, poke, popcount, prefetch

__all__ = [
    "CLOCK_ID",
    "COMPILED",
    "DEBUG",
    "TRACE",
    "Many",
    "copy_record",
    "entry",
    "fastmath_entry",
    "have_ready",
    "inlined",
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
    "warm_up",
]
