"""Shell. The tree of one quiescence search, told to people: the trace the kernel left, as nodes with reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.jit import TRACE
from quiesce.search.deepen import start_search
from quiesce.search.evidence import NoTraceError
from quiesce.search.qsearch import qsearch
from quiesce.search.reasons import REASONS
from quiesce.search.report import root_eval
from quiesce.search.results import counters_of
from quiesce.search.scores import INFINITE, MATE, MATE_IN_STACK, NO_SCORE
from quiesce.search.settings import params
from quiesce.search.table import Table
from quiesce.search.team import NO_LIMIT
from quiesce.search.wdl import PAWN, centipawns
from quiesce.search.worker import TRACE_SLOTS, new_worker, set_root

TABLE_MEGABYTES = 1
NEEDED = {"search.qsearch.qsearch", "search.deepen.start_search", "search.report.root_eval"}


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
    counters: dict[str, int]


def is_needed(name: str) -> bool:
    """Does quiescence alone need this kernel? The rest of the search is not compiled for its sake."""
    return name in NEEDED or not name.startswith("search.")


def explain(game: Game, options: Mapping[str, int] | None = None, most_nodes: int = NO_LIMIT) -> Explanation:
    """Search a position by quiescence alone and return its tree, whole as far as the trace holds it.

    Needs the trace build. After `most_nodes` the search is stopped, and says so in its nodes.
    """
    if not TRACE:
        raise NoTraceError("set QUIESCE_TRACE=1 before kernels are loaded")
    w, table = new_worker(params(options)), Table(TABLE_MEGABYTES)
    set_root(w, game)
    w.node_limit = most_nodes
    start_search(w, tables())
    static = None if game.is_check else int(root_eval(w, tables()))
    score = int(qsearch(w, tables(), table.record, 0, -INFINITE, INFINITE, 0))
    count = min(int(w.tree_count), TRACE_SLOTS)
    slots = [dict(zip(w.tree.dtype.names, slot, strict=True)) for slot in w.tree[:count].tolist()]
    nodes = [read_node(slot) for slot in slots]
    for index in range(1, count):
        nodes[slots[index]["parent"]].children.append(nodes[index])
    line = [int(move) for move in w.pv[0][: int(w.pv_length[0])]]
    return Explanation(game, static, score, line, nodes[0], int(w.tree_count) <= TRACE_SLOTS, counters_of([w]))


def read_node(slot: Mapping[str, int]) -> Node:
    """A node of the trace as Python values."""
    reason = REASONS[slot["reason"]]
    stand_pat, score = (None if slot[key] == NO_SCORE else slot[key] for key in ("stand_pat", "score"))
    return Node(slot["move"], slot["alpha"], slot["beta"], stand_pat, score, reason.word, reason.is_skip)


def pawns(score: int | None, ply: int) -> str:
    """A score from the root's side, as people read it."""
    if score is None:
        return "?"
    value = score if ply % 2 == 0 else -score
    if abs(value) >= MATE_IN_STACK:
        plies = MATE - abs(value)
        return f"#{(plies + 1) // 2 if value > 0 else -(plies // 2)}"
    return f"{centipawns(value) / PAWN:+.2f}"


def sentence(found: Explanation) -> str:
    """What would have been seen without quiescence, and what is seen with it."""
    mover = "White" if int(found.game.position.turn) == 0 else "Black"
    with_it = f"With quiescence, after {found.root.size} positions, it counts {pawns(found.score, 0)}"
    if found.static is None:
        before = f"{mover} is in check, so no evaluation stands for itself. "
    else:
        before = f"Without quiescence this counts {pawns(found.static, 0)} for {mover}, as it stands. "
    if not found.line:
        return before + with_it + ": no capture, promotion or evasion betters that."
    shown = to_board(found.game).variation_san([to_chess_move(move, found.game.chess960) for move in found.line])
    return f"{before}{with_it}: {shown}."
