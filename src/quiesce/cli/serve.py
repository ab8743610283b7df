"""Shell. `quiesce serve`: the web board, until Ctrl-C."""

import importlib.util
import socket
import webbrowser

import click

from quiesce.cli.console import ready
from quiesce.engine.syzygy import TablesError
from quiesce.web.bundle import BundleError
from quiesce.web.plan import DEFAULT_HOST, DEFAULT_MEGABYTES, DEFAULT_PORT, Plan

NEEDED = ("starlette", "uvicorn", "websockets")
"""What the extra `web` installs."""
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  (named to be warned of)


@click.command()
@click.option("--host", default=DEFAULT_HOST, show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=DEFAULT_PORT, show_default=True, help="Port; 0 for any."
)
@click.option("--engines", type=click.IntRange(0, 64), default=0, help="Searches at once.  [default: one a core]")
@click.option(
    "--hash",
    "megabytes",
    type=click.IntRange(1, 4_096),
    default=DEFAULT_MEGABYTES,
    show_default=True,
    help="Table in MB.",
)
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="A name of this machine browsers may use.")
@click.option("--syzygy", default="", metavar="PATH", help="Folders with Syzygy tables, for verdicts in endgames.")
@click.option("--open", "is_opened", is_flag=True, help="Show the page in the browser.")
def serve(
    host: str, port: int, engines: int, megabytes: int, names: tuple[str, ...], syzygy: str, is_opened: bool
) -> None:
    """Only this machine reaches it, unless --host says otherwise; searches are shared fairly among all browsers."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise click.ClickException(f"{', '.join(missing)} missing: pip install 'quiesce[web]' installs the web board")
    from quiesce.web.server import uvicorn_server  # noqa: PLC0415  (only with the extra)

    with listening(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}/"
        ready()
        try:
            server = uvicorn_server(Plan(host, port, engines, megabytes, names, syzygy))
        except (BundleError, TablesError) as error:
            raise click.ClickException(str(error)) from None
        if host in ANYWHERE:
            click.echo("everyone who reaches this machine may use it: there is no password", err=True)
        click.echo(f"the board is at {address} (Ctrl-C ends it)")
        if is_opened:
            webbrowser.open(address)
        server.run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to the address, or an error people understand."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise click.ClickException(f"{host} port {port}: {error.strerror or error}") from None
