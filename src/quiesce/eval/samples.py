"""Shell. Labelled positions: 32 bytes each in memory, and files of them that a kill cannot spoil.

A file is a header, then blocks. The header says in JSON where the positions come from. A block has a number, and is
compressed and checked by itself: a file cut short is good up to its last whole block, any other damage is an error.
Nothing here needs the compiler, so that those who only learn from files do not wait for it.
"""

import json
import struct
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from quiesce.board.readfile import read_json, regular_file
from quiesce.eval.features import (
    FEATURE_INDEX,
    FEATURES,
    NO_FEATURE,
    PIECES,
    SIDE,
    SQUARES,
    Features,
    mirrored,
)

MOST_PIECES = 32
NO_PIECE = PIECES
PIECE_LETTERS = "PpNnBbRrQqKk"
"""Letter of each piece, as FEN writes it."""

SAMPLE = np.dtype(
    [
        ("occupancy", "<u8"),  # squares that are not empty, a1 the lowest bit
        ("codes", "u1", (MOST_PIECES // 2,)),  # the piece on each of them, four bits each, lowest square and bits first
        ("score", "<i2"),  # points by the engine that played, side to move's view
        ("result", "u1"),  # LOSS, DRAW or WIN of the side to move, or UNKNOWN
        ("flags", "u1"),  # BLACK_MOVES, FIRST_OF_GAME, INTERIOR
        ("halfmove", "u1"),  # plies since a capture or pawn move
        ("split_bucket", "u1"),  # by a hash of the game, so that all its positions are on one side of a split
        ("ply", "<u2"),  # plies since the start of the game, as the FEN counts moves
    ]
)
"""One position and what came of it. Castling rights and en passant are left out: the network does not see them."""
BLACK_MOVES, FIRST_OF_GAME, INTERIOR = 1, 2, 4
"""INTERIOR: from inside a search, kept behind the game's own positions; the game did not pass through it."""
LOSS, DRAW, WIN, UNKNOWN = 0, 1, 2, 3
"""How a game ended; UNKNOWN for positions that were not played on."""
SPLIT_BUCKETS = 256
LARGEST_HALFMOVE = 255

ROWS_AT_ONCE = 1 << 14
"""Rows whose features are computed at once, so that they stay in the processor's caches."""

MAGIC, VERSION = b"QSAMPLES", 1
OPENING = struct.Struct("<8sIII")
"""Magic, version, length of the JSON, its CRC32."""
HEAD = struct.Struct("<IIIIII")
"""Bytes of a block, rows, number, plies played for them, CRC32 of the bytes, CRC32 of the head so far."""
HEAD_CHECKED = HEAD.size - 4
LONGEST_HEADER = 1 << 20
MOST_ROWS = 1 << 20
"""Of a block: 32 MB once it is unpacked; ours have 16,384 at most, unless a plan asks for more."""
LEVEL = 6
"""How hard zlib tries."""

Samples = npt.NDArray[np.void]


class SamplesError(ValueError):
    """A file that cannot be read as samples, or positions that do not fit; the message says why."""


FEATURE_OF_KEY = np.hstack([FEATURE_INDEX.reshape(2, -1), np.full((2, 1), NO_FEATURE)]).astype(np.int16)
"""Feature of `64 * piece + square` for White and for Black; the last entry stands for no piece."""


def pack_positions(positions: Any, scores: Any, results: Any) -> Samples:
    """Samples of an array of positions (POSITION records), each with score and result of its side to move."""
    occupied = positions["board"] != NO_PIECE
    if len(occupied) and occupied.sum(axis=1).max() > MOST_PIECES:
        raise SamplesError(f"a position with more than {MOST_PIECES} pieces does not fit")
    rows, squares = np.nonzero(occupied)
    slots = np.cumsum(occupied, axis=1)[rows, squares] - 1
    codes = np.zeros((len(occupied), MOST_PIECES), np.uint8)
    codes[rows, slots] = positions["board"][rows, squares]
    samples = np.zeros(len(occupied), SAMPLE)
    samples["occupancy"] = np.packbits(occupied, axis=1, bitorder="little").view("<u8").reshape(-1)
    samples["codes"] = codes[:, ::2] | (codes[:, 1::2] << 4)
    samples["score"] = scores
    samples["result"] = results
    samples["flags"] = positions["turn"] * BLACK_MOVES
    samples["halfmove"] = np.minimum(positions["halfmove"], LARGEST_HALFMOVE)
    samples["ply"] = 2 * (positions["fullmove"].astype(np.int64) - 1) + positions["turn"]
    return samples


def as_game(samples: Samples) -> Samples:
    """The samples of one game, marked as such: the first by a flag, all by their common split bucket."""
    marked = samples.copy()
    marked["split_bucket"] = zlib.crc32(samples.tobytes()) % SPLIT_BUCKETS
    marked["flags"][:1] |= FIRST_OF_GAME
    return marked


def is_black(samples: Samples) -> npt.NDArray[np.bool_]:
    """Is Black to move?"""
    return (samples["flags"] & BLACK_MOVES).astype(bool)


def is_held_out(samples: Samples, share: float) -> npt.NDArray[np.bool_]:
    """Which samples are held out: those of about this share of all games, shuffled or not."""
    held: npt.NDArray[np.bool_] = samples["split_bucket"] < round(share * SPLIT_BUCKETS)
    return held


def keys_of(samples: Samples) -> npt.NDArray[np.int16]:
    """`64 * piece + square` of each piece, lowest square first; FEATURES where there are no more."""
    bits = np.unpackbits(np.ascontiguousarray(samples["occupancy"]).view(np.uint8), bitorder="little")
    squares = (np.flatnonzero(bits) % SQUARES).astype(np.int16)
    piece_count = bits.reshape(-1, SQUARES).sum(axis=1)
    is_piece = np.arange(MOST_PIECES) < piece_count[:, None]
    codes = np.empty((len(samples), MOST_PIECES), np.int16)
    codes[:, ::2], codes[:, 1::2] = samples["codes"] & 15, samples["codes"] >> 4
    keys = np.full((len(samples), MOST_PIECES), FEATURES, np.int16)
    keys[is_piece] = codes[is_piece] * np.int16(SQUARES) + squares
    return keys


def features(samples: Samples) -> tuple[Features, Features]:
    """Features of the side to move and of the other side, (n, 32) each, NO_FEATURE behind the last."""
    mover, other = plain_features(samples)
    return mirrored(mover), mirrored(other)


def plain_features(samples: Samples) -> tuple[Features, Features]:
    """Features of the side to move and of the other side before they are mirrored, (n, 32) each."""
    mover, other = (np.empty((len(samples), MOST_PIECES), np.int16) for _ in range(2))
    for start in range(0, len(samples), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        keys, black_moves = keys_of(samples[part]), is_black(samples[part])[:, None]
        white, black = FEATURE_OF_KEY[0, keys], FEATURE_OF_KEY[1, keys]
        mover[part] = np.where(black_moves, black, white)
        other[part] = np.where(black_moves, white, black)
    return mover, other


def unpack_positions(samples: Samples) -> npt.NDArray[np.uint8]:
    """The piece on each square of each position, (n, 64), NO_PIECE where it is empty."""
    boards = np.full((len(samples), SQUARES), NO_PIECE, np.uint8)
    keys = keys_of(samples)
    rows, slots = np.nonzero(keys != FEATURES)
    pieces, squares = np.divmod(keys[rows, slots], SQUARES)
    boards[rows, squares] = pieces
    return boards


def fens(samples: Samples) -> list[str]:
    """Each position as FEN, without rights to castle or to take en passant, which are not kept."""
    return [fen_of(board, sample) for board, sample in zip(unpack_positions(samples), samples, strict=True)]


def fen_of(board: npt.NDArray[np.uint8], sample: Any) -> str:
    """One position as FEN."""
    ranks = []
    for rank in board.reshape(SIDE, SIDE)[::-1]:
        text = "".join("1" if piece == NO_PIECE else PIECE_LETTERS[piece] for piece in rank)
        for empty in range(SIDE, 1, -1):
            text = text.replace("1" * empty, str(empty))
        ranks.append(text)
    black_moves = int(sample["flags"]) & BLACK_MOVES
    return f"{'/'.join(ranks)} {'wb'[black_moves]} - - {sample['halfmove']} {int(sample['ply']) // 2 + 1}"


class Block(NamedTuple):
    """Where a block's bytes lie, and what its head says."""

    offset: int
    length: int
    rows: int
    number: int
    seen: int
    """Plies that were played for its rows; 0 if unknown."""
    crc: int


class Blocks(Sequence[Block]):
    """Blocks in the order of a file, in 48 bytes each: a plan of hundreds of millions of positions has that many."""

    def __init__(self, numbers: "array[int]") -> None:
        self._numbers = np.frombuffer(numbers, np.int64).reshape(-1, len(Block._fields)) if numbers else NO_BLOCKS

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Block: ...

    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...

    def __getitem__(self, index: int | slice) -> Block | list[Block]:
        if isinstance(index, slice):
            return [Block(*row) for row in self._numbers[index].tolist()]
        return Block(*self._numbers[index].tolist())

    def column(self, name: str) -> npt.NDArray[np.int64]:
        """A field of all blocks."""
        found: npt.NDArray[np.int64] = self._numbers[:, Block._fields.index(name)]
        return found


NO_BLOCKS = np.zeros((0, len(Block._fields)), np.int64)


def header_bytes(facts: Mapping[str, Any]) -> bytes:
    """How a file begins that has these facts."""
    text = json.dumps(facts, sort_keys=True).encode()
    return OPENING.pack(MAGIC, VERSION, len(text), zlib.crc32(text)) + text


def block_bytes(number: int, samples: Samples, seen: int = 0) -> bytes:
    """A block as it stands in a file: whole games, unless the header says that they are shuffled."""
    if len(samples) > MOST_ROWS:
        raise SamplesError(f"{len(samples)} rows do not fit into a block of {MOST_ROWS}")
    payload = zlib.compress(samples.view(np.uint8).reshape(-1, SAMPLE.itemsize).T.tobytes(), LEVEL)
    return framed(number, len(samples), seen, payload)


def framed(number: int, rows: int, seen: int, payload: bytes) -> bytes:
    """A head before the bytes of a block."""
    head = HEAD.pack(len(payload), rows, number, seen, zlib.crc32(payload), 0)[:HEAD_CHECKED]
    return head + struct.pack("<I", zlib.crc32(head)) + payload


@dataclass(frozen=True, slots=True)
class SampleFile:
    """A file of samples: its facts and where its blocks are."""

    path: Path
    facts: dict[str, Any]
    blocks: Blocks
    end: int
    """Bytes up to the end of the last whole block."""
    is_cut: bool
    """Is there less after it than a block?"""

    def __len__(self) -> int:
        return int(self.blocks.column("rows").sum())

    @property
    def is_shuffled(self) -> bool:
        """Are the games torn apart?"""
        return bool(self.facts.get("shuffled"))

    def payload(self, file: IO[bytes], block: Block) -> bytes:
        """The bytes of a block, checked."""
        file.seek(block.offset)
        payload = file.read(block.length)
        if zlib.crc32(payload) != block.crc:
            raise SamplesError(f"{self.path}: block {block.number} at byte {block.offset} is damaged (CRC)")
        return payload

    def read_block(self, file: IO[bytes], block: Block) -> Samples:
        """The samples of a block, checked."""
        unpacked, wanted = zlib.decompressobj(), block.rows * SAMPLE.itemsize
        try:
            raw = unpacked.decompress(self.payload(file, block), wanted + 1)  # one more shows that there is more
        except zlib.error as error:
            raise SamplesError(f"{self.path}: block {block.number} at byte {block.offset}: {error}") from None
        if len(raw) <= wanted and not unpacked.eof:
            raise SamplesError(f"{self.path}: block {block.number} at byte {block.offset} is cut short within")
        if len(raw) != wanted:
            held = f"more than {wanted}" if len(raw) > wanted else str(len(raw))
            raise SamplesError(f"{self.path}: block {block.number} holds {held} bytes for {block.rows} rows")
        columns = np.frombuffer(raw, np.uint8).reshape(SAMPLE.itemsize, block.rows)
        return np.ascontiguousarray(columns.T).view(SAMPLE).reshape(-1)

    def __iter__(self) -> Iterator[Samples]:
        """The samples of each block, one after the other."""
        with self.path.open("rb") as file:
            for block in self.blocks:
                yield self.read_block(file, block)

    def read(self) -> Samples:
        """All samples."""
        return np.concatenate([np.zeros(0, SAMPLE), *self])


def open_samples(path: Path) -> SampleFile:
    """Read the header and find the blocks; raises SamplesError for what is no whole header or has a damaged head."""
    try:
        regular_file(path)
        with path.open("rb") as file:
            facts = read_header(file, path)
            return SampleFile(path, facts, *find_blocks(file, path))
    except OSError as error:
        raise SamplesError(f"{path}: {error.strerror or error}") from None


def read_header(file: IO[bytes], path: Path) -> dict[str, Any]:
    """The facts of a file."""
    opening = file.read(OPENING.size)
    if not opening.startswith(MAGIC):
        raise SamplesError(f"{path}: no file of samples")
    if len(opening) < OPENING.size:
        raise SamplesError(f"{path}: cut short in its header")
    _, version, length, crc = OPENING.unpack(opening)
    if version != VERSION:
        raise SamplesError(f"{path}: format {version}, this reads {VERSION}")
    text = file.read(length) if length <= LONGEST_HEADER else b""
    if len(text) < length or zlib.crc32(text) != crc:
        raise SamplesError(f"{path}: its header is damaged or cut short")
    try:
        facts = read_json(text)
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise SamplesError(f"{path}: its header is no object of JSON")
    return facts


def find_blocks(file: IO[bytes], path: Path) -> tuple[Blocks, int, bool]:
    """All whole blocks, where the last one ends, and whether something is left that is less than a block."""
    blocks, end = array("q"), file.tell()
    size = file.seek(0, 2)
    while True:
        file.seek(end)
        head = file.read(HEAD.size)
        if len(head) < HEAD.size:
            break
        length, rows, number, seen, crc, own = HEAD.unpack(head)
        if zlib.crc32(head[:HEAD_CHECKED]) != own:
            raise SamplesError(f"{path}: the head of a block at byte {end} is damaged (CRC)")
        if rows > MOST_ROWS:
            raise SamplesError(f"{path}: the block at byte {end} says {rows} rows, more than {MOST_ROWS}")
        offset = end + HEAD.size
        if offset + length > size:
            break
        blocks.extend(Block(offset, length, rows, number, seen, crc))
        end = offset + length
    return Blocks(blocks), end, end < size
