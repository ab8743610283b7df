"""Run: python -m tools.soak --minutes 60 --keep soak.json (or `make soak MINUTES=60`), from the checkout's root.

Stations take turns until the time is up: games against ourselves, against Debian's engines and in Chess960, fuzzing of
UCI and of the web board, and lab runs that are killed and go on. In the end there is one table; the exit code is 1 if
anything in it that must be zero is not. Ctrl-C ends it early, table and all. `--sum FILE` adds up runs that were kept.
"""

import json
import logging
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import click

from tools.soak import browse, games, killing, talk
from tools.soak.table import Account

STATIONS = {
    "self-play": games.self_play,
    "uci": talk.fuzz,
    "engines": games.engine_games,
    "kill-match": killing.kill_matches,
    "chess960": games.chess960_games,
    "web": browse.fuzz,
    "kill-datagen": killing.kill_datagen,
}
SHORTEST_TURN, LONGEST_TURN = 15.0, 120.0
"""Seconds of a station before the next one has its turn."""
FILE = click.Path(dir_okay=False, path_type=Path)


def tell(words):
    """Print a progress line."""
    click.echo(words, err=True)


def soak(account, seconds, names, seed, keep):
    """Let stations take turns until the time is up, and account for each turn as it ends."""
    began, turn = time.monotonic(), 0
    length = min(max(seconds / len(names), SHORTEST_TURN), LONGEST_TURN)
    while (left := began + seconds - time.monotonic()) > SHORTEST_TURN / 2:
        name = names[turn % len(names)]
        tell(f"{(time.monotonic() - began) / 60:5.1f} of {seconds / 60:g} min: {name}")
        with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as folder:
            started = time.monotonic()
            tally = STATIONS[name](min(length, left), random.Random(f"{seed}/{turn}"), Path(folder))
            tally.seconds = time.monotonic() - started
        account.add(tally)
        for note in tally.notes:
            tell(f"      {note}")
        if keep is not None:
            account.write(keep)
        turn += 1


@click.command(help=__doc__)
@click.option("--minutes", type=click.FloatRange(min=0.1), default=10.0, show_default=True)
@click.option(
    "--station", "names", multiple=True, type=click.Choice(list(STATIONS)), help="Only these; may be repeated."
)
@click.option("--seed", type=int, default=None, help="Decides what is sent and when is killed.  [default: the time]")
@click.option("--keep", type=FILE, help="Keep the account there as JSON, after every turn.")
@click.option("--json", "as_json", is_flag=True, help="Print the account as JSON instead of the table.")
@click.option("--sum", "kept", type=FILE, multiple=True, help="Only add up accounts that were kept.")
def main(minutes, names, seed, keep, as_json, kept):
    """Soak, and print the table."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # one started in the background would not hear it
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # of our own browsers, whose connections we break
    account, code = Account(), 0
    for path in kept:
        account.read(path)
    seed = int(time.time()) if seed is None else seed
    try:
        if not kept:
            tell(f"soaking for {minutes:g} minutes, seed {seed}")
            soak(account, 60 * minutes, names or tuple(STATIONS), seed, keep)
    except KeyboardInterrupt:
        tell("interrupted: the turn under way is not counted")
        code = 130
    click.echo(json.dumps(account.facts()) if as_json else account.table())
    for note in account.notes():
        tell(note)
    sys.exit(code or int(not account.is_clean))


if __name__ == "__main__":
    main()
