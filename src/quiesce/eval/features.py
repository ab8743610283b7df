"""Shell. Features: which input of the network a piece on a square is. Declared once, for kernels, samples and training.

Each side has a perspective: its own first rank below, its own pieces first, then by kind, then by square. If its own
king stands on the files e to h, its features are mirrored, so that a network sees every king on a to d. The king's
bucket then chooses the weights of its features. Nothing here needs the compiler or PyTorch.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

KINDS, SQUARES, SIDE = 6, 64, 8
PIECES = 2 * KINDS
"""The board's own numbers, said again without its compiler; a piece is `2 * kind + colour`. A test compares them."""
FEATURES = PIECES * SQUARES
"""Features of one perspective."""
NO_FEATURE = -1
RANK_FLIP, FILE_FLIP = 56, 7
"""What turns the ranks of a square round, and its files; the files of a feature too."""
RIGHT_HALF = 4
"""The bit of a square that says its file is e to h."""
OWN_KING = (KINDS - 1) * SQUARES
"""Feature of a side's own king on a1."""

Features = npt.NDArray[np.int16]
Indices = npt.NDArray[np.integer[Any]]


def _feature_index() -> npt.NDArray[np.uint16]:
    """`FEATURE_INDEX`."""
    perspective, piece, square = np.ogrid[:2, :PIECES, :SQUARES]
    kind, is_enemy = piece // 2, (piece % 2) ^ perspective
    found: npt.NDArray[np.int64] = (is_enemy * KINDS + kind) * SQUARES + (square ^ perspective * RANK_FLIP)
    return found.astype(np.uint16)


FEATURE_INDEX = _feature_index()
"""Feature of a piece on a square by perspective (White's, Black's), before it is mirrored: (2, PIECES, SQUARES)."""
OTHER_PERSPECTIVE = np.empty(FEATURES + 1, np.int16)
OTHER_PERSPECTIVE[FEATURE_INDEX[0].ravel()] = FEATURE_INDEX[1].ravel()
OTHER_PERSPECTIVE[FEATURES] = FEATURES
"""The same piece on the same square as the other side sees it; the last entry stands for no feature."""
OWN_KING_SQUARE = np.zeros(FEATURES + 1, np.int16)
OWN_KING_SQUARE[OWN_KING : OWN_KING + SQUARES] = np.arange(SQUARES)
"""Square of a side's own king, 0 for every other feature: the largest of a row is where the king stands."""


def own_king_squares(features: Indices) -> Indices:
    """Square of the own king in each row of one perspective's features, as that side sees it; 0 if there is none."""
    found: Indices = OWN_KING_SQUARE[features].max(axis=1, initial=0)
    return found


def mirrored(features: Features) -> Features:
    """Rows of one perspective's features, mirrored if the own king stands on e to h.

    So a network learns from a position what its mirror would have taught as well.
    """
    flip = np.where(own_king_squares(features) & RIGHT_HALF, np.int16(FILE_FLIP), np.int16(0))[:, None]
    return np.where(features == NO_FEATURE, np.int16(NO_FEATURE), features ^ flip)


def king_bucket_map(buckets: int) -> npt.NDArray[np.uint8]:
    """King bucket of each square, ranks counted from the king's own first: 1, 2, 4 or 8 buckets.

    Two: the corner, where a castled king stands (a and b, or g and h, on the first two ranks), and all else. Four: the
    corner, the middle of those ranks, the next two ranks, the other half of the board. Eight: corner and middle of the
    first rank, of the second, of the next two, and each two ranks of the other half.
    """
    rank, file = np.divmod(np.arange(SQUARES), SIDE)
    is_home, is_wing = rank < SIDE // 4, np.minimum(file, SIDE - 1 - file) < SIDE // 4
    far = np.where(rank < SIDE // 2, 2, 3)
    fine = np.where(rank < SIDE // 2, 2 * np.minimum(rank, 2) + ~is_wing, rank // 2 + 4)
    by_count = {1: np.zeros(SQUARES), 2: ~(is_home & is_wing), 4: np.where(is_home, ~is_wing, far), 8: fine}
    found: npt.NDArray[np.uint8] = by_count[buckets].astype(np.uint8)
    return found
