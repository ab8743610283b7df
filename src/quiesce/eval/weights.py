"""Shell. WEIGHTS: what a man is worth and where it likes to stand, in the middlegame and in the ending."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from quiesce.board.types import KINDS, PIECES, SQUARES
from quiesce.records import Field, new, record

SIDE = 8
RINGS = (0, 1, 2, 3, 3, 2, 1, 0)
"""How far a file or rank lies from the edge."""

WEIGHTS_FIELDS = (
    Field("middle", ("i4", (PIECES, SQUARES)), "centipawns in the middlegame, White's plus, Black's minus"),
    Field("ending", ("i4", (PIECES, SQUARES)), "the same in the ending"),
    Field("phase", ("i4", (PIECES,)), "how much a man adds to the phase; 24 is the full middlegame"),
)
WEIGHTS = record(*WEIGHTS_FIELDS)


@dataclass(frozen=True, slots=True)
class Taste:
    """One kind of man: its value, and what each step from edge, wing and home rank adds, in centipawns."""

    kind: str
    value: tuple[int, int]
    centre: tuple[int, int]
    file: tuple[int, int]
    rank: tuple[int, int]
    phase: int


TASTES = (
    Taste("pawn", (82, 100), (3, 0), (3, 0), (3, 9), 0),
    Taste("knight", (325, 300), (9, 8), (4, 2), (3, 1), 1),
    Taste("bishop", (340, 315), (6, 4), (2, 1), (0, 0), 1),
    Taste("rook", (470, 525), (0, 0), (5, 0), (2, 3), 2),
    Taste("queen", (960, 970), (1, 6), (1, 2), (-1, 2), 4),
    Taste("king", (0, 0), (-10, 11), (-9, 2), (-14, 4), 0),
)
"""In the order of the kinds; (middlegame, ending). Hand-made: fitting them is the evaluation's own work."""


def worth(taste: Taste, square: int, part: int) -> int:
    """Centipawns of a white man on a square, in the middlegame (0) or the ending (1)."""
    file, rank = square % SIDE, square // SIDE
    ring = min(RINGS[file], RINGS[rank])
    steps = (taste.centre[part] * ring, taste.file[part] * RINGS[file], taste.rank[part] * rank)
    return taste.value[part] + sum(steps)


@cache
def weights() -> Any:
    """The table, filled; black men see the board from the other side."""
    filled = new(WEIGHTS)
    for kind in range(KINDS):
        taste = TASTES[kind]
        for colour, sign in ((0, 1), (1, -1)):
            piece = 2 * kind + colour
            filled.phase[piece] = taste.phase
            for square in range(SQUARES):
                seen = square ^ 56 if colour else square
                filled.middle[piece, square] = sign * worth(taste, seen, 0)
                filled.ending[piece, square] = sign * worth(taste, seen, 1)
    return filled
