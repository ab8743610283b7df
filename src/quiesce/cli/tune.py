"""Shell. `quiesce tune`: numbers fitted to games."""

import click

from quiesce.cli import WholeGroup
from quiesce.cli.tune_eval import fit_eval
from quiesce.cli.tune_search import tune_search


@click.group(cls=WholeGroup)
def tune() -> None:
    """All that is played or worked out is kept; the same command goes on where it was stopped."""


tune.add_command(fit_eval)
tune.add_command(tune_search)
