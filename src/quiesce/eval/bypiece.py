"""Shell. A network's evaluation piece by piece: how it changes if one piece is removed."""

from dataclasses import dataclass
from typing import Any

from quiesce.board.position import POSITION
from quiesce.board.types import KING, NO_PIECE
from quiesce.eval.evaluate import explain_network
from quiesce.eval.evaluator import new_evaluator
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import copy_record
from quiesce.records import new

SIDE = 8


@dataclass(frozen=True, slots=True)
class Share:
    """A piece, and the points it is worth to White where it stands."""

    square: int
    piece: int
    points: int


@dataclass(frozen=True, slots=True)
class ByPiece:
    """Value of a position in points, the mover's side, and the share of every piece but the kings, White's side.

    Shares do not sum to the value: what one piece is worth depends on all others.
    """

    value: int
    shares: list[Share]
    board: list[int]
    black_moves: bool

    def rows(self, letters: str) -> list[str]:
        """The board as White sees it, each piece above its share in points."""
        points = {share.square: f"{share.points:+d}" for share in self.shares}
        pieces = ["." if piece == NO_PIECE else letters[piece] for piece in self.board]
        lines = []
        for first in range(SIDE * (SIDE - 1), -1, -SIDE):
            squares = range(first, first + SIDE)
            lines.append("".join(f"{pieces[square]:>7}" for square in squares))
            lines.append("".join(f"{points.get(square, ''):>7}" for square in squares))
        return lines


def without_piece(position: Any, square: int) -> Any:
    """A position without one piece; only the fields that the network reads are changed."""
    changed = new(POSITION)
    copy_record(changed, position)
    piece, keep = int(position.board[square]), ~(1 << square) & (1 << 64) - 1
    changed.pieces[piece // 2] = int(position.pieces[piece // 2]) & keep
    changed.colours[piece % 2] = int(position.colours[piece % 2]) & keep
    changed.board[square] = NO_PIECE
    return changed


def by_piece(position: Any, name: str = DEFAULT_EVAL) -> ByPiece:
    """The evaluation of a position by a network, and what each piece adds to it."""
    evaluator = new_evaluator(name)
    value = int(explain_network(evaluator, position))
    sign, board, shares = 1 - 2 * int(position.turn), position.board.tolist(), list[Share]()
    for square, piece in enumerate(board):
        if piece != NO_PIECE and piece // 2 != KING:
            lacking = int(explain_network(evaluator, without_piece(position, square)))
            shares.append(Share(square, piece, sign * (value - lacking)))
    return ByPiece(value, shares, board, bool(position.turn))
