"""Shell. NETWORK: the weights of a small network as kernels read them, and its accumulators, one for each ply."""

from pathlib import Path
from typing import Any

from quiesce.eval.netfile import Network, NetworkError, read_network
from quiesce.eval.samples import INPUTS
from quiesce.records import Field, record

WIDTH, BUCKETS = 256, 1
"""The one architecture kernels are compiled for."""
NETWORK_SUFFIX = ".qnet"
PLIES = 130
"""Plies that have an accumulator: all of a search's stack."""
CLASSICAL, BY_NETWORK = 0, 1
"""How a judge judges."""

NETWORK_FIELDS = (
    Field("feature_weights", ("i2", (INPUTS, WIDTH)), "what a man on a square adds to a side's sums"),
    Field("feature_bias", ("i2", (WIDTH,)), "sums of the empty board"),
    Field("output_weights", ("i2", (BUCKETS, 2, WIDTH)), "what each sum is worth, the mover's first"),
    Field("output_bias", ("i8", (BUCKETS,)), "what the output begins with"),
)
NETWORK = record(*NETWORK_FIELDS)

ACCUMULATOR_FIELDS = (
    Field("sums", ("i2", (2, WIDTH)), "the weights of all men, as White and as Black see them"),
    Field("is_ready", "i8", "do they belong to the position of this ply?"),
)
ACCUMULATOR = record(*ACCUMULATOR_FIELDS)


def load_network(target: Any, path: Path) -> None:
    """Read a file into a record; raises NetworkError for one that is none, or none of this size."""
    network = read_network(path)
    if (network.width, network.buckets) != (WIDTH, BUCKETS):
        size = f"{network.width} wide with {network.buckets} outputs"
        raise NetworkError(f"{path}: {size}; this version has {WIDTH} and {BUCKETS}")
    copy_network(target, network)


def copy_network(target: Any, network: Network) -> None:
    """Write a network into a record."""
    target.feature_weights[:] = network.feature_weights
    target.feature_bias[:] = network.feature_bias
    target.output_weights[:] = network.output_weights.reshape(BUCKETS, 2, WIDTH)
    target.output_bias[:] = network.output_bias
