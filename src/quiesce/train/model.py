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
    Size,
    zone_map,
)
from quiesce.eval.samples import INPUTS, OWN_KING, SQUARES
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
ZONE_WEIGHTS = "zone_weights"
"""What a zone's features weigh beyond `feature_weights`, which all zones share: rare ones learn from the others."""


def zones_of(side: Tensor, zone_table: Tensor) -> Tensor:
    """`netfile.zones_of`, in PyTorch."""
    is_king = (side >= OWN_KING) & (side < OWN_KING + SQUARES)
    return zone_table[torch.where(is_king, side - OWN_KING, 0).amax(dim=1)]


def summed(side: Tensor, weights: Tensor, zones: Tensor) -> Tensor:
    """A sum of rows of weights for each row of features: what a CPU is quick at."""
    count, _, width = weights.shape
    rows = torch.cat([weights.reshape(-1, width), weights.new_zeros(1, width)])
    index = torch.where(side == PADDING, count * INPUTS, side + INPUTS * zones.unsqueeze(1))
    return torch.nn.functional.embedding_bag(index, rows, mode="sum")


def multiplied(side: Tensor, weights: Tensor, zones: Tensor) -> Tensor:
    """The same as products of matrices, by the weights of every zone, of which each row keeps its own: a GPU's way.

    Whole numbers up to FEATURE_LIMIT survive the shortened ones of a GPU's quick products (TF32) unchanged.
    """
    hot = torch.zeros(len(side), HOT_COLUMNS, device=side.device).scatter_(1, side.long(), 1.0)[:, :INPUTS]
    sums = hot @ weights.permute(1, 0, 2).reshape(INPUTS, -1)
    return sums.view(len(side), *weights.shape[::2])[torch.arange(len(side), device=side.device), zones]


def accumulated(side: Tensor, weights: Tensor, bias: Tensor, zone_table: Tensor) -> Tensor:
    """One side's accumulator, of weights that are whole."""
    form = summed if side.device.type == "cpu" else multiplied
    return form(side, weights, zones_of(side, zone_table)) + bias


class Model:
    """Weights, and the output they give; one is SCALE points."""

    def __init__(self, size: Size, seed: int, device: str = "cpu") -> None:
        width, buckets, zones = size
        draw = torch.Generator().manual_seed(seed)
        first = {
            "feature_weights": torch.randn(1, INPUTS, width, generator=draw) * FIRST_SPREAD,
            "feature_bias": torch.zeros(width),
            "output_weights": torch.randn(buckets, 2 * width, generator=draw) / (2 * width) ** 0.5,
            "output_bias": torch.zeros(buckets),
        }
        if zones > 1:
            first[ZONE_WEIGHTS] = torch.zeros(zones, INPUTS, width)
        self.device = device
        self.zone_table = torch.from_numpy(zone_map(zones)).long().to(device)
        self.weights = {name: value.to(device).requires_grad_() for name, value in first.items()}

    def __call__(self, stm: Tensor, nstm: Tensor, men: Tensor) -> Tensor:
        """Outputs of a batch: features of both sides as (positions, 32), PADDING where there are fewer, and men."""
        weights, bias = self._whole("feature_weights"), self._whole("feature_bias")
        sides = [accumulated(side, weights, bias, self.zone_table) for side in (stm, nstm)]
        x = (torch.cat(sides, dim=1) / QA).clamp(0, 1).square()
        weights, bias = self._whole("output_weights") / QB, self._whole("output_bias") / (QA * QB)
        if len(bias) == 1:
            return x @ weights[0] + bias[0]
        bucket = ((men - FEWEST_MEN) // MEN_A_BUCKET).long().unsqueeze(1)
        return (x @ weights.T + bias).gather(1, bucket).squeeze(1)

    def real(self, name: str) -> Tensor:
        """An array of the file before it is rounded, in units of one."""
        if name == "feature_weights" and ZONE_WEIGHTS in self.weights:
            return self.weights[name] + self.weights[ZONE_WEIGHTS]
        return self.weights[name]

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
            if ZONE_WEIGHTS in self.weights:
                beyond = self.weights[ZONE_WEIGHTS]
                beyond.copy_((shared + beyond).clamp_(-FEATURE_CLIP, FEATURE_CLIP) - shared)

    def state(self) -> dict[str, Tensor]:
        """All weights, on the CPU."""
        return {name: value.detach().cpu() for name, value in self.weights.items()}

    def take(self, network: Network) -> None:
        """Take over the weights of a file, which are as they were when it was written but for rounding.

        Neurons that a narrower network has not keep their random features and begin with no say in the output; zones
        that one without has not begin alike.
        """
        width, buckets, zones = network.size
        with torch.no_grad():
            whole = {
                name: torch.from_numpy(getattr(network, name).astype("float32")).to(self.device) / unit
                for name, unit in UNITS.items()
            }
            shared = whole["feature_weights"].mean(dim=0)
            self.weights["feature_weights"][0, :, :width] = shared
            if zones > 1:
                self.weights[ZONE_WEIGHTS][:, :, :width] = whole["feature_weights"] - shared
            self.weights["feature_bias"][:width] = whole["feature_bias"]
            outputs = self.weights["output_weights"].view(buckets, 2, -1)
            outputs[:, :, width:] = 0
            outputs[:, :, :width] = whole["output_weights"].view(-1, 2, width)
            self.weights["output_bias"][:] = whole["output_bias"]

    def load(self, state: dict[str, Tensor]) -> None:
        """Take weights over."""
        with torch.no_grad():
            for name, value in self.weights.items():
                value.copy_(state[name])
