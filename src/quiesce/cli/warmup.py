"""Shell. `quiesce warmup`: compile before first use."""

import click

from quiesce.cli.console import compiled_by, err, progress
from quiesce.jit import COMPILED, compile_all, is_compiled
from quiesce.jit.library import description


@click.command()
def warmup() -> None:
    """Afterwards engine, analysis, web board, explain and Python API start at once.

    Wheels contain compiled kernels and need no warm-up. If another process is compiling, this command waits for it. If
    this command is stopped, compiling continues in the background.
    """
    if not COMPILED:
        click.echo("nothing to compile: the compiler is switched off (NUMBA_DISABLE_JIT)")
        return
    was_compiled = is_compiled(is_all=True)
    if not was_compiled and not err.is_terminal:
        err.print("compiling kernels, this happens once...")
    with compiled_by(), progress("compiling") as bar:
        compile_all(bar)
    click.echo(f"kernels {'were compiled already' if was_compiled else 'compiled'}: {description()}")
