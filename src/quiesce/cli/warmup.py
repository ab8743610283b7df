"""Shell. `quiesce warmup`: compile ahead of use."""

import os
import subprocess
import sys

import click

from quiesce import cachekey
from quiesce.cli.common import TRACE_VARIABLE
from quiesce.cli.console import err, progress, ready
from quiesce.jit import COMPILED, TRACE, is_compiled
from quiesce.jit.compile import ENTRIES, compile_entries


@click.command()
@click.option("--all", "is_all", is_flag=True, help="Compile also what few commands need, and the build of `explain`.")
def warmup(is_all: bool) -> None:
    """Start-up then only loads them, in well under a second: for games, analysis and the web board nothing is left.

    What few commands need (eval, datagen, arena, batches in Python), and for `explain` another build that records its
    tree, is compiled when it is first used, or now with --all: some minutes more. Nothing compiles later then.
    """
    if not COMPILED:
        click.echo("the compiler is off (NUMBA_DISABLE_JIT), there is nothing to compile")
        return
    was_compiled = is_compiled()
    ready()
    if is_all:
        compile_rare()
    click.echo(f"kernels {'were compiled already' if was_compiled else 'compiled'}: {cachekey.folder()}")
    if is_all and not TRACE:
        compile_trace_build()


def compile_rare() -> None:
    """Compile or load every entry that a warm-up leaves to its first call."""
    with progress("compiling") as bar:
        compile_entries(bar, [item for item in ENTRIES if item.is_rare])


def compile_trace_build() -> None:
    """Have a process of the build that records trees compile its own kernels."""
    if not err.is_terminal:
        err.print("compiling the build that records trees...")
    done = subprocess.run(
        [sys.executable, "-m", "quiesce", "warmup"], env=os.environ | {TRACE_VARIABLE: "1"}, check=False
    )
    if done.returncode:
        raise click.ClickException("the build that records trees could not be compiled")
