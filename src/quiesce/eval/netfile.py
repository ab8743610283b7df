"""Shell. The network's file: read, checked and written; and what a network says of a position, in plain NumPy.

A file is MAGIC, the version and the header's length (two little-endian u4), a JSON header, the arrays in the order of
ARRAYS (little-endian), and the SHA-256 of all that. A network is a perspective network: INPUTS features a side, one
shared transformer, the mover's and the other side's accumulators squared and clipped, one output a bucket of men. Each
side's features are mirrored so that its own king stands on the files a to d.

The value of a position, in whole numbers throughout, is stated once, by `reference_eval`:

1. each side's accumulator, int16: the bias and the weights of its features;
2. x = clip(accumulator, 0, QA); y = x * w, int16; s = the sum of x * y, int32 for each side, int64 for both;
3. points = ((s / QA + bias) * SCALE) / (QA * QB), int64, each division cut towards zero.

What a reader is given has been checked so that none of these overflow.
"""

import hashlib
import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quiesce.eval.samples import INPUTS, MOST_MEN

MAGIC = b"QUIESNET"
VERSION = 2
FRAME = struct.Struct("<8sII")
DIGEST_BYTES = hashlib.sha256().digest_size
LARGEST_FILE = 2_000_000
LARGEST_HEADER = 262_144

WIDTH_STEP, WIDEST = 16, 1024
BUCKET_COUNTS = (1, 8)
FEWEST_MEN, MEN_A_BUCKET = 2, 4
ACTIVATION = "screlu"
MIRRORED = "own king on a to d"
QA = 255
"""One, in the units of an accumulator."""
QB = 128
"""One, in the units of an output weight."""
SCALE = 400
"""Points of an output of one."""

FEATURE_LIMIT = 505
"""Largest weight of a feature: 1.98 in units of QA."""
BIAS_LIMIT = 2**15 - 1 - MOST_MEN * FEATURE_LIMIT
"""Largest bias of an accumulator, so that it holds MOST_MEN features beside it."""
OUTPUT_LIMIT = 128
"""Largest output weight: QA times it is still an int16."""
SUM_LIMIT = (2**31 - 1) // (QA * QA)
"""Most that the output weights of one sign and one side may come to, so that the sum of squares stays an int32."""
REFERENCE_ROWS = 512
"""Positions the reference looks at at once, so that memory stays small."""

ARCHITECTURE: Mapping[str, int | str] = {
    "inputs": INPUTS,
    "mirrored": MIRRORED,
    "activation": ACTIVATION,
    "qa": QA,
    "qb": QB,
    "scale": SCALE,
}
"""What every network of this version has in its header, beside `width` and `buckets`."""

Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Indices = npt.NDArray[np.integer[Any]]


class NetworkError(ValueError):
    """A network cannot be used; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A quantised network, and what its file says of how it came to be."""

    feature_weights: Int16
    """(INPUTS, width), in units of QA."""
    feature_bias: Int16
    """(width,), in units of QA."""
    output_weights: Int16
    """(buckets, 2 * width), the mover's half first, in units of QB."""
    output_bias: Int32
    """(buckets,), in units of QA * QB."""
    header: Mapping[str, Any] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Neurons of one accumulator."""
        return len(self.feature_bias)

    @property
    def buckets(self) -> int:
        """Outputs, chosen by the number of men."""
        return len(self.output_bias)

    def __post_init__(self) -> None:
        check_shapes(self)
        check_ranges(self)


def arrays_of(width: int, buckets: int) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """The arrays of a file in their order: the type and the shape of each."""
    short, long = np.dtype("<i2"), np.dtype("<i4")
    return {
        "feature_weights": (short, (INPUTS, width)),
        "feature_bias": (short, (width,)),
        "output_weights": (short, (buckets, 2 * width)),
        "output_bias": (long, (buckets,)),
    }


def check_size(width: object, buckets: object) -> tuple[int, int]:
    """The width and the buckets, if there are networks of that size."""
    if type(width) is not int or not 0 < width <= WIDEST or width % WIDTH_STEP:
        raise NetworkError(f"a width of {width!r}: it is a multiple of {WIDTH_STEP}, at most {WIDEST}")
    if type(buckets) is not int or buckets not in BUCKET_COUNTS:
        raise NetworkError(f"{buckets!r} buckets: there are {' or '.join(map(str, BUCKET_COUNTS))}")
    return width, buckets


def check_shapes(network: Network) -> None:
    """Refuse arrays that do not belong together."""
    width, buckets = check_size(network.width, network.buckets)
    for name, (kind, shape) in arrays_of(width, buckets).items():
        array = getattr(network, name)
        if array.shape != shape or array.dtype != kind:
            raise NetworkError(f"{name} is {array.dtype} {array.shape}, not {kind} {shape}")


def check_ranges(network: Network) -> None:
    """Refuse weights with which the arithmetic of `reference_eval` could overflow."""
    for name, limit in (
        ("feature_weights", FEATURE_LIMIT),
        ("feature_bias", BIAS_LIMIT),
        ("output_weights", OUTPUT_LIMIT),
    ):
        found = int(np.abs(getattr(network, name).astype(np.int32)).max())
        if found > limit:
            raise NetworkError(f"{name} holds {found}, beyond {limit}: accumulators could overflow")
    weights = network.output_weights.astype(np.int64).reshape(-1, network.width)
    heaviest = int(max(np.maximum(weights, 0).sum(axis=1).max(), np.maximum(-weights, 0).sum(axis=1).max()))
    if heaviest > SUM_LIMIT:
        raise NetworkError(
            f"output weights of one sign and side: {heaviest}, beyond {SUM_LIMIT}: the sum could overflow"
        )


def network_bytes(network: Network) -> bytes:
    """The file of a network."""
    header = {**network.header, **ARCHITECTURE, "width": network.width, "buckets": network.buckets}
    text = json.dumps(header, sort_keys=True).encode()
    if len(text) > LARGEST_HEADER:
        raise NetworkError(f"a header of {len(text):,} bytes, more than {LARGEST_HEADER:,}")
    arrays = arrays_of(network.width, network.buckets)
    parts = [np.ascontiguousarray(getattr(network, name), kind).tobytes() for name, (kind, _) in arrays.items()]
    body = b"".join((FRAME.pack(MAGIC, VERSION, len(text)), text, *parts))
    return body + hashlib.sha256(body).digest()


def write_network(path: Path, network: Network) -> None:
    """Write a network's file, whole or not at all."""
    write_whole(path, network_bytes(network))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that takes its name only when all of it is on disk."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_network(source: Path | bytes) -> Network:
    """The network of a file, or of a file's bytes; refused with a reason unless all of it is right."""
    if isinstance(source, bytes):
        return _parsed(source)
    try:
        if source.stat().st_size > LARGEST_FILE:
            raise NetworkError(f"larger than {LARGEST_FILE:,} bytes, so no network of ours")
        return _parsed(source.read_bytes())
    except OSError as error:
        raise NetworkError(f"{source}: {error.strerror}") from None
    except NetworkError as error:
        raise NetworkError(f"{source}: {error}") from None


