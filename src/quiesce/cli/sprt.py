"""Shell. `quiesce sprt`: a match that ends as soon as it is known which of two strengths engine 1 has."""

from typing import Any

import click

from quiesce.cli.console import err
from quiesce.cli.matching import VERDICTS, errand_of, go, plan_options
from quiesce.lab.match.contest import evidence
from quiesce.lab.sprt import MODELS, Sprt

MOST_GAMES = 40_000
PLAIN = Sprt()
EXIT_CODES = {1: 0, -1: 10, 0: 11}
"""By verdict; 1 and 2 stand for trouble, as everywhere."""


@click.command()
@plan_options
@click.option("--elo0", type=float, help=f"Elo of no use.  [default: {PLAIN.elo0:g}, or the plan's]")
@click.option("--elo1", type=float, help=f"Elo worth having.  [default: {PLAIN.elo1:g}]")
@click.option("--alpha", type=float, help=f"How often elo0 may pass.  [default: {PLAIN.alpha}]")
@click.option("--beta", type=float, help=f"How often elo1 may fail.  [default: {PLAIN.beta}]")
@click.option("--model", type=click.Choice(MODELS), help=f"Which Elo is meant.  [default: {PLAIN.model}]")
@click.option("--trinomial", is_flag=True, help="Count single games, as older tools do, instead of pairs.")
def sprt(
    elo0: float | None, elo1: float | None, alpha: float | None, beta: float | None, model: str | None, **told: Any
) -> None:
    """Engines and options are those of `quiesce match`; what is not said of the test here a plan may say.

    The exit code is 0 where elo1 is accepted, 10 where it is rejected, 11 where games ran out.
    """
    test = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model}
    errand = errand_of(told, test, MOST_GAMES)
    score = go(errand)
    assert errand.plan.sprt is not None
    verdict = errand.plan.sprt.verdict(evidence(errand.plan, score))
    err.print(VERDICTS[verdict])
    click.get_current_context().exit(EXIT_CODES[verdict])
