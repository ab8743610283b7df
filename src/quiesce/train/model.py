"""Shell. The network in real numbers, as it is trained: the same function that netfile.py states in whole ones."""

from typing import Any

import torch

from quiesce.eval.netfile import (
    FEATURE_LIMIT,
    FEWEST_MEN,
    MEN_A_BUCKET,
    OUTPUT_LIMIT,
    QA,
    QB,
    check_size,
)
from quiesce.eval.samples import INPUTS

Tensor = Any
"""PyTorch's own types are not there where it is not installed."""
PADDING = INPUTS
"""The feature that stands for none; its weights are zero and stay so."""
HOT_COLUMNS = INPUTS + 32
"""Columns of the matrix a GPU multiplies by: PADDING has one, the rest keep rows aligned."""
FEATURE_CLIP = FEATURE_LIMIT / QA
OUTPUT_CLIP = OUTPUT_LIMIT / QB
FIRST_SPREAD = 0.05
"""Standard deviation of the first weights of features."""
NAMES = ("feature_weights", "feature_bias", "output_weights", "output_bias")


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
        sides = [self._accumulator(side) for side in (stm, nstm)]
        x = torch.cat(sides, dim=1).clamp(0, 1).square()
        weights, bias = self.weights["output_weights"], self.weights["output_bias"]
        if len(bias) == 1:
            return x @ weights[0] + bias[0]
        bucket = ((men - FEWEST_MEN) // MEN_A_BUCKET).long().unsqueeze(1)
        return (x @ weights.T + bias).gather(1, bucket).squeeze(1)

    def _accumulator(self, side: Tensor) -> Tensor:
        """One side's accumulator: a matrix product where that is quick, a sum of rows elsewhere."""
        weights, bias = self.weights["feature_weights"], self.weights["feature_bias"]
        if side.device.type == "cpu":
            return torch.nn.functional.embedding_bag(side, weights, mode="sum", padding_idx=PADDING) + bias
        hot = torch.zeros(len(side), HOT_COLUMNS, device=side.device).scatter_(1, side.long(), 1.0)
        return torch.addmm(bias, hot[:, :INPUTS], weights[:INPUTS])

    def clip(self) -> None:
        """Bring weights back to what their whole numbers can hold."""
        with torch.no_grad():
            self.weights["feature_weights"].clamp_(-FEATURE_CLIP, FEATURE_CLIP)
            self.weights["feature_bias"].clamp_(-FEATURE_CLIP, FEATURE_CLIP)
            self.weights["output_weights"].clamp_(-OUTPUT_CLIP, OUTPUT_CLIP)

    def state(self) -> dict[str, Tensor]:
        """All weights, on the CPU."""
        return {name: value.detach().cpu() for name, value in self.weights.items()}

    def load(self, state: dict[str, Tensor]) -> None:
        """Take weights over."""
        with torch.no_grad():
            for name, value in self.weights.items():
                value.copy_(state[name])
