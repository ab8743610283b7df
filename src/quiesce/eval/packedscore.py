"""Kernels. Packed scores: middlegame and endgame points in one number, S(mg, eg), so that one addition adds both."""

# mypy: ignore-errors

from quiesce.jit import kernel

_HALF = 1 << 31
_LOW = (1 << 32) - 1
_SHIFT = 32


@kernel
def mg_value(score):
    """Middlegame points of a packed score."""
    return ((score + _HALF) & _LOW) - _HALF


@kernel
def eg_value(score):
    """Endgame points of a packed score."""
    return (score + _HALF) >> _SHIFT


@kernel
def packed_eg(points):
    """A packed score of endgame points alone, S(0, eg)."""
    return points << _SHIFT
