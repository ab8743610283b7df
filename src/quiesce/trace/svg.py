"""Shell. A tree as SVG: plies from left to right, dots coloured by reason, details as tooltips."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiesce.trace.tree import Drawn

COLUMN, ROW, RADIUS, MARGIN = 110, 18, 5, 14
"""Pixels: between plies, between leaves, radius of a dot, margin."""
COLOURS = {
    "stand_pat": "#0072b2",
    "beta_cut": "#009e73",
    "all_tried": "#56b4e9",
    "table_cut": "#cc79a7",
    "mated": "#d55e00",
    "limit": "#000000",
}
"""Okabe and Ito's palette for all kinds of colour vision; skipped moves are hollow."""
OTHER = "#999999"
HALO = 'stroke="#fff" stroke-width="3" paint-order="stroke"'
"""Outline that keeps text readable on lines."""


class Drawing:
    """Lays a tree out, leaves one below the other, and keeps the pieces."""

    def __init__(self) -> None:
        self.lines, self.dots = list[str](), list[str]()
        self.leaves, self.plies, self.drawn = 0, 0, 0

    def place(self, top: "Drawn") -> float:
        """Draw a node and those below it; returns its height."""
        node = top.tree
        heights = [self.place(child) for child in top.children]
        if not heights:
            self.leaves += 1
        y = sum(heights) / len(heights) if heights else MARGIN + (self.leaves - 1) * ROW
        x = MARGIN + node.ply * COLUMN
        for height in heights:
            self.lines.append(f'<path d="M{x} {y:.0f}H{x + COLUMN / 2:.0f}V{height:.0f}H{x + COLUMN}"/>')
        colour = COLOURS.get(node.reason, OTHER)
        fill = "none" if node.is_left_out else colour
        self.plies, self.drawn = max(self.plies, node.ply), self.drawn + 1
        self.dots.append(
            f'<g><title>{escape(node.label())}</title><circle cx="{x}" cy="{y:.0f}" r="{RADIUS}" fill="{fill}" '
            f'stroke="{colour}"/><text x="{x + RADIUS + 3}" y="{y + 4:.0f}" {HALO}>{escape(node.san)}</text></g>'
        )
        return y


def tree_svg(top: "Drawn") -> str:
    """The nodes that are drawn; the last line says how many are hidden."""
    drawing = Drawing()
    drawing.place(top)
    width, height = (drawing.plies + 1) * COLUMN + MARGIN, drawing.leaves * ROW + 2 * MARGIN + ROW
    missing = top.tree.total - drawing.drawn
    note = f"{missing} of {top.tree.total} nodes and moves left out are not drawn" if missing else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
        f'<g fill="#222" stroke="none"><text x="{MARGIN}" y="{height - 6}">{note}</text></g>'
        f'<g fill="none" stroke="#bbb">{"".join(drawing.lines)}</g>'
        f'<g fill="#222">{"".join(drawing.dots)}</g></svg>'
    )
