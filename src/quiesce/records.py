"""Shell. How shared state is declared: field by field, once, with its meaning beside it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Record = np.dtype[np.void]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record: its name, its NumPy type (with a shape for arrays), its meaning."""

    name: str
    kind: Any
    meaning: str


def record(*fields: Field) -> Record:
    """The NumPy type of a record; to the compiler such a record is one bare pointer."""
    taken = [field.name for field in fields if hasattr(np.record, field.name)]
    if taken:
        raise ValueError(f"NumPy's records have attributes of their own called {', '.join(taken)}")
    columns: Any = {"names": [field.name for field in fields], "formats": [field.kind for field in fields]}
    return np.dtype((np.record, np.dtype(columns, align=True)))


def new(kind: Record) -> Any:
    """A zeroed record whose fields read as attributes, compiled or not."""
    return np.zeros(1, kind)[0]
