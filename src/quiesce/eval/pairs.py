"""Kernels. Pairs: middlegame and ending centipawns in one number, so that one addition adds both."""

# mypy: ignore-errors

from quiesce.jit import kernel

_HALF = 1 << 31
_LOW = (1 << 32) - 1
_SHIFT = 32


@kernel
def middle_of(pair):
    """Centipawns in the middlegame."""
    return ((pair + _HALF) & _LOW) - _HALF


@kernel
def ending_of(pair):
    """Centipawns in the ending."""
    return (pair + _HALF) >> _SHIFT


@kernel
def only_ending(ending):
    """A pair of ending centipawns alone."""
    return ending << _SHIFT
