"""Shell. The network as it is trained: the function that netfile.py states in whole numbers, of weights that are real.

What is computed with are the weights rounded as the file will hold them, what is learnt are the weights themselves; so
the network learns to live with its rounding, and the file's values are those that the loss was measured on.
"""

from functools import cache
from typing import Any

import torch

from quiesce.eval.features import FEATURES, OWN_KING_SQUARE, king_bucket_map
from quiesce.eval.netfile import FEWEST_PIECES, PIECES_A_BUCKET, QA, QB, Network, Size
from quiesce.train.reading import PADDING
from quiesce.train.weights import (
    BUCKET_WEIGHTS,
    FEATURE_CLIP,
    OUTPUT_CLIP,
    UNITS,
    Weights,
    first_weights,
    real_of,
    taken_over,
)

Tensor = Any
"""PyTorch's own types are not there where it is not installed."""
HOT_COLUMNS = FEATURES + 32
"""Columns of the matrix a GPU multiplies by: PADDING has one, the rest keep rows aligned."""


@cache
def own_king_table(device: str) -> Tensor:
    """`features.OWN_KING_SQUARE`, on a device."""
    return torch.from_numpy(OWN_KING_SQUARE).int().to(device)


def own_king_squares(side: Tensor) -> Tensor:
    """`features.own_king_squares`, in PyTorch."""
    return own_king_table(str(side.device))[side].amax(dim=1)


def summed(side: Tensor, weights: Tensor, king_buckets: Tensor) -> Tensor:
    """A sum of rows of weights for each row of features: what a CPU is quick at."""
    count, _, width = weights.shape
    rows = torch.cat([weights.reshape(-1, width), weights.new_zeros(1, width)])
    index = torch.where(side == PADDING, count * FEATURES, side + FEATURES * king_buckets.unsqueeze(1))
    return torch.nn.functional.embedding_bag(index, rows, mode="sum")


def multiplied(side: Tensor, weights: Tensor, king_buckets: Tensor) -> Tensor:
    """The same by matrix products with the weights of every king bucket, each row keeping its own: a GPU's way.

    Whole numbers up to FEATURE_LIMIT survive the shortened ones of a GPU's quick products (TF32) unchanged.
    """
    hot = torch.zeros(len(side), HOT_COLUMNS, device=side.device).scatter_(1, side.long(), 1.0)[:, :FEATURES]
    sums = hot @ weights.permute(1, 0, 2).reshape(FEATURES, -1)
    return sums.view(len(side), *weights.shape[::2])[torch.arange(len(side), device=side.device), king_buckets]


def accumulated(side: Tensor, weights: Tensor, bias: Tensor, bucket_table: Tensor) -> Tensor:
    """One side's accumulator, of weights that are whole."""
    form = summed if side.device.type == "cpu" else multiplied
    return form(side, weights, bucket_table[own_king_squares(side)]) + bias


class Model:
    """Weights, and the output they give; one is SCALE points."""

    def __init__(self, size: Size, seed: int, device: str = "cpu") -> None:
        self.device = device
        self.bucket_table = torch.from_numpy(king_bucket_map(size.king_buckets)).long().to(device)
        first = first_weights(size, seed)
        self.weights = {name: torch.from_numpy(value).to(device).requires_grad_() for name, value in first.items()}

    def __call__(self, stm: Tensor, nstm: Tensor, piece_count: Tensor) -> Tensor:
        """Outputs of a batch: features of both sides as (positions, 32), padded with PADDING, and piece counts."""
        weights, bias = self._whole("feature_weights"), self._whole("feature_bias")
        sides = [accumulated(side, weights, bias, self.bucket_table) for side in (stm, nstm)]
        x = (torch.cat(sides, dim=1) / QA).clamp(0, 1).square()
        weights, bias = self._whole("output_weights") / QB, self._whole("output_bias") / (QA * QB)
        if len(bias) == 1:
            return x @ weights[0] + bias[0]
        bucket = ((piece_count - FEWEST_PIECES) // PIECES_A_BUCKET).long().unsqueeze(1)
        return (x @ weights.T + bias).gather(1, bucket).squeeze(1)

    def real(self, name: str) -> Tensor:
        """An array of the file before it is rounded, in units of one."""
        return real_of(self.weights, name)

    def reals(self) -> Weights:
        """All arrays of the file before they are rounded, in units of one."""
        return {name: self.real(name).detach().cpu().numpy() for name in UNITS}

    def _whole(self, name: str) -> Tensor:
        """Weights in the file's units, rounded to what it can hold; their gradient passes as if they were not."""
        real = self.real(name) * UNITS[name]
        return torch.round(real.detach()) + (real - real.detach())

    def clip(self) -> None:
        """Bring weights back to what their whole numbers can hold."""
        with torch.no_grad():
            shared = self.weights["feature_weights"].clamp_(-FEATURE_CLIP, FEATURE_CLIP)
            self.weights["feature_bias"].clamp_(-FEATURE_CLIP, FEATURE_CLIP)
            self.weights["output_weights"].clamp_(-OUTPUT_CLIP, OUTPUT_CLIP)
            if BUCKET_WEIGHTS in self.weights:
                beyond = self.weights[BUCKET_WEIGHTS]
                beyond.copy_((shared + beyond).clamp_(-FEATURE_CLIP, FEATURE_CLIP) - shared)

    def state(self) -> dict[str, Tensor]:
        """All weights, on the CPU."""
        return {name: value.detach().cpu() for name, value in self.weights.items()}

    def take(self, network: Network) -> None:
        """Take over the weights of a file, which may be narrower or have one king bucket."""
        now = {name: value.numpy() for name, value in self.state().items()}
        self.load({name: torch.from_numpy(value) for name, value in taken_over(now, network).items()})

    def load(self, state: dict[str, Tensor]) -> None:
        """Take weights over."""
        with torch.no_grad():
            for name, value in self.weights.items():
                value.copy_(state[name])
