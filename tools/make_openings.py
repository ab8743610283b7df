"""Shell. Make the table of opening names: one row for each position that a named opening passes through.

The facts (ECO code, name, moves) are those of annotator/eco/eco.json in the source package of chess-annotator 1.1.4
(PyPI, GPL-3.0, as this project is). A row holds the Polyglot key of the position, the code and the name; positions on
the way to a named one have no name, and only count as known. Lines that end in mate are no openings.

    python tools/make_openings.py eco.json > src/quiesce/review/data/openings.tsv
"""

import json
import sys
from pathlib import Path

import chess
import chess.polyglot

HEADER = """\
# Positions of named openings: Polyglot key, ECO code, name; a key alone is a position on the way to a named one.
# The facts are those of annotator/eco/eco.json in the source package of chess-annotator 1.1.4 (PyPI, GPL-3.0, the
# licence of this project too); made by tools/make_openings.py.
"""


def main():
    """Print the table, sorted by key."""
    names, known = {}, set()
    entries = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for entry in sorted(entries, key=lambda entry: (len(entry["m"].split()), entry["n"])):
        board, passed = chess.Board(), set()
        for move in entry["m"].split():
            board.push_uci(move)
            passed.add(chess.polyglot.zobrist_hash(board))
        if board.is_checkmate():
            continue
        known |= passed
        names.setdefault(chess.polyglot.zobrist_hash(board), (entry["c"], entry["n"]))
    print(HEADER, end="")
    for key in sorted(known):
        print("\t".join((f"{key:016x}", *names.get(key, ()))))


if __name__ == "__main__":
    main()
