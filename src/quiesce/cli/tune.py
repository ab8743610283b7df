"""Shell. `quiesce tune`: parameters tuned by games."""

import click

from quiesce.cli import WholeGroup
from quiesce.cli.tune_eval import fit_eval
from quiesce.cli.tune_search import tune_search


@click.group(cls=WholeGroup)
def tune() -> None:
    """All results are stored: the same command resumes after an interruption."""


tune.add_command(fit_eval)
tune.add_command(tune_search)
