"""Shell. `quiesce analyse`: search a position and show each iteration."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console, ConsoleOptions
from rich.live import Live
from rich.table import Table
from rich.text import Text

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.cli.common import NewFile, chess960_option, game_of, json_option, position_argument
from quiesce.cli.console import CUT, out, show_stats
from quiesce.cli.options import analysis_options, option_option
from quiesce.engine import Limits, Line, Report
from quiesce.engine.limits import DEEPEST
from quiesce.engine.options import Values, defaults
from quiesce.engine.setup import Setup, judged, narrowed
from quiesce.engine.wdl import PAWN
from quiesce.jit import TRACE
from quiesce.trace.evidence import Evidence, evidence_of
from quiesce.work.files import written_whole

TRACE_VARIABLE = "QUIESCE_TRACE"
DEFAULT_POSITION = "r1b1k2r/ppp1qppp/2n2n2/3pp3/1b2P3/2NP1N2/PPPBBPPP/R2QK2R w KQkq - 2 7"
DEFAULT_SECONDS = 2.0
SHOWN_MOVES = 12
COLUMNS = ("depth", "score", "nodes", "speed", "line")
HEADING_ROWS = 1
REFRESHES = 8
"""Redraws of the table a second."""
MICROSECONDS = 1e6

Row = tuple[str, ...]


@dataclass
class Growth:
    """The rows of all iterations. On a terminal it shows the newest that fit."""

    iterations: list[list[Row]] = field(default_factory=list)

    def add(self, rows: list[Row]) -> None:
        """Append an iteration."""
        self.iterations.append(rows)

    def newest(self, room: int) -> list[Row]:
        """The newest iterations that fit, the newest last; of one that is too long the first rows."""
        found: list[Row] = []
        for rows in reversed(self.iterations):
            if len(rows) + len(found) > room:
                break
            found = rows + found
        return found or [row for rows in self.iterations[-1:] for row in rows[:room]]

    def table(self, rows: list[Row], is_cut: bool) -> Table:
        """The rows as a table; long lines are cut or wrapped."""
        table = Table(*COLUMNS, box=None, pad_edge=False)
        for column in table.columns[:-1]:
            column.no_wrap = True
        for *figures, moves in rows:
            table.add_row(*figures, Text(moves, no_wrap=is_cut, overflow=CUT if is_cut else "fold"))
        return table

    def whole(self) -> Table:
        """All iterations as a table."""
        return self.table([row for rows in self.iterations for row in rows], is_cut=False)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """What a live display draws."""
        yield self.table(self.newest(options.size.height - HEADING_ROWS - 1), is_cut=True)


def score_text(line: Line) -> str:
    """A score in pawns, or moves to mate."""
    return f"#{line.mate}" if line.mate is not None else f"{line.centipawns / PAWN:+.2f}"


def san_text(game: Game, moves: list[int], most: int) -> str:
    """A line in SAN."""
    shown = to_board(game).variation_san([to_chess_move(move, game.chess960) for move in moves[:most]])
    return shown + (" ..." if len(moves) > most > 1 else "")


def row_of(game: Game, report: Report, line: Line) -> tuple[str, ...]:
    """One row of the table."""
    speed = f"{report.speed / 1e6:.2f} M/s"
    moves = san_text(game, line.moves, SHOWN_MOVES)
    return f"{report.depth}/{line.seldepth}", score_text(line), f"{report.nodes:,}", speed, moves


def facts_of(game: Game, report: Report) -> dict[str, Any]:
    """The report for --json."""
    lines = [
        {"cp": None if line.mate is not None else line.centipawns, "mate": line.mate, "seldepth": line.seldepth,
         "pv": [move_to_uci(move, game.chess960) for move in line.moves]}
        for line in report.lines
    ]  # fmt: skip
    return {
        "fen": game.fen(shredder=game.chess960),
        "depth": report.depth,
        "seconds": round(report.seconds, 3),
        "nps": report.speed,
        "hashfull": report.hashfull,
        "counters": report.counters,
        "lines": lines,
    }


@click.command()
@position_argument("position")
@click.option("--depth", type=click.IntRange(1, DEEPEST), help="Depth to search.")
@click.option("--time", "seconds", type=click.FloatRange(min=0.001), help="Seconds to search.  [default: 2]")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes to search.")
@click.option(
    "--multipv", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of best moves to show."
)
@click.option(
    "--hash",
    "megabytes",
    type=click.IntRange(1, 65_536),
    default=64,
    show_default=True,
    help="Transposition table in MB.",
)
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Search threads.")
@option_option
@click.option("--stats", is_flag=True, help="Show search statistics at the end.")
@click.option(
    "--debug", is_flag=True, help="Show times by part and positions that hit a limit (compiles a debug build)."
)
@click.option("--log", type=NewFile(), help="Write every quiescence node to this file, one JSON object a line.")
@chess960_option
@json_option
def analyse(
    position: tuple[str, ...],
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    multipv: int,
    megabytes: int,
    threads: int,
    options: tuple[str, ...],
    stats: bool,
    debug: bool,
    log: Path | None,
    chess960: bool,
    as_json: bool,
) -> None:
    """A FEN needs no quotes. MOVES are played from the start position. With - the position is read from standard input.

    Without a position an example is analysed. Ctrl-C stops the search and shows the result so far.
    """
    values = defaults() | {"Hash": megabytes, "Threads": threads} | analysis_options(options)
    if debug or log is not None:
        go_on_tracing()
    game = game_of(position or (DEFAULT_POSITION,), chess960)
    if depth is None and nodes is None and seconds is None:
        seconds = DEFAULT_SECONDS
    plain = Limits(seconds=seconds)
    limits = Limits(depth or plain.depth, nodes or plain.nodes, seconds)
    with closing(setup_of(values)) as setup:
        report = watch(setup, game, limits, multipv, as_json)
        evidence = evidence_of(setup.engine.lead_worker) if debug or log is not None else None
    if as_json:
        click.echo(json.dumps(facts_of(game, report) | evidence_facts(evidence)))
    elif not report.lines:
        click.echo("there is no legal move: " + ("checkmate" if game.is_check else "stalemate"))
    else:
        best = report.lines[0]
        if stats:
            show_stats(report.counters, report.speed)
        if evidence is not None:
            show_evidence(evidence)
        click.echo(f"best move {san_text(game, best.moves, 1)} ({score_text(best)}) at depth {report.depth}")
    if log is not None and evidence is not None:
        write_log(log, evidence)


def go_on_tracing() -> None:
    """Run the same command again with kernels that leave a trace, and exit as it does; return if these already do."""
    if not TRACE:
        again = [sys.executable, "-m", "quiesce", *sys.argv[1:]]
        child = subprocess.Popen(again, env=os.environ | {TRACE_VARIABLE: "1"})
        while child.poll() is None:
            with suppress(KeyboardInterrupt):  # the child has heard it too, and ends as it should
                child.wait()
        sys.exit(child.returncode)


def setup_of(values: Values) -> Setup:
    """An engine with these options; exits with the reason if it cannot be made."""
    try:
        return Setup(values)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None


def write_log(path: Path, evidence: Evidence) -> None:
    """Write the nodes that the trace build logged, one JSON object a line."""
    try:
        with written_whole(path) as file:
            file.writelines(json.dumps(entry).encode() + b"\n" for entry in evidence.log)
    except OSError as error:
        raise click.ClickException(f"the log was not written: {error}") from None


def evidence_facts(evidence: Evidence | None) -> dict[str, Any]:
    """What the trace build measured, for --json; empty in other builds."""
    if evidence is None:
        return {}
    timings = {timing.what: asdict(timing) for timing in evidence.timings}
    return {"timings": timings, "limit_count": evidence.limit_count, "limit_fens": evidence.limit_fens}


def show_evidence(evidence: Evidence) -> None:
    """Print times by part, and positions that hit a limit."""
    for timing in evidence.timings:
        average, longest = timing.average * MICROSECONDS, timing.longest * MICROSECONDS
        out.print(f"{timing.what:<12} {timing.calls:>12,} calls, {average:8.2f} us on average, {longest:10.1f} at most")
    out.print(f"limits of quiescence reached: {evidence.limit_count}")
    for fen in evidence.limit_fens:
        out.print(f"  {fen}")
    logged = len(evidence.log)
    if logged < evidence.node_count:
        out.print(f"the log holds the first {logged:,} of {evidence.node_count:,} entries")


def watch(setup: Setup, game: Game, limits: Limits, multipv: int, quietly: bool) -> Report:
    """Search, show each iteration as it ends, and return the report. Ctrl-C stops the search and keeps its result."""
    growth, latest = Growth(), list[Report]()
    moves, verdict = narrowed(setup.verdict(game, None), limits.moves)
    limits = replace(limits, moves=moves)
    is_live = out.is_terminal and not quietly

    def show(found: Report) -> None:
        report = judged(found, verdict)
        latest.append(report)
        rows = [row_of(game, report, line) for line in report.lines]
        growth.add(rows)
        if not (quietly or is_live):
            for row in rows:
                click.echo("  ".join(row))

    live = Live(growth, console=out, refresh_per_second=REFRESHES, transient=True) if is_live else nullcontext()
    with live:
        try:
            report = judged(setup.engine.search(game, limits, show, multipv), verdict)
        except KeyboardInterrupt:
            if not latest:
                raise
            report = latest[-1]
    if is_live:
        out.print(growth.whole())
    return report
