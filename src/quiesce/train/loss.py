"""Shell. What a network should predict, and what it loses by predicting something else: in plain NumPy."""

from typing import Any

import numpy as np

from quiesce.eval.netfile import SCALE
from quiesce.eval.samples import UNKNOWN, WIN, Samples
from quiesce.train.reading import Array
from quiesce.train.settings import Settings

F32 = np.float32


def targets_of(samples: Samples, settings: Settings) -> Array:
    """The score's chances and the game's result, blended; the chances alone if the result is unknown."""
    chances = 1 / (1 + np.exp(samples["score"].astype(F32) / F32(-settings.sigmoid_scale)))
    results = samples["result"].astype(F32) / F32(WIN)
    blended = results + F32(settings.wdl_lambda) * (chances - results)
    return np.asarray(np.where(samples["result"] == UNKNOWN, chances, blended), F32)


def losses_of(predicted: Array, targets: Array, settings: Settings) -> Array:
    """What each position loses: a power of the distance to its target."""
    return np.asarray(np.abs(predicted - targets) ** F32(settings.power))


def predicted_chances(outputs: Array, settings: Settings) -> Array:
    """Chances of winning that outputs mean."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(outputs * F32(-SCALE / settings.sigmoid_scale))))


def slopes_of(predicted: Array, targets: Array, settings: Settings) -> Array:
    """What each position's loss gains with its output."""
    apart: Any = predicted - targets
    outer = F32(settings.power) * np.sign(apart) * np.abs(apart) ** F32(settings.power - 1)
    return np.asarray(outer * predicted * (1 - predicted) * F32(SCALE / settings.sigmoid_scale))
