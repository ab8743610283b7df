"""Shell. `quiesce sprt`: a match that stops when a sequential test has decided."""

from typing import Any

import click

from quiesce.cli.console import err
from quiesce.cli.matching import VERDICTS, errand_of, go, plan_options
from quiesce.lab.match.contest import sprt_counts
from quiesce.lab.sprt import MODELS, Sprt

MOST_GAMES = 40_000
PLAIN = Sprt()
EXIT_CODES = {1: 0, -1: 10, 0: 11}
"""Exit codes by verdict; 1 and 2 are errors."""


@click.command()
@plan_options
@click.option("--elo0", type=float, help=f"Elo of the null hypothesis H0.  [default: {PLAIN.elo0:g}, or the plan's]")
@click.option("--elo1", type=float, help=f"Elo of the alternative H1.  [default: {PLAIN.elo1:g}]")
@click.option("--alpha", type=float, help=f"Probability of accepting H1 if H0 is true.  [default: {PLAIN.alpha}]")
@click.option("--beta", type=float, help=f"Probability of accepting H0 if H1 is true.  [default: {PLAIN.beta}]")
@click.option("--model", type=click.Choice(MODELS), help=f"Unit of --elo0 and --elo1.  [default: {PLAIN.model}]")
@click.option("--trinomial", is_flag=True, help="Count single games instead of pairs.")
def sprt(
    elo0: float | None, elo1: float | None, alpha: float | None, beta: float | None, model: str | None, **told: Any
) -> None:
    """Engines and options are those of `quiesce match`. Test settings not given here are taken from the plan.

    The exit code is 0 if elo1 is accepted, 10 if it is rejected, 11 if games ran out.
    """
    test = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model}
    request = errand_of(told, test, MOST_GAMES)
    score = go(request)
    assert request.plan.sprt is not None
    verdict = request.plan.sprt.verdict(sprt_counts(request.plan, score))
    err.print(VERDICTS[verdict])
    click.get_current_context().exit(EXIT_CODES[verdict])
