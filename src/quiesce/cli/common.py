"""Shell. Words and options that several commands share."""

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
KEPT = "what was finished is kept, the same command goes on from there"


class NewFile(click.Path):
    """A file to be written: one that cannot be is refused before any work is done for it."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, if it can be written."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.exists() and not path.is_file():
            self.fail(f"{path} is not a plain file", param, ctx)
        if not is_writable(path.parent):
            self.fail(f"{path} cannot be written: {path.parent} takes no new files", param, ctx)
        return path


class NewFolder(click.Path):
    """A folder to write files in: one that cannot be written is refused before any work is done for it."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of the folder, which is there now."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not is_writable(path):
            self.fail(f"{path} cannot be written: it takes no new files", param, ctx)
        return path


@contextmanager
def resumable() -> Iterator[None]:
    """An interrupt in this block says that nothing finished is lost."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(KEPT) from None


chess960_option = click.option(
    "--chess960", is_flag=True, help="Chess960: K and Q in the FEN mean the outermost rooks."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The lab's file.  [default: the user's, or QUIESCE_STORE]",
)
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster instead of this machine.")


POSITION = "[FEN|startpos|MOVES|-]"
"""What position_argument takes, in a usage line."""


def position_argument(name: str, metavar: str = POSITION) -> Callable[[Any], Any]:
    """An argument of any number of words, so that a FEN needs no quotes."""
    return click.argument(name, nargs=-1, metavar=metavar)


def game_of(words: tuple[str, ...], chess960: bool, wanted: Callable[[str], bool] | None = None) -> Game:
    """The game a command line means, nothing being the start position; loads kernels first.

    STDIN_WORD means the first line of standard input.
    """
    text = first_line_of_input() if words == (STDIN_WORD,) else " ".join(words).strip()
    ready(wanted)
    try:
        return game_from_text(text or START_WORD, chess960)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def first_line_of_input() -> str:
    """The first line of standard input that says anything."""
    for line in sys.stdin:
        if line.strip():
            return line.strip()
    raise click.UsageError("there is no position on standard input")


def is_of_board(name: str) -> bool:
    """Does a kernel belong to the board alone? Commands that do not search wait for no others."""
    return name.startswith("board.")
