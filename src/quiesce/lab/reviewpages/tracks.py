"""Shell. What the board of a page can walk through: the game, and both lines of every mark, position by position."""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from quiesce.review.review import Review
from quiesce.review.story import shown
from quiesce.review.verdict import Verdict

GAME, BETTER, PLAYED = "game", "better", "played"
LINE_PLIES = 12
"""Moves of a line that are shown."""
PERCENT = 100


class Frame(NamedTuple):
    """A position: its pieces, what is said of it, the squares of the move that led there, and the mark on that move.

    `arrows` are moves to draw: from, to, and the class that colours them.
    """

    pieces: str
    text: str
    squares: tuple[int, ...] = ()
    mark: str = ""
    arrows: tuple[tuple[int, int, str], ...] = ()


def numbered(verdict: Verdict) -> str:
    """A move with its number and mark."""
    return number_of(verdict.board) + f" {verdict.san}{verdict.mark}"


def number_of(board: chess.Board) -> str:
    """The number of the next move, as PGN has it."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'}"


def track_of(kind: str, verdict: Verdict) -> str:
    """The name of a line's track."""
    return f"{kind}-{verdict.ply}"


def tracks_of(review: Review) -> dict[str, list[Frame]]:
    """All tracks by name: the game, and for each mark the better line and the one that follows the played move."""
    tracks = {GAME: game_frames(review)}
    for verdict in review.marked:
        for kind, moves in ((BETTER, verdict.line), (PLAYED, verdict.answer)):
            tracks[track_of(kind, verdict)] = line_frames(verdict, moves)
    return tracks


def game_frames(review: Review) -> list[Frame]:
    """Each position of the game."""
    if not review.verdicts:
        return [Frame(chess.STARTING_BOARD_FEN, "the start")]
    found = [Frame(review.verdicts[0].board.board_fen(), "the start")]
    for verdict in review.verdicts:
        board, told = verdict.board, [numbered(verdict)]
        if verdict.after is not None:
            told += [shown(verdict.after), chances(verdict)]
        board.push(verdict.move)
        squares = (verdict.move.from_square, verdict.move.to_square)
        found.append(Frame(board.board_fen(), " · ".join(told), squares, verdict.mark))
    return found


def chances(verdict: Verdict) -> str:
    """White's expected points after a move, in percent."""
    return f"White {PERCENT * white_points(verdict):.0f} %"


def white_points(verdict: Verdict) -> float:
    """White's expected points after a move."""
    return verdict.points_after if verdict.board.turn else 1 - verdict.points_after


def line_frames(verdict: Verdict, moves: Sequence[chess.Move]) -> list[Frame]:
    """The position before a marked move, with both moves as arrows, then those of a line from there."""
    board = verdict.board
    arrows = [(verdict.move, PLAYED)] + ([(verdict.best, BETTER)] if verdict.best else [])
    drawn = tuple((move.from_square, move.to_square, kind) for move, kind in arrows)
    found = [Frame(board.board_fen(), f"before {numbered(verdict)}", arrows=drawn)]
    for move in moves[:LINE_PLIES]:
        text = f"{number_of(board)} {board.san(move)}"
        board.push(move)
        found.append(Frame(board.board_fen(), text, (move.from_square, move.to_square)))
    return found
