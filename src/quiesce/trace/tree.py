"""Shell. The tree of a quiescence search, node by node, and the part of it that is drawn: what every renderer takes."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import chess
import chess.engine

from quiesce.board.bridge import to_chess_move
from quiesce.engine.scoretext import pawns, pov_score
from quiesce.search.reasons import REASONS
from quiesce.trace.html import tree_html
from quiesce.trace.node import Node
from quiesce.trace.svg import tree_svg
from quiesce.trace.text import tree_lines

MEANINGS = {reason.word: reason.meaning for reason in REASONS}
TEXT_PLIES, TEXT_MOVES = 4, 6
"""How much of a tree is written as text or HTML unless more is asked for."""
ALL = 1 << 62
"""More than there can be."""


class Tree:
    """One node of quiescence with all below it, or a move that was left out.

    Scores are PovScore, as shown; `alpha` and `beta` are the search's own points from the mover's side here.
    """

    def __init__(self, board: chess.Board, node: Node, parent: "Tree | None" = None) -> None:
        """A node reached from, or a move skipped on, the parent's board; for the root its own board."""
        self._board, self.node, self.parent = board, node, parent
        self.ply: int = 0 if parent is None else parent.ply + 1

    @property
    def move(self) -> chess.Move | None:
        """The move that led here, or that was left out; None at the root."""
        return None if self.parent is None else to_chess_move(self.node.move, self._board.chess960)

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
        return self.node.is_skip

    @property
    def reason(self) -> str:
        """Name of the reason why the node ended or the move was skipped; `meaning` explains it."""
        return self.node.reason

    @property
    def meaning(self) -> str:
        """The reason in words."""
        return MEANINGS[self.node.reason]

    @property
    def alpha(self) -> int:
        """Lower end of the window."""
        return self.node.alpha

    @property
    def beta(self) -> int:
        """Upper end of the window."""
        return self.node.beta

    def _pov(self, points: int | None) -> chess.engine.PovScore | None:
        """A score of this node's mover."""
        return None if points is None else pov_score(points, self.board.turn)

    @property
    def score(self) -> chess.engine.PovScore | None:
        """The node's score; None if it was skipped."""
        return self._pov(self.node.score)

    @property
    def stand_pat(self) -> chess.engine.PovScore | None:
        """What standing pat is worth; None in check."""
        return self._pov(self.node.stand_pat)

    @property
    def size(self) -> int:
        """Nodes searched from here on, this one included."""
        return self.node.size

    @property
    def total(self) -> int:
        """Nodes and moves left out from here on, this one included."""
        return self.node.total

    @cached_property
    def children(self) -> list["Tree"]:
        """Moves tried and moves left out, in the order of the search."""
        return [Tree(self.board, node, self) for node in self.node.children]

    def walk(self) -> Iterator["Tree"]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def name(self) -> str:
        """The move, or at the root whose move it is."""
        return self.san or ("White to move" if self.board.turn else "Black to move")

    @property
    def score_text(self) -> str:
        """The score from the root's side."""
        return pawns(self.node.score, self.ply)

    @property
    def stand_pat_text(self) -> str:
        """What standing pat is worth from the root's side; empty in check."""
        return "" if self.node.stand_pat is None else f"stand pat {pawns(self.node.stand_pat, self.ply)}"

    def label(self) -> str:
        """The node in a line: move, score from the root's side, and why it ended."""
        if self.is_left_out:
            return f"{self.name} left out: {self.meaning}"
        return ", ".join(filter(None, (f"{self.name} {self.score_text}", self.stand_pat_text))) + f": {self.meaning}"

    def lines(self, plies: int = TEXT_PLIES, moves: int = TEXT_MOVES) -> Iterator[str]:
        """The tree as indented text, limited in depth and width; hidden nodes are counted."""
        return tree_lines(drawn(self, plies, moves))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def html(self, plies: int = TEXT_PLIES, moves: int = TEXT_MOVES) -> str:
        """The tree as nested lists that fold, limited in depth and width."""
        return tree_html(drawn(self, plies, moves))

    def _repr_html_(self) -> str:
        """The tree for a notebook."""
        return self.html()

    def svg(self, most: int = 200) -> str:
        """The tree as a picture of at most `most` nodes, breadth first; it says what it omits."""
        return tree_svg(drawn(self, most=most))


@dataclass(slots=True)
class Drawn:
    """A node that is drawn: those of its children that are drawn too, and those that are hidden."""

    tree: Tree
    children: list["Drawn"] = field(default_factory=list)
    hidden: list[Node] = field(default_factory=list)

    @property
    def hidden_total(self) -> int:
        """Nodes and moves left out below this node that are not drawn."""
        return sum(node.total for node in self.hidden)

    @property
    def hidden_size(self) -> int:
        """Nodes searched below this node that are not drawn."""
        return sum(node.size for node in self.hidden)


def drawn(root: Tree, plies: int = ALL, moves: int = ALL, most: int = ALL, *, apart: bool = False) -> Drawn:
    """The part of a tree within limits of plies, moves per node and nodes; upper plies first.

    With `apart`, tried and skipped moves are counted separately.
    """
    top = Drawn(root)
    waiting, count = deque([top]), 1
    while waiting:
        place = waiting.popleft()
        is_within = place.tree.ply - root.ply < plies
        room = {False: moves, True: moves}
        for child in place.tree.children if is_within and count < most else ():
            kind = apart and child.is_left_out
            if room[kind] > 0 and count < most:
                room[kind] -= 1
                count += 1
                place.children.append(Drawn(child))
            else:
                place.hidden.append(child.node)
        if not (place.children or place.hidden):
            place.hidden = list(place.tree.node.children)
        waiting.extend(place.children)
    return top
