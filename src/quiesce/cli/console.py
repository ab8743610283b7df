"""Shell. What all commands print the same way: progress, boards, statistics, errors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console, OverflowMethod
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from quiesce.board.fen import PIECE_LETTERS, SIDE
from quiesce.board.game import Game
from quiesce.board.types import NO_PIECE
from quiesce.engine.stats import red_flags, shares
from quiesce.jit import CompileError, is_compiled, warm_up

out = Console(highlight=False, soft_wrap=True, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)
IS_UNICODE = out.encoding.startswith("utf")
CUT: OverflowMethod = "ellipsis" if IS_UNICODE else "crop"
"""How a line ends that is longer than its place."""
EMPTY_SQUARE = "·" if IS_UNICODE else "."


class Bar:
    """A progress bar on standard error."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def __call__(self, done: int, total: int, what: str | None = None) -> None:
        """Show that `done` of `total` is finished."""
        changes: dict[str, Any] = {} if what is None else {"description": what}
        self._progress.update(self._task, completed=done, total=total, **changes)


@contextmanager
def progress(what: str) -> Iterator[Bar]:
    """A progress bar while the block runs; nothing if standard error is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as shown:
        yield Bar(shown, shown.add_task(what, total=None))


@contextmanager
def compiled_by() -> Iterator[None]:
    """Turn errors of compilation into a one-sentence error."""
    try:
        yield
    except CompileError as error:
        raise click.ClickException(str(error)) from None


def ready(wanted: Callable[[str], bool] | None = None, lazy: Iterable[Any] = ()) -> None:
    """Load the kernels, or only those `wanted`, and lazy entries; shows a bar if they must be compiled."""
    with compiled_by():
        if is_compiled():
            warm_up()
        else:
            if not err.is_terminal:
                err.print("compiling kernels, this happens once...")
            with progress("compiling") as bar:
                warm_up(bar, wanted)
        for kernel in lazy:
            kernel.prepare()


def show_stats(counters: Mapping[str, int], speed: float) -> None:
    """Print the search counters, their ratios, and warnings."""
    for name, count in counters.items():
        out.print(f"{name:<22} {count:>14,} {count / max(counters['nodes'], 1):>8.1%} of nodes")
    for name, share in shares(counters).items():
        out.print(f"{name:<26} {share:>10.1%}" if share <= 1 else f"{name:<26} {share:>10.1f}")
    for flag in red_flags(counters, speed):
        out.print(f"[yellow]red flag:[/] {flag}")


def print_words(text: Any) -> None:
    """Print text. A terminal wraps it; a file or a pipe gets whole lines."""
    out.print(text, soft_wrap=not out.is_terminal)


def show_board(game: Game) -> None:
    """Print a board, White below."""
    for rank in range(SIDE - 1, -1, -1):
        pieces = game.position.board[rank * SIDE :][:SIDE]
        out.print(" ".join([f"[dim]{rank + 1}[/]", *(square_text(int(piece)) for piece in pieces)]))
    out.print("[dim]  a b c d e f g h[/]\n")


def square_text(piece: int) -> str:
    """One square: a bold capital for White, a small letter for Black, a dot if it is empty."""
    if piece == NO_PIECE:
        return f"[dim]{EMPTY_SQUARE}[/]"
    letter = PIECE_LETTERS[piece]
    return f"[bold]{letter}[/]" if letter.isupper() else f"[cyan]{letter}[/]"
