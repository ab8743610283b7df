"""Shell. A tree as nested HTML lists that fold."""

from html import escape
from typing import TYPE_CHECKING

from quiesce.trace.text import counted

if TYPE_CHECKING:
    from quiesce.trace.tree import Drawn

INDENT = "style='margin-left:1.2em'"
OPEN_PLIES = 2
"""Plies unfolded at first."""


def tree_html(top: "Drawn") -> str:
    """The visible nodes; hidden ones are counted."""
    label = escape(top.tree.label())
    if not top.children:
        size = top.tree.size
        more = f" <i>({counted(size - 1, 'node')} below)</i>" if size > 1 else ""
        return f"<div {INDENT}>{label}{more}</div>"
    inner = "".join(map(tree_html, top.children))
    hidden = f"<div {INDENT}><i>... {counted(len(top.hidden), 'more move')}</i></div>" if top.hidden else ""
    is_open = " open" if top.tree.ply < OPEN_PLIES else ""
    return f"<details{is_open} {INDENT}><summary>{label}</summary>{inner}{hidden}</details>"
