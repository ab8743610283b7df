"""Shell. Has Numba compile each kernel in this process, and keeps what it made: for tests and debugging."""

import functools
import hashlib
import importlib
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import filelock
import numba
import numpy as np
from numba.core import caching

import quiesce.jit.lowering  # noqa: F401  (teaches Numba the instructions of intrinsics.py)
from quiesce import cachekey
from quiesce.jit.entries import ENTRIES, Entry, Many, Report, kernel_modules

COMPILED = not numba.config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where kernels run as the Python they are written in."""

KEEP = True
"""Keep what is compiled, and let Python call entries? Not where all of them become one object."""
REORDERED = frozenset(("reassoc", "contract", "nsz"))
"""What `fastmath_entry` allows: other orders of sums, fused products, a zero without its sign."""

if not COMPILED:
    np.seterr(over="ignore")  # 64-bit hashes wrap around; compiled code does so without a warning


def say(message: str) -> None:
    """Tell the user of trouble that does not stop us."""
    sys.stderr.write(f"quiesce: {message}\n")


class FolderLocator(caching._CacheLocator):
    """Keeps a kernel's code in our folder, whose name already says all that the code depends on."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._name = f"{py_func.__module__}-{py_func.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(cachekey.folder())

    def get_source_stamp(self) -> str:
        """Return what freshness depends on beside the folder's name: nothing, or a file that is not ours."""
        path = Path(self._py_file)
        if path.is_relative_to(cachekey.PACKAGE) or not path.is_file():
            return "by folder"
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def get_disambiguator(self) -> str:
        """Return what tells kernels of one name apart."""
        return self._name

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "FolderLocator":
        """Return the locator of one kernel."""
        return cls(py_func, py_file)


class KernelCacheImpl(caching.CompileResultCacheImpl):
    """Numba's serialisation, in our folder."""

    _locator_classes = (FolderLocator,)


class KernelCache(caching.FunctionCache):
    """Numba's cache, safe when several processes write and harmless when the disk is full."""

    _impl_class = KernelCacheImpl
    failures = 0
    """How often compiled code could not be kept, in this process."""

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write under a lock: Numba numbers data files from an index that another process may be changing."""
        try:
            with filelock.FileLock(cachekey.folder() / "write.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            KernelCache.failures += 1
            if KernelCache.failures == 1:
                say(f"compiled code cannot be kept, the next start will compile again: {error}")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load what is there; a damaged file counts as absent and is written anew."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # noqa: BLE001  (unpickling a damaged file raises almost anything)
            say(f"damaged file in {cachekey.folder()}, compiling again ({type(error).__name__})")
            with suppress(OSError):
                self.flush()
            return None


def compiled_form(function: Any, is_open: bool, fastmath: Any = False) -> Any:
    """Compile a function on its first call: no GIL, kept on disk, division as in NumPy.

    Only kernels call it, unless it is open to Python too: the way in from there is a seventh of all compilation.
    """
    options = {"nogil": True, "error_model": "numpy", "boundscheck": cachekey.DEBUG, "fastmath": fastmath}
    compiled = numba.njit(**options, no_cfunc_wrapper=True, no_cpython_wrapper=not (is_open and KEEP))(function)
    if COMPILED and KEEP:
        compiled._cache = KernelCache(compiled.py_func)
    return compiled


def kernel(function: Any) -> Any:
    """Mark a function that is compiled."""
    return compiled_form(function, cachekey.OPEN)


def inlined(function: Any) -> Any:
    """Inline a function into its callers, before types are known.

    So part of a recursive kernel may stand apart and still call it: what is compiled calls only itself.
    """
    return numba.njit(nogil=True, error_model="numpy", boundscheck=cachekey.DEBUG, inline="always")(function)


def compile_entry(item: Entry) -> None:
    """Compile or load the one signature; any later call is converted to it, never compiled anew."""
    if not COMPILED:
        return
    signature = signature_of(item)
    if signature not in item.function.signatures:
        item.function.compile(signature)
    item.function.disable_compile()


def is_kept(item: Entry) -> bool:
    """Has any process compiled an entry before, so that it is only to be loaded?"""
    return any(cachekey.folder().glob(f"*.{item.function.__name__}-*.nbi"))


class LazyEntry:
    """A lazy entry as Python sees it: the first call compiles, and tells the user if that takes time."""

    def __init__(self, item: Entry) -> None:
        self._item = item
        self._is_ready = not COMPILED
        self._lock = threading.Lock()
        functools.update_wrapper(self, item.function.py_func if COMPILED else item.function)

    def prepare(self) -> None:
        """Compile or load, once, whatever thread asks."""
        with self._lock:
            if self._is_ready:
                return
            if not is_kept(self._item):
                say(f"compiling {self._item.name}, this happens once...")
            compile_entry(self._item)
            self._is_ready = True

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel."""
        if not self._is_ready:
            self.prepare()
        return self._item.function(*arguments)


