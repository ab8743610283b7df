"""Shell. `quiesce match`: engines against each other, in pairs of games."""

from typing import Any

import click

from quiesce.cli.matching import errand_of, go, plan_options

DEFAULT_GAMES = 200


@click.command()
@plan_options
def match(**told: Any) -> None:
    """ENGINE is quiesce, quiesce@REVISION, a known opponent such as glaurung, or a command line in quotes.

    A revision is built in an environment of its own. Without names, our engine plays itself; give it options to
    compare: quiesce match --option1 NullMove=false --nodes 5000

    Each pair of games is kept before it counts; the same command goes on where it was stopped.
    """
    go(errand_of(told, None, DEFAULT_GAMES))
