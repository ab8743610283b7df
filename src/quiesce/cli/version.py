"""Shell. `quiesce --version`: versions and platform."""

import platform

import click

from quiesce import __version__


def said_of(package: str) -> str:
    """A package and its version, if it is installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  (20 ms before the first `uciok`)

    try:
        return f"{package} {version(package.lower())}"
    except PackageNotFoundError:
        return f"no {package}"


def version_text() -> str:
    """Version, compiler stack, processor, kernels in use, and cache folder, one per line."""
    from quiesce import cachekey  # noqa: PLC0415  (--help need not pay for it)
    from quiesce.jit import library  # noqa: PLC0415

    build = "debug build (bounds checks, invariants)" if cachekey.DEBUG else "release build"
    stack = ", ".join(said_of(package) for package in ("Numba", "llvmlite", "NumPy"))
    cpu, folder = (cachekey.cpu()[0], cachekey.folder()) if library.has_numba() else ("not asked", "not used")
    return (
        f"quiesce {__version__}, {build}\n"
        f"Python {platform.python_version()}, {stack}\n"
        f"CPU {cpu} ({platform.machine()})\n"
        f"kernels {library.description()}\n"
        f"cache {folder}"
    )


def show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Print the version and exit."""
    if wanted and not context.resilient_parsing:
        click.echo(version_text())
        context.exit()
