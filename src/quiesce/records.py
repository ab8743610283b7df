"""Shell. How shared state is declared: field by field, once, with its meaning beside it."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

Record = np.dtype[np.void]


class Fields(np.void):  # type: ignore[misc]  # final to the stubs, which np.record ignores too
    """What a record is to Python: its fields are its attributes.

    Kernels ask for `data`, and need an address only. NumPy's own `data`, and that of its `np.record`, spells out the
    whole layout each time, which takes longer than most calls: 30 us for a worker, now 3.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"there is no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except ValueError:
            if name in (self.dtype.names or ()):
                raise
            raise AttributeError(f"there is no field {name!r}") from None

    @property
    def data(self) -> memoryview:
        """The record's memory, of which nothing is told but where it lies."""
        return self.getfield(one_block(self.nbytes)).data


@cache
def one_block(size: int) -> Record:
    """So many bytes as one field."""
    return np.dtype([("all", np.void, size)])


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record: its name, its NumPy type (with a shape for arrays), its meaning."""

    name: str
    kind: Any
    meaning: str


def record(*fields: Field) -> Record:
    """The NumPy type of a record; to the compiler such a record is one bare pointer."""
    taken = [field.name for field in fields if hasattr(Fields, field.name)]
    if taken:
        raise ValueError(f"NumPy's records have attributes of their own called {', '.join(taken)}")
    columns: Any = {"names": [field.name for field in fields], "formats": [field.kind for field in fields]}
    return np.dtype((Fields, np.dtype(columns, align=True)))


def new(kind: Record) -> Any:
    """A zeroed record whose fields read as attributes, compiled or not."""
    return np.zeros(1, kind)[0]
