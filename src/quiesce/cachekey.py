"""Shell. Where compiled kernels are kept: one folder for each thing that could change their code.

Numba's own cache looks at one source file only; a kernel also contains what it imports. So the
folder is named by a digest of every file kernels can see, the versions of the compiler stack, the
CPU and the switches that change code, Numba's own included. What kernels can see is the import closure of the modules
that hold them: a change of the clock or of the book compiles nothing. Nothing in a folder ever goes stale, and two
checkouts with the same sources share one.
"""

import hashlib
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).parent
KERNEL_PACKAGES = ("board", "eval", "search", "train")
"""Packages that hold kernels, in the order they are compiled."""
BUILDER = Path("jit", "build.py")
"""What makes one object of all kernels."""
OBJECT_BUILDS = ("release", "trace")
"""Builds that are one object each: for play, and for the tree of quiescence."""
CALLERS = tuple(Path("jit", name) for name in ("native.py", "library.py", "making.py", "builder.py"))
"""What finds, calls and keeps compiled code, and decides nothing of it."""
KERNEL_DOCSTRING = b'"""Kernels.'
"""How the modules that hold kernels begin."""
IMPORT = re.compile(r"^[ \t]*(?:from (quiesce[\w.]*) import (\([^)]*\)|.*)|import (quiesce[\w.]*))", re.MULTILINE)
"""An import of ours, wherever it stands: a module, and what is taken from it."""
COMPILER_STACK = ("numba", "llvmlite", "numpy")

CACHE_VARIABLE = "QUIESCE_CACHE_DIR"
COMPLETE = "complete"
"""File that marks a folder in which every entry has been compiled."""
MANIFEST = "kernels.json"
"""File that says what the object beside it holds, written last."""


def is_asked_for(variable: str) -> bool:
    """Does the environment ask for something?"""
    return os.environ.get(variable, "").lower() not in ("", "0", "false", "no", "off")


DEBUG = is_asked_for("QUIESCE_DEBUG")
"""Compile with bounds checks, and check every position against its invariants."""
TRACE = is_asked_for("QUIESCE_TRACE")
"""Compile quiescence so that it leaves a trace."""
OPEN = is_asked_for("QUIESCE_OPEN")
"""Compile kernels so that Python may call each of them, not entries alone: what tests ask for."""
JIT = is_asked_for("QUIESCE_JIT")
"""Have Numba compile kernels in this process, as it was before there were objects of all of them."""
LIVE = DEBUG or OPEN or JIT or is_asked_for("NUMBA_DISABLE_JIT")
"""Is Numba at work in this process? Else kernels come from one object."""
SWITCHES = (("debug", DEBUG), ("trace", TRACE), ("open", OPEN), ("jit", JIT))
BUILD = "-".join(name for name, wanted in SWITCHES if wanted) or "release"
"""Which build of the kernels: all of them come from the same sources, and each is kept apart."""
BUILDS = ("release-", *(f"{name}-" for name, _ in SWITCHES))
"""How folders of compiled kernels begin."""

FOLDERS_KEPT = 6
"""A newer or more recently used folder is never pruned below this number."""
DAYS_KEPT = 3.0
"""A folder used within this time is kept whatever their number: a process may be using it."""
SECONDS_A_DAY = 86_400


def version(package: str) -> str:
    """The version of an installed package."""
    from importlib import metadata  # noqa: PLC0415  (20 ms that a wheel with kernels need not pay)

    return metadata.version(package)


@cache
def bytes_of(path: Path) -> bytes:
    """A source file as it is, read once: what is compiled, loaded and told is one state of it."""
    return path.read_bytes()


@cache
def kernel_files(package: Path = PACKAGE) -> tuple[Path, ...]:
    """The modules of `package` that hold kernels, in the order they are compiled."""
    files = [path for name in KERNEL_PACKAGES for path in sorted((package / name).rglob("*.py"))]
    return tuple(path for path in files if bytes_of(path).startswith(KERNEL_DOCSTRING))


def imported_files(path: Path, package: Path = PACKAGE) -> Iterator[Path]:
    """The files of `package` that one of them imports, the packages they lie in included."""
    for origin, names, module in IMPORT.findall(bytes_of(path).decode()):
        dotted = origin or module
        parts = [dotted, *(f"{dotted}.{name}" for name in re.findall(r"\w+", names))]
        for part in parts:
            place = package.joinpath(*part.split(".")[1:])
            for file in (place.with_suffix(".py"), place / "__init__.py"):
                if file.is_file():
                    yield file


