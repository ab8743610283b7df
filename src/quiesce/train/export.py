"""Shell. A trained network in whole numbers: rounded, and compared with itself in real ones."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from quiesce.eval.netfile import SCALE, Network, reference_eval
from quiesce.train.reading import Array
from quiesce.train.settings import TrainError
from quiesce.train.weights import Weights, whole_of

COMPARED = 8_192
"""Held-out positions on which both forms are compared."""
MEAN_BOUND, GREATEST_BOUND = 1.0, 4.0
"""Points by which both forms may differ on a position: on average, and at most."""
NEAR = 1_000.0
"""The greatest difference is taken over positions within this many points; beyond them the game is decided."""


class Asked(NamedTuple):
    """Positions, and what a network says of them before it is rounded."""

    stm: Array
    nstm: Array
    """(positions, MOST_PIECES) inputs of the mover and of the other side, NO_FEATURE behind the last."""
    piece_count: Array
    outputs: Array
    """In units of one."""


def differences(network: Network, asked: Asked) -> dict[str, float]:
    """How far rounding moves values, in points: on average, at most, and how many positions were asked."""
    real = asked.outputs.astype(np.float64) * SCALE
    gaps = np.abs(reference_eval(network, asked.stm, asked.nstm, asked.piece_count) - real)
    return {
        "positions": len(gaps),
        "mean": round(float(gaps.mean()), 3),
        "greatest": round(float(gaps.max()), 3),
        "greatest_near": round(float(gaps[np.abs(real) < NEAR].max(initial=0.0)), 3),
    }


def checked(reals: Weights, asked: Asked, header: Mapping[str, Any]) -> Network:
    """The network in whole numbers, its header telling how far rounding moves values; refused if that is too far."""
    network = whole_of(reals, header)
    found = differences(network, asked)
    if found["mean"] > MEAN_BOUND or found["greatest_near"] > GREATEST_BOUND:
        raise TrainError(
            f"rounding moves values by {found['mean']} points on average and {found['greatest_near']} at most; "
            f"{MEAN_BOUND} and {GREATEST_BOUND} are allowed"
        )
    return whole_of(reals, {**header, "rounding": found})
