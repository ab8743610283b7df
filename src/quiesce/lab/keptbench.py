"""Shell. A bench that is kept: the nodes and times of every position, with the kind of position it is."""

from collections.abc import Callable
from typing import Any

from quiesce import __version__
from quiesce.engine import Report
from quiesce.lab.report.kinds import position_kind
from quiesce.lab.searchbench import BenchResult, run_bench
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

    def keep(number: int, fen: str, last: Report, reports: list[Report]) -> None:
        run.put(f"{number:02}", facts_of(fen, last, reports))

    with run.worked_on():
        return run_bench(depth, on_position=on_position, on_result=keep)
