"""Shell. NETWORK: the weights of a small network as kernels read them, and its accumulators, one for each ply."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from quiesce.board.readfile import regular_file
from quiesce.board.types import KINDS
from quiesce.eval.netfile import Network, NetworkError, Size, read_network, zone_map
from quiesce.eval.samples import INPUTS, SQUARES
from quiesce.records import Field, record

WIDTH, BUCKETS, ZONES = Size(512, 8, 4)
"""The largest network that kernels are compiled for; fewer outputs there are not."""
BUILT_IN = Path(__file__).with_name("network.qnet")
PLIES = 130
"""Plies that have an accumulator: all of a search's stack."""
CLASSICAL, BY_NETWORK = 0, 1
"""How a judge judges."""

NETWORK_FIELDS = (
    Field("feature_weights", ("i2", (ZONES, INPUTS, WIDTH)), "what a man adds to a side's sums, by its king's zone"),
    Field("feature_bias", ("i2", (WIDTH,)), "sums of the empty board"),
    Field("output_weights", ("i2", (BUCKETS, 2, WIDTH)), "what each sum is worth, the mover's first"),
    Field("output_bias", ("i8", (BUCKETS,)), "what the output begins with"),
    Field("zone_of", ("u1", (SQUARES,)), "zone of a side's king on a square, its own first rank below"),
)
NETWORK = record(*NETWORK_FIELDS)

ACCUMULATOR_FIELDS = (
    Field("sums", ("i2", (2, WIDTH)), "the weights of all men, as White and as Black see them"),
    Field("is_ready", ("i8", (2,)), "do each side's belong to the position of this ply?"),
)
ACCUMULATOR = record(*ACCUMULATOR_FIELDS)

SEEN_FIELDS = (
    Field("pieces", ("u8", (KINDS,)), "squares by kind, both colours, as in a position"),
    Field("colours", ("u8", (2,)), "squares by colour"),
    Field("sums", ("i2", (WIDTH,)), "the weights of these men as the side saw them"),
)
SEEN = record(*SEEN_FIELDS)
HALVES = 2
"""Of the board, left and right of its middle: a side's king stands on one of them."""
VIEWS = 2 * ZONES * HALVES
"""Ways to see a man: by White or Black, with the own king in a zone of a half."""


def load_network(target: Any, path: Path) -> None:
    """Read a file into a record; raises NetworkError for one that is none, or none of this size."""
    network = known_network(path)
    size = network.size
    if size.width > WIDTH or size.buckets != BUCKETS or size.zones > ZONES:
        raise NetworkError(f"{path}: {size}; this version has up to {WIDTH}, {BUCKETS} and {ZONES} zones")
    copy_network(target, network)


def known_network(path: Path) -> Network:
    """The network of a file, read again only when the file has changed: games at few nodes begin often."""
    try:
        state = regular_file(path)
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror}") from None
    return _read_once(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _read_once(path: Path, _changed: int, _size: int) -> Network:
    """The network of a file as it is at a time."""
    return read_network(path)


def copy_network(target: Any, network: Network) -> None:
    """Write a network into a record."""
    width, buckets, zones = network.size
    for array in (target.feature_weights, target.feature_bias, target.output_weights):
        array[:] = 0
    target.feature_weights[:zones, :, :width] = network.feature_weights
    target.feature_bias[:width] = network.feature_bias
    target.output_weights[:, :, :width] = network.output_weights.reshape(buckets, 2, width)
    target.output_bias[:] = network.output_bias
    target.zone_of[:] = zone_map(zones)
