"""Shell. NETWORK: a network's weights as kernels read them. ACCUMULATOR and REFRESH_ENTRY: what they compute."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from quiesce.board.readfile import regular_file
from quiesce.board.types import KINDS
from quiesce.eval.features import FEATURES, SQUARES, king_bucket_map
from quiesce.eval.netfile import Network, NetworkError, Size, read_network
from quiesce.records import Field, record

WIDTH, OUTPUT_BUCKETS, KING_BUCKETS = Size(512, 8, 4)
"""The largest network that kernels are compiled for; the number of output buckets is fixed."""
BUILT_IN = Path(__file__).with_name("network.qnet")
PLIES = 130
"""Plies that have an accumulator: all of a search's stack."""
CLASSICAL, BY_NETWORK = 0, 1
"""How an evaluator evaluates: by the terms, or by the network."""

NETWORK_FIELDS = (
    Field("feature_weights", ("i2", (KING_BUCKETS, FEATURES, WIDTH)), "weights of each feature, by king bucket"),
    Field("feature_bias", ("i2", (WIDTH,)), "accumulator of the empty board"),
    Field("output_weights", ("i2", (OUTPUT_BUCKETS, 2, WIDTH)), "by perspective, the mover's first"),
    Field("output_bias", ("i8", (OUTPUT_BUCKETS,)), "bias of the output"),
    Field("king_bucket", ("u1", (SQUARES,)), "bucket of a side's own king on a square, its own first rank below"),
)
NETWORK = record(*NETWORK_FIELDS)

ACCUMULATOR_FIELDS = (
    Field("values", ("i2", (2, WIDTH)), "bias and weights of all features, White's perspective and Black's"),
    Field("computed", ("i8", (2,)), "1 where a perspective is up to date, 0 where it is dirty"),
    Field("psqt", "i8", "packed score of all pieces on their squares, White's side; always up to date"),
    Field("phase", "i8", "phase of the game, FULL_PHASE at the start; always up to date"),
)
ACCUMULATOR = record(*ACCUMULATOR_FIELDS)

REFRESH_ENTRY_FIELDS = (
    Field("pieces", ("u8", (KINDS,)), "squares by kind, both colours, as in a position"),
    Field("colours", ("u8", (2,)), "squares by colour"),
    Field("values", ("i2", (WIDTH,)), "one perspective's accumulator of these pieces"),
)
REFRESH_ENTRY = record(*REFRESH_ENTRY_FIELDS)
MIRROR_SIDES = 2
"""A side's own king stands on the files a to d, or on e to h and its features are mirrored."""
REFRESH_ENTRIES = 2 * KING_BUCKETS * MIRROR_SIDES
"""Entries of the refresh cache: one for each perspective, king bucket and mirror side."""


def load_network(target: Any, path: Path) -> None:
    """Read a network's file into a record; raises NetworkError if the file is bad or the network has another size."""
    network = known_network(path)
    size = network.size
    if not is_played(size):
        largest = f"at most {WIDTH} wide, {OUTPUT_BUCKETS} outputs and {KING_BUCKETS} king buckets"
        raise NetworkError(f"{path}: {size}; this version takes {largest}")
    copy_network(target, network)


def is_played(size: Size) -> bool:
    """Can the engine play a network of this size?"""
    return size.width <= WIDTH and size.output_buckets == OUTPUT_BUCKETS and size.king_buckets <= KING_BUCKETS


def known_network(path: Path) -> Network:
    """The network of a file; a file that has not changed is not read again, for games at few nodes begin often."""
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
    width, outputs, king_buckets = network.size
    for array in (target.feature_weights, target.feature_bias, target.output_weights):
        array[:] = 0
    target.feature_weights[:king_buckets, :, :width] = network.feature_weights
    target.feature_bias[:width] = network.feature_bias
    target.output_weights[:, :, :width] = network.output_weights.reshape(outputs, 2, width)
    target.output_bias[:] = network.output_bias
    target.king_bucket[:] = king_bucket_map(king_buckets)
