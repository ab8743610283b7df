"""Make the bundled openings: for each position of a book of positions, a line of moves that leads to it.

Some engines take no positions, only moves, so the book must be lines. They are found by walking a Polyglot book from
the start; among several the likeliest by weight is kept. Positions no line is found for are left out.

Used once: `python tools/make_book.py gnubook_8moves.epd book.bin > src/quiesce/lab/books/gnubook.txt`, the positions
from the shared data, the Polyglot book from Debian's gnuchess-book 1.02 (public domain).
"""

import sys
from pathlib import Path

import chess
import chess.polyglot

HEADER = """\
# Openings, eight moves deep and balanced (Stockfish 15.1 at depth 11: -40 to +80 centipawns), each reached by at least
# six of the 145,000 master games of the GNU Chess book 1.02 (public domain; Debian package gnuchess-book). Moves in
# UCI's form from the start position; made by tools/make_book.py.
"""


def lines_to(targets: set[str], book: Path, plies: int) -> dict[str, tuple[str, ...]]:
    """A line to each position that can be reached, the likeliest by the weights of the book."""
    layer: dict[str, tuple[float, tuple[str, ...]]] = {chess.Board().epd(): (1.0, ())}
    with chess.polyglot.open_reader(book) as reader:
        for _ in range(plies):
            following: dict[str, tuple[float, tuple[str, ...]]] = {}
            for epd, (likelihood, moves) in layer.items():
                board = chess.Board(epd + " 0 1")
                entries = list(reader.find_all(board))
                whole = sum(entry.weight for entry in entries) or 1
                for entry in entries:
                    board.push(entry.move)
                    found = likelihood * entry.weight / whole, (*moves, entry.move.uci())
                    key = board.epd()
                    following[key] = max(following.get(key, found), found)
                    board.pop()
            layer = following
            sys.stderr.write(f"{len(layer)} positions\n")
    return {epd: moves for epd, (_, moves) in layer.items() if epd in targets}


def main() -> None:
    """Write the book to standard output."""
    boards = [chess.Board(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    plies = {board.ply() for board in boards}
    assert len(plies) == 1, "all positions stand after the same number of moves"
    found = lines_to({board.epd() for board in boards}, Path(sys.argv[2]), plies.pop())
    sys.stderr.write(f"{len(found)} of {len(boards)} positions reached\n")
    sys.stdout.write(HEADER + "".join(" ".join(moves) + "\n" for moves in sorted(found.values())))


if __name__ == "__main__":
    main()
