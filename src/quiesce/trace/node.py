"""Shell. A node of quiescence as the trace build recorded it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quiesce.search.reasons import REASONS
from quiesce.search.scores import NO_SCORE


@dataclass(slots=True)
class Node:
    """One node, or one move left out; scores are points from the node's mover's side."""

    move: int
    alpha: int
    beta: int
    stand_pat: int | None
    score: int | None
    reason: str
    is_skip: bool
    children: list["Node"] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Nodes searched in this subtree, itself included."""
        return int(not self.is_skip) + sum(child.size for child in self.children)

    @property
    def skips(self) -> int:
        """Moves left out in this subtree."""
        return int(self.is_skip) + sum(child.skips for child in self.children)

    @property
    def total(self) -> int:
        """Nodes and moves left out in this subtree, its own root included."""
        return 1 + sum(child.total for child in self.children)


def node_from(slot: Mapping[str, int]) -> Node:
    """A slot of the trace as a node, without its children."""
    reason = REASONS[slot["reason"]]
    stand_pat, score = (None if slot[key] == NO_SCORE else slot[key] for key in ("stand_pat", "score"))
    return Node(slot["move"], slot["alpha"], slot["beta"], stand_pat, score, reason.word, reason.is_skip)
