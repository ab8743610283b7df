"""Shell. `quiesce warmup`: compile ahead of use."""

import click

from quiesce import cachekey
from quiesce.cli.console import ready
from quiesce.jit import COMPILED, is_compiled


@click.command()
def warmup() -> None:
    """Start-up then only loads them, in well under a second."""
    if not COMPILED:
        click.echo("the compiler is off (NUMBA_DISABLE_JIT), there is nothing to compile")
        return
    was_compiled = is_compiled()
    ready()
    click.echo(f"kernels {'were compiled already' if was_compiled else 'compiled'}: {cachekey.folder()}")
