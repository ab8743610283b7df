"""Shell. The tree of a quiescence search, node by node: for loops, as text, as HTML that folds and as SVG."""

from collections.abc import Iterator
from functools import cached_property
from html import escape

import chess
import chess.engine

from quiesce.api.info import points_of
from quiesce.api.treesvg import draw_tree
from quiesce.board.bridge import to_chess_move
from quiesce.search.reasons import REASONS
from quiesce.trace.explain import Node, counted, pawns

MEANINGS = {reason.word: reason.meaning for reason in REASONS}
TEXT_PLIES, TEXT_MOVES = 4, 6
"""How much of a tree is written as text or HTML unless more is asked for."""


class Tree:
    """One node of quiescence with all below it, or a move that was left out.

    Scores are PovScore, as shown; `alpha` and `beta` are the search's own points from the mover's side here.
    """

    def __init__(self, board: chess.Board, node: Node, parent: "Tree | None" = None) -> None:
        """A node that was reached on, or a move left out of, the parent's board; the root's own board otherwise."""
        self._board, self._node, self.parent = board, node, parent
        self.ply: int = 0 if parent is None else parent.ply + 1

    @property
    def move(self) -> chess.Move | None:
        """The move that led here, or that was left out; None at the root."""
        return None if self.parent is None else to_chess_move(self._node.move, self._board.chess960)

    @property
    def san(self) -> str:
        """The move in algebraic notation, empty at the root."""
        return "" if self.move is None else self._board.san(self.move)

    @cached_property
    def board(self) -> chess.Board:
        """The position after the move."""
        after = self._board.copy(stack=False)
        if self.move is not None:
            after.push(self.move)
            after.clear_stack()
        return after

    @property
    def is_left_out(self) -> bool:
        """Was the move not searched?"""
        return self._node.is_skip

    @property
    def reason(self) -> str:
        """Why the node ended, or the move was left out, in a word: see `meaning`."""
        return self._node.reason

    @property
    def meaning(self) -> str:
        """The reason, said in full."""
        return MEANINGS[self._node.reason]

    @property
    def alpha(self) -> int:
        """Lower end of the window."""
        return self._node.alpha

    @property
    def beta(self) -> int:
        """Upper end of the window."""
        return self._node.beta

    def _pov(self, points: int | None) -> chess.engine.PovScore | None:
        """A score of this node's mover."""
        return None if points is None else points_of(points, self.board.turn)

    @property
    def score(self) -> chess.engine.PovScore | None:
        """What the node came to; None where it was left out."""
        return self._pov(self._node.score)

    @property
    def stand_pat(self) -> chess.engine.PovScore | None:
        """What standing pat is worth; None in check."""
        return self._pov(self._node.stand_pat)

    @property
    def size(self) -> int:
        """Nodes searched from here on, this one included."""
        return self._node.size

    @property
    def total(self) -> int:
        """Nodes and moves left out from here on, this one included."""
        count, waiting = 0, [self._node]
        while waiting:
            count += 1
            waiting += waiting.pop().children
        return count

    @cached_property
    def children(self) -> list["Tree"]:
        """Moves tried and moves left out, in the order of the search."""
        return [Tree(self.board, node, self) for node in self._node.children]

    def walk(self) -> Iterator["Tree"]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def label(self) -> str:
        """The node in a line: move, score from the root's side, and why it ended."""
        if self.is_left_out:
            return f"{self.san} left out: {self.meaning}"
        head = self.san or ("White to move" if self.board.turn else "Black to move")
        standing = "" if self._node.stand_pat is None else f", stand pat {pawns(self._node.stand_pat, self.ply)}"
        return f"{head} {pawns(self._node.score, self.ply)}{standing}: {self.meaning}"

    def lines(self, plies: int = TEXT_PLIES, moves: int = TEXT_MOVES) -> Iterator[str]:
        """The tree as indented text, so many plies deep and moves wide; what is folded is counted."""
        yield f"{'  ' * self.ply}{self.label()}"
        shown = self.children[:moves] if plies > 0 else []
        for child in shown:
            yield from child.lines(plies - 1, moves)
        if len(shown) < len(self.children):
            nodes = sum(child.size for child in self.children[len(shown) :])
            moves_left = counted(len(self.children) - len(shown), "more move")
            yield f"{'  ' * (self.ply + 1)}... {moves_left}, {counted(nodes, 'node')}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def html(self, plies: int = TEXT_PLIES, moves: int = TEXT_MOVES) -> str:
        """The tree as nested lists that fold, so many plies deep and moves wide."""
        label, shown = escape(self.label()), self.children[:moves] if plies > 0 else []
        if not shown:
            more = f" <i>({counted(self.size - 1, 'node')} below)</i>" if self.size > 1 else ""
            return f"<div style='margin-left:1.2em'>{label}{more}</div>"
        inner = "".join(child.html(plies - 1, moves) for child in shown)
        hidden = len(self.children) - len(shown)
        inner += f"<div style='margin-left:1.2em'><i>... {counted(hidden, 'more move')}</i></div>" if hidden else ""
        is_open = " open" if self.ply < 2 else ""
        return f"<details{is_open} style='margin-left:1.2em'><summary>{label}</summary>{inner}</details>"

    def _repr_html_(self) -> str:
        """The tree for a notebook."""
        return self.html()

    def svg(self, most: int = 200) -> str:
        """The tree as a picture of at most so many nodes, breadth first; it says what it leaves out."""
        return draw_tree(self, most)
