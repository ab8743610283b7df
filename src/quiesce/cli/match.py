"""Shell. `quiesce match`: engines against each other, in pairs of games."""

from typing import Any

import click

from quiesce.cli.matching import errand_of, go, plan_options

DEFAULT_GAMES = 200


@click.command()
@plan_options
def match(**told: Any) -> None:
    """ENGINE is quiesce, quiesce@REVISION, a known opponent such as glaurung, or a quoted command line.

    A revision is installed into its own environment. Without names the engine plays itself; give options to compare:
    quiesce match --option1 NullMove=false --nodes 5000

    Each game pair is stored: the same command resumes after an interruption.
    """
    go(errand_of(told, None, DEFAULT_GAMES))
