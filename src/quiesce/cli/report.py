"""Shell. `quiesce report`: stored lab results as an HTML page or a list."""

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
@click.option("--store", "path", type=FILE, help=f"File of stored results.  [default: {STORE_VARIABLE}, or the user's]")
@click.option("--out", type=NewFile(), default=DEFAULT_PAGE, show_default=True, help="HTML file to write.")
@click.option("--run", "wanted", type=int, multiple=True, metavar="ID", help="Include only this run; repeatable.")
@click.option("--open", "is_opened", is_flag=True, help="Open the page in the browser.")
@click.option("--list", "is_listed", is_flag=True, help="List the stored runs instead.")
@json_option
def report(
    path: Path | None, out: Path, wanted: tuple[int, ...], is_opened: bool, is_listed: bool, as_json: bool
) -> None:
    """The page is one self-contained HTML file: tables, charts and failures of every run."""
    try:
        with opened(path or default_path()) as store:
            if is_listed:
                show_list([run for run in catalogue(store) if not wanted or run["id"] in wanted], as_json)
                return
            runs = kept_runs(store)
            if missing := set(wanted) - {run.id for run in runs}:
                raise click.UsageError(f"no run {min(missing)}; `quiesce report --list` lists the runs")
            shown = [run for run in runs if not wanted or run.id in wanted]
            write(out, page(shown))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps({"page": str(out), "runs": len(shown)}) if as_json else f"{len(shown)} runs in {out}")
    if is_opened:
        webbrowser.open(out.resolve().as_uri())


def opened(path: Path) -> Store:
    """The store, which must exist."""
    if not path.is_file():
        raise StoreError(f"{path} does not exist; lab commands create it, --store names another")
    return Store(path)


def write(out: Path, text: str) -> None:
    """Write the page atomically."""
    try:
        with written_whole(out) as file:
            file.write(text.encode())
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror or error}") from None


def show_list(runs: list[dict[str, Any]], as_json: bool) -> None:
    """Print the list of runs."""
    if as_json:
        click.echo(json.dumps({"runs": runs}))
        return
    for run in runs:
        click.echo(f"{run['id']:>5}  {run['kind']:<7} {run['started'][:16]}  {run['items']:>6} items  {run['name']}")
