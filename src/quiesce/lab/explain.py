"""Shell. The tree of one quiescence search, told to people: the trace the kernel left, as nodes with reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.jit import TRACE
from quiesce.search.deepen import start_search
from quiesce.search.evidence import NoTraceError
from quiesce.search.qsearch import qsearch
from quiesce.search.reasons import REASONS
from quiesce.search.report import root_eval
from quiesce.search.scores import INFINITE, NO_SCORE
from quiesce.search.settings import params
from quiesce.search.table import Table
from quiesce.search.team import NO_LIMIT
from quiesce.search.worker import TRACE_SLOTS, new_worker, set_root

TABLE_MEGABYTES = 1


@dataclass(slots=True)
class Node:
    """One node, or one move left out; scores are centipawns from the node's mover's side."""

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


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position before and after quiescence; scores from the mover's side."""

    game: Game
    static: int | None
    score: int
    line: list[int]
    root: Node
    is_whole: bool


def explain(game: Game, options: Mapping[str, int] | None = None) -> Explanation:
    """Search a position by quiescence alone and return its whole tree; needs the trace build."""
    if not TRACE:
        raise NoTraceError("set QUIESCE_TRACE=1 before kernels are loaded")
    w, table = new_worker(params(options)), Table(TABLE_MEGABYTES)
    set_root(w, game)
    w.node_limit = NO_LIMIT
    start_search(w, tables())
    static = None if game.is_check else int(root_eval(w, tables()))
    score = int(qsearch(w, tables(), table.record, 0, -INFINITE, INFINITE, 0))
    count = min(int(w.tree_count), TRACE_SLOTS)
    nodes = [read_node(w.tree[index]) for index in range(count)]
    for index in range(1, count):
        nodes[int(w.tree[index].parent)].children.append(nodes[index])
    line = [int(move) for move in w.pv[0][: int(w.pv_length[0])]]
    return Explanation(game, static, score, line, nodes[0], int(w.tree_count) <= TRACE_SLOTS)


def read_node(slot: object) -> Node:
    """A node of the trace as Python values."""
    number = {name: int(slot[name]) for name in slot.dtype.names}  # type: ignore[attr-defined, index]
    reason = REASONS[number["reason"]]
    stand_pat, score = (None if number[key] == NO_SCORE else number[key] for key in ("stand_pat", "score"))
    return Node(number["move"], number["alpha"], number["beta"], stand_pat, score, reason.word, reason.is_skip)
