"""Shell. HTML and SVG for notebooks, readable on light and dark backgrounds."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import chess
import chess.engine
import chess.svg

BOARD_PIXELS = 240
BAR_PIXELS = 10


def board_figure(board: chess.Board, moves: Sequence[chess.Move], beside: str) -> str:
    """A board with arrows, and text beside it."""
    arrows = [chess.svg.Arrow(move.from_square, move.to_square) for move in moves]
    check = board.king(board.turn) if board.is_check() else None
    drawn = chess.svg.board(board, size=BOARD_PIXELS, arrows=arrows, orientation=board.turn, check=check)
    return f'<div style="display:flex;gap:1em;align-items:flex-start"><div>{drawn}</div><div>{beside}</div></div>'


def shown(value: Any) -> str:
    """A value as text; scores in pawns for White."""
    if isinstance(value, chess.engine.PovScore):
        mate, points = value.white().mate(), value.white().score()
        return f"#{mate}" if mate is not None else f"{(points or 0) / 100:+.2f}"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table_of(facts: Mapping[str, Any]) -> str:
    """A table of names and values."""
    rows = (
        f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(shown(v))}</td></tr>"
        for name, v in facts.items()
    )
    return f"<table>{''.join(rows)}</table>"


def chances_bar(chances: chess.engine.Wdl) -> str:
    """White's chances of win, draw and loss as a bar, with a text alternative."""
    words = f"White wins {chances.wins / 10:.0f} %, draws {chances.draws / 10:.0f} %, loses {chances.losses / 10:.0f} %"
    parts = zip((chances.wins, chances.draws, chances.losses), ("#f0f0f0", "#9a9a9a", "#404040"), strict=True)
    cells = "".join(f'<span style="flex:{share};background:{colour}"></span>' for share, colour in parts)
    style = f"display:flex;height:{BAR_PIXELS}px;border:1px solid #808080;margin-bottom:.5em"
    return f'<div title="{words}" role="img" aria-label="{words}" style="{style}">{cells}</div>'
