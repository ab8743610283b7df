"""Shell. TABLES: every look-up table board kernels read, declared and filled once."""

from functools import cache
from typing import Any

import numpy as np

from quiesce.board.geometry import (
    BISHOP_STEPS,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    ROOK_STEPS,
    SQUARES,
    Step,
    king_steps,
    leaps,
    lines,
    pawn_spans,
    relevant,
    slides,
    slides_among,
    subsets,
)
from quiesce.board.magics import BISHOP_MAGICS, ROOK_MAGICS
from quiesce.board.types import KINDS, PIECES
from quiesce.records import Field, new, record

SLIDE_SLOTS = 107_648
"""Sum of 2**relevant squares over both sliders and all squares."""
CUCKOO_SLOTS = 8_192
CUCKOO_HASHES = ((0, CUCKOO_SLOTS - 1), (16, CUCKOO_SLOTS - 1))
"""Shift and mask of the two places a reversible move's key may lie in."""
PIECE_VALUES = (100, 300, 300, 500, 900, 20_000, 0)
"""Points of pawn, knight, bishop, rook, queen, king and nothing in an exchange."""

SLIDER_FIELDS = (
    Field("mask", "u8", "squares whose occupation matters"),
    Field("magic", "u8", "multiplier that gathers those bits at the top"),
    Field("shift", "u8", "how far the gathered bits are shifted down"),
    Field("offset", "u8", "where this square's attack sets start in `slides`"),
)
SLIDER = record(*SLIDER_FIELDS)

TABLES_FIELDS = (
    Field("rooks", (SLIDER, (SQUARES,)), "how to look up a rook's attacks, by square"),
    Field("bishops", (SLIDER, (SQUARES,)), "how to look up a bishop's attacks, by square"),
    Field("slides", ("u8", (SLIDE_SLOTS,)), "attack sets of both sliders"),
    Field("knights", ("u8", (SQUARES,)), "attack sets of a knight"),
    Field("kings", ("u8", (SQUARES,)), "attack sets of a king"),
    Field("pawns", ("u8", (2, SQUARES)), "squares a pawn captures on, by its colour"),
    Field("rook_rays", ("u8", (SQUARES,)), "a rook's attacks on an empty board"),
    Field("bishop_rays", ("u8", (SQUARES,)), "a bishop's attacks on an empty board"),
    Field("between", ("u8", (SQUARES, SQUARES)), "squares strictly between two on a line"),
    Field("front", ("u8", (2, SQUARES)), "squares ahead on the file, by colour"),
    Field("flanks", ("u8", (2, SQUARES)), "squares ahead on the files beside, by colour"),
    Field("distance", ("u1", (SQUARES, SQUARES)), "steps of a king between two squares"),
    Field("line", ("u8", (SQUARES, SQUARES)), "the whole line through two squares, with both; none: empty"),
    Field("piece_keys", ("u8", (PIECES, SQUARES)), "Zobrist numbers of a piece on a square"),
    Field("castling_keys", ("u8", (SQUARES,)), "Zobrist numbers of the right to castle with a rook there"),
    Field("ep_keys", ("u8", (8,)), "Zobrist numbers of a legal en passant capture, by file"),
    Field("turn_key", "u8", "Zobrist number of Black to move"),
    Field("cuckoo_keys", ("u8", (CUCKOO_SLOTS,)), "key change of each reversible move, in a cuckoo hash"),
    Field("cuckoo_moves", ("u2", (CUCKOO_SLOTS,)), "the move (either way) that makes this change"),
    Field("piece_values", ("i8", (KINDS + 1,)), "points by kind, for exchanges"),
)
TABLES = record(*TABLES_FIELDS)

ZOBRIST_SEED = 0x5155_4945_5343_4521
MASK_64 = (1 << 64) - 1


