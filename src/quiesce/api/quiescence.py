"""Shell. The result of a quiescence search, for programs and for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import chess
import chess.engine

from quiesce.api.show import board_figure, table_of
from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine.scoretext import pov_score
from quiesce.jit import have_ready
from quiesce.trace.client import trace_client
from quiesce.trace.explain import quiesce, sentence
from quiesce.trace.tree import Tree


@dataclass(frozen=True, eq=False)
class Quiescence:
    """The result of a quiescence search.

    `static` is the static evaluation, None in check. `tree` is set if it was traced; `is_whole` is False if the tree
    was too large to be kept. `summary` describes it in words.
    """

    board: chess.Board
    score: chess.engine.PovScore
    static: chess.engine.PovScore | None
    pv: list[chess.Move]
    counters: dict[str, int]
    summary: str
    tree: Tree | None = None
    is_whole: bool = True

    @property
    def nodes(self) -> int:
        """Number of nodes searched."""
        return self.counters["nodes"]

    @property
    def end(self) -> chess.Board:
        """The quiet position at the end of the line."""
        board = self.board.copy(stack=False)
        for move in self.pv:
            board.push(move)
        board.clear_stack()
        return board

    @property
    def note(self) -> str:
        """What is missing of the tree, in words; empty if it is complete."""
        if self.tree is None or self.is_whole:
            return ""
        return f"The tree holds {self.tree.size} of {self.nodes} nodes, the first ones; there was no room for more."

    def __str__(self) -> str:
        tree = "" if self.tree is None else str(self.tree)
        return "\n\n".join(filter(None, (tree, self.note, self.summary)))

    def _repr_html_(self) -> str:
        """Board with the line, the words, and the tree."""
        facts = {"score": self.score, "nodes": self.nodes}
        tree = "" if self.tree is None else self.tree._repr_html_()
        words = " ".join(filter(None, (self.summary, self.note)))
        return board_figure(self.board, self.pv[:1], f"<p>{escape(words)}</p>{table_of(facts)}{tree}")


def quiescence_of(board: chess.Board, game: Game, options: Mapping[str, int], weights: str, trace: bool) -> Quiescence:
    """Run a quiescence search, traced in another process or plainly in this one; both return the same answer."""
    have_ready()
    tree, is_whole = None, True
    if trace:
        told = trace_client().explain(game, options, weights)
        static, score, line, counters = told.static, told.score, told.line, told.counters
        tree, is_whole = Tree(board, told.root), told.is_whole
    else:
        static, score, line, counters, _ = quiesce(game, options, weights)
    return Quiescence(
        board=board,
        score=pov_score(score, board.turn),
        static=None if static is None else pov_score(static, board.turn),
        pv=[to_chess_move(move, game.chess960) for move in line],
        counters=counters,
        summary=sentence(game, static, score, line, counters["nodes"]),
        tree=tree,
        is_whole=is_whole,
    )
