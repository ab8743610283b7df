"""Kernels. The frame of a ply: the scratch space that `worker.FRAME` declares."""

# mypy: ignore-errors

from quiesce.board.types import u64
from quiesce.jit import kernel
from quiesce.search.worker import FRAMES_BEFORE


@kernel
def frame_of(w, ply):
    """Frame of a ply, from FRAMES_BEFORE plies before the root on."""
    return w.frames[u64(ply + FRAMES_BEFORE)]
