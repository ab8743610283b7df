"""Shell. The searcher: one worker and its table. It prepares and runs every search."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.engine.limits import DEEPEST, NO_LIMIT
from quiesce.engine.results import BOUND_LOWER, Line, line_of, lines_of
from quiesce.engine.table import Table
from quiesce.eval.evaluator import set_weights
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import copy_record
from quiesce.search.deepen import (
    FAILED_HIGH,
    FAILED_LOW,
    ITERATION_DONE,
    STOPPED,
    prepare_search,
    search_iteration,
    search_step,
    start_iteration,
)
from quiesce.search.qsearch import qsearch
from quiesce.search.report import root_eval
from quiesce.search.rows import evaluate_rows, quiesce_rows
from quiesce.search.scores import INFINITE, MATE
from quiesce.search.settings import params
from quiesce.search.worker import forget, new_worker, set_root, show_position

__all__ = ["FAILED_HIGH", "FAILED_LOW", "ITERATION_DONE", "Searcher"]

SMALLEST_TABLE = 1
"""Megabytes of the table of a searcher that was given none."""
RESCUE_NODES = 20_000
"""Nodes for a first iteration that was stopped before it had an answer."""

OnStep = Callable[[int], None]
"""Called with what a step of an iteration came to: one of the constants of `search.deepen`."""


class Searcher:
    """Puts a position at the root of one worker, then searches, quiesces or evaluates it; several may share a table.

    Only `stop` and the fields of `worker` may be touched from another thread.
    """

    def __init__(
        self, options: Mapping[str, int] | None = None, weights: str = DEFAULT_EVAL, table: Table | None = None
    ) -> None:
        """`options` are the search's, by name; `weights` a name or a file."""
        self.worker = new_worker(params(options), weights)
        self.worker.node_limit = NO_LIMIT
        self.table = Table(SMALLEST_TABLE) if table is None else table
        self._finished_depth, self._finished = 0, list[Line]()

    def configure(self, settings: Any) -> None:
        """Search with other switches and numbers, as `params` makes them."""
        copy_record(self.worker.params, settings)

    def set_weights(self, name: str) -> None:
        """Evaluate by other weights; raises WeightsError, and keeps the old ones."""
        set_weights(self.worker.evaluator, name)

    def forget(self) -> None:
        """Clear the histories. The table may be shared, so its owner clears it."""
        forget(self.worker)

    def stop(self) -> None:
        """Stop the running search."""
        self.worker.stop[0] = 1

    def place(self, game: Game) -> None:
        """Put a game's position at the root, with the keys it may repeat."""
        set_root(self.worker, game)

    def place_position(self, position: Any) -> None:
        """Put a position without a past at the root."""
        show_position(self.worker, position)

    def prepare(self, nodes: int = NO_LIMIT, lines: int = 1, moves: Iterable[int] | None = None) -> int:
        """Prepare the search of the root: all legal moves, or some; returns their number."""
        self._finished_depth, self._finished = 0, []
        count = int(prepare_search(self.worker, tables(), nodes, lines))
        return count if moves is None else self._keep_roots(set(moves))

    def _keep_roots(self, wanted: set[int]) -> int:
        """Leave only some moves at the root; returns how many there are."""
        w = self.worker
        found = [int(w.roots[index].move) for index in range(int(w.root_count))]
        kept = [move for move in found if move in wanted]
        for index, move in enumerate(kept):
            w.roots[index].move = move
            w.roots[index].pv[0] = move
        w.root_partial = int(len(kept) < len(found))
        w.root_count = len(kept)
        return len(kept)

    def deepen(self, depths: Iterable[int], on_step: OnStep | None = None) -> Iterator[int]:
        """Search one depth after the other; yields each that was finished, and ends when the search is stopped."""
        for depth in depths:
            if self.worker.stop[0] or not self._iterate(depth, on_step):
                return
            self._finished_depth, self._finished = depth, self.lines
            yield depth

    def _iterate(self, depth: int, on_step: OnStep | None) -> bool:
        """Search to one depth; returns whether it was completed."""
        if on_step is None:
            return bool(search_iteration(self.worker, tables(), self.table.record, depth))
        start_iteration(self.worker, depth)
        while True:
            step = int(search_step(self.worker, tables(), self.table.record))
            if step == STOPPED:
                return False
            on_step(step)
            if step == ITERATION_DONE:
                return True

    @property
    def lines(self) -> list[Line]:
        """The lines known now, best first, of those wanted."""
        return lines_of(self.worker)

    @property
    def best(self) -> Line:
        """The first of the root moves, whatever is known of it."""
        return line_of(self.worker.roots[0])

    @property
    def has_score(self) -> bool:
        """Is there a root move with a score?"""
        return int(self.worker.root_count) > 0 and int(self.worker.roots[0].score) != -INFINITE

    def rescue(self) -> None:
        """Search one ply if not even that was completed, so that there is a move with a score."""
        w = self.worker
        if int(w.root_count) == 0 or self.has_score:
            return
        w.stop[0], w.deadline, w.node_limit = 0, 0, int(w.nodes) + RESCUE_NODES
        if self._iterate(1, None):
            self._finished_depth = 1
        elif not self.has_score:
            w.roots[0].score = 0

    def answer(self) -> list[Line]:
        """The lines when the search has ended: what an unfinished iteration found is a bound.

        Where that iteration kept the move of the last finished one, that one's lines say more: they are exact.
        """
        lines, deepest = self.lines, self._finished_depth
        if lines and self._finished and lines[0].depth > deepest and lines[0].moves[0] == self._finished[0].moves[0]:
            return self._finished
        return [replace(line, bound=BOUND_LOWER) if line.depth > deepest else line for line in lines]

    def run(self, nodes: int = NO_LIMIT, depth: int = DEEPEST, lines: int = 1) -> list[Line]:
        """Search the root within its limits, in this thread. The answer has no line if no move is legal."""
        self.table.age()
        if self.prepare(nodes, lines) > 0:
            for _ in self.deepen(range(1, depth + 1)):
                pass
            self.rescue()
        return self.answer()

    def evaluate(self) -> int:
        """Static evaluation of the root, points from the mover's side; in check it means little."""
        self.prepare()
        return int(root_eval(self.worker, tables()))

    def quiesce(self, nodes: int = NO_LIMIT) -> Line:
        """What quiescence alone makes of the root: score, and the line it ends with, which may be empty."""
        self.prepare(nodes)
        w = self.worker
        score = int(qsearch(w, tables(), self.table.record, 0, -INFINITE, INFINITE, 0))
        return Line(score, [int(move) for move in w.pv[0][: int(w.pv_length[0])]], 0, int(w.seldepth))

    @property
    def score_without_moves(self) -> int:
        """The score of a root without a legal move: mated, or a draw."""
        return -MATE if self.worker.stack[0].checkers else 0

    def evaluate_rows(self, rows: Any, bad: Any, first: int, end: int, values: Any) -> None:
        """Static evaluation of some rows (`board.rows.ROW`), written into `values`; why a row is bad, into `bad`."""
        evaluate_rows(self.worker, tables(), rows, bad, first, end, values)

    def quiesce_rows(self, rows: Any, bad: Any, first: int, end: int, *found: Any) -> None:
        """Run quiescence on some rows; `found` are output arrays of scores, nodes, plies and quiet rows."""
        quiesce_rows(self.worker, tables(), self.table.record, rows, bad, first, end, *found)
