"""Shell. The weights that both trainers learn: their arrays, how they begin, and what the file makes of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from quiesce.eval.features import FEATURES
from quiesce.eval.netfile import FEATURE_LIMIT, OUTPUT_LIMIT, QA, QB, Network, Size
from quiesce.train.reading import Array

FEATURE_CLIP = FEATURE_LIMIT / QA
OUTPUT_CLIP = OUTPUT_LIMIT / QB
FIRST_SPREAD = 0.05
"""Standard deviation of the first weights of features."""
UNITS = {"feature_weights": QA, "feature_bias": QA, "output_weights": QB, "output_bias": QA * QB}
"""What one is in the file, for each array of weights."""
BUCKET_WEIGHTS = "zone_weights"
"""Weights of a king bucket beyond `feature_weights`, which all buckets share: rare buckets learn from the others."""
TYPES = {name: np.int32 if name == "output_bias" else np.int16 for name in UNITS}

Weights = dict[str, Array]


def first_weights(size: Size, seed: int) -> Weights:
    """How a training begins: random features and outputs, no biases, equal king buckets."""
    width, outputs, king_buckets = size
    draw = np.random.default_rng(seed)
    first = {
        "feature_weights": draw.standard_normal((1, FEATURES, width), np.float32) * np.float32(FIRST_SPREAD),
        "feature_bias": np.zeros(width, np.float32),
        "output_weights": draw.standard_normal((outputs, 2 * width), np.float32) / np.float32((2 * width) ** 0.5),
        "output_bias": np.zeros(outputs, np.float32),
    }
    return first | ({BUCKET_WEIGHTS: np.zeros((king_buckets, FEATURES, width), np.float32)} if king_buckets > 1 else {})


def real_of(weights: Mapping[str, Any], name: str) -> Any:
    """An array of the file before it is rounded, in units of one."""
    if name == "feature_weights" and BUCKET_WEIGHTS in weights:
        return weights[name] + weights[BUCKET_WEIGHTS]
    return weights[name]


def whole_of(real: Mapping[str, Array], header: Mapping[str, Any]) -> Network:
    """The network in whole numbers, of arrays of the file before they are rounded."""
    whole: dict[str, Any] = {
        name: np.rint(real[name].astype(np.float64) * UNITS[name]).astype(TYPES[name]) for name in UNITS
    }
    return Network(**whole, header=header)


def taken_over(weights: Weights, network: Network) -> Weights:
    """Weights of a file, which are as they were when it was written but for rounding.

    Neurons that a narrower network has not keep the random features of `weights` and begin with no say in the output;
    further king buckets begin equal.
    """
    width, outputs_count, _ = network.size
    found = {name: value.copy() for name, value in weights.items()}
    real = {name: getattr(network, name).astype(np.float32) / np.float32(unit) for name, unit in UNITS.items()}
    shared = real["feature_weights"].mean(axis=0)
    found["feature_weights"][0, :, :width] = shared
    if BUCKET_WEIGHTS in found:
        found[BUCKET_WEIGHTS][:, :, :width] = real["feature_weights"] - shared
    found["feature_bias"][:width] = real["feature_bias"]
    outputs = found["output_weights"].reshape(outputs_count, 2, -1)
    outputs[:, :, width:] = 0
    outputs[:, :, :width] = real["output_weights"].reshape(outputs_count, 2, width)
    found["output_bias"][:] = real["output_bias"]
    return found