@cache
def source_files(package: Path = PACKAGE) -> tuple[Path, ...]:
    """Every file that decides compiled code: the import closure of the kernels, in a fixed order.

    The package's own `__init__.py` offers names to users and defines nothing: it ends the walk.
    """
    unseen = {package / "__init__.py", *(package / path for path in CALLERS)}
    found = set(unseen)
    waiting = list(kernel_files(package))
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [*imported_files(path, package), path.with_name("__init__.py")]
    return tuple(sorted(found - unseen))


@cache
def cpu() -> tuple[str, str]:
    """Name of this CPU as the compiler knows it, and the features it may use."""
    from llvmlite import binding  # noqa: PLC0415  (80 ms that --help need not pay)

    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


def source_digest(package: Path = PACKAGE, build: str = BUILD) -> str:
    """SHA-256 of all that decides the code of a build of `package`, on any machine."""
    total = hashlib.sha256()
    for path in [*source_files(package), *([package / BUILDER] if build in OBJECT_BUILDS else [])]:
        total.update(f"{path.relative_to(package).as_posix()}\0".encode())
        total.update(hashlib.sha256(bytes_of(path)).digest())
    return total.hexdigest()


def digest(package: Path = PACKAGE, build: str = BUILD) -> str:
    """A short name for the code that kernels of `package` compile to here."""
    total = hashlib.sha256(source_digest(package, build).encode())
    stack = [f"{name} {version(name)}" for name in COMPILER_STACK]
    switches = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    facts = [platform.python_version(), platform.machine(), *cpu(), *stack, *switches, f"build {build}"]
    total.update("\0".join(facts).encode())
    return total.hexdigest()[:16]


def is_writable(path: Path) -> bool:
    """Can we make files in `path`, creating it if need be?"""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def is_private(path: Path) -> bool:
    """Is `path` ours alone? Compiled code is loaded from it, so no other user may be able to write to it."""
    if not hasattr(os, "getuid"):
        return True
    state = path.lstat()
    return path.is_dir() and not path.is_symlink() and state.st_uid == os.getuid() and not state.st_mode & 0o022


def fallback_base() -> Path:
    """A folder for those whose home is read-only: a stable private one, or a fresh one."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    stable = Path(tempfile.gettempdir()) / f"quiesce-{user}"
    try:
        stable.mkdir(mode=0o700, exist_ok=True)
        if is_private(stable) and is_writable(stable):
            return stable
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="quiesce-"))


def user_folder(kind: Callable[..., str]) -> Path | None:
    """The user's folder of a kind that platformdirs knows; None for a user without a home, as containers have."""
    try:
        path = Path(kind("quiesce", appauthor=False))
    except RuntimeError:
        return None
    return path if path.is_absolute() else None


def preferred_base() -> Path:
    """The folder that should hold the cache folders: the one asked for, or the user's."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else user_folder(platformdirs.user_cache_dir) or fallback_base()


def is_usable(path: Path) -> bool:
    """Can kernels be loaded from a folder, complete as it is, or written to it?"""
    try:
        return (path / COMPLETE).exists() or (path / MANIFEST).exists() or is_writable(path)
    except OSError:
        return False


@cache
def folder(build: str = BUILD) -> Path:
    """The folder for kernels as they are now, made and marked as used; older ones beside it are pruned.

    Where it can be neither read whole nor written, a temporary folder takes its place.
    """
    name = f"{build}-{digest(build=build)}"
    path = preferred_base() / name
    if not is_usable(path):
        path = fallback_base() / name
        path.mkdir(exist_ok=True)
    with suppress(OSError):
        os.utime(path)
        prune(path.parent, keep=path)
    return path


def last_use(path: Path) -> float:
    """When a folder was last used; 0 if another process has just removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def prune(parent: Path, keep: Path, now: float | None = None) -> list[Path]:
    """Remove folders that were not used recently; returns those removed."""
    oldest_kept = (time.time() if now is None else now) - DAYS_KEPT * SECONDS_A_DAY
    found = [path for path in parent.iterdir() if path.name.startswith(BUILDS) and path != keep]
    by_use = sorted(((last_use(path), path) for path in found), reverse=True)
    old = [path for used, path in by_use[FOLDERS_KEPT - 1 :] if used < oldest_kept]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return old
