"""Shell. What `match` and `sprt` share: options of the plan, live table, result."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import click
from rich.live import Live
from rich.table import Table

from quiesce.cli.common import KEPT, NewFile, cluster_option, json_option, store_option
from quiesce.cli.console import err, out
from quiesce.cli.options import values_by_name
from quiesce.lab.elo import known
from quiesce.lab.match.contest import Contest, Score, sprt_counts
from quiesce.lab.match.engines import EngineSpec, engine_of
from quiesce.lab.match.openings import DEFAULT_BOOK, BookError
from quiesce.lab.match.plan import DEFAULT_CONTROL, MatchPlan, PlanError, checked, plan_of, read_plan
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.sprt import Sprt, SprtError
from quiesce.work.files import written_whole
from quiesce.work.pool import PoolError
from quiesce.work.pools import worker_pool
from quiesce.work.store import Store, StoreError

NEWS_SECONDS = 30.0
"""Seconds between lines of progress if there is no terminal."""
VERDICTS = {1: "accepted: engine 1 has elo1", -1: "rejected: engine 1 has elo0", 0: "undecided"}
FILE = click.Path(dir_okay=False, path_type=Path)

OPTIONS = (
    click.argument("engine1", required=False),
    click.argument("engine2", required=False),
    click.option("--config", type=FILE, help="Plan in TOML or JSON; command-line options override it."),
    click.option(
        "--tc", metavar="TIME", help=f"Time control in seconds: 10+0.1, 60, 40/60+0.5.  [default: {DEFAULT_CONTROL}]"
    ),
    click.option("--movetime", type=click.FloatRange(min=0.001), help="Seconds per move."),
    click.option("--nodes", type=click.IntRange(min=1), help="Nodes per move; games repeat exactly."),
    click.option("--depth", type=click.IntRange(min=1), help="Depth per move."),
    click.option(
        "--games", type=click.IntRange(min=2), help="Most games, two per opening.  [default: match 200, sprt 40000]"
    ),
    click.option("--concurrency", type=click.IntRange(min=1), help="Parallel games.  [default: all cores]"),
    click.option("--book", help=f"Opening file: EPD, PGN, Polyglot or moves.  [default: {DEFAULT_BOOK}]"),
    click.option("--plies", type=click.IntRange(min=1), help="Plies of PGN and Polyglot openings.  [default: 16]"),
    click.option("--seed", type=int, help="Random seed of the order of openings.  [default: 1]"),
    click.option("--option1", multiple=True, metavar="NAME=VALUE", help="UCI option of engine 1; repeatable."),
    click.option("--option2", multiple=True, metavar="NAME=VALUE", help="UCI option of engine 2; repeatable."),
    click.option(
        "--tablebase",
        type=click.Path(exists=True, file_okay=False),
        help="Folder of Syzygy tables that adjudicate games.",
    ),
    click.option("--play-on", is_flag=True, help="Do not adjudicate by the engines' scores."),
    click.option("--pgn", type=NewFile(), help="Write all games of the run to this file."),
    store_option,
    cluster_option,
    click.option("--again", is_flag=True, help="Discard this run's stored results and start over."),
    json_option,
)


def plan_options(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command with all options of a plan."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A plan and where its results go."""

    plan: MatchPlan
    store_path: Path | None
    pgn: Path | None
    cluster: str | None
    again: bool
    as_json: bool


def with_options(engine: EngineSpec, texts: tuple[str, ...]) -> EngineSpec:
    """An engine with the options of the command line."""
    return replace(engine, options=engine.options | values_by_name(texts))


def errand_of(told: dict[str, Any], sprt: Mapping[str, Any] | None, default_games: int) -> MatchRequest:
    """The plan of the command line, with a sequential test if wanted; wrong values are usage errors."""
    try:
        return MatchRequest(
            plan_from(told, sprt, default_games),
            told["store_path"],
            told["pgn"],
            told["cluster"],
            told["again"],
            told["as_json"],
        )
    except (PlanError, SetUpError, BookError, SprtError) as error:
        raise click.UsageError(str(error)) from None


