"""Shell. Runs as sections see them: their facts read with care, and the words above each."""

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from quiesce.lab.report.markup import Html, element, folded, joined, paragraph
from quiesce.work.store import Run, StoreError

T = TypeVar("T")
MISREAD = (StoreError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading facts raises when they are not what their kind promises."""


def anchor(run: Run) -> str:
    """The anchor of a run in the page."""
    return f"run-{run.id}"


def parted(runs: Sequence[Run], read: Callable[[Run], T]) -> tuple[list[tuple[Run, T]], Html]:
    """Runs with their data, and a message for each unreadable one."""
    known, notes = [], list[Html]()
    for run in runs:
        try:
            known.append((run, read(run)))
        except MISREAD as error:
            told = f"Run {run.id}, {run.name}: its facts cannot be read ({type(error).__name__}: {error})."
            notes.append(element("p", told, class_="warning", id=anchor(run)))
    return known, joined(*notes)


def article(run: Run, *content: object) -> Html:
    """A run under its name, with what decided it."""
    return element("article", element("h3", run.name), born(run), *content, configuration(run), id=anchor(run))


def born(run: Run) -> Html:
    """When and by what version a run was started."""
    return paragraph(f"Run {run.id}, begun {moment(run.started)}, version {run.version}.", kind="dim")


def configuration(run: Run) -> Html:
    """All that decided a run, folded."""
    return folded("configuration", element("pre", json.dumps(run.config, indent=2, ensure_ascii=False)))


def moment(text: str) -> str:
    """A time of the store as text."""
    return text.replace("T", " ").removesuffix("+00:00") + (" UTC" if text.endswith("+00:00") else "")


def is_number(key: str) -> bool:
    """Is an item's key a number, so that the item is one of many and no note?"""
    return key.isascii() and key.isdecimal()
