"""Shell. Arguments and options that several commands share."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from quiesce.board.game import Game
from quiesce.board.positiontext import START_WORD, game_from_text
from quiesce.cachekey import is_writable
from quiesce.cli.console import ready

STDIN_WORD = "-"
KEPT = "finished work is stored, the same command resumes"


class NewFile(click.Path):
    """A file to write. Refused before any work starts if it cannot be written."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, if it can be written."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.exists() and not path.is_file():
            self.fail(f"{path} is not a regular file", param, ctx)
        if not is_writable(path.parent):
            self.fail(f"{path} cannot be written: no permission to create files in {path.parent}", param, ctx)
        return path


class NewFolder(click.Path):
    """A folder to write to. Refused before any work starts if it cannot be written."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of the folder, created if missing."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not is_writable(path):
            self.fail(f"{path} cannot be written: no permission to create files there", param, ctx)
        return path


@contextmanager
def resumable() -> Iterator[None]:
    """An interrupt in this block tells the user that finished work is stored."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(KEPT) from None


chess960_option = click.option("--chess960", is_flag=True, help="Chess960: K and Q in a FEN mean the outermost rooks.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of stored results.  [default: QUIESCE_STORE, or the user's]",
)
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Run on the Dask cluster with this scheduler.")


POSITION = "[FEN|startpos|MOVES|-]"
"""The metavar of position_argument."""


def position_argument(name: str, metavar: str = POSITION) -> Callable[[Any], Any]:
    """A position of any number of words, so that a FEN needs no quotes."""
    return click.argument(name, nargs=-1, metavar=metavar)


def game_of(words: tuple[str, ...], chess960: bool, wanted: Callable[[str], bool] | None = None) -> Game:
    """The position on the command line, by default the start position. Loads the kernels first.

    STDIN_WORD reads the first line of standard input.
    """
    text = first_line_of_input() if words == (STDIN_WORD,) else " ".join(words).strip()
    ready(wanted)
    try:
        return game_from_text(text or START_WORD, chess960)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def first_line_of_input() -> str:
    """The first non-empty line of standard input."""
    for line in sys.stdin:
        if line.strip():
            return line.strip()
    raise click.UsageError("there is no position on standard input")


def is_of_board(name: str) -> bool:
    """Is this a kernel of the board? Commands without a search wait only for these."""
    return name.startswith("board.")
