"""Shell. `bench`: fixed positions to a fixed depth. Its nodes are a signature: any change of behaviour moves them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits, Report
from quiesce.engine.results import merged

BENCH_DEPTH = 14
BENCH_MEGABYTES = 16

OnResult = Callable[[int, str, Report, list[Report]], None]
"""Called with a position's number and FEN, the last report of its search, and all reports."""


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Nodes of all positions, the seconds they took, and all counters summed."""

    nodes: int
    seconds: float
    counters: dict[str, int]

    @property
    def speed(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, 1e-9))


def bench_positions() -> list[str]:
    """FENs of the bench positions."""
    text = resources.files("quiesce.lab").joinpath("data", "bench.epd").read_text(encoding="utf-8")
    fens = []
    for line in text.splitlines():
        if not line.startswith("#"):
            board, _, operations = line.partition(" hmvc ")
            halfmove, fullmove = operations.split(";")[0], operations.split("fmvn ")[1].split(";")[0]
            fens.append(f"{board} {halfmove} {fullmove}")
    return fens


def run_bench(
    depth: int = BENCH_DEPTH,
    options: Mapping[str, int] | None = None,
    on_position: Callable[[int, int], None] | None = None,
    on_result: OnResult | None = None,
) -> BenchResult:
    """Search every position to a depth, with empty tables."""
    fens, counters, seconds = bench_positions(), dict[str, int](), 0.0
    with Engine(BENCH_MEGABYTES, options) as engine:
        for done, fen in enumerate(fens):
            if on_position is not None:
                on_position(done, len(fens))
            engine.new_game()
            started = time.perf_counter()
            reports: list[Report] = []
            last = engine.search(Game(fen), Limits(depth=depth), None if on_result is None else reports.append)
            seconds += time.perf_counter() - started
            counters = merged(counters, last.counters)
            if on_result is not None:
                on_result(done, fen, last, reports)
    return BenchResult(counters["nodes"], seconds, counters)
