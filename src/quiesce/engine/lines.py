"""Shell. Lines that the search cut short, lengthened by what the transposition table knows."""

from dataclasses import replace
from typing import Any

from quiesce.board.movegen import generate_all
from quiesce.board.tables import tables
from quiesce.board.types import MOVE_LIST
from quiesce.engine.results import Line
from quiesce.engine.table import Table
from quiesce.records import new
from quiesce.search.report import lengthen_line

WITH_PONDER_MOVE = 2
"""Moves of the shortest line that also says which reply is expected."""


def lengthened(line: Line, w: Any, table: Table) -> Line:
    """A line with its ponder move, and to its end if it is a mate, as far as the table knows them.

    `w` is a worker with the position at its root and no search running; its stack is used.
    """
    length = len(line.moves)
    wanted = max(WITH_PONDER_MOVE, line.mate_plies or 0)
    if length >= wanted:
        return line
    found = new(MOVE_LIST)
    found.moves[:length] = line.moves
    reached = int(lengthen_line(w, tables(), table.record, found, length, wanted))
    moves = [int(move) for move in found.moves[:reached]]
    if line.mate_plies and not is_mated(w.stack[reached]):
        moves = moves[: max(length, WITH_PONDER_MOVE)]
    return replace(line, moves=moves)


def is_mated(position: Any) -> bool:
    """Is the side to move mated?"""
    return bool(position.checkers) and int(generate_all(tables(), position, new(MOVE_LIST))) == 0
