"""Shell. Searchers of one position over one table (Lazy SMP), and how they choose an answer."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from quiesce.board.game import Game
from quiesce.engine.limits import DEEPEST, NO_LIMIT
from quiesce.engine.results import Line
from quiesce.engine.searcher import Searcher
from quiesce.engine.table import Table
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.search.scores import MATE_IN_STACK
from quiesce.search.settings import params

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
    """Searchers with one table. The first leads; the others help and are never waited for."""

    def __init__(self, table: Table, options: Mapping[str, int] | None = None, threads: int = 1) -> None:
        self._table, self._settings = table, params(options)
        self.weights = DEFAULT_EVAL
        self.searchers = [Searcher(options, table=table)]
        self._pool: ThreadPoolExecutor | None = None
        self._helping: list[Future[None]] = []
        self.resize(threads)

    @property
    def lead(self) -> Searcher:
        """The worker whose iterations are reported."""
        return self.searchers[0]

    @property
    def workers(self) -> list[Any]:
        """The workers' records."""
        return [searcher.worker for searcher in self.searchers]

    def resize(self, threads: int) -> None:
        """Set the number of searchers; new ones start with empty histories."""
        del self.searchers[threads:]
        while len(self.searchers) < threads:
            added = Searcher(weights=self.weights, table=self._table)
            added.configure(self._settings)
            self.searchers.append(added)
        self.close()
        if threads > 1:
            self._pool = ThreadPoolExecutor(threads - 1, "helper")

    def close(self) -> None:
        """Stop and end the helpers' threads."""
        if self._pool is not None:
            self.stop()
            self._pool.shutdown()
            self._pool = None

    def configure(self, options: Mapping[str, int]) -> None:
        """Give all searchers other search options. Raises OptionError, and changes nothing, for a bad one."""
        self._settings = params(options)
        for searcher in self.searchers:
            searcher.configure(self._settings)

    def set_weights(self, name: str) -> None:
        """Give all searchers other weights and clear what they learnt. Raises WeightsError first."""
        for searcher in self.searchers:
            searcher.set_weights(name)
        self.weights = name
        self.forget()

    def forget(self) -> None:
        """Empty all histories."""
        for searcher in self.searchers:
            searcher.forget()

    def stop(self) -> None:
        """End the search of all."""
        for searcher in self.searchers:
            searcher.stop()

    def set_deadline(self, nanoseconds: int) -> None:
        """Have all stop at this moment of the clock that kernels read (`now_ns`), 0 for never."""
        for w in self.workers:
            w.deadline = nanoseconds

    def prepare(self, game: Game, moves: Iterable[int] | None, multi_pv: int, nodes: int) -> int:
        """Put a position at every root; a limit of nodes is shared out. Returns how many moves there are."""
        share = nodes if nodes == NO_LIMIT else -(-nodes // len(self.searchers))
        for searcher in self.searchers:
            searcher.place(game)
            searcher.prepare(share, multi_pv, moves)
        return int(self.lead.worker.root_count)

    def start_helpers(self) -> None:
        """Let all but the lead search on their own until they are stopped."""
        if self._pool is not None:
            self._helping = [self._pool.submit(help_out, *helper) for helper in enumerate(self.searchers[1:])]

    def join(self) -> None:
        """Stop the helpers and wait until they have; raises what one of them raised."""
        self.stop()
        helping, self._helping = self._helping, []
        wait(helping)
        for helper in helping:
            helper.result()

    def chosen(self) -> Searcher:
        """The one whose answer counts: its move has most votes, weighed by score and depth; a short mate wins."""
        voters = [searcher for searcher in self.searchers if searcher.has_score]
        if len(voters) < 2:
            return self.lead
        return voters[elected({index: searcher.best for index, searcher in enumerate(voters)})]


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


def help_out(number: int, searcher: Searcher) -> None:
    """A helper's search: iterations of its own until stopped."""
    for _ in searcher.deepen(depth for depth in range(1, DEEPEST + 1) if not is_skipped(number, depth)):
        pass
