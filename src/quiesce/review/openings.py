"""Shell. Names of openings, by position, so that transpositions count."""

from functools import cache
from importlib import resources
from typing import NamedTuple

import chess
import chess.polyglot


class Opening(NamedTuple):
    """A named opening, and the ply at which the game left its last named position."""

    eco: str
    name: str
    ply: int


@cache
def table() -> dict[int, tuple[str, str]]:
    """Code and name by key; empty for positions on the way to a named one."""
    text = resources.files("quiesce.review").joinpath("data", "openings.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {int(key, 16): (facts[0], facts[1]) if facts else ("", "") for key, *facts in rows}


def opening_of(board: chess.Board, moves: list[chess.Move]) -> tuple[Opening | None, int]:
    """The last named opening of the moves, and the number of book moves."""
    found, book, stage, known = None, 0, board.copy(stack=False), table()
    for ply, move in enumerate(moves, 1):
        stage.push(move)
        entry = known.get(chess.polyglot.zobrist_hash(stage))
        if entry is None:
            break
        book = ply
        if entry[1]:
            found = Opening(*entry, ply)
    return found, book
