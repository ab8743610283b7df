"""Draw the trees on the pages, in docs/explanation and docs/tutorials: a quiescence search each, by our own engine.

Each is docs/images/NAME.svg: the board, the tree with scores from the root's side, and what its words mean.
"""

import re
import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import chess
import chess.svg

import quiesce
from quiesce.engine.scoretext import pawns
from quiesce.search.params import all_off
from quiesce.trace.svg import COLOURS, HALO, OTHER, RADIUS

FOLDER = Path(__file__).parent.parent / "docs" / "images"
BOARD, COLUMN, STEP, ROW, MARGIN, CHARACTER = 200, 130, 24, 20, 16, 6.2
"""Pixels of the board, between plies (and in focus), between leaves, around it all, and of a letter."""
PLAIN = {name: bool(value) for name, value in all_off().items()}
CLOSED = "1rb1nrk1/5p1p/pqnbp1p1/1pppN1N1/2PP1P2/PP1BP3/1B4PP/1R1QK2R w K - 0 1"
"""All pieces protect each other, so many captures follow the first."""


@dataclass(frozen=True)
class Picture:
    """A position whose tree shows a technique; with a focus, only lines that reach such a reason are drawn."""

    name: str
    fen: str
    focus: str = ""
    plies: int = 99
    """Deepest ply drawn."""
    options: dict[str, bool | int] = field(default_factory=dict)
    shows: str = ""
    """The reason it is there for; without it in the tree another position is wanted."""


PICTURES = (
    Picture("blunder", "5rk1/r1p2ppp/1pbq1n2/3p4/3P4/p3PNP1/1PQN1P1P/R1R3K1 w - - 0 18", plies=3),
    Picture("stand-pat", "r1bqk2r/pp3ppp/2np1n2/2p1p3/2PP4/2PBP3/P2N1PPP/R1BQK2R w KQkq - 0 9", shows="stand_pat"),
    Picture("delta", "8/pB5p/6pk/5p2/PP3P1P/4r1n1/3R3K/8 b - - 0 1", shows="delta_node"),
    Picture("futility", "3r2rk/p5pp/Bp6/3b1p2/P3p2P/6P1/3q1PK1/2RQR3 w - - 0 1", shows="futility"),
    Picture("exchange-futility", "r5k1/pp3ppp/8/3p4/2qP4/4R2P/2P1QPPK/8 w - - 0 1", shows="exchange_futility"),
    Picture("see", "r1bq1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P3/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 7", shows="exchange"),
    Picture("count", "r2q1rk1/p4p1p/3p1Q2/2n3B1/B2R4/8/PP3PPP/5bK1 w - - 0 1", shows="count"),
    Picture("promotions", "8/2P5/3K4/8/8/8/2p5/3k4 w - - 0 1"),
    Picture("checks", "8/5K1p/1p5k/6p1/3brp2/5R2/8/8 w - - 0 1", shows="mated"),
    Picture("evasions", "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", shows="quiet_evasion"),
    Picture("stalemate", "5n1k/5K1p/7P/8/8/8/8/6R1 w - - 0 1", shows="stalemate"),
    Picture(
        "table",
        "r4rk1/pp4pp/2pbpn1q/3p1p2/2PPn1b1/1P2P3/PBRNBPPP/3QRNK1 b - - 0 1",
        focus="table_cut",
        shows="table_cut",
    ),
    Picture(
        "limit",
        CLOSED,
        focus="limit",
        shows="limit",
        options=PLAIN | {"QSearchLimits": True, "QSearchMaxPly": 16},
    ),
)


def in_focus(picture, root):
    """The nodes to draw: all, or those on the way to the first one that ended for the reason in focus."""
    if not picture.focus:
        return {id(node) for node in root.walk() if node.ply <= picture.plies}
    kept, step = set(), next(node for node in root.walk() if node.reason == picture.focus)
    while step is not None:
        kept.add(id(step))
        step = step.parent
    return kept


def text_of(node, is_leaf):
    """The label of a node: move and score; at the end of a line the reason."""
    if node.is_left_out:
        return f"{node.san} left out: {node.reason}"
    move = node.san or ("White to move" if node.board.turn else "Black to move")
    told = f"{move} {pawns(node._node.score, node.ply)}"
    return f"{told} {node.reason}" if is_leaf else told


