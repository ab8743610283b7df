"""Kernels. Counting: what a term is worth, and in the ledger, where one is kept, how often it counted."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import u64
from quiesce.eval.terms import OFFSETS
from quiesce.jit import kernel

PLACES = {name: np.int64(place) for name, place in OFFSETS.items()}
"""Where each term's weights begin. As plain numbers they would be part of the compiler's types, and every kernel that
is called with one compiled again."""


@kernel
def worth(judge, ledger, side, index, times):
    """Pair of a weight that counts so many times for a side; the ledger, if there is one, hears of it.

    Without one (None) the compiler leaves that out.
    """
    if ledger is not None:
        ledger.counts[side, u64(index)] += times
    return judge.weights.terms[u64(index)] * times
