"""Exercises: one right answer, checked deeper, in files that others read."""

import io

import chess
import chess.pgn

from quiesce.lab.suites.problems import read_problem
from quiesce.review.exercises import answer_to, candidates, exercise_of
from quiesce.review.plan import ReviewPlan
from quiesce.review.reading import read_source
from quiesce.review.reviewing import review_game

FORK = (
    '[White "A"]\n[Black "B"]\n[FEN "2R5/p5pk/2p1r1q1/4p1pn/1P2Q3/P4P1P/6P1/2R4K b - - 0 30"]\n\n30... Kh6 31. Qxg6+ *'
)
"""Black has one move that wins the queen, and missed it."""


def test_a_missed_fork_is_an_exercise(engine):
    """The answer is the review's, and the only one; EPD and PGN are read back."""
    review = review_game(engine, read_source(FORK), ReviewPlan(nodes=5_000))
    ((ply, question),) = candidates(review)
    assert question["nodes"] == 50_000
    made = exercise_of(review, ply, answer_to(engine, question))
    problem = read_problem(made.epd(), "nameless")
    assert [problem.board.san(move) for move in problem.best] == ["Ng3+"]
    game = chess.pgn.read_game(io.StringIO(made.pgn()))
    assert game.board().fen().startswith("2R5/p5pk/")
    assert next(iter(game.mainline_moves())) == chess.Move.from_uci("h5g3")


def test_a_position_with_two_answers_is_none(engine):
    """Where another move is as good, or the deeper look prefers another, there is no exercise."""
    review = review_game(engine, read_source(FORK), ReviewPlan(nodes=5_000))
    ((ply, question),) = candidates(review)
    answer = answer_to(engine, question)
    assert exercise_of(review, ply, answer | {"margin": 0.01}) is None
    assert exercise_of(review, ply, answer | {"line": ["h7h8"]}) is None
