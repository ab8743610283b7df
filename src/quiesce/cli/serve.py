"""Shell. `quiesce serve`: the web board, until Ctrl-C."""

import importlib.util
import socket
import webbrowser

import click

from quiesce.cli.console import ready
from quiesce.engine.syzygy import TablesError
from quiesce.web.bundle import BundleError
from quiesce.web.plan import DEFAULT_HOST, DEFAULT_MEGABYTES, DEFAULT_PORT, ServerPlan

NEEDED = ("starlette", "uvicorn", "websockets")
"""What the extra `web` installs."""
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  (named to be warned of)


@click.command()
@click.option("--host", default=DEFAULT_HOST, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=DEFAULT_PORT,
    show_default=True,
    help="Port; 0 takes any free port.",
)
@click.option("--engines", type=click.IntRange(0, 64), default=0, help="Parallel searches.  [default: all cores]")
@click.option(
    "--hash",
    "megabytes",
    type=click.IntRange(1, 4_096),
    default=DEFAULT_MEGABYTES,
    show_default=True,
    help="Transposition table of each engine in MB.",
)
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="Further host name that browsers may use; repeatable."
)
@click.option("--syzygy", default="", metavar="PATH", help="Folders with Syzygy tables.")
@click.option("--open", "is_opened", is_flag=True, help="Open the page in the browser.")
def serve(
    host: str, port: int, engines: int, megabytes: int, names: tuple[str, ...], syzygy: str, is_opened: bool
) -> None:
    """The server is reachable from this machine only, unless --host is given. Browsers share the searches fairly."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise click.ClickException(f"{', '.join(missing)} missing: pip install 'quiesce[web]' installs the web board")
    from quiesce.web.server import uvicorn_server  # noqa: PLC0415  (only with the extra)

    with listening(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}/"
        ready()
        try:
            server = uvicorn_server(ServerPlan(host, port, engines, megabytes, names, syzygy))
        except (BundleError, TablesError) as error:
            raise click.ClickException(str(error)) from None
        if host in ANYWHERE:
            click.echo(
                "warning: there is no password; everyone who can reach this address can use the engine", err=True
            )
        click.echo(f"the board is at {address} (Ctrl-C stops it)")
        if is_opened:
            webbrowser.open(address)
        server.run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to the address, or a one-sentence error."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise click.ClickException(f"{host} port {port}: {error.strerror or error}") from None
