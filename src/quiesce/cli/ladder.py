"""Shell. `quiesce ladder`: our rating from matches against engines with published ratings."""

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from quiesce.cli.common import cluster_option, json_option, store_option
from quiesce.cli.console import err, out, progress
from quiesce.cli.matching import FILE, with_options
from quiesce.cli.options import option_option
from quiesce.lab.elo import known
from quiesce.lab.ladder import Ladder
from quiesce.lab.match.contest import Score
from quiesce.lab.match.engines import EngineSpec, opponents
from quiesce.lab.match.openings import BookError
from quiesce.lab.match.plan import DEFAULT_CONTROL, MatchPlan, PlanError, control_of
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.rating import Rating
from quiesce.work.pool import PoolError
from quiesce.work.pools import worker_pool
from quiesce.work.store import Store, StoreError

DEFAULT_GAMES = 60


@click.command()
@click.argument("names", nargs=-1)
@click.option("--opponents", "path", type=FILE, help="TOML file of engines.  [default: Debian's, and sunfish]")
@click.option("--tc", default=DEFAULT_CONTROL, show_default=True, help="Time control.")
@click.option(
    "--games", type=click.IntRange(min=2), default=DEFAULT_GAMES, show_default=True, help="Games against each opponent."
)
@click.option("--concurrency", type=click.IntRange(min=1), help="Games at once.  [default: one a core]")
@option_option
@click.option("--seed", type=int, default=1, show_default=True, help="Decides the order of the openings.")
@store_option
@cluster_option
@json_option
def ladder(
    names: tuple[str, ...],
    path: Path | None,
    tc: str,
    games: int,
    concurrency: int | None,
    options: tuple[str, ...],
    seed: int,
    store_path: Path | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Without NAMES all opponents of the file are played; those not installed are named and skipped.

    The rating is the most likely one on the scale of the opponents' published ratings. Fast games and other machines
    shift such scales, so it only compares these opponents.
    """
    try:
        listed = opponents(path)
        chosen = {name: listed[name] for name in names or listed}
        plan = MatchPlan(
            with_options(EngineSpec(), options), control=control_of(tc), seed=seed, pairs=-(-games // 2),
            concurrency=concurrency or 0,
        )  # fmt: skip
    except KeyError as error:
        raise click.UsageError(f"no opponent {error.args[0]!r}; known are {', '.join(listed)}") from None
    except (SetUpError, PlanError) as error:
        raise click.UsageError(str(error)) from None
    rungs = Ladder(plan, chosen)
    for name in rungs.missing:
        err.print(f"{name} is not installed, passed over")
    if len(rungs.missing) == len(chosen):
        raise click.ClickException("none of these opponents is installed")
    try:
        with Store(store_path) as store, worker_pool(cluster, plan.concurrency) as pool, progress("ladder") as bar:

            def show(name: str, score: Score) -> None:
                bar(score.pairs, plan.pairs, f"{name} {score.strength}")

            rating = rungs.climb(pool, store, show)
    except (PlanError, SetUpError, BookError) as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, PoolError) as error:
        raise click.ClickException(str(error)) from None
    show_ladder(rungs, rating, as_json)


def show_ladder(rungs: Ladder, rating: Rating, as_json: bool) -> None:
    """Print one line for each opponent, then the rating."""
    if as_json:
        facts: dict[str, Any] = {name: {"rating": rungs.opponents[name].rating, "games": score.games}
                                 for name, score in rungs.scores.items()}  # fmt: skip
        ours = {"rating": known(rating.value), "error": known(rating.error)}
        click.echo(json.dumps({"opponents": facts, "ours": ours}))
        return
    table = Table("opponent", "published", "games", "+ = -", "score", "Elo over it", "faults")
    for name, score in rungs.scores.items():
        losses, draws, wins = score.games
        faults = ", ".join(f"{'ours' if seat == 1 else name} {kind} {n}" for (seat, kind), n in score.faults.items())
        published = rungs.opponents[name].rating
        found = f"{score.strength.elo:+.0f} ± {score.strength.error:.0f}"
        table.add_row(name, "-" if published is None else f"{published:.0f}", str(sum(score.games)),
                      f"{wins} {draws} {losses}", f"{score.share:.1%}", found, faults or "none")  # fmt: skip
    out.print(table)
    out.print(f"our rating by these: {rating.value:.0f} ± {rating.error:.0f}")