def splitmix(seed: int, count: int) -> list[int]:
    """The first numbers of Vigna's SplitMix64 generator: the same on every machine and version."""
    drawn = []
    for _ in range(count):
        seed = (seed + 0x9E37_79B9_7F4A_7C15) & MASK_64
        mixed = ((seed ^ seed >> 30) * 0xBF58_476D_1CE4_E5B9) & MASK_64
        mixed = ((mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB) & MASK_64
        drawn.append(mixed ^ mixed >> 31)
    return drawn


def fill_slider(t: Any, sliders: Any, steps: tuple[Step, ...], magics: tuple[int, ...], start: int) -> int:
    """Fill one kind of slider from `start` in the common table; returns where the next may start."""
    for square in range(SQUARES):
        slider = sliders[square]
        slider.mask = relevant(square, steps)
        occupied = subsets(relevant(square, steps))
        slider.magic, slider.offset = magics[square], start
        slider.shift = SQUARES - (len(occupied).bit_length() - 1)
        slots = (occupied * np.uint64(magics[square])) >> np.uint64(slider.shift)
        t.slides[start + slots.astype(np.int64)] = slides_among(square, steps, occupied)
        start += len(occupied)
    return start


def fill_attacks(t: Any) -> None:
    """Fill everything that is geometry."""
    end = fill_slider(t, t.rooks, ROOK_STEPS, ROOK_MAGICS, 0)
    fill_slider(t, t.bishops, BISHOP_STEPS, BISHOP_MAGICS, end)
    t.knights[:], t.kings[:] = leaps(KNIGHT_STEPS), leaps(KING_STEPS)
    t.pawns[:] = [leaps(steps) for steps in PAWN_STEPS]
    t.rook_rays[:] = [slides(square, ROOK_STEPS) for square in range(SQUARES)]
    t.bishop_rays[:] = [slides(square, BISHOP_STEPS) for square in range(SQUARES)]
    t.between[:], t.line[:] = lines()
    t.front[:], t.flanks[:] = pawn_spans()
    t.distance[:] = king_steps()


def fill_keys(t: Any) -> None:
    """Fill the Zobrist numbers."""
    numbers = np.array(splitmix(ZOBRIST_SEED, PIECES * SQUARES + SQUARES + 8 + 1), np.uint64)
    pieces, castling, ep = PIECES * SQUARES, SQUARES, 8
    t.piece_keys[:] = numbers[:pieces].reshape(PIECES, SQUARES)
    t.castling_keys[:] = numbers[pieces : pieces + castling]
    t.ep_keys[:] = numbers[pieces + castling : pieces + castling + ep]
    t.turn_key = numbers[-1]


def fill_cuckoo(t: Any) -> None:
    """Fill the hash of reversible moves (van Kervinck's way to see a repetition one move ahead)."""
    reach_by_kind = (t.knights, t.bishop_rays, t.rook_rays, t.bishop_rays | t.rook_rays, t.kings)
    keys, moves = [0] * CUCKOO_SLOTS, [0] * CUCKOO_SLOTS
    for piece in range(2, PIECES):
        reach = [int(squares) for squares in reach_by_kind[piece // 2 - 1]]
        numbers = [int(number) for number in t.piece_keys[piece]]
        for low in range(SQUARES):
            for high in range(low + 1, SQUARES):
                if reach[low] >> high & 1:
                    insert(keys, moves, numbers[low] ^ numbers[high] ^ int(t.turn_key), low | high << 6)
    t.cuckoo_keys[:], t.cuckoo_moves[:] = keys, moves


def insert(keys: list[int], moves: list[int], key: int, move: int) -> None:
    """Put a key into one of its two slots, moving the key in it to that key's other slot."""
    (shift_a, mask), (shift_b, _) = CUCKOO_HASHES
    slot = key >> shift_a & mask
    while move:
        key, keys[slot] = keys[slot], key
        move, moves[slot] = moves[slot], move
        first, second = key >> shift_a & mask, key >> shift_b & mask
        slot = second if slot == first else first


@cache
def tables() -> Any:
    """The tables, filled on the first call and shared by all; kernels only read them."""
    t = new(TABLES)
    fill_attacks(t)
    fill_keys(t)
    fill_cuckoo(t)
    t.piece_values[:] = PIECE_VALUES
    return t