def argument_type(declared: Any) -> Any:
    """The compiler's name for a record type, a scalar code such as "u8", or Many of either."""
    if isinstance(declared, Many):
        return numba.types.Array(numba.from_dtype(np.dtype(declared.kind)), 1, "C", readonly=declared.is_read)
    return numba.from_dtype(np.dtype(declared))


def item_bytes(declared: Many) -> int:
    """Bytes of an array's item."""
    return int(np.dtype(declared.kind).itemsize)


def signature_of(item: Entry) -> tuple[Any, ...]:
    """The compiler's names for the types of an entry's arguments."""
    return tuple(argument_type(declared) for declared in item.arguments)


def entry(*arguments: Any, lazy: bool = False) -> Callable[[Any], Any]:
    """Mark a kernel that shells call with arguments of these types; the warm-up compiles it.

    A lazy one, which playing never needs, is compiled on its first call.
    """
    return marker(arguments, lazy=lazy, fastmath=False)


def fastmath_entry(*arguments: Any) -> Callable[[Any], Any]:
    """Mark a lazy entry whose sums of real numbers may be added in any order, as vectors add them.

    For training only: what it returns may differ in the last bits between processors. NaN and infinity keep their
    meaning.
    """
    return marker(arguments, lazy=True, fastmath=set(REORDERED))


def marker(arguments: tuple[Any, ...], lazy: bool, fastmath: Any) -> Callable[[Any], Any]:
    """What makes an entry of a function."""

    def mark(function: Any) -> Any:
        compiled = compiled_form(function, is_open=True, fastmath=fastmath)
        item = Entry(compiled, arguments, lazy)
        ENTRIES.append(item)
        return LazyEntry(item) if lazy else compiled

    return mark


def is_compiled(is_all: bool = False) -> bool:
    """Would a warm-up only have to load? There is no other build than that of this process."""
    return not COMPILED or (cachekey.folder() / cachekey.COMPLETE).exists()


def warm_up(report: Report | None = None, wanted: Callable[[str], bool] | None = None) -> None:
    """Compile or load every entry that is not lazy, in order, telling `report` before each and at the end.

    Only one process compiles; others wait for it, then load what it made. Safe to call often. Those who
    need few entries say which by name, and have them without waiting for anybody.
    """
    for name in kernel_modules():
        importlib.import_module(name)
    tell = report or (lambda *_: None)
    entries = [item for item in ENTRIES if not item.is_lazy]
    if wanted is not None:
        compile_entries(tell, [item for item in entries if wanted(item.name)])
        return
    if is_compiled():
        compile_entries(tell, entries)
        return
    marker = cachekey.folder() / cachekey.COMPLETE
    lock = filelock.FileLock(marker.with_name("compile.lock"))
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        tell(0, len(entries), "waiting for another process that compiles")
        lock.acquire()
    except OSError:  # a full disk or a lost folder: compile without keeping
        compile_entries(tell, entries)
        return
    try:
        compile_entries(tell, entries)
        if KernelCache.failures == 0:
            marker.touch()
    finally:
        lock.release()


def compile_all(report: Report) -> None:
    """Compile or load what a warm-up does: of other builds nothing is known here."""
    warm_up(report)


def compile_entries(tell: Report, entries: list[Entry]) -> None:
    """Compile or load entries in the order of definition, callees first."""
    for done, item in enumerate(entries):
        tell(done, len(entries), item.name)
        compile_entry(item)
    tell(len(entries), len(entries), "ready")
