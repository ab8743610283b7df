"""Shell. A trained network in whole numbers: rounded, compared with itself in real ones, and written."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from quiesce.eval.netfile import SCALE, Network, reference_eval
from quiesce.eval.samples import NO_INPUT
from quiesce.train.data import Rows, batches
from quiesce.train.model import UNITS, Model
from quiesce.train.reading import PADDING
from quiesce.train.settings import TrainError

COMPARED = 8_192
"""Held-out positions on which both forms are compared."""
MEAN_BOUND, GREATEST_BOUND = 1.0, 4.0
"""Points by which both forms may differ on a position: on average, and at most."""
TYPES = {name: np.int32 if name == "output_bias" else np.int16 for name in UNITS}
NEAR = 1_000.0
"""The greatest difference is asked of positions within so many points: beyond, the game is decided."""


def quantised(model: Model, header: Mapping[str, Any]) -> Network:
    """The network in whole numbers."""
    real = {name: model.real(name).detach().cpu().double().numpy() for name in UNITS}
    whole = {name: np.rint(value * UNITS[name]).astype(TYPES[name]) for name, value in real.items()}
    return Network(**whole, header=header)


def differences(model: Model, network: Network, rows: Rows) -> dict[str, float]:
    """How far rounding moves values, in points: on average, at most, and how many positions were asked."""
    apart, near = [], []
    some = rows.pick(torch.arange(min(len(rows), COMPARED), device=rows.score.device))
    with torch.no_grad():
        for batch in batches(some, None, COMPARED, model.device):
            real = (model(batch.stm, batch.nstm, batch.men) * SCALE).double().cpu().numpy()
            sides = [side.cpu().numpy() for side in (batch.stm, batch.nstm)]
            stm, nstm = (np.where(side == PADDING, NO_INPUT, side) for side in sides)
            apart.append(np.abs(reference_eval(network, stm, nstm, batch.men.cpu().numpy()) - real))
            near.append(np.abs(real) < NEAR)
    gaps = np.concatenate(apart)
    close = gaps[np.concatenate(near)]
    return {
        "positions": len(gaps),
        "mean": round(float(gaps.mean()), 3),
        "greatest": round(float(gaps.max()), 3),
        "greatest_near": round(float(close.max(initial=0.0)), 3),
    }


def checked(model: Model, rows: Rows, header: Mapping[str, Any]) -> Network:
    """The network in whole numbers, its header telling how far rounding moves values; refused if that is too far."""
    network = quantised(model, header)
    found = differences(model, network, rows)
    if found["mean"] > MEAN_BOUND or found["greatest_near"] > GREATEST_BOUND:
        raise TrainError(
            f"rounding moves values by {found['mean']} points on average and {found['greatest_near']} at most; "
            f"{MEAN_BOUND} and {GREATEST_BOUND} are allowed"
        )
    return quantised(model, {**header, "rounding": found})
