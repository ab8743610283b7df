"""Shell. `quiesce bench`: nodes and speed of fixed searches, of the board, and of starting."""

import json
from contextlib import nullcontext
from dataclasses import asdict

import click

from quiesce.cli import WholeGroup
from quiesce.cli.common import json_option
from quiesce.cli.console import Bar, err, out, progress, ready, show_stats
from quiesce.lab.bench import MILLION, BoardTiming, UciPerft, bench_board, bench_start, find_stockfish
from quiesce.lab.searchbench import BENCH_DEPTH, BenchResult, run_bench
from quiesce.work.store import Store, StoreError


@click.group(cls=WholeGroup, invoke_without_command=True)
@click.option(
    "--depth", type=click.IntRange(1, 60), default=BENCH_DEPTH, show_default=True, help="Depth of each search."
)
@click.option("--stats", is_flag=True, help="Show search statistics.")
@click.option("--keep", is_flag=True, help="Store nodes and times of every position for `quiesce report`.")
@json_option
@click.pass_context
def bench(context: click.Context, depth: int, stats: bool, keep: bool, as_json: bool) -> None:
    """The node count identifies the search: the same version always visits the same nodes. The last line is `N nodes M
    nps`.
    """
    if context.invoked_subcommand is not None:
        return
    ready()
    with progress("bench") as bar:
        result = kept(depth, bar) if keep else run_bench(depth, on_position=bar)
    if as_json:
        click.echo(json.dumps({"nodes": result.nodes, "nps": result.speed, "counters": result.counters}))
        return
    if stats:
        show_stats(result.counters, result.speed)
    click.echo(f"{result.nodes} nodes {result.speed} nps")


def kept(depth: int, bar: Bar) -> BenchResult:
    """A bench whose results are stored."""
    from quiesce.lab.keptbench import keep_bench  # noqa: PLC0415  (loads python-chess, which bench need not)

    try:
        with Store() as store:
            return keep_bench(store, depth, bar)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


@bench.command("board")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Rounds; the median is shown.")
@click.option(
    "--stockfish",
    type=click.Path(exists=True, dir_okay=False),
    help="Stockfish to compare with.  [default: the installed one]",
)
@json_option
def board_command(rounds: int, stockfish: str | None, as_json: bool) -> None:
    """Measure perft speed, interleaved with Stockfish's if it is installed."""
    ready()
    command = stockfish or find_stockfish()
    try:
        timings, name = measure(rounds, command)
    except (OSError, RuntimeError) as error:
        raise click.ClickException(f"{command}: {error}") from None
    if as_json:
        click.echo(
            json.dumps({"rival": name, "cases": [asdict(timing) | {"ratio": timing.ratio} for timing in timings]})
        )
        return
    for timing in timings:
        show(timing, name)
    if name is None:
        out.print("(Stockfish is not installed; on Debian: apt-get install stockfish)")


def measure(rounds: int, command: str | None) -> tuple[list[BoardTiming], str | None]:
    """Time the board, and another engine if given; returns the timings and the engine's name."""
    with UciPerft(command) if command else nullcontext() as rival, err.status("measuring") as status:
        return bench_board(rounds, rival, status.update), rival.name if rival else None


def show(timing: BoardTiming, rival: str | None) -> None:
    """Print one case."""
    ours, theirs = (" ".join(f"{speed / MILLION:.0f}" for speed in speeds) for speeds in (timing.ours, timing.rival))
    out.print(f"{timing.case.name}, depth {timing.case.depth}: {ours} M leaves/s")
    if timing.ratio is not None:
        out.print(f"  {rival}: {theirs} M leaves/s; ours over theirs, median: [bold]{timing.ratio:.2f}[/]")


@bench.command("start")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Warm starts; the best is shown."
)
@json_option
def start_command(rounds: int, as_json: bool) -> None:
    """Measure seconds to show the help, to compile everything, and to start with compiled kernels."""
    with err.status("measuring") as status:
        timing = bench_start(rounds, status.update)
    if as_json:
        click.echo(json.dumps(asdict(timing)))
        return
    out.print(f"help {timing.help_text:.2f} s, cold compile {timing.cold:.1f} s, warm start {timing.warm:.2f} s")
