"""Shell. The network's file: read, checked and written; and what a network says of a position, in plain NumPy.

A file is MAGIC, the version and the header's length (two little-endian u4), a JSON header, the packed arrays in the
order of `arrays_of`, and the SHA-256 of all that. It is a perspective network: one feature transformer that both sides
share, the accumulators of the mover and of the other side through SCReLU, and one output for each output bucket, chosen
by the number of pieces. Features are those of `features.py`, each king bucket with weights of its own.

The value of a position, in whole numbers throughout, is stated once, by `reference_eval`:

1. each perspective's accumulator, int16: the bias and the weights of its features in its king's bucket;
2. x = clip(accumulator, 0, QA); y = x * w, int16; s = the sum of x * y, int32 for each side, int64 for both;
3. points = ((s / QA + bias) * SCALE) / (QA * QB), int64, each division cut towards zero.

What a reader is given has been checked so that none of these overflow.
"""

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiesce.board.readfile import read_bytes, read_json
from quiesce.eval.features import FEATURES, NO_FEATURE, Indices, king_bucket_map, own_king_squares
from quiesce.eval.samples import MOST_PIECES

MAGIC = b"QUIESNET"
VERSION = 3
FRAME = struct.Struct("<8sII")
DIGEST_BYTES = hashlib.sha256().digest_size
LARGEST_FILE = 8_000_000
LARGEST_HEADER = 262_144
PACKING = 9
"""How hard zlib tries."""

WIDTH_STEP, WIDEST = 16, 1024
OUTPUT_BUCKET_COUNTS = (1, 8)
KING_BUCKET_COUNTS = (1, 2, 4, 8)
FEWEST_PIECES, PIECES_A_BUCKET = 2, 4
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
BIAS_LIMIT = 2**15 - 1 - MOST_PIECES * FEATURE_LIMIT
"""Largest bias of an accumulator, so that it holds MOST_PIECES features beside it."""
OUTPUT_LIMIT = 128
"""Largest output weight: QA times it is still an int16."""
SUM_LIMIT = (2**31 - 1) // (QA * QA)
"""Most that the output weights of one sign and one side may come to, so that the sum of squares stays an int32."""
REFERENCE_ROWS = 512
"""Positions the reference looks at at once, so that memory stays small."""

ARCHITECTURE: Mapping[str, int | str] = {
    "inputs": FEATURES,
    "mirrored": MIRRORED,
    "activation": ACTIVATION,
    "qa": QA,
    "qb": QB,
    "scale": SCALE,
}
"""What every network of this version has in its header, beside its size."""

Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]


class NetworkError(ValueError):
    """A network cannot be used; the message says why."""


class Size(NamedTuple):
    """Size of a network."""

    width: int
    """Neurons of one accumulator."""
    output_buckets: int
    """Outputs, chosen by the number of pieces."""
    king_buckets: int = 1
    """Sets of feature weights, chosen by the square of a side's own king."""

    def __str__(self) -> str:
        king_buckets = f" and {self.king_buckets} king buckets" if self.king_buckets > 1 else ""
        return f"{self.width} wide with {self.output_buckets} outputs{king_buckets}"


SIZE_KEYS = ("width", "buckets", "zones")
"""What a file's header calls the fields of a size."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A quantised network, and what its file says of how it came to be."""

    feature_weights: Int16
    """(king buckets, FEATURES, width), in units of QA."""
    feature_bias: Int16
    """(width,), in units of QA."""
    output_weights: Int16
    """(output buckets, 2 * width), the mover's half first, in units of QB."""
    output_bias: Int32
    """(output buckets,), in units of QA * QB."""
    header: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> Size:
        """Units, output buckets and king buckets of the network."""
        return Size(len(self.feature_bias), len(self.output_bias), len(self.feature_weights))

    def __post_init__(self) -> None:
        check_shapes(self)
        check_ranges(self)


def arrays_of(size: Size) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """The arrays of a file in their order: the type and the shape of each."""
    short, long = np.dtype("<i2"), np.dtype("<i4")
    return {
        "feature_weights": (short, (size.king_buckets, FEATURES, size.width)),
        "feature_bias": (short, (size.width,)),
        "output_weights": (short, (size.output_buckets, 2 * size.width)),
        "output_bias": (long, (size.output_buckets,)),
    }


def checked_size(width: object, output_buckets: object, king_buckets: object) -> Size:
    """A size, if there are networks of it."""
    if type(width) is not int or not 0 < width <= WIDEST or width % WIDTH_STEP:
        raise NetworkError(f"a width of {width!r}: it is a multiple of {WIDTH_STEP}, at most {WIDEST}")
    if type(output_buckets) is not int or output_buckets not in OUTPUT_BUCKET_COUNTS:
        allowed = " or ".join(map(str, OUTPUT_BUCKET_COUNTS))
        raise NetworkError(f"{output_buckets!r} output buckets: there are {allowed}")
    if type(king_buckets) is not int or king_buckets not in KING_BUCKET_COUNTS:
        raise NetworkError(f"{king_buckets!r} king buckets: there are {' or '.join(map(str, KING_BUCKET_COUNTS))}")
    return Size(width, output_buckets, king_buckets)


def check_shapes(network: Network) -> None:
    """Refuse arrays that do not belong together."""
    for name, (kind, shape) in arrays_of(checked_size(*network.size)).items():
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
    weights = network.output_weights.astype(np.int64).reshape(-1, network.size.width)
    heaviest = int(max(np.maximum(weights, 0).sum(axis=1).max(), np.maximum(-weights, 0).sum(axis=1).max()))
    if heaviest > SUM_LIMIT:
        raise NetworkError(
            f"output weights of one sign and side: {heaviest}, beyond {SUM_LIMIT}: the sum could overflow"
        )


