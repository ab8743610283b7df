"""Kernels. What looks the same from both sides: signs and ranks."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import WHITE, rank_of
from quiesce.jit import kernel

LAST_RANK = 7


@kernel
def sign_of(side):
    """Plus one for White, minus one for Black."""
    return 1 - 2 * np.int64(side)


@kernel
def relative_rank(side, square):
    """Rank of a square as a side counts it, 0 = its first."""
    return np.int64(rank_of(square)) if side == WHITE else LAST_RANK - np.int64(rank_of(square))
