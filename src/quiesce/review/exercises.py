"""Shell. Exercises from one's own games: positions with one best move, confirmed with ten times the nodes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import chess
import chess.pgn

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.engine.wdl import expected, piece_count
from quiesce.review.plan import BLUNDER, DEFAULT_NODES, MISTAKE, ReviewPlan
from quiesce.review.review import Review
from quiesce.review.verdict import legal_line

TIMES = 10
"""Nodes of the confirming search, as a multiple of the review's."""
SOLUTION_PLIES = 7


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position, its solution with the line, and the move played."""

    board: chess.Board
    line: tuple[chess.Move, ...]
    played: str
    name: str

    def epd(self) -> str:
        """One line of an EPD file for `quiesce suite`."""
        return self.board.epd(bm=[self.line[0]], id=self.name, c0=f"played: {self.played}")

    def pgn(self) -> str:
        """A PGN game from the position; the solution is its moves."""
        game = chess.pgn.Game()
        game.setup(self.board)
        game.headers.update({"Event": "Exercise", "White": self.name, "Black": f"played: {self.played}"})
        game.add_line(self.line)
        return f"{game}\n\n"


def candidates(review: Review) -> Iterator[tuple[int, dict[str, Any]]]:
    """Plies with a marked mistake, each with the search that confirms it."""
    nodes = TIMES * (review.plan.nodes if review.plan.seconds is None else DEFAULT_NODES)
    for verdict in review.marked:
        if verdict.mark in (MISTAKE, BLUNDER) and verdict.best is not None:
            yield verdict.ply, {"fen": verdict.fen, "chess960": review.chess960, "nodes": nodes}


def answer_to(engine: Engine, question: Mapping[str, Any]) -> dict[str, Any]:
    """The best move of a position, its line, and what the second-best move loses."""
    game = Game(question["fen"], question["chess960"])
    engine.new_game()
    first = engine.search(game, Limits(nodes=question["nodes"])).lines[0]
    others = [move for move in game.legal_moves() if move != first.moves[0]]
    second = engine.search(game, Limits(nodes=question["nodes"], moves=others)).lines[0]
    line = [to_chess_move(move, game.chess960).uci() for move in first.moves[:SOLUTION_PLIES]]
    pieces = piece_count(game)
    return {"line": line, "margin": expected(first.score, pieces) - expected(second.score, pieces)}


def exercise_of(review: Review, ply: int, answer: Mapping[str, Any]) -> Exercise | None:
    """The exercise of a ply; None if the best move changed or is not the only one."""
    verdict = next(verdict for verdict in review.verdicts if verdict.ply == ply)
    line = legal_line(verdict.board, [chess.Move.from_uci(move) for move in answer["line"]])
    if not line or line[0] != verdict.best or answer["margin"] < ReviewPlan().mistake:
        return None
    board = verdict.board
    names = " - ".join(review.headers.get(name, "?") for name in ("White", "Black"))
    where = f"{names}, {review.headers.get('Date', '?')}, move {board.fullmove_number}"
    return Exercise(board, line, f"{verdict.san}{verdict.mark}", where.replace('"', "'"))