def _parsed(data: bytes) -> Network:
    """The network of a file's bytes."""
    if len(data) < FRAME.size or not data.startswith(MAGIC):
        raise NetworkError("not a network of ours")
    _, version, length = FRAME.unpack_from(data)
    if version != VERSION:
        raise NetworkError(f"version {version}, this program reads {VERSION}")
    if length > LARGEST_HEADER or len(data) < FRAME.size + length + DIGEST_BYTES:
        raise NetworkError("cut short or damaged: its header is not whole")
    if hashlib.sha256(data[:-DIGEST_BYTES]).digest() != data[-DIGEST_BYTES:]:
        raise NetworkError("cut short or damaged: its checksum is wrong")
    header = _parsed_header(data[FRAME.size : FRAME.size + length])
    arrays = arrays_of(*check_size(header.get("width"), header.get("buckets")))
    sizes = [kind.itemsize * int(np.prod(shape)) for kind, shape in arrays.values()]
    start = FRAME.size + length
    if len(data) != start + sum(sizes) + DIGEST_BYTES:
        raise NetworkError("its arrays are not of the size its header says")
    found: dict[str, Any] = {}
    for (name, (kind, shape)), size in zip(arrays.items(), sizes, strict=True):
        native = np.frombuffer(data[start : start + size], kind).reshape(shape)
        found[name] = native.astype(kind.newbyteorder("="))
        start += size
    return Network(**found, header=header)


def _parsed_header(text: bytes) -> dict[str, Any]:
    """The header, if it is of the one architecture there is."""
    try:
        header = json.loads(text)
    except ValueError:
        raise NetworkError("its header is not JSON") from None
    if not isinstance(header, dict):
        raise NetworkError("its header is not an object")
    for name, wanted in ARCHITECTURE.items():
        if header.get(name) != wanted:
            raise NetworkError(f"{name} is {header.get(name)!r}, this program knows {wanted!r}")
    return header


def bucket_of(men: Indices, buckets: int) -> Indices:
    """Which output speaks for positions of so many men, kings included."""
    return (men - FEWEST_MEN) // MEN_A_BUCKET if buckets > 1 else np.zeros_like(men)


def cut_division(number: npt.NDArray[np.int64], by: int) -> npt.NDArray[np.int64]:
    """Quotients cut towards zero, which NumPy's and Python's `//` are not."""
    size: npt.NDArray[np.int64] = np.abs(number) // by
    return np.where(number < 0, -size, size)


def reference_eval(network: Network, stm: Indices, nstm: Indices, men: Indices) -> npt.NDArray[np.int64]:
    """Points of positions, the mover's side: slow, plain, exact; the oracle of the kernels.

    `stm` and `nstm` are the (positions, MOST_MEN) inputs of the mover and of the other side, as samples.features gives.
    """
    rows = [
        _reference_rows(
            network, stm[at : at + REFERENCE_ROWS], nstm[at : at + REFERENCE_ROWS], men[at : at + REFERENCE_ROWS]
        )
        for at in range(0, len(men), REFERENCE_ROWS)
    ]
    return np.concatenate([np.zeros(0, np.int64), *rows])


def _reference_rows(network: Network, stm: Indices, nstm: Indices, men: Indices) -> npt.NDArray[np.int64]:
    """`reference_eval` of a few positions."""
    weights = np.vstack([network.feature_weights, np.zeros((1, network.width), np.int16)])  # no input is row -1
    sides = [weights[side].sum(axis=1, dtype=np.int64) + network.feature_bias for side in (stm, nstm)]
    x = np.clip(np.hstack(sides), 0, QA)
    bucket = bucket_of(men, network.buckets)
    s = (x * (x * network.output_weights[bucket])).sum(axis=1)
    return cut_division((cut_division(s, QA) + network.output_bias[bucket]) * SCALE, QA * QB)
