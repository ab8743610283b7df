"""Kernels. The score of a term: its weight times its count, which the trace records for people and the fit."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import u64
from quiesce.eval.terms import OFFSETS
from quiesce.jit import kernel

TERM_INDEX = {name: np.int64(place) for name, place in OFFSETS.items()}
"""Where each term's weights begin. NumPy integers: a plain one would be part of the compiler's types, so that every
kernel it is passed to would be compiled again."""


@kernel
def term_score(evaluator, trace, side, index, count):
    """Packed score of a weight that counts n times for a side; the count goes into the trace.

    Without a trace (None) the compiler leaves the recording out.
    """
    if trace is not None:
        trace.counts[side, u64(index)] += count
    return evaluator.weights.terms[u64(index)] * count
