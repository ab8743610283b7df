"""Shell. `quiesce --version`: what we are and what we run on."""

import platform
from importlib.metadata import version

import click

from quiesce import __version__


def version_text() -> str:
    """Version, compiler stack, CPU and cache folder, a line each."""
    from llvmlite import binding  # noqa: PLC0415  (80 ms that --help need not pay)

    from quiesce import cachekey  # noqa: PLC0415

    llvm = ".".join(str(part) for part in binding.llvm_version_info)
    build = "debug build (bounds checks, invariants)" if cachekey.DEBUG else "release build"
    return (
        f"quiesce {__version__}, {build}\n"
        f"Python {platform.python_version()}, Numba {version('numba')}, LLVM {llvm}, NumPy {version('numpy')}\n"
        f"CPU {cachekey.cpu()[0]} ({platform.machine()})\n"
        f"cache {cachekey.folder()}"
    )


def show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Print the version and stop."""
    if wanted and not context.resilient_parsing:
        click.echo(version_text())
        context.exit()
