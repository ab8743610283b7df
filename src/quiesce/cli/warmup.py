"""Shell. `quiesce warmup`: compile ahead of use."""

import click

from quiesce import cachekey
from quiesce.cli.console import out, ready
from quiesce.jit import is_compiled


@click.command()
def warmup() -> None:
    """Start-up then only loads them, in well under a second."""
    was_compiled = is_compiled()
    ready()
    out.print(f"kernels {'were compiled already' if was_compiled else 'compiled'}: {cachekey.folder()}")
