"""The judge: marks, what is never marked, certainty, budget, and the same answer twice."""

import io
import json

import chess
import chess.pgn
import pytest

from quiesce.board.bridge import from_board
from quiesce.board.game import Game
from quiesce.engine import Report
from quiesce.engine.results import Line
from quiesce.review.judge import Judge, Look
from quiesce.review.plan import PlanError, ReviewPlan
from quiesce.review.reviewing import judge_of, review_game

from .conftest import FOOLS_MATE, KASPAROV_TOPALOV


def game_of(text):
    """A game of PGN text."""
    return chess.pgn.read_game(io.StringIO(text))


@pytest.fixture(scope="module")
def immortal(engine):
    """A sharp game, reviewed."""
    return review_game(engine, game_of(KASPAROV_TOPALOV), ReviewPlan(nodes=20_000))


def test_a_blunder_is_marked(engine):
    """The move that allows mate is ??, surely, and the better move is named."""
    found = review_game(engine, game_of(FOOLS_MATE), ReviewPlan(nodes=5_000))
    (verdict,) = found.marked
    assert (verdict.san, verdict.mark, verdict.is_sure) == ("g4", "??", True)
    assert verdict.best != verdict.move
    assert verdict.after.relative.mate() == -1
    assert "?? holds at" in verdict.certainty


def test_the_best_move_is_never_marked(immortal):
    """No mark stands on a move that the same review calls the best."""
    assert immortal.marked
    for verdict in immortal.marked:
        assert verdict.move != verdict.best
        assert verdict.loss >= 0.05


def test_twice_the_same(engine, immortal):
    """The same game and nodes give the same review, byte for byte, whatever the engine did between."""
    review_game(engine, game_of(FOOLS_MATE), ReviewPlan(nodes=3_000))
    again = review_game(engine, game_of(KASPAROV_TOPALOV), ReviewPlan(nodes=20_000))
    assert json.dumps(again.facts()) == json.dumps(immortal.facts())


def test_book_and_forced_moves_are_not_judged(immortal):
    """Moves that openings know, and moves without a choice, have no mark and do not count."""
    asides = {verdict.aside for verdict in immortal.verdicts}
    assert "book" in asides
    for verdict in immortal.verdicts:
        if verdict.aside:
            assert verdict.mark == ""
        if verdict.aside == "forced":
            assert verdict.board.legal_moves.count() == 1
    assert immortal.opening.eco.startswith("B0")
    counted = sum(immortal.facts()["players"][colour]["moves"] for colour in ("white", "black"))
    assert counted == sum(verdict.is_judged for verdict in immortal.verdicts)


def test_a_review_keeps_its_budget():
    """All searches together cost what the plan allows, but for the last look and the lengthening of lines."""
    spent = []
    judge, _ = judge_of(from_board(game_of(KASPAROV_TOPALOV).end().board()), ReviewPlan(nodes=1_000))

    def answers(asking):
        ask = next(asking)
        while True:
            spent.append(ask.limits.nodes)
            moves = ask.limits.moves or ask.game.legal_moves()
            score = len(spent) * 7919 % 200 - 100
            report = Report(1, [Line(score, [moves[0]], 1, 1)], 0.0, 0, {"nodes": 0})
            try:
                ask = asking.send(report)
            except StopIteration:
                return

    answers(judge.run())
    assert sum(spent) <= 1.5 * 1_000 * len(judge.spots)
    assert sum(spent) >= 0.4 * 1_000 * len(judge.spots)


def test_only_one_side_from_a_move_on():
    """Moves that were not asked for are not judged, those before the first not searched."""
    game = from_board(game_of(KASPAROV_TOPALOV).end().board())
    judge = Judge(Game(), game.moves, ReviewPlan(colours=("black",), from_move=20))
    judged = [spot for spot in judge.spots if not spot.aside]
    assert {int(spot.game.position.turn) for spot in judged} == {1}
    assert min(spot.ply for spot in judged) >= 38
    assert len(judge.wanted) == 87 - 38


def test_certainty_needs_agreement():
    """A mark needs two searches, and is certain where they agree and its threshold is far below."""
    judge = Judge(Game(), Game().legal_moves()[:1], ReviewPlan())
    spot = judge.spots[0]
    spot.best, spot.move = 1, 2
    spot.looks = [Look(0.5, 0.30)]
    assert (judge.mark_of(spot), judge.is_sure(spot)) == ("", False)
    spot.looks.append(Look(1.0, 0.31))
    assert (judge.mark_of(spot), judge.is_sure(spot)) == ("??", False)
    spot.looks.append(Look(2.0, 0.31))
    assert (judge.mark_of(spot), judge.is_sure(spot)) == ("??", True)
    spot.looks.append(Look(5.0, 0.12))
    assert (judge.mark_of(spot), judge.is_sure(spot), judge.held(spot)) == ("?", False, 10.0)
    spot.looks.append(Look(10.0, 0.25))
    assert (judge.mark_of(spot), judge.is_sure(spot), judge.held(spot)) == ("?", False, 20.0)
    spot.looks.append(Look(20.0, 0.26))
    assert (judge.mark_of(spot), judge.is_sure(spot), judge.held(spot)) == ("??", True, 2.0)
    spot.best = spot.move
    assert judge.mark_of(spot) == ""


def test_only_moves_are_told(engine):
    """The one move that holds is marked; a capture or a mate in one is no feat."""
    fork = '[FEN "r3k3/5ppp/8/1N6/8/8/5PPP/6K1 w - - 0 1"]\n\n1. Nc7+ Kd7 2. Nxa8 *'
    found = review_game(engine, game_of(fork), ReviewPlan(nodes=5_000)).verdicts
    assert [(found[place].is_only, found[place].mark) for place in (0, 2)] == [(True, "!"), (False, "")]
    mate = '[FEN "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1"]\n\n1. Rd8# 1-0'
    assert review_game(engine, game_of(mate), ReviewPlan(nodes=5_000)).verdicts[0].mark == ""


@pytest.mark.parametrize("wrong", [{"inaccuracy": 0}, {"mistake": 0.3}, {"nodes": 1}, {"colours": ("red",)}])
def test_plans_that_make_no_sense_are_refused(wrong):
    """Each with a sentence."""
    with pytest.raises(PlanError):
        ReviewPlan(**wrong)
