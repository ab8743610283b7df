"""Shell. Workers that search one position together over one table (Lazy SMP), and how they choose."""

from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.engine.results import Line, line_of
from quiesce.engine.table import Table
from quiesce.eval.evaluator import set_weights
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import copy_record
from quiesce.search.deepen import ITERATION_DONE, STOPPED, search_step, start_iteration, start_search
from quiesce.search.scores import INFINITE, MATE_IN_STACK
from quiesce.search.worker import MAX_PLY, forget, new_worker, set_root

NO_LIMIT = (1 << 62) - 1
HELPER_BLOCK = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4)
HELPER_PHASE = (0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7)
"""Helpers skip every other block of depths, each with its own length and start, so that they spread."""
VOTE_BASE = 14
"""Centipawns added to each voter's lead over the worst, so that agreement counts too."""


def is_skipped(number: int, depth: int) -> bool:
    """Does this helper leave out this depth? Number 0 is the first helper."""
    slot = number % len(HELPER_BLOCK)
    return (depth + HELPER_PHASE[slot]) // HELPER_BLOCK[slot] % 2 == 1


class Team:
    """Worker 0 leads; the others help and are never waited for."""

    def __init__(self, settings: Any) -> None:
        self._settings = settings
        self.weights = DEFAULT_EVAL
        self.workers = [new_worker(settings)]
        self._pool: ThreadPoolExecutor | None = None
        self._helping: list[Future[None]] = []

    @property
    def lead(self) -> Any:
        """The worker whose iterations are reported."""
        return self.workers[0]

    def resize(self, threads: int) -> None:
        """Have so many workers; new ones know nothing."""
        del self.workers[threads:]
        while len(self.workers) < threads:
            self.workers.append(new_worker(self._settings, self.weights))
        self.close()
        if threads > 1:
            self._pool = ThreadPoolExecutor(threads - 1, "helper")

    def close(self) -> None:
        """Stop and end the helpers' threads."""
        if self._pool is not None:
            self.stop()
            self._pool.shutdown()
            self._pool = None

    def configure(self, settings: Any) -> None:
        """Give all workers other switches and numbers."""
        self._settings = settings
        for w in self.workers:
            copy_record(w.params, settings)

    def set_weights(self, name: str) -> None:
        """Let all workers evaluate by other weights and forget what they learnt; raises WeightsError first."""
        for w in self.workers:
            set_weights(w.evaluator, name)
        self.weights = name
        self.forget()

    def forget(self) -> None:
        """Empty all histories."""
        for w in self.workers:
            forget(w)

    def stop(self) -> None:
        """End the search of all workers."""
        for w in self.workers:
            w.stop[0] = 1

    def set_deadline(self, nanoseconds: int) -> None:
        """Have all workers stop at this moment of the clock that kernels read (`now_ns`), 0 for never."""
        for w in self.workers:
            w.deadline = nanoseconds

    def prepare(self, game: Game, moves: Iterable[int] | None, multi_pv: int, nodes: int) -> int:
        """Put a position at every worker's root; a limit of nodes is shared out. Returns how many moves there are."""
        wanted = None if moves is None else set(moves)
        share = nodes if nodes == NO_LIMIT else -(-nodes // len(self.workers))
        for w in self.workers:
            w.stop[0] = 0
            w.deadline = 0
            set_root(w, game)
            start_search(w, tables())
            w.multi_pv, w.node_limit = multi_pv, share
            if wanted is not None:
                keep_roots(w, wanted)
        return int(self.lead.root_count)

    def start_helpers(self, table: Table) -> None:
        """Let all but the lead search on their own until they are stopped."""
        if self._pool is not None:
            self._helping = [self._pool.submit(help_out, w, table, number) for number, w in enumerate(self.workers[1:])]

    def join(self) -> None:
        """Stop the helpers and wait until they have; raises what one of them raised."""
        self.stop()
        helping, self._helping = self._helping, []
        wait(helping)
        for helper in helping:
            helper.result()

    def chosen(self) -> Any:
        """The worker whose answer counts: its move has most votes, weighed by score and depth; a short mate wins."""
        voters = [w for w in self.workers if int(w.root_count) > 0 and int(w.roots[0].score) != -INFINITE]
        if len(voters) < 2:
            return self.lead
        lines = {index: line_of(w.roots[0]) for index, w in enumerate(voters)}
        return voters[elected(lines)]


def elected(lines: dict[int, Line]) -> int:
    """Key of the line whose move has most votes; the deepest of those that propose it."""
    best = max(lines, key=lambda key: lines[key].score)
    if lines[best].score >= MATE_IN_STACK:
        return best
    least = min(line.score for line in lines.values())
    votes: dict[int, int] = defaultdict(int)
    for line in lines.values():
        votes[line.moves[0]] += (line.score - least + VOTE_BASE) * line.depth
    return max(lines, key=lambda key: (votes[lines[key].moves[0]], lines[key].depth, lines[key].score, -key))


def help_out(w: Any, table: Table, number: int) -> None:
    """A helper's search: iterations of its own, until stopped."""
    for depth in range(1, MAX_PLY):
        if w.stop[0] or w.root_count == 0:
            return
        if is_skipped(number, depth):
            continue
        start_iteration(w, depth)
        step = -1
        while step != ITERATION_DONE:
            step = int(search_step(w, tables(), table.record))
            if step == STOPPED:
                return


def keep_roots(w: Any, wanted: set[int]) -> None:
    """Leave only some moves at the root."""
    kept = [int(w.roots[index].move) for index in range(int(w.root_count)) if int(w.roots[index].move) in wanted]
    for index, move in enumerate(kept):
        w.roots[index].move = move
        w.roots[index].pv[0] = move
    w.root_partial = int(len(kept) < w.root_count)
    w.root_count = len(kept)
