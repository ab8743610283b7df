"""Run: python -m tools.clients (or `make clients`), from the checkout's root, on Linux.

Plays, one after the other: our impatient client, python-chess, polyglot; then xboard, PyChess, Scid and GNOME Chess on
a virtual screen. Missing programs are skipped with a message. It prints a table; the exit code is 1 if a client failed.
Ctrl-C ends it early and still prints the table.
"""

import contextlib
import json
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from tools.clients import gnome_chess, impatient, polyglot, pychess, python_chess, scid, xboard
from tools.clients.desk import ClientError, Desk, program
from tools.clients.table import Row, facts, table, words

ENGINE = shlex.join([sys.executable, "-P", "-m", "quiesce"])
INTERRUPTED = 130


@dataclass(frozen=True)
class Client:
    """A client that plays with our engine."""

    name: str
    play: Callable[[Desk], None]
    seconds: float
    """The most it may take."""
    package: str = ""
    """Debian's package, for its version; empty for Python packages."""
    needs: tuple[str, ...] = ()
    """Programs without which it is skipped."""
    least_moves: int = 1
    """Moves of our engine without which nothing was shown."""


SCREEN, MOUSE = ("Xvfb",), ("xdotool", "dbus-run-session")
CLIENTS = (
    Client("impatient", impatient.play, 300),
    Client("python-chess", python_chess.play, 180, least_moves=10),
    Client("polyglot", polyglot.play, 180, "polyglot", ("polyglot",), least_moves=10),
    Client("xboard", xboard.play, 240, "xboard", ("xboard", "polyglot", "fairymax", *SCREEN), least_moves=10),
    Client("pychess", pychess.play, 180, "pychess", ("pychess", *SCREEN), least_moves=5),
    Client("scid", scid.play, 180, "scid", ("scid", *SCREEN), least_moves=3),
    Client(
        "gnome-chess",
        gnome_chess.play,
        180,
        "gnome-chess",
        ("gnome-chess", "dbus-run-session", "xdotool", *SCREEN),
        least_moves=3,
    ),
)


def version(package):
    """The version of a Debian package; empty if unknown."""
    if not package or shutil.which("dpkg-query") is None:
        return ""
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip()


def missing(client):
    """The programs a client needs that are not installed."""
    return [name for name in client.needs if program(name) is None]


@contextlib.contextmanager
def place(keep, name):
    """A folder for a client: a fresh one to keep, or a temporary one."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="client-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
        return
    shutil.rmtree(keep / name, ignore_errors=True)
    (keep / name).mkdir(parents=True)
    yield keep / name


def run(client, engine, games, keep):
    """One client's row."""
    row = Row(client.name, version(client.package))
    if names := missing(client):
        row.skipped = f"{', '.join(names)} not installed"
        return row
    began = time.monotonic()
    with place(keep, client.name) as folder, Desk(folder, engine, games, client.seconds * games) as desk:
        try:
            client.play(desk)
        except ClientError as error:
            row.trouble = f"{error}; {desk.said()}"
        desk.picture("last")
        if not row.trouble:  # a client that was given up still has its engine
            row.left = len(desk.outliving())
        verdict = desk.verdict()
        if verdict.moves < client.least_moves and not row.trouble:
            row.trouble = f"our engine played {verdict.moves} moves, {client.least_moves} were wanted; {desk.said()}"
    row.rounds, row.moves, row.analyses, row.hasty = desk.rounds, verdict.moves, verdict.analyses, verdict.hasty
    row.hits, row.misses, row.faults = verdict.hits, verdict.misses, verdict.faults + desk.faults
    row.notes = desk.notes + verdict.overruns + [f"the client {complaint}" for complaint in verdict.complaints]
    row.seconds = time.monotonic() - began
    return row


@click.command(help=__doc__)
@click.option("--engine", default=ENGINE, help="The engine's command.  [default: this checkout's]")
@click.option(
    "--client", "names", multiple=True, type=click.Choice([client.name for client in CLIENTS]),
    help="Only these; may be repeated.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="Games of polyglot and xboard.")
@click.option(
    "--keep", type=click.Path(file_okay=False, resolve_path=True, path_type=Path),
    help="Keep there what was said, and pictures of the windows.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of the table.")
def main(engine, names, games, keep, as_json):
    """Let the clients play, and print the table."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # one started in the background would not hear SIGINT
    rows, code = [], 0
    try:
        for client in CLIENTS:
            if not names or client.name in names:
                rows.append(run(client, shlex.split(engine), games, keep))
                click.echo(f"{client.name}: {rows[-1].result}, {rows[-1].seconds:.0f} s", err=True)
    except KeyboardInterrupt:
        click.echo("interrupted: the client under way is not counted", err=True)
        code = INTERRUPTED
    click.echo(json.dumps(facts(rows), indent=1) if as_json else table(rows))
    for line in words(rows):
        click.echo(line, err=True)
    sys.exit(code or int(not facts(rows)["passed"]))


if __name__ == "__main__":
    main()
