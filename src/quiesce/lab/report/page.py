"""Shell. The page: a heading, a table of contents, and a section for each kind of run the store has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from quiesce import __version__
from quiesce.lab.report import ablations, benches, ladder, matches, suites, tuning
from quiesce.lab.report.markup import Html, element, html, joined, paragraph, plural
from quiesce.lab.report.runs import anchor, moment
from quiesce.work.store import Run, Store, StoreError, now

TITLE = "Quiesce: report of the lab"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: the kind of its runs, its heading, and what shows them."""

    kind: str
    title: str
    show: Callable[[Sequence[Run]], Html]


SECTIONS = (
    Section("match", "Matches", matches.section),
    Section("ladder", "Ladder", ladder.section),
    Section("suite", "Suites", suites.section),
    Section("ablate", "What techniques are worth", ablations.section),
    Section("tune", "Tuning", tuning.section),
    Section("bench", "Bench", benches.section),
)


def kept_runs(store: Store) -> list[Run]:
    """All runs of a store. Raises StoreError if there are none, or they cannot be read."""
    runs = store.runs()
    if not runs:
        raise StoreError(f"{store.path}: no runs are kept in it yet")
    return runs


def catalogue(store: Store) -> list[dict[str, Any]]:
    """All runs in short: id, kind, name, when they began, and how many items they have."""
    counts = dict(store.read("SELECT run, count(*) FROM items GROUP BY run"))
    return [
        {"id": run.id, "kind": run.kind, "name": run.name, "started": run.started, "items": counts.get(run.id, 0)}
        for run in kept_runs(store)
    ]


def page(runs: Sequence[Run]) -> str:
    """The whole page."""
    groups = [(part, [run for run in runs if run.kind == part.kind]) for part in SECTIONS]
    groups = [(part, found) for part, found in groups if found]
    others = [run for run in runs if run.kind not in {part.kind for part in SECTIONS}]
    made = f"Made {moment(now())} by version {__version__} from {plural(len(runs), 'run')}."
    kinds = ", ".join(sorted({run.kind for run in others}))
    left_out = [paragraph(f"Not shown: {plural(len(others), 'run')} of other kinds ({kinds}).", kind="dim")] * bool(
        others
    )
    sections = (element("section", element("h2", part.title), part.show(found), id=part.kind) for part, found in groups)
    head = element("header", element("h1", TITLE), paragraph(made), *left_out, contents(groups))
    return document(joined(head, element("main", *sections)))


def contents(groups: Sequence[tuple[Section, Sequence[Run]]]) -> Html:
    """The table of contents: every section with its runs."""
    entries = (
        element(
            "li",
            element("a", part.title, href=f"#{part.kind}"),
            element("ul", *(element("li", element("a", run.name, href=f"#{anchor(run)}")) for run in found)),
        )
        for part, found in groups
    )
    return element("nav", element("ul", *entries), aria_label="Contents")


def document(body: Html) -> str:
    """A body with all that makes it a page."""
    style = resources.files("quiesce.lab.report").joinpath("style.css").read_text(encoding="utf-8")
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{html(POLICY)}">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{html(TITLE)}</title>",
            f"<style>\n{style}</style></head>",
            f"<body>{body}</body></html>\n",
        )
    )
