"""Kernels. The transposition table: probe, store, age.

A bucket is one cache line of four entries. An entry is two words, the data and the key XORed with it
(Hyatt and Mann's way): if two threads write at once, the halves do not match and the entry is ignored.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import NO_MOVE, u64
from quiesce.jit import kernel, peek, poke, prefetch
from quiesce.records import Field, record
from quiesce.search.scores import NO_SCORE, from_table, to_table

TABLE = record(
    Field("address", "u8", "where the first bucket lies"),
    Field("buckets", "u8", "how many there are"),
    Field("generation", "u8", "number of the search, so that old entries give way"),
)

BUCKET_BYTES = 64
ENTRY_BYTES = 16
ENTRIES = 4
BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT = 0, 1, 2, 3
GENERATIONS = 32
NOT_PV = False
AGE_WEIGHT = 4
"""Plies of depth that one generation of age weighs when an entry is replaced."""
DEPTH_OFFSET = 8
"""Depths are kept from -8 on."""

_HALF = u64(32)
_WORD = u64(8)
_MOVE_MASK = u64(0xFFFF)
_SCORE_SHIFT, _EVAL_SHIFT, _DEPTH_SHIFT, _BOUND_SHIFT = u64(16), u64(32), u64(48), u64(56)
_PV_SHIFT, _GENERATION_SHIFT = u64(58), u64(59)
_BYTE, _TWO_BITS, _ONE_BIT, _FIVE_BITS = u64(0xFF), u64(3), u64(1), u64(31)
_SCORE_OFFSET = 32_768


@kernel
def bucket_of(tt, key):
    """Address of the bucket a key belongs to; any number of buckets will do."""
    return tt.address + (((key >> _HALF) * tt.buckets) >> _HALF) * u64(BUCKET_BYTES)


@kernel
def fetch_bucket(tt, key):
    """Have the bucket of a key ready soon."""
    prefetch(bucket_of(tt, key))


@kernel
def pack(move, score, evaluation, depth, bound, is_pv, generation):
    """All of an entry in one word."""
    return (
        (u64(move) & _MOVE_MASK)
        | (u64(score + _SCORE_OFFSET) << _SCORE_SHIFT)
        | (u64(evaluation + _SCORE_OFFSET) << _EVAL_SHIFT)
        | (u64(depth + DEPTH_OFFSET) << _DEPTH_SHIFT)
        | (u64(bound) << _BOUND_SHIFT)
        | (u64(is_pv) << _PV_SHIFT)
        | (generation << _GENERATION_SHIFT)
    )


@kernel
def depth_in(data):
    """Depth an entry was searched to."""
    return np.int64((data >> _DEPTH_SHIFT) & _BYTE) - DEPTH_OFFSET


@kernel
def bound_in(data):
    """Kind of bound an entry's score is; BOUND_NONE in an empty one."""
    return np.int64((data >> _BOUND_SHIFT) & _TWO_BITS)


@kernel
def move_in(data):
    """Best move of an entry."""
    return data & _MOVE_MASK


@kernel
def age_of(tt, data):
    """Searches since an entry was written or last used."""
    return np.int64((tt.generation - (data >> _GENERATION_SHIFT)) & _FIVE_BITS)


@kernel
def find(tt, key):
    """Data word of a position, 0 if it is not in the table."""
    bucket = bucket_of(tt, key)
    for number in range(u64(ENTRIES)):
        entry = bucket + number * u64(ENTRY_BYTES)
        data = peek(entry)
        if peek(entry + _WORD) ^ data == key and data != 0:
            return data
    return u64(0)


@kernel
def probe(tt, key, ply):
    """Move, score, evaluation, depth, bound and PV flag known of a position; BOUND_NONE and NO_SCORE if none."""
    data = find(tt, key)
    if data == 0:
        return NO_MOVE, NO_SCORE, NO_SCORE, -DEPTH_OFFSET, BOUND_NONE, False
    score = np.int64((data >> _SCORE_SHIFT) & _MOVE_MASK) - _SCORE_OFFSET
    evaluation = np.int64((data >> _EVAL_SHIFT) & _MOVE_MASK) - _SCORE_OFFSET
    is_pv = (data >> _PV_SHIFT) & _ONE_BIT != 0
    return move_in(data), from_table(score, ply), evaluation, depth_in(data), bound_in(data), is_pv


@kernel
def worth_keeping(tt, data):
    """How much an entry is worth: deep ones and those of this search most, empty ones least."""
    if data == 0:
        return -1_000
    return depth_in(data) - AGE_WEIGHT * age_of(tt, data)


@kernel
def slot_for(tt, key):
    """Address of the entry to write a position to: its own, or the least worth keeping of the bucket."""
    bucket = bucket_of(tt, key)
    chosen, least = bucket, 1_000_000
    for number in range(u64(ENTRIES)):
        entry = bucket + number * u64(ENTRY_BYTES)
        data = peek(entry)
        if peek(entry + _WORD) ^ data == key:
            return entry
        if worth_keeping(tt, data) < least:
            chosen, least = entry, worth_keeping(tt, data)
    return chosen


@kernel
def store(tt, key, ply, move, score, evaluation, depth, bound, is_pv):
    """Remember what was found of a position; returns whether another one of this search was driven out.

    Of the same position a much deeper result is kept, unless the new one is exact or the old one old;
    a result without a move keeps the move known before.
    """
    entry = slot_for(tt, key)
    old = peek(entry)
    if peek(entry + _WORD) ^ old == key and old != 0:
        if move == NO_MOVE:
            move = move_in(old)
        if bound != BOUND_EXACT and depth + AGE_WEIGHT < depth_in(old) and age_of(tt, old) == 0:
            return False
        collides = False
    else:
        collides = old != 0 and age_of(tt, old) == 0
    data = pack(move, to_table(score, ply), evaluation, depth, bound, is_pv, tt.generation)
    poke(entry, data)
    poke(entry + _WORD, key ^ data)
    return collides


@kernel
def fullness(tt):
    """Permille of the table used by this search, from a sample."""
    used, seen = 0, 0
    for number in range(min(tt.buckets, u64(250))):
        for part in range(u64(ENTRIES)):
            data = peek(tt.address + number * u64(BUCKET_BYTES) + part * u64(ENTRY_BYTES))
            seen += 1
            if data != 0 and age_of(tt, data) == 0:
                used += 1
    return used * 1_000 // max(seen, 1)