class Drawing:
    """Lays a tree out beside the board: leaves one below the other, or, in focus, every node below its parent."""

    def __init__(self, picture, root):
        self.is_focused, self.column = bool(picture.focus), STEP if picture.focus else COLUMN
        self.kept, self.lines, self.dots, self.words = in_focus(picture, root), [], [], {}
        self.rows, self.width = 0, 0.0
        self.place(root)

    def next_row(self):
        """The height of a new row."""
        self.rows += 1
        return MARGIN + (self.rows - 0.5) * ROW

    def place(self, node):
        """Draw a node and its visible children; returns its height."""
        x = BOARD + 3 * MARGIN + node.ply * self.column
        y = self.next_row() if self.is_focused else 0.0
        children = [child for child in node.children if id(child) in self.kept]
        heights = [self.place(child) for child in children]
        if not self.is_focused:
            y = sum(heights) / len(heights) if heights else self.next_row()
        for height in heights:
            bend = x if self.is_focused else x + self.column - MARGIN
            self.lines.append(f'<path d="M{x} {y:.0f}H{bend}V{height:.0f}H{x + self.column}"/>')
        self.mark(node, x, y, len(node.children) - len(children), is_leaf=not heights)
        return y

    def mark(self, node, x, y, hidden, *, is_leaf):
        """A dot with its label: to its right if there is room, else above."""
        colour, told = COLOURS.get(node.reason, OTHER), text_of(node, is_leaf)
        fill = "#fff" if node.is_left_out else colour
        self.words.setdefault(node.reason, (colour, fill, node.meaning))
        is_beside = is_leaf or self.is_focused
        left, base = (x + RADIUS + 4, y + 4) if is_beside else (x - RADIUS, y - 8)
        told += f" ({hidden} more moves)" if hidden and self.is_focused else ""
        self.width = max(self.width, left + len(told) * CHARACTER)
        self.dots.append(
            f"<g><title>{escape(node.label())}</title>"
            f'<circle cx="{x}" cy="{y:.0f}" r="{RADIUS}" fill="{fill}" stroke="{colour}"/>'
            f'<text x="{left}" y="{base:.0f}" {HALO}>{escape(told)}</text></g>'
        )

    def legend(self, top):
        """The legend of reasons, one per line."""
        for number, (word, (colour, fill, meaning)) in enumerate(self.words.items()):
            x, y, told = BOARD + 3 * MARGIN, top + number * ROW, f"{word}: {meaning}"
            self.width = max(self.width, x + 12 + len(told) * CHARACTER)
            yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{colour}"/>'
            yield f'<text x="{x + 12}" y="{y + 4}" fill="#555">{escape(told)}</text>'


def board_of(fen):
    """The board at its place in the picture, rounded so that the file stays small."""
    board = chess.Board(fen)
    drawn = chess.svg.board(board, size=BOARD, coordinates=False, orientation=board.turn)
    return re.sub(r"^<svg ", f'<svg x="{MARGIN}" y="{MARGIN}" ', drawn)


def draw(picture, tree):
    """The whole picture as SVG."""
    drawing = Drawing(picture, tree)
    top = drawing.rows * ROW + 3 * MARGIN
    legend = "".join(drawing.legend(top))
    width = round(drawing.width + MARGIN)
    height = max(BOARD + 2 * MARGIN, top + len(drawing.words) * ROW)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{board_of(picture.fen)}'
        f'<g fill="none" stroke="#bbb">{"".join(drawing.lines)}</g>'
        f'<g fill="#222">{"".join(drawing.dots)}</g><g>{legend}</g></svg>\n'
    )


def main():
    """Draw all."""
    for picture in PICTURES:
        with quiesce.Engine(picture.options) as engine:
            found = engine.qsearch(picture.fen, trace=True)
        if picture.shows and all(node.reason != picture.shows for node in found.tree.walk()):
            sys.exit(f"{picture.name}: nothing in this tree ended by {picture.shows} any more; find another position")
        text = draw(picture, found.tree)
        (FOLDER / f"{picture.name}.svg").write_text(text, encoding="utf-8")
        print(f"{picture.name}: {found.nodes} nodes, {len(text)} bytes. {found.summary}")


if __name__ == "__main__":
    main()
