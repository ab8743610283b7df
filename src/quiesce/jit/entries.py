"""Shell. What an entry is: a kernel that shells call, and how the types of its arguments are told."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from quiesce import cachekey

Report = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and what is under way."""


@dataclass(frozen=True, slots=True)
class Many:
    """Says that an argument is an array, one value after the other; one that is only read may be read-only."""

    kind: Any
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A kernel that shells call, and the types it is called with; playing never needs a lazy one."""

    function: Any
    arguments: tuple[Any, ...]
    is_lazy: bool = False

    @property
    def name(self) -> str:
        """Where a reader finds it: package, module, function."""
        return f"{self.function.__module__.removeprefix('quiesce.')}.{self.function.__name__}"

    @property
    def symbol(self) -> str:
        """Its name in an object."""
        return f"q_{self.name.replace('.', '_')}"

    @property
    def kinds(self) -> list[str]:
        """Its arguments as a manifest tells them."""
        return [kind_of(declared) for declared in self.arguments]


NEEDS_NUMBA = "compiling kernels needs Numba, which is not installed: pip install 'quiesce[jit]'"


class CompileError(RuntimeError):
    """Kernels are not there and cannot be compiled; the message says why."""


ENTRIES: list[Entry] = []
"""All entries, in the order of definition: callees first."""


def kernel_modules() -> list[str]:
    """Names of all modules that hold kernels."""
    files = cachekey.kernel_files()
    return [".".join(("quiesce", *path.relative_to(cachekey.PACKAGE).with_suffix("").parts)) for path in files]


def kind_of(declared: Any) -> str:
    """A type in words: a number's code such as "u8", a record's size and layout, or an array of either."""
    if isinstance(declared, Many):
        return f"{'read-only ' if declared.is_read else ''}array of {kind_of(declared.kind)}"
    kind = np.dtype(declared)
    if kind.fields is None:
        return str(kind.str[1:])
    return f"record of {kind.itemsize} bytes, layout {hashlib.sha256(layout(kind).encode()).hexdigest()[:16]}"


def layout(kind: Any) -> str:
    """Where each field of a type lies, and what it is."""
    if kind.subdtype is not None:
        item, shape = kind.subdtype
        return f"{layout(item)}{list(shape)}"
    if kind.fields is None:
        return str(kind.str)
    fields = ",".join(f"{name}@{kind.fields[name][1]}:{layout(kind.fields[name][0])}" for name in kind.names)
    return f"({fields}){kind.itemsize}"
