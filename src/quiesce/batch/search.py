"""Shell. Evaluation, quiescence and search for arrays; each answer depends only on its row."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiesce.batch.run import Progress, Reasons, Rows, reasons_of, rows_of, settled, thread_count, work_through
from quiesce.board.position import POSITION
from quiesce.board.rows import GOOD_ROW, ROW, open_row
from quiesce.board.tables import tables
from quiesce.engine.limits import DEEPEST
from quiesce.engine.searcher import Searcher
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import have_ready
from quiesce.records import new

EVALUATED_AT_ONCE, QUIESCED_AT_ONCE = 2_048, 256
"""Rows per task: a few milliseconds of work."""
DEFAULT_NODES = 1_000
MOST_LINES = 256

SEARCHED = np.dtype([("move", "u2"), ("depth", "i2"), ("score", "i4"), ("nodes", "i8")])
"""Result of a search: best move (0 if there is none), last complete depth, points for the side to move."""


class Quiesced(NamedTuple):
    """Result of quiescence by row: points for the side to move, nodes, plies and last position of the line."""

    scores: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    plies: npt.NDArray[np.int32]
    ends: Rows


def searchers(options: Mapping[str, int] | None, weights: str, threads: int | None) -> list[Searcher]:
    """One searcher for each thread, kernels loaded."""
    have_ready()
    return [Searcher(options, weights) for _ in range(thread_count(threads))]


def evaluate(
    positions: Any,
    *,
    weights: str = DEFAULT_EVAL,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> npt.NDArray[np.int32]:
    """Static evaluation of each position, in points for the side to move; 0 in bad rows. Not meaningful in check."""
    rows = rows_of(positions)
    codes, values = np.zeros(len(rows), np.uint8), np.zeros(len(rows), np.int32)

    def job(searcher: Searcher, first: int, end: int) -> None:
        searcher.evaluate_rows(rows, codes, first, end, values)

    work_through(len(rows), searchers(None, weights, threads), job, EVALUATED_AT_ONCE, progress)
    return settled(values, reasons_of(codes), bad)


def qsearch(
    positions: Any,
    *,
    options: Mapping[str, int] | None = None,
    weights: str = DEFAULT_EVAL,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> Quiesced:
    """Quiescence search of each position: the score, and the quiet position at the end of the line.

    The table is off (QSearchTT), so rows do not affect each other. Bad rows are 0 and blank.
    """
    rows = rows_of(positions)
    codes, count = np.zeros(len(rows), np.uint8), len(rows)
    scores, nodes, plies = (np.zeros(count, np.int32) for _ in range(3))
    ends = np.zeros(count, ROW)
    workers = searchers({**(options or {}), "QSearchTT": 0}, weights, threads)

    def job(searcher: Searcher, first: int, end: int) -> None:
        searcher.quiesce_rows(rows, codes, first, end, scores, nodes, plies, ends)

    work_through(count, workers, job, QUIESCED_AT_ONCE, progress, lambda: stop_all(workers))
    return settled(Quiesced(scores, nodes, plies, ends), reasons_of(codes), bad)


def stop_all(workers: list[Searcher]) -> None:
    """Stop all searches."""
    for searcher in workers:
        searcher.stop()


def search(
    positions: Any,
    *,
    nodes: int = DEFAULT_NODES,
    depth: int = DEEPEST,
    multipv: int | None = None,
    options: Mapping[str, int] | None = None,
    weights: str = DEFAULT_EVAL,
    threads: int | None = None,
    progress: Progress | None = None,
    bad: Reasons | None = None,
) -> npt.NDArray[np.void]:
    """Search each position from scratch with `nodes` nodes; returns an array of SEARCHED. Bad rows are 0.

    The results equal those of a new engine with 1 MB of hash and one thread. With `multipv` the array has that many
    columns, best move first, 0 if there are no more.
    """
    check_limits(nodes, depth, multipv)
    rows, lines = rows_of(positions), multipv or 1
    codes, found = np.zeros(len(rows), np.uint8), np.zeros((len(rows), lines), SEARCHED)
    workers = searchers(options, weights, threads)

    def job(searcher: Searcher, first: int, end: int) -> None:
        position = new(POSITION)
        for index in range(first, end):
            codes[index] = open_row(tables(), rows, index, position)
            if codes[index] == GOOD_ROW:
                searcher.place_position(position)
                best = searched(searcher, nodes, depth, lines)
                found[index, : len(best)] = best

    work_through(len(rows), workers, job, 1, progress, lambda: stop_all(workers))
    return settled(found[:, 0] if multipv is None else found, reasons_of(codes), bad)


def check_limits(nodes: Any, depth: Any, multipv: Any) -> None:
    """Raise TypeError or ValueError for a wrong limit."""
    for name, number in (("nodes", nodes), ("depth", depth), ("multipv", 1 if multipv is None else multipv)):
        if not isinstance(number, Integral):
            raise TypeError(f"{name} is a whole number, not {number!r}")
    if nodes < 1 or not 1 <= depth <= DEEPEST:
        raise ValueError(f"nodes must be at least 1 and depth from 1 to {DEEPEST}")
    if multipv is not None and not 1 <= multipv <= MOST_LINES:
        raise ValueError(f"multipv must be from 1 to {MOST_LINES}")


def searched(searcher: Searcher, nodes: int, depth: int, lines: int) -> list[tuple[int, int, int, int]]:
    """Move, depth, score and nodes of the best lines, searched from scratch."""
    searcher.forget()
    searcher.table.clear()
    found = searcher.run(nodes, depth, lines)
    if not found:
        return [(0, 0, searcher.score_without_moves, 0)]
    return [(line.moves[0], line.depth, line.score, int(searcher.worker.nodes)) for line in found]
