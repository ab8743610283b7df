"""Write the reference pages that are made from the code's own tables; with --check, only tell if they differ.

Run with `make docs`.
"""

import sys
from pathlib import Path

from quiesce.board.position import POSITION_FIELDS
from quiesce.board.tables import TABLES_FIELDS
from quiesce.search.params import TECHNIQUES
from quiesce.search.worker import FRAME_FIELDS, ROOT_MOVE_FIELDS, WORKER_FIELDS
from quiesce.uci.options import CHECK, GENERAL, SPIN

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
MADE = "<!-- made by tools/write_reference.py: change the table in the code, then run `make docs` -->"


def search_page():
    """Every technique of the search with its switch and its numbers."""
    lines = ["# Search options", "", MADE, ""]
    lines += ["Each technique has one switch (on is 1) and the numbers that shape it.", ""]
    for technique in TECHNIQUES:
        state = "on" if technique.default else "off"
        lines += [f"## {technique.name}", "", f"{technique.why.capitalize()}. Default: {state}.", ""]
        if technique.numbers:
            lines += ["| number | default | range | meaning |", "|---|---:|---|---|"]
            lines += [f"| {n.name} | {n.default} | {n.low} to {n.high} | {n.why} |" for n in technique.numbers]
            lines += [""]
    return "\n".join(lines)


def records_page():
    """Every field of the records kernels share."""
    lines = ["# Records", "", MADE, ""]
    tables = {
        "POSITION": POSITION_FIELDS,
        "FRAME": FRAME_FIELDS,
        "ROOT_MOVE": ROOT_MOVE_FIELDS,
        "WORKER": WORKER_FIELDS,
        "TABLES": TABLES_FIELDS,
    }
    for name, fields in tables.items():
        lines += [f"## {name}", "", "| field | meaning |", "|---|---|"]
        lines += [f"| {item.name} | {item.meaning} |" for item in fields]
        lines += [""]
    return "\n".join(lines)


def uci_page():
    """Every option a GUI may set, but the search's, which have their own page."""
    lines = ["# UCI options", "", MADE, ""]
    lines += ["The search's switches and numbers are options too: see [search options](search.md).", ""]
    lines += ["| option | type | default | range | meaning |", "|---|---|---|---|---|"]
    for option in GENERAL:
        bounds = f"{option.low} to {option.high}" if option.kind == SPIN else ""
        default = str(option.default).lower() if option.kind == CHECK else option.default
        lines += [f"| {option.name} | {option.kind} | {default} | {bounds} | {option.why} |"]
    return "\n".join([*lines, ""])


PAGES = {"search.md": search_page, "records.md": records_page, "uci.md": uci_page}


def main():
    """Write the pages, or check them."""
    stale = [name for name, page in PAGES.items() if not same(FOLDER / name, page())]
    if "--check" not in sys.argv:
        for name in stale:
            (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
    elif stale:
        sys.exit(f"out of date, run `make docs`: {', '.join(stale)}")


def same(path, text):
    """Is the page written as it should be?"""
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    main()
