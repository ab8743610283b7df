"""Shell. The static evaluation of a position."""

from dataclasses import dataclass
from html import escape

import chess
import chess.engine

from quiesce.api.show import board_figure, shown
from quiesce.board.game import Game
from quiesce.engine.scoretext import pov_score
from quiesce.engine.searcher import Searcher
from quiesce.eval.breakdown import Breakdown, breakdown, grouped
from quiesce.eval.bypiece import by_piece
from quiesce.eval.network import CLASSICAL


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The static evaluation of a position.

    `score` is in centipawns, `points` the internal number for the side to move. With the network, `pieces` has the
    points that each piece contributes for White; with the hand-made evaluation, `terms` has every weight that counts.
    """

    board: chess.Board
    score: chess.engine.PovScore
    points: int
    terms: Breakdown | None
    pieces: dict[chess.Square, int]

    @property
    def groups(self) -> dict[str, tuple[int, int]]:
        """Middlegame and endgame points of each group of terms, White's minus Black's."""
        return {} if self.terms is None else {row.name: row.total for row in grouped(self.terms)}

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Header and rows of the breakdown, in points for White."""
        if self.terms is None:
            pieces = [(f"{self.board.piece_at(square)}{chess.square_name(square)}", f"{worth:+d}")
                   for square, worth in sorted(self.pieces.items(), key=lambda item: -item[1])]  # fmt: skip
            return [("piece", "worth"), *pieces]
        groups = [(name, f"{middle:+d}", f"{ending:+d}") for name, (middle, ending) in self.groups.items()]
        return [("term", "middlegame", "ending"), *groups]

    def __str__(self) -> str:
        rows = [f"{name:<10}" + "".join(f" {number:>10}" for number in numbers) for name, *numbers in self.rows]
        return "\n".join([f"{shown(self.score)} for White", *rows])

    def _repr_html_(self) -> str:
        """Board and table."""
        table = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        return board_figure(self.board, [], f"<p><b>{shown(self.score)} for White</b></p><table>{table}</table>")


def evaluation_of(board: chess.Board, game: Game, weights: str) -> Evaluation:
    """Evaluate a position as the search does."""
    searcher = Searcher(weights=weights)
    searcher.place(game)
    points = searcher.evaluate()
    score = pov_score(points, board.turn)
    if int(searcher.worker.evaluator.mode) == CLASSICAL:
        return Evaluation(board, score, points, breakdown(game.position, weights), {})
    pieces = {share.square: share.points for share in by_piece(game.position, weights).shares}
    return Evaluation(board, score, points, None, pieces)
