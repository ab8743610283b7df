"""Shell. Why a move is good or bad, for Python programs."""

from functools import cached_property

from quiesce.api.info import board_of
from quiesce.review.why import Why as Told
from quiesce.trace.tree import Tree


class Why(Told):
    """Why a move is good or bad; `str` gives two sentences.

    Scores are PovScore for the mover: `after` the move, and `best` of the other moves; `loss` is in expected points.
    `answer` is the line after the move, `line` the best other one. `seen` is the depth from which the loss shows;
    `motifs` are the tactics involved; `tree` is the quiescence tree at the end of the main line.
    """

    @cached_property
    def tree(self) -> Tree | None:
        """The quiescence tree at the leaf; None if the game is over there."""
        found = self.quiescence
        return None if found is None else Tree(board_of("", self.leaf), found.root)

    def _repr_markdown_(self) -> str:
        """The sentences for a notebook."""
        return str(self)
