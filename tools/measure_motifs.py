"""Shell. How well the detectors of motifs agree with the themes of lichess puzzles.

    python tools/measure_motifs.py PUZZLES.epd [--show THEME]

The line of each puzzle is given to the detectors as it stands. Precision and recall are by theme, with Wilson
intervals; themes of lichess are told by a program too, so a difference is not always a mistake.
"""

import argparse
from pathlib import Path

import chess
from referee import wilson

from quiesce.review.motifs.finding import motifs_of
from quiesce.review.motifs.played import line_of

THEMES = {
    "fork": {"fork"},
    "pin": {"pin"},
    "skewer": {"skewer"},
    "discovered attack": {"discoveredAttack", "discoveredCheck"},
    "hanging piece": {"hangingPiece"},
    "removed defender": {"capturingDefender"},
    "overloaded defender": {"deflection"},
    "trapped piece": {"trappedPiece"},
    "back rank": {"backRankMate"},
    "mate": {"mate"},
    "promotion": {"promotion"},
    "zugzwang": {"zugzwang"},
}


def read(path):
    """Board, moves and themes of each puzzle."""
    for text in Path(path).read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(text)
        moves, stage = [], board.copy()
        stage = board.copy()
        moves = [stage.push_san(san) for san in text.split("; pv ")[1].split(";")[0].split()]
        yield operations["id"], board, moves, set(operations["c0"].partition(", ")[2].split())


def main():
    """Print the table, or what differs in one theme."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles")
    parser.add_argument("--show", default="")
    options = parser.parse_args()
    counts = {name: [0, 0, 0] for name in THEMES}
    silent = 0
    for name, board, moves, themes in read(options.puzzles):
        line = line_of(board, moves)
        found = {motif.name: motif for motif in motifs_of(line)}
        silent += not found
        told = set(found) | ({"mate"} if "back rank" in found else set())
        for motif, wanted in THEMES.items():
            is_told, is_wanted = motif in told, bool(wanted & themes)
            counts[motif][0] += is_told and is_wanted
            counts[motif][1] += is_told
            counts[motif][2] += is_wanted
            if motif == options.show and is_told != is_wanted:
                words = found[motif].words if is_told and motif in found else "missed"
                print(name, board.fen(), board.variation_san(moves), "|", words, "|", " ".join(sorted(themes)))
    print(f"{'motif':<20} {'precision':<32} recall")
    for motif, (both, told, wanted) in counts.items():
        print(f"{motif:<20} {wilson(both, told):<32} {wilson(both, wanted)}")
    print(f"nothing told of {silent} puzzles")


if __name__ == "__main__":
    main()
