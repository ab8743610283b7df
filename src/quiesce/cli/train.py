"""Shell. `quiesce train`: train a network."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from quiesce.cli.common import NewFile, json_option
from quiesce.train.settings import NEEDS_TORCH, OPTIONS, TrainError, settings_of

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def all_options(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command with every option of Settings."""
    for item in reversed(OPTIONS):
        why = item.why[0].upper() + item.why[1:] + "."
        command = click.option(*item.flags, item.name, default=item.default, show_default=True, help=why)(command)
    return command


@click.command()
@click.argument("data", type=FILE, nargs=-1, required=True)
@click.option("--out", type=NewFile(), required=True, help="Network file to write.")
@all_options
@click.option(
    "--start", type=FILE, help="Start from this network: no wider, same output buckets, same king buckets or one."
)
@click.option("--checkpoint", type=NewFile(), help="File for the state after each epoch.  [default: OUT.checkpoint]")
@click.option("--resume", is_flag=True, help="Resume from the checkpoint.")
@json_option
def train(as_json: bool, **values: Any) -> None:
    """DATA are files of `quiesce datagen`. The network is quantised, checked and written to OUT.

    Trains on all cores, or on a GPU if PyTorch is installed and has one. After Ctrl-C, --resume goes on from the last
    complete epoch.
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
    click.echo(
        f"held-out loss {header['held_out_loss']:.6f}; always predicting the mean loses {header['constant_loss']:.6f}"
    )
    click.echo(f"quantisation changes scores by {rounding['mean']} points on average, {rounding['greatest']} at most")
    click.echo(f"network in {values['out']}")
