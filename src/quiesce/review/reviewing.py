"""Shell. Reviews a whole game with an engine."""

from collections.abc import Callable, Generator
from typing import TypeVar, cast

import chess
import chess.pgn

from quiesce.board.bridge import from_board, to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Engine, Report
from quiesce.review.judge import Ask, Judge, OnSpot
from quiesce.review.openings import Opening, opening_of
from quiesce.review.plan import ReviewPlan
from quiesce.review.review import Review
from quiesce.review.verdict import Verdict, verdict_of

OnProgress = Callable[[int, int], None]
"""Called with the number of positions searched once, and their total."""


Found = TypeVar("Found")


def drive(engine: Engine, asking: Generator[Ask, Report, Found]) -> Found:
    """Run a question on a fresh engine; returns its answer."""
    engine.new_game()
    try:
        ask = next(asking)
        while True:
            ask = asking.send(engine.search(ask.game, ask.limits, ask.heard))
    except StopIteration as ended:
        return cast("Found", ended.value)


def judge_of(game: Game, plan: ReviewPlan) -> tuple[Judge, Opening | None]:
    """The judge of a game, with its book moves, and the opening."""
    start = Game(game.start_fen, game.chess960)
    moves = [to_chess_move(move, game.chess960) for move in game.moves]
    opening, book = opening_of(chess.Board(game.start_fen, chess960=game.chess960), moves)
    return Judge(start, game.moves, plan, book), opening


def verdicts_of(judge: Judge) -> tuple[Verdict, ...]:
    """All verdicts of a finished judge."""
    return tuple(verdict_at(judge, place) for place in range(len(judge.spots)))


def verdict_at(judge: Judge, place: int) -> Verdict:
    """The verdict about one move."""
    spot = judge.spots[place]
    fen, chess960 = spot.game.fen(shredder=spot.game.chess960), spot.game.chess960
    board = chess.Board(fen, chess960=chess960)
    line, answer = (
        [to_chess_move(move, chess960) for move in part] for part in (spot.line, spot.answer or [spot.move])
    )
    return verdict_of(judge, spot, board, (line, answer))


def review_game(
    engine: Engine, game: chess.pgn.Game, plan: ReviewPlan | None = None, on_progress: OnProgress | None = None
) -> Review:
    """Review a game's main line. The same game, plan in nodes and single-threaded engine give the same review.

    Raises ValueError for an unplayable game.
    """
    plan = plan or ReviewPlan()
    played = from_board(game.end().board())
    judge, opening = judge_of(played, plan)
    drive(engine, judge.run(counting(judge, on_progress)))
    return Review(dict(game.headers), verdicts_of(judge), opening, plan, played.chess960)


def counting(judge: Judge, on_progress: OnProgress | None) -> OnSpot | None:
    """A callback that reports progress."""
    if on_progress is None:
        return None
    total, done = len(judge.wanted), 0

    def count(_: object) -> None:
        nonlocal done
        done += 1
        on_progress(done, total)

    return count
