"""Shell. One quiescence search: score, line, counters, and in the trace build its tree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.board.game import Game
from quiesce.engine.limits import NO_LIMIT
from quiesce.engine.results import counters_of
from quiesce.engine.scoretext import pawns
from quiesce.engine.searcher import Searcher
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import TRACE
from quiesce.search.params import OptionError
from quiesce.search.worker import TRACE_FIELDS, TRACE_SLOTS
from quiesce.trace.evidence import NoTraceError
from quiesce.trace.node import Node, node_from
from quiesce.trace.text import counted
from quiesce.trace.tree import Tree

SWITCH = "UseQuiescence"
"""The option without which the search does not come here."""
SLOT_NAMES = [item.name for item in TRACE_FIELDS]
NEEDED = {"search.qsearch.qsearch", "search.deepen.prepare_search", "search.report.root_eval"}


def is_needed(name: str) -> bool:
    """Does quiescence alone need this kernel? The rest of the search is not compiled for its sake."""
    return name in NEEDED or not name.startswith("search.")


class QsearchResult(NamedTuple):
    """What one quiescence search left: scores from the mover's side, line, counters, and the slots of the trace."""

    static: int | None
    score: int
    line: list[int]
    counters: dict[str, int]
    slots: list[list[int]]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position before and after quiescence; scores from the mover's side."""

    game: Game
    static: int | None
    score: int
    line: list[int]
    counters: dict[str, int]
    root: Node
    is_whole: bool

    @property
    def tree(self) -> Tree:
        """The tree, to walk through or to draw."""
        return Tree(to_board(self.game), self.root)

    @property
    def sentence(self) -> str:
        """What quiescence changes, in a sentence or two."""
        return sentence(self.game, self.static, self.score, self.line, self.root.size)


def check_is_on(options: Mapping[str, Any]) -> None:
    """Raise OptionError if options switch quiescence off."""
    if not options.get(SWITCH, True):
        raise OptionError(f"{SWITCH} is off: a search without quiescence has no tree of it to explain")


def quiesce(
    game: Game, options: Mapping[str, int] | None = None, weights: str = DEFAULT_EVAL, most_nodes: int = NO_LIMIT
) -> QsearchResult:
    """Run a quiescence search with its own table and histories.

    After `most_nodes` the search is stopped, and its node count shows it.
    """
    searcher = Searcher(options, weights)
    searcher.place(game)
    static = None if game.is_check else searcher.evaluate()
    line, w = searcher.quiesce(most_nodes), searcher.worker
    slots = w.tree[: min(int(w.tree_count), TRACE_SLOTS)].tolist()
    return QsearchResult(static, line.score, line.moves, counters_of([w]), slots)


def explanation_of(game: Game, found: QsearchResult) -> Explanation:
    """A finding of the trace build as a tree."""
    slots = [dict(zip(SLOT_NAMES, slot, strict=True)) for slot in found.slots]
    nodes = [node_from(slot) for slot in slots]
    for node, slot in zip(nodes[1:], slots[1:], strict=True):
        nodes[slot["parent"]].children.append(node)
    is_whole = nodes[0].size == found.counters["nodes"]
    return Explanation(game, found.static, found.score, found.line, found.counters, nodes[0], is_whole)


def explain(
    game: Game, options: Mapping[str, int] | None = None, weights: str = DEFAULT_EVAL, most_nodes: int = NO_LIMIT
) -> Explanation:
    """Search a position by quiescence alone and return its whole tree; needs the trace build."""
    if not TRACE:
        raise NoTraceError("set QUIESCE_TRACE=1 before kernels are loaded")
    return explanation_of(game, quiesce(game, options, weights, most_nodes))


def sentence(game: Game, static: int | None, score: int, line: list[int], nodes: int) -> str:
    """What would have been seen without quiescence, and what is seen with it."""
    mover = "White" if int(game.position.turn) == 0 else "Black"
    with_it = f"With quiescence, after {counted(nodes, 'position')}, it counts {pawns(score)}"
    if static is None:
        before = f"{mover} is in check, so no evaluation stands for itself. "
    else:
        before = f"Without quiescence this counts {pawns(static)} for {mover}, as it stands. "
    if not line:
        return before + with_it + ": no capture, promotion or evasion betters that."
    shown = to_board(game).variation_san([to_chess_move(move, game.chess960) for move in line])
    return f"{before}{with_it}: {shown}."
