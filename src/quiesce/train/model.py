"""Shell. The network as it is trained: the function that netfile.py states in whole numbers, of weights that are real.

What is computed with are the weights rounded as the file will hold them, what is learnt are the weights themselves; so
the network learns to live with its rounding, and the file's values are those that the loss was measured on.
"""

from typing import Any

import torch

from quiesce.eval.netfile import (
    FEATURE_LIMIT,
    FEWEST_MEN,
    MEN_A_BUCKET,
    OUTPUT_LIMIT,
    QA,
    QB,
    Network,
    check_size,
)
from quiesce.eval.samples import INPUTS
from quiesce.train.reading import PADDING

Tensor = Any
"""PyTorch's own types are not there where it is not installed."""
HOT_COLUMNS = INPUTS + 32
"""Columns of the matrix a GPU multiplies by: PADDING has one, the rest keep rows aligned."""
FEATURE_CLIP = FEATURE_LIMIT / QA
OUTPUT_CLIP = OUTPUT_LIMIT / QB
FIRST_SPREAD = 0.05
"""Standard deviation of the first weights of features."""
UNITS = {"feature_weights": QA, "feature_bias": QA, "output_weights": QB, "output_bias": QA * QB}
"""What one is in the file, for each array of weights."""
NAMES = tuple(UNITS)


def accumulated(side: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
    """One side's accumulator, of weights that are whole: a matrix product where that is quick, a sum of rows elsewhere.

    Whole numbers up to FEATURE_LIMIT survive the shortened ones of a GPU's quick products (TF32) unchanged.
    """
    if side.device.type == "cpu":
        return torch.nn.functional.embedding_bag(side, weights, mode="sum", padding_idx=PADDING) + bias
    hot = torch.zeros(len(side), HOT_COLUMNS, device=side.device).scatter_(1, side.long(), 1.0)
    return torch.addmm(bias, hot[:, :INPUTS], weights[:INPUTS])


class Model:
    """Weights, and the output they give; one is SCALE points."""

    def __init__(self, width: int, buckets: int, seed: int, device: str = "cpu") -> None:
        check_size(width, buckets)
        draw = torch.Generator().manual_seed(seed)
        features = torch.randn(INPUTS + 1, width, generator=draw) * FIRST_SPREAD
        features[PADDING] = 0
        outputs = torch.randn(buckets, 2 * width, generator=draw) / (2 * width) ** 0.5
        first = (features, torch.zeros(width), outputs, torch.zeros(buckets))
        self.device = device
        self.weights = {name: value.to(device).requires_grad_() for name, value in zip(NAMES, first, strict=True)}

    def __call__(self, stm: Tensor, nstm: Tensor, men: Tensor) -> Tensor:
        """Outputs of a batch: features of both sides as (positions, 32), PADDING where there are fewer, and men."""
        weights, bias = self._whole("feature_weights"), self._whole("feature_bias")
        sides = [accumulated(side, weights, bias) for side in (stm, nstm)]
        x = (torch.cat(sides, dim=1) / QA).clamp(0, 1).square()
        weights, bias = self._whole("output_weights") / QB, self._whole("output_bias") / (QA * QB)
        if len(bias) == 1:
            return x @ weights[0] + bias[0]
        bucket = ((men - FEWEST_MEN) // MEN_A_BUCKET).long().unsqueeze(1)
        return (x @ weights.T + bias).gather(1, bucket).squeeze(1)

    def _whole(self, name: str) -> Tensor:
        """Weights in the file's units, rounded to what it can hold; their gradient passes as if they were not."""
        real = self.weights[name] * UNITS[name]
        return torch.round(real.detach()) + (real - real.detach())

    def clip(self) -> None:
        """Bring weights back to what their whole numbers can hold."""
        with torch.no_grad():
            self.weights["feature_weights"].clamp_(-FEATURE_CLIP, FEATURE_CLIP)
            self.weights["feature_bias"].clamp_(-FEATURE_CLIP, FEATURE_CLIP)
            self.weights["output_weights"].clamp_(-OUTPUT_CLIP, OUTPUT_CLIP)

    def state(self) -> dict[str, Tensor]:
        """All weights, on the CPU."""
        return {name: value.detach().cpu() for name, value in self.weights.items()}

    def take(self, network: Network) -> None:
        """Take over the weights of a file, which are as they were when it was written but for rounding.

        Neurons that a narrower network has not keep their random features and begin with no say in the output.
        """
        width = network.width
        with torch.no_grad():
            whole = {
                name: torch.from_numpy(getattr(network, name).astype("float32")).to(self.device) / unit
                for name, unit in UNITS.items()
            }
            self.weights["feature_weights"][:INPUTS, :width] = whole["feature_weights"]
            self.weights["feature_bias"][:width] = whole["feature_bias"]
            outputs = self.weights["output_weights"].view(len(whole["output_bias"]), 2, -1)
            outputs[:, :, width:] = 0
            outputs[:, :, :width] = whole["output_weights"].view(-1, 2, width)
            self.weights["output_bias"][:] = whole["output_bias"]

    def load(self, state: dict[str, Tensor]) -> None:
        """Take weights over."""
        with torch.no_grad():
            for name, value in self.weights.items():
                value.copy_(state[name])
