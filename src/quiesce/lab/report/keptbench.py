"""Shell. A bench that is kept: the nodes and times of every position, with the kind of position it is."""

import time
from collections.abc import Callable
from typing import Any

from quiesce import __version__
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits, Report
from quiesce.engine.results import merged
from quiesce.lab.report.kinds import position_kind
from quiesce.lab.searchbench import BENCH_MEGABYTES, BenchResult, bench_positions
from quiesce.work.identity import sources_digest
from quiesce.work.store import Store

KIND = "bench"


def facts_of(fen: str, last: Report, reports: list[Report]) -> dict[str, Any]:
    """What is kept of a position: a depth counts when it is finished, so the last report of each tells."""
    depths = {report.depth: {"seconds": report.seconds, "nodes": report.nodes} for report in reports}
    return {
        "fen": fen,
        "kind": position_kind(fen),
        "nodes": last.nodes,
        "qnodes": last.counters["qnodes"],
        "depths": [{"depth": depth} | facts for depth, facts in depths.items()],
    }


def keep_bench(store: Store, depth: int, on_position: Callable[[int, int], None] | None = None) -> BenchResult:
    """Search as `bench` does, keep every position; a bench of the same sources and depth is replaced by this one."""
    run = store.run(KIND, f"bench to depth {depth}, {__version__}", {"sources": sources_digest(), "depth": depth})
    fens, counters, seconds = bench_positions(), dict[str, int](), 0.0
    with run.worked_on(), Engine(BENCH_MEGABYTES) as engine:
        for done, fen in enumerate(fens):
            if on_position is not None:
                on_position(done, len(fens))
            reports: list[Report] = []
            engine.new_game()
            started = time.perf_counter()
            last = engine.search(Game(fen), Limits(depth=depth), reports.append)
            seconds += time.perf_counter() - started
            counters = merged(counters, last.counters)
            run.put(f"{done:02}", facts_of(fen, last, reports))
    return BenchResult(counters["nodes"], seconds, counters)
