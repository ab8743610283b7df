"""Shell. `quiesce sprt`: a match that ends as soon as it is known which of two strengths engine 1 has."""

from typing import Any

import click

from quiesce.cli.console import err
from quiesce.cli.matching import VERDICTS, errand_of, go, plan_options
from quiesce.lab.sprt import MODELS, Sprt, SprtError

MOST_GAMES = 40_000
PLAIN = Sprt()


@click.command()
@plan_options
@click.option("--elo0", type=float, default=PLAIN.elo0, show_default=True, help="Elo of no use.")
@click.option("--elo1", type=float, default=PLAIN.elo1, show_default=True, help="Elo worth having.")
@click.option("--alpha", type=float, default=PLAIN.alpha, show_default=True, help="How often elo0 may pass.")
@click.option("--beta", type=float, default=PLAIN.beta, show_default=True, help="How often elo1 may fail.")
@click.option("--model", type=click.Choice(MODELS), default=PLAIN.model, show_default=True, help="Which Elo is meant.")
def sprt(elo0: float, elo1: float, alpha: float, beta: float, model: str, **told: Any) -> None:
    """Engines and options are those of `quiesce match`; a plan's own test counts unless another is given here.

    The exit code is 0 where elo1 is accepted, 1 where it is rejected, 2 where games ran out.
    """
    try:
        test = Sprt(elo0, elo1, alpha, beta, model)
    except SprtError as error:
        raise click.UsageError(str(error)) from None
    errand = errand_of(told, test, MOST_GAMES)
    score = go(errand)
    assert errand.plan.sprt is not None
    verdict = errand.plan.sprt.verdict(score.pentanomial)
    err.print(VERDICTS[verdict])
    click.get_current_context().exit({1: 0, -1: 1, 0: 2}[verdict])
