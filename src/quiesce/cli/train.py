"""Shell. `quiesce train`: a network learnt from samples of our own games."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from quiesce.cli.common import NewFile, json_option
from quiesce.train.settings import NEEDS_TORCH, OPTIONS, TrainError, settings_of

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def all_options(command: Callable[..., None]) -> Callable[..., None]:
    """Every option of the table of settings, in its order."""
    for item in reversed(OPTIONS):
        why = item.why[0].upper() + item.why[1:] + "."
        command = click.option(item.flag, item.name, default=item.default, show_default=True, help=why)(command)
    return command


@click.command()
@click.argument("data", type=FILE, nargs=-1, required=True)
@click.option("--out", type=NewFile(), required=True, help="The network to write.")
@all_options
@click.option("--start", type=FILE, help="A network to begin with: no wider, as many outputs, as many zones or one.")
@click.option("--checkpoint", type=NewFile(), help="Where the state is kept after every epoch.  [default: beside OUT]")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint.")
@json_option
def train(as_json: bool, **values: Any) -> None:
    """DATA are files of `quiesce data`; the network is written to OUT in whole numbers, checked.

    Learns on all cores; on a GPU where there is one and PyTorch is installed. After Ctrl-C, --resume goes on from the
    last whole epoch.
    """
    try:
        from quiesce.train.job import train as run  # noqa: PLC0415  (--help need not wait for it)
    except ModuleNotFoundError as error:
        raise click.ClickException(NEEDS_TORCH if error.name == "torch" else str(error)) from None
    try:
        header = run(settings_of(values), lambda line: click.echo(line, err=True))
    except TrainError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(header))
        return
    rounding = header["rounding"]
    click.echo(f"held-out loss {header['held_out_loss']:.6f}; foretelling the mean loses {header['constant_loss']:.6f}")
    click.echo(f"rounding moves values by {rounding['mean']} points on average, {rounding['greatest']} at most")
    click.echo(f"network in {values['out']}")
