"""Shell. A score as people read it: pawns, centipawns, or moves to mate; from points of the search."""

from typing import TYPE_CHECKING

from quiesce.engine.wdl import PAWN, centipawns
from quiesce.search.scores import INFINITE, MATE, MATE_IN_STACK

if TYPE_CHECKING:
    import chess.engine


def mate_plies(points: int) -> int | None:
    """Moves of both sides to the mate; None if the score is no mate."""
    return None if abs(points) < MATE_IN_STACK else MATE - abs(points)


def mate_in(points: int) -> int | None:
    """Moves to mate, negative if the side to move is mated; None if the score is no mate."""
    plies = mate_plies(points)
    if plies is None:
        return None
    return (plies + 1) // 2 if points > 0 else -(plies // 2)


def from_root(points: int, ply: int) -> int:
    """A score of the side to move at a ply, from the side to move at the root."""
    return points if ply % 2 == 0 else -points


def pawns(points: int | None, ply: int = 0) -> str:
    """A score of the side to move at a ply, from the root's side: "+0.35", "#3" for a mate, "?" for no score."""
    if points is None:
        return "?"
    value = from_root(points, ply)
    mate = mate_in(value)
    return f"{centipawns(value) / PAWN:+.2f}" if mate is None else f"#{mate}"


def centipawns_or_mate(points: int | None, ply: int) -> int | str | None:
    """The same for programs: centipawns, or "#3" for a mate; None for no score and for an open end of a window."""
    if points is None or abs(points) >= INFINITE:
        return None
    value = from_root(points, ply)
    mate = mate_in(value)
    return centipawns(value) if mate is None else f"#{mate}"


def pov_score(points: int, turn: "chess.Color") -> "chess.engine.PovScore":
    """The same for python-chess, from the side to move."""
    import chess.engine  # noqa: PLC0415  (it loads asyncio: a tenth of a UCI engine's start)

    mate = mate_in(points)
    return chess.engine.PovScore(chess.engine.Cp(centipawns(points)) if mate is None else chess.engine.Mate(mate), turn)
