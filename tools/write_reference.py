"""Write the reference pages that are generated from tables in the code; with --check, only compare them.

Run with `make docs`.
"""

import sys
from pathlib import Path

from reference_api import api_page
from reference_commands import commands_page

from quiesce.board.position import POSITION_FIELDS
from quiesce.board.rows import ROW_FIELDS
from quiesce.board.tables import TABLES_FIELDS
from quiesce.engine.options import CHECK, GENERAL, SPIN
from quiesce.eval.evaluator import ATTACKS_FIELDS, EVAL_TRACE_FIELDS, EVALUATOR_FIELDS, PAWN_ENTRY_FIELDS
from quiesce.eval.terms import TERMS, label_of
from quiesce.eval.weights import FITTED_FILE, WEIGHTS_FIELDS, read_table
from quiesce.search.params import TECHNIQUES
from quiesce.search.reasons import REASONS
from quiesce.search.worker import FRAME_FIELDS, ROOT_MOVE_FIELDS, WORKER_FIELDS

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
        "ROW": ROW_FIELDS,
        "FRAME": FRAME_FIELDS,
        "ROOT_MOVE": ROOT_MOVE_FIELDS,
        "WORKER": WORKER_FIELDS,
        "EVALUATOR": EVALUATOR_FIELDS,
        "WEIGHTS": WEIGHTS_FIELDS,
        "ATTACKS": ATTACKS_FIELDS,
        "PAWN_ENTRY": PAWN_ENTRY_FIELDS,
        "EVAL_TRACE": EVAL_TRACE_FIELDS,
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


def reasons_page():
    """Every way a node of quiescence ends, and every ground on which a move is left out."""
    lines = ["# Reasons", "", MADE, ""]
    lines += [
        "Why a node of quiescence ended, or a move was left out. Counters (`q_` and the word), `quiesce explain`,"
    ]
    lines += ["the web board and `Tree.reason` all use these words.", ""]
    for title, is_skip in (("A node ended", False), ("A move was left out", True)):
        lines += [f"## {title}", "", "| word | meaning |", "|---|---|"]
        lines += [f"| `{item.word}` | {item.meaning} |" for item in REASONS if item.is_skip == is_skip]
        lines += [""]
    return "\n".join(lines)


def weights_page():
    """Every weight of the evaluation, by hand and fitted; squares as boards."""
    fitted, lines = read_table(FITTED_FILE), ["# Weights of the evaluation", "", MADE, ""]
    lines += ["Points in the middlegame and in the ending; units of danger where it says so.", ""]
    for group in dict.fromkeys(term.group for term in TERMS):
        lines += [f"## {group.capitalize()}", ""]
        terms = [term for term in TERMS if term.group == group]
        if group == "squares":
            for term in terms:
                lines += square_boards(term, fitted[term.name])
            continue
        lines += ["| weight | meaning | by hand | fitted |", "|---|---|---:|---:|"]
        for term in terms:
            for index, hand in enumerate(term.hand):
                shown = [f"{middle} / {ending}" for middle, ending in (hand, fitted[term.name][index])]
                lines += [f"| {label_of(term, index)} | {term.why} | {shown[0]} | {shown[1]} |"]
        lines += [""]
    return "\n".join(lines)


def square_boards(term, pairs):
    """The fitted square values of a kind from White's view, middlegame and endgame side by side."""
    lines = [f"### {term.why.capitalize()}", "", "```text"]
    for rank in range(7, -1, -1):
        row = pairs[8 * rank :][:8]
        lines += ["   ".join("".join(f"{pair[part]:5}" for pair in row) for part in (0, 1))]
    return [*lines, "```", ""]


PAGES = {
    "weights.md": weights_page,
    "search.md": search_page,
    "records.md": records_page,
    "uci.md": uci_page,
    "reasons.md": reasons_page,
    "commands.md": lambda: commands_page(MADE),
    "api.md": lambda: api_page(MADE),
}


def main():
    """Write the pages, or check them."""
    stale = [name for name, page in PAGES.items() if not same(FOLDER / name, page())]
    if "--check" not in sys.argv:
        for name in stale:
            (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
    elif stale:
        sys.exit(f"out of date, run `make docs`: {', '.join(stale)}")


def same(path, text):
    """Does the page have the generated text?"""
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    main()
