"""Shell. Why a move is good or bad, for Python programs: as told by `review/why.py`, with the tree to walk through."""

from functools import cached_property

from quiesce.api.info import board_of
from quiesce.review.why import Why as Told
from quiesce.trace.tree import Tree


class Why(Told):
    """What there is to say of a move: `str` tells it in two sentences.

    Scores are PovScore of the mover: `after` the move, and `best` of the others; `loss` is in expected points. `answer`
    is the line after the move, `line` that of the best other one. The loss is `seen` from that depth on; `motifs` tell
    by what means the move is refuted, or a good one works. `tree` is quiescence at the end of the main search's line.
    """

    @cached_property
    def tree(self) -> Tree | None:
        """The tree of quiescence at the leaf, node by node; None where the game is over there."""
        found = self.quiescence
        return None if found is None else Tree(board_of("", self.leaf), found.root)

    def _repr_markdown_(self) -> str:
        """The sentences for a notebook."""
        return str(self)