def plan_from(told: dict[str, Any], sprt: Mapping[str, Any] | None, default_games: int) -> MatchPlan:
    """The plan of the command line, over the plan of its file."""
    limits = {"time_control": told["tc"], "movetime": told["movetime"], "nodes": told["nodes"], "depth": told["depth"]}
    limits = {key: value for key, value in limits.items() if value is not None}
    plan = read_plan(told["config"], default_games // 2) if told["config"] else MatchPlan(pairs=default_games // 2)
    given = {key: told[key] for key in ("book", "plies", "seed", "concurrency")}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if limits:
        changes["control"] = replace(plan_of(limits).control, margin=plan.control.margin)
    if told["games"] is not None:
        changes["pairs"] = -(-told["games"] // 2)
    for number in ("1", "2"):
        word = told[f"engine{number}"]
        engine = engine_of(word) if word else getattr(plan, f"engine{number}")
        changes[f"engine{number}"] = with_options(engine, told[f"option{number}"])
    if told.get("trinomial"):
        changes["is_trinomial"] = True
    rules = plan.adjudication
    if told["play_on"]:
        rules = replace(rules, draw_moves=0, win_moves=0)
    if told["tablebase"]:
        rules = replace(rules, tablebase=told["tablebase"])
    if sprt is not None:
        given = {key: value for key, value in sprt.items() if value is not None}
        changes["sprt"] = replace(plan.sprt or Sprt(), **given)
    return checked(replace(plan, **changes, adjudication=rules))


def table_of(plan: MatchPlan, score: Score) -> Table:
    """The live table."""
    losses, draws, wins = score.games
    table = Table(title=plan.name, show_header=False, title_justify="left")
    table.add_row("games", f"{sum(score.games)} of {2 * plan.pairs}   +{wins} ={draws} -{losses}   {score.share:.1%}")
    table.add_row("pairs", " ".join(str(count) for count in score.pentanomial) + "   (LL LD DD/WL WD WW)")
    found = score.strength
    table.add_row("Elo", f"{found.elo:+.1f} ± {found.error:.1f}   LOS {found.superiority:.1%}")
    table.add_row("nElo", f"{found.nelo:+.1f} ± {found.nelo_error:.1f}")
    if plan.sprt is not None:
        low, high = plan.sprt.bounds
        test = f"[{plan.sprt.elo0:g}, {plan.sprt.elo1:g}] {plan.sprt.model}"
        table.add_row("LLR", f"{plan.sprt.llr(sprt_counts(plan, score)):+.2f} ({low:.2f}, {high:.2f}) {test}")
    faults = ", ".join(f"engine {seat} {kind} {count}" for (seat, kind), count in sorted(score.faults.items()))
    table.add_row("faults", faults or "none")
    return table


def line_of(plan: MatchPlan, score: Score) -> str:
    """Progress in one line."""
    test = "" if plan.sprt is None else f", LLR {plan.sprt.llr(sprt_counts(plan, score)):+.2f}"
    return f"{sum(score.games)} of {2 * plan.pairs} games: {score.strength}{test}"


class Display:
    """Shows progress: a table on a terminal, else a line from time to time."""

    def __init__(self, plan: MatchPlan) -> None:
        self._plan, self._last = plan, time.monotonic()
        self._live = Live(table_of(plan, Score()), console=err, transient=True) if err.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, score: Score) -> None:
        """Show the score."""
        if self._live is not None:
            self._live.update(table_of(self._plan, score))
        elif time.monotonic() - self._last >= NEWS_SECONDS:
            self._last = time.monotonic()
            err.print(line_of(self._plan, score))


def facts_of(plan: MatchPlan, score: Score) -> dict[str, Any]:
    """The result for --json."""
    losses, draws, wins = score.games
    found = score.strength
    facts = {
        "engine1": plan.engine1.title,
        "engine2": plan.engine2.title,
        "games": sum(score.games),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pentanomial": score.pentanomial,
        "elo": found.elo,
        "error": known(found.error),
        "los": found.superiority,
        "nelo": found.nelo,
        "nelo_error": known(found.nelo_error),
        "faults": {f"engine{seat} {kind}": count for (seat, kind), count in score.faults.items()},
        "thinking_share": score.thinking / score.seconds if score.seconds else None,
    }
    if plan.sprt is not None:
        verdict = plan.sprt.verdict(sprt_counts(plan, score))
        facts |= {
            "llr": plan.sprt.llr(sprt_counts(plan, score)),
            "bounds": plan.sprt.bounds,
            "verdict": VERDICTS[verdict],
        }
    return facts


def go(request: MatchRequest) -> Score:
    """Play the match and show it. An interrupt says how to resume; finished pairs are stored."""
    plan = request.plan
    try:
        with Store(request.store_path) as store:
            contest = Contest(plan, store)
            if request.again:
                with contest.run.worked_on():
                    store.forget(contest.run)
                contest = Contest(plan, store)
            if contest.pairs < plan.pairs:
                err.print(f"{2 * contest.pairs} games: without a clock every opening is worth one pair")
            try:
                with worker_pool(request.cluster, plan.concurrency) as pool, Display(plan) as display:
                    contest.play(pool, display)
            except KeyboardInterrupt:
                show(request, contest)
                raise KeyboardInterrupt(KEPT) from None
            show(request, contest)
            return contest.score
    except (PlanError, SetUpError, BookError) as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, PoolError) as error:
        raise click.ClickException(str(error)) from None


def show(request: MatchRequest, contest: Contest) -> None:
    """Print the result, and write the games if asked for."""
    if request.as_json:
        click.echo(json.dumps(facts_of(request.plan, contest.score)))
    else:
        out.print(table_of(request.plan, contest.score))
        for warning in contest.score.warnings():
            out.print(f"[yellow]doubtful:[/] {warning}")
    if request.pgn is not None:
        try:
            with written_whole(request.pgn) as file:
                file.write(contest.pgn().encode())
        except OSError as error:
            raise click.ClickException(f"the games are stored but were not written: {error}") from None
