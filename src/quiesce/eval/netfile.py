"""Shell. The network's file: read, checked and written; and what a network says of a position, in plain NumPy.

A file is MAGIC, the version and the header's length (two little-endian u4), a JSON header, the packed arrays in the
order of `arrays_of`, and the SHA-256 of all that. A network is a perspective network: INPUTS features a side, one
transformer that both sides share, the mover's and the other side's accumulators squared and clipped, one output a
bucket of men. Each side's features are mirrored so that its own king stands on the files a to d; what they weigh may
depend on the zone of the board where that king stands.

The value of a position, in whole numbers throughout, is stated once, by `reference_eval`:

1. each side's accumulator, int16: the bias and the weights of its features in its king's zone;
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
from quiesce.eval.samples import INPUTS, MOST_MEN, NO_INPUT, OWN_KING, SIDE, SQUARES

MAGIC = b"QUIESNET"
VERSION = 3
FRAME = struct.Struct("<8sII")
DIGEST_BYTES = hashlib.sha256().digest_size
LARGEST_FILE = 2_000_000
LARGEST_HEADER = 262_144
PACKING = 9
"""How hard zlib tries."""

WIDTH_STEP, WIDEST = 16, 1024
BUCKET_COUNTS = (1, 8)
ZONE_COUNTS = (1, 2, 4)
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
"""What every network of this version has in its header, beside its size."""

Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Indices = npt.NDArray[np.integer[Any]]


class NetworkError(ValueError):
    """A network cannot be used; the message says why."""


class Size(NamedTuple):
    """What networks differ in."""

    width: int
    """Neurons of one accumulator."""
    buckets: int
    """Outputs, chosen by the number of men."""
    zones: int = 1
    """Parts of the board that tell apart where a side's own king stands."""

    def __str__(self) -> str:
        zones = f" and {self.zones} zones of kings" if self.zones > 1 else ""
        return f"{self.width} wide with {self.buckets} outputs{zones}"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A quantised network, and what its file says of how it came to be."""

    feature_weights: Int16
    """(zones, INPUTS, width), in units of QA."""
    feature_bias: Int16
    """(width,), in units of QA."""
    output_weights: Int16
    """(buckets, 2 * width), the mover's half first, in units of QB."""
    output_bias: Int32
    """(buckets,), in units of QA * QB."""
    header: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> Size:
        """What tells it from others."""
        return Size(len(self.feature_bias), len(self.output_bias), len(self.feature_weights))

    def __post_init__(self) -> None:
        check_shapes(self)
        check_ranges(self)


def arrays_of(size: Size) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """The arrays of a file in their order: the type and the shape of each."""
    short, long = np.dtype("<i2"), np.dtype("<i4")
    return {
        "feature_weights": (short, (size.zones, INPUTS, size.width)),
        "feature_bias": (short, (size.width,)),
        "output_weights": (short, (size.buckets, 2 * size.width)),
        "output_bias": (long, (size.buckets,)),
    }


def checked_size(width: object, buckets: object, zones: object) -> Size:
    """A size, if there are networks of it."""
    if type(width) is not int or not 0 < width <= WIDEST or width % WIDTH_STEP:
        raise NetworkError(f"a width of {width!r}: it is a multiple of {WIDTH_STEP}, at most {WIDEST}")
    if type(buckets) is not int or buckets not in BUCKET_COUNTS:
        raise NetworkError(f"{buckets!r} buckets: there are {' or '.join(map(str, BUCKET_COUNTS))}")
    if type(zones) is not int or zones not in ZONE_COUNTS:
        raise NetworkError(f"{zones!r} zones: there are {' or '.join(map(str, ZONE_COUNTS))}")
    return Size(width, buckets, zones)


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


def network_bytes(network: Network) -> bytes:
    """The file of a network."""
    text = json.dumps({**network.header, **ARCHITECTURE, **network.size._asdict()}, sort_keys=True).encode()
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
    arrays = arrays_of(checked_size(*(header.get(name) for name in Size._fields)))
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


def bucket_of(men: Indices, buckets: int) -> Indices:
    """Which output speaks for positions of so many men, kings included."""
    return (men - FEWEST_MEN) // MEN_A_BUCKET if buckets > 1 else np.zeros_like(men)


def zone_map(zones: int) -> npt.NDArray[np.uint8]:
    """The zone of each square that a side's king may stand on, ranks counted from its own first.

    Two: its corner, where a castled king stands (a and b, or g and h, on the first two ranks), and all else. Four: the
    corner, the middle of those ranks, the next two ranks, the other half of the board.
    """
    rank, file = np.divmod(np.arange(SQUARES), SIDE)
    is_home, is_wing = rank < SIDE // 4, np.minimum(file, SIDE - 1 - file) < SIDE // 4
    far = np.where(rank < SIDE // 2, 2, 3)
    by_count = {1: np.zeros(SQUARES), 2: ~(is_home & is_wing), 4: np.where(is_home, ~is_wing, far)}
    found: npt.NDArray[np.uint8] = by_count[zones].astype(np.uint8)
    return found


def zones_of(network: Network, side: Indices) -> Indices:
    """Where the own king stands of each row of a side's inputs; zone 0 where there is none."""
    is_king = (side >= OWN_KING) & (side < OWN_KING + SQUARES)
    kings = np.where(is_king, side - OWN_KING, 0).max(axis=1, initial=0)
    found: Indices = zone_map(network.size.zones)[kings].astype(np.int64)
    return found


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
    size, sides = network.size, []
    weights = np.vstack([network.feature_weights.reshape(-1, size.width), np.zeros((1, size.width), np.int16)])
    for side in (stm, nstm):
        rows = np.where(side == NO_INPUT, len(weights) - 1, side + INPUTS * zones_of(network, side)[:, None])
        sides.append(weights[rows].sum(axis=1, dtype=np.int64) + network.feature_bias)
    x = np.clip(np.hstack(sides), 0, QA)
    bucket = bucket_of(men, size.buckets)
    s = (x * (x * network.output_weights[bucket])).sum(axis=1)
    return cut_division((cut_division(s, QA) + network.output_bias[bucket]) * SCALE, QA * QB)
