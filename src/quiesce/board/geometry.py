"""Shell. The empty board's geometry, in plain Python: what tables are built from."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

Bitboards = npt.NDArray[np.uint64]
Step = tuple[int, int]

ROOK_STEPS: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
BISHOP_STEPS: tuple[Step, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KING_STEPS: tuple[Step, ...] = ROOK_STEPS + BISHOP_STEPS
KNIGHT_STEPS: tuple[Step, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
PAWN_STEPS: tuple[tuple[Step, ...], ...] = (((-1, 1), (1, 1)), ((-1, -1), (1, -1)))

SIDE = 8
SQUARES = SIDE * SIDE


@cache
def ray(square: int, step: Step) -> tuple[int, ...]:
    """Squares met from a square in one direction, to the edge of the board."""
    file, rank = square % SIDE + step[0], square // SIDE + step[1]
    met = []
    while 0 <= file < SIDE and 0 <= rank < SIDE:
        met.append(rank * SIDE + file)
        file, rank = file + step[0], rank + step[1]
    return tuple(met)


def union(squares: Iterator[int] | tuple[int, ...]) -> int:
    """The set of some squares."""
    return sum(1 << square for square in set(squares))


def leaps(steps: tuple[Step, ...]) -> list[int]:
    """For each square, where one step leads."""
    return [union(reached for step in steps for reached in ray(square, step)[:1]) for square in range(SQUARES)]


def slides(square: int, steps: tuple[Step, ...]) -> int:
    """Where a slider reaches from a square of an empty board."""
    return union(reached for step in steps for reached in ray(square, step))


def relevant(square: int, steps: tuple[Step, ...]) -> int:
    """Squares whose occupation can stop a slider: its reach without the last square of each ray."""
    return union(met for step in steps for met in ray(square, step)[:-1])


def subsets(squares: int) -> Bitboards:
    """Every subset of a set, 2**size of them."""
    found = np.zeros(1, np.uint64)
    for square in range(SQUARES):
        if squares >> square & 1:
            found = np.concatenate([found, found | np.uint64(1 << square)])
    return found


def slides_among(square: int, steps: tuple[Step, ...], occupied: Bitboards) -> Bitboards:
    """Where a slider reaches from a square, for each of many occupations."""
    reached = np.zeros_like(occupied)
    for step in steps:
        is_open = np.ones(len(occupied), bool)
        for met in ray(square, step):
            here = np.uint64(1 << met)
            reached |= np.where(is_open, here, np.uint64(0))
            is_open &= (occupied & here) == 0
    return reached


def pawn_spans() -> tuple[list[list[int]], list[list[int]]]:
    """For each colour and square: the squares ahead on its file, and those ahead on the files beside it."""
    ups = ((0, 1), (0, -1))
    front = [[union(ray(square, up)) for square in range(SQUARES)] for up in ups]
    flanks = [
        [union(met for side in ((-1, 0), (1, 0)) for beside in ray(square, side)[:1] for met in ray(beside, up))
         for square in range(SQUARES)]
        for up in ups
    ]  # fmt: skip
    return front, flanks


def king_steps() -> list[list[int]]:
    """For two squares, how many steps a king needs from one to the other."""
    return [
        [max(abs(one % SIDE - other % SIDE), abs(one // SIDE - other // SIDE)) for other in range(SQUARES)]
        for one in range(SQUARES)
    ]


def lines() -> tuple[Bitboards, Bitboards]:
    """For two squares on a line: those strictly between them, and the whole line with both ends."""
    between, line = np.zeros((2, SQUARES, SQUARES), np.uint64)
    for square in range(SQUARES):
        for step in KING_STEPS:
            forward, back = ray(square, step), ray(square, (-step[0], -step[1]))
            whole = union((square, *forward, *back))
            for distance, other in enumerate(forward):
                between[square, other] = union(forward[:distance])
                line[square, other] = whole
    return between, line
