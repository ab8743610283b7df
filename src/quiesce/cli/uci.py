"""Shell. `quiesce uci`: the engine for GUIs, bots and match programs."""

import sys
from typing import TYPE_CHECKING

import click

from quiesce.uci.loop import converse

if TYPE_CHECKING:
    from quiesce.uci.extras import JobQueue


def bench_job(queue: "JobQueue", arguments: list[str]) -> None:
    """Search fixed positions to a fixed depth."""
    from quiesce.lab.searchbench import BENCH_DEPTH, run_bench  # noqa: PLC0415  (after `uciok`)

    depth = int(arguments[0]) if arguments and arguments[0].isdigit() else BENCH_DEPTH

    def tell(done: int, total: int) -> None:
        if queue.is_stopped:
            raise RuntimeError("bench given up")
        queue.output.note(f"position {done + 1} of {total}")

    result = run_bench(depth, on_position=tell)
    queue.say(f"{result.nodes} nodes {result.speed} nps")


@click.command()
def uci() -> None:
    """Reads UCI commands from standard input until `quit` or the end of input."""
    sys.exit(converse({"bench": bench_job}))
