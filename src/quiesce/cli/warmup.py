"""Shell. `quiesce warmup`: compile ahead of use."""

import click

from quiesce.cli.console import compiled_by, err, progress
from quiesce.jit import COMPILED, compile_all, is_compiled
from quiesce.jit.library import description


@click.command()
def warmup() -> None:
    """Start-up then only loads them: for games, analysis, the web board, explain, and calls from Python.

    A wheel brings its kernels compiled: nothing is left to do. If another process compiles already, this one waits for
    it; if this one is ended, the compiling goes on by itself, and the next start finds what it made.
    """
    if not COMPILED:
        click.echo("the compiler is off (NUMBA_DISABLE_JIT), there is nothing to compile")
        return
    was_compiled = is_compiled(is_all=True)
    if not was_compiled and not err.is_terminal:
        err.print("compiling kernels, this happens once...")
    with compiled_by(), progress("compiling") as bar:
        compile_all(bar)
    click.echo(f"kernels {'were compiled already' if was_compiled else 'compiled'}: {description()}")
