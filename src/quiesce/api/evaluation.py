"""Shell. The static evaluation of a position, with what each group of terms counts for each side."""

from dataclasses import dataclass
from html import escape

import chess
import chess.engine

from quiesce.api.info import points_of
from quiesce.api.show import board_figure, shown
from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.eval.breakdown import Breakdown, breakdown, grouped
from quiesce.eval.network import CLASSICAL
from quiesce.search.deepen import start_search
from quiesce.search.report import root_eval
from quiesce.search.worker import new_worker, set_root


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a position counts without any search.

    `score` is as it is shown, `points` the evaluation's own number from the mover's side. `terms` tells every weight
    that counts; a network has no terms, there it is None.
    """

    board: chess.Board
    score: chess.engine.PovScore
    points: int
    terms: Breakdown | None

    @property
    def groups(self) -> dict[str, tuple[int, int]]:
        """Points of each group of terms in middlegame and ending, White's less Black's."""
        return {} if self.terms is None else {row.name: row.total for row in grouped(self.terms)}

    def __str__(self) -> str:
        rows = [f"{name:<10} {middle:>6} {ending:>6}" for name, (middle, ending) in self.groups.items()]
        return "\n".join([f"{shown(self.score)} for White", *rows])

    def _repr_html_(self) -> str:
        """Board and table."""
        cells = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{middle}</td><td>{ending}</td></tr>"
            for name, (middle, ending) in self.groups.items()
        )
        head = "<tr><th>White's side</th><th>middlegame</th><th>ending</th></tr>" if cells else ""
        return board_figure(self.board, [], f"<p><b>{shown(self.score)} for White</b></p><table>{head}{cells}</table>")


def evaluation_of(board: chess.Board, game: Game, weights: str) -> Evaluation:
    """Evaluate as the search would, through its own door."""
    w = new_worker(weights=weights)
    set_root(w, game)
    start_search(w, tables())
    points = int(root_eval(w, tables()))
    terms = breakdown(game.position, weights) if int(w.judge.mode) == CLASSICAL else None
    return Evaluation(board, points_of(points, board.turn), points, terms)
