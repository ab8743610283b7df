"""Shell. `quiesce report`: what the lab has kept, as a page to read or a list."""

import json
import webbrowser
from pathlib import Path
from typing import Any

import click

from quiesce.cli.common import NewFile, json_option
from quiesce.lab.report.page import catalogue, kept_runs, page
from quiesce.work.files import written_whole
from quiesce.work.store import STORE_VARIABLE, Store, StoreError, default_path

DEFAULT_PAGE = Path("report.html")
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--store", "path", type=FILE, help=f"The store.  [default: that of {STORE_VARIABLE}, or the user's]")
@click.option("--out", type=NewFile(), default=DEFAULT_PAGE, show_default=True, help="Where the page is written.")
@click.option("--run", "wanted", type=int, multiple=True, metavar="ID", help="Only this run; may be repeated.")
@click.option("--open", "is_opened", is_flag=True, help="Show the page in the browser.")
@click.option("--list", "is_listed", is_flag=True, help="List the runs instead.")
@json_option
def report(
    path: Path | None, out: Path, wanted: tuple[int, ...], is_opened: bool, is_listed: bool, as_json: bool
) -> None:
    """One HTML file, whole in itself: tables, charts and failures of every run kept."""
    try:
        with opened(path or default_path()) as store:
            if is_listed:
                show_list([run for run in catalogue(store) if not wanted or run["id"] in wanted], as_json)
                return
            runs = kept_runs(store)
            if missing := set(wanted) - {run.id for run in runs}:
                raise click.UsageError(f"no run {min(missing)}; `quiesce report --list` shows those there are")
            shown = [run for run in runs if not wanted or run.id in wanted]
            write(out, page(shown))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps({"page": str(out), "runs": len(shown)}) if as_json else f"{len(shown)} runs in {out}")
    if is_opened:
        webbrowser.open(out.resolve().as_uri())


def opened(path: Path) -> Store:
    """A store that is there; one that is not is no place to look for runs, nor to be made by a look."""
    if not path.is_file():
        raise StoreError(f"{path}: there is no store; the lab's commands make one, --store names another")
    return Store(path)


def write(out: Path, text: str) -> None:
    """Write the page, whole or not at all."""
    try:
        with written_whole(out) as file:
            file.write(text.encode())
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror or error}") from None


def show_list(runs: list[dict[str, Any]], as_json: bool) -> None:
    """Print runs in short."""
    if as_json:
        click.echo(json.dumps({"runs": runs}))
        return
    for run in runs:
        click.echo(f"{run['id']:>5}  {run['kind']:<7} {run['started'][:16]}  {run['items']:>6} items  {run['name']}")
