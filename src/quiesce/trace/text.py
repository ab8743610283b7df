"""Shell. A tree as indented text, and the words that all renderers count with."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiesce.trace.tree import Drawn


def counted(number: int, noun: str) -> str:
    """A number of things, in words: 1 node, 2 nodes."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def tree_lines(top: "Drawn") -> Iterator[str]:
    """The visible nodes, one per line, indented by ply; hidden ones are counted."""
    yield f"{'  ' * top.tree.ply}{top.tree.label()}"
    for child in top.children:
        yield from tree_lines(child)
    if top.hidden:
        hidden = f"{counted(len(top.hidden), 'more move')}, {counted(top.hidden_size, 'node')}"
        yield f"{'  ' * (top.tree.ply + 1)}... {hidden}"