def packed(array: npt.NDArray[Any]) -> bytes:
    """The bytes of an array, signs in the lowest bit, all low bytes first: small numbers take little room."""
    bits = 8 * array.itemsize
    unsigned = ((array << 1) ^ (array >> (bits - 1))).astype(f"<u{array.itemsize}")
    return np.ascontiguousarray(unsigned).view(np.uint8).reshape(-1, array.itemsize).T.tobytes()


def unpacked(data: bytes, kind: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """An array of its bytes."""
    planes = np.frombuffer(data, np.uint8).reshape(kind.itemsize, -1)
    unsigned = np.ascontiguousarray(planes.T).view(f"<u{kind.itemsize}").reshape(shape)
    signed: npt.NDArray[Any] = (unsigned >> 1).astype(kind.newbyteorder("="))
    return np.where(unsigned & 1, ~signed, signed)


def size_facts(size: Size) -> dict[str, int]:
    """A size as a file's header says it."""
    return dict(zip(SIZE_KEYS, size, strict=True))


def network_bytes(network: Network) -> bytes:
    """The file of a network."""
    text = json.dumps({**network.header, **ARCHITECTURE, **size_facts(network.size)}, sort_keys=True).encode()
    if len(text) > LARGEST_HEADER:
        raise NetworkError(f"a header of {len(text):,} bytes, more than {LARGEST_HEADER:,}")
    parts = b"".join(packed(getattr(network, name)) for name in arrays_of(network.size))
    body = b"".join((FRAME.pack(MAGIC, VERSION, len(text)), text, zlib.compress(parts, PACKING)))
    if len(body) + DIGEST_BYTES > LARGEST_FILE:
        raise NetworkError(f"{network.size}: a file of more than {LARGEST_FILE:,} bytes")
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
        return _parsed(read_bytes(source, LARGEST_FILE))
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
    arrays = arrays_of(checked_size(*(header.get(name) for name in SIZE_KEYS)))
    sizes = [kind.itemsize * int(np.prod(shape)) for kind, shape in arrays.values()]
    parts, start = _whole_parts(data[FRAME.size + length : -DIGEST_BYTES], sum(sizes)), 0
    found: dict[str, Any] = {}
    for (name, (kind, shape)), size in zip(arrays.items(), sizes, strict=True):
        found[name] = unpacked(parts[start : start + size], kind, shape)
        start += size
    return Network(**found, header=header)


def _whole_parts(data: bytes, wanted: int) -> bytes:
    """The packed arrays, if they are of the size that the header promises."""
    unpacker = zlib.decompressobj()
    try:
        parts = unpacker.decompress(data, wanted + 1)  # one more shows that there is more
    except zlib.error as error:
        raise NetworkError(f"its arrays cannot be unpacked: {error}") from None
    if len(parts) != wanted or not unpacker.eof or unpacker.unused_data:
        raise NetworkError("its arrays are not of the size its header says")
    return parts


def _parsed_header(text: bytes) -> dict[str, Any]:
    """The header, if it is of the one architecture there is."""
    try:
        header = read_json(text)
    except ValueError:
        raise NetworkError("its header is not JSON") from None
    if not isinstance(header, dict):
        raise NetworkError("its header is not an object")
    for name, wanted in ARCHITECTURE.items():
        if header.get(name) != wanted:
            raise NetworkError(f"{name} is {header.get(name)!r}, this program knows {wanted!r}")
    return header


def output_bucket(piece_count: Indices, output_buckets: int) -> Indices:
    """Output bucket of positions with n pieces, kings included."""
    return (piece_count - FEWEST_PIECES) // PIECES_A_BUCKET if output_buckets > 1 else np.zeros_like(piece_count)


def king_buckets_of(network: Network, features: Indices) -> Indices:
    """King bucket of each row of one perspective's features; 0 if there is no king."""
    found: Indices = king_bucket_map(network.size.king_buckets)[own_king_squares(features)].astype(np.int64)
    return found


def truncated_division(number: npt.NDArray[np.int64], by: int) -> npt.NDArray[np.int64]:
    """Quotients cut towards zero, which NumPy's and Python's `//` are not."""
    size: npt.NDArray[np.int64] = np.abs(number) // by
    return np.where(number < 0, -size, size)


def reference_eval(network: Network, stm: Indices, nstm: Indices, piece_count: Indices) -> npt.NDArray[np.int64]:
    """Points of positions, the mover's side: slow, plain, exact; the oracle of the kernels.

    `stm` and `nstm` are the (positions, MOST_PIECES) features of mover and other side, as samples.features gives.
    """
    parts = [slice(at, at + REFERENCE_ROWS) for at in range(0, len(piece_count), REFERENCE_ROWS)]
    rows = [_reference_rows(network, stm[part], nstm[part], piece_count[part]) for part in parts]
    return np.concatenate([np.zeros(0, np.int64), *rows])


def _reference_rows(network: Network, stm: Indices, nstm: Indices, piece_count: Indices) -> npt.NDArray[np.int64]:
    """`reference_eval` of a few positions."""
    size, sides = network.size, []
    weights = np.vstack([network.feature_weights.reshape(-1, size.width), np.zeros((1, size.width), np.int16)])
    for side in (stm, nstm):
        rows = np.where(side == NO_FEATURE, len(weights) - 1, side + FEATURES * king_buckets_of(network, side)[:, None])
        sides.append(weights[rows].sum(axis=1, dtype=np.int64) + network.feature_bias)
    x = np.clip(np.hstack(sides), 0, QA)
    bucket = output_bucket(piece_count, size.output_buckets)
    s = (x * (x * network.output_weights[bucket])).sum(axis=1)
    return truncated_division((truncated_division(s, QA) + network.output_bias[bucket]) * SCALE, QA * QB)
