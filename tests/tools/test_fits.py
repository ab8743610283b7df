"""Tools that fit: what they find is what their data was made of."""

import chess.pgn
import numpy as np
import pytest

from quiesce.engine.wdl import HALF_WIN
from quiesce.search.params import OptionError
from tools import factorial, fit_wdl


def test_a_factorial_tells_its_questions_apart():
    """Pairs made by known worths, all settings drawn at once: each is found within its own error, nearly."""
    draw, worths = np.random.default_rng(1), np.array([40.0, -20.0, 0.0])
    rows = []
    for _ in range(20_000):
        had = draw.integers(0, 2, 3) - draw.integers(0, 2, 3)
        chance = 0.5 + had @ worths / factorial.ELO_A_POINT
        rows.append((had.tolist(), draw.binomial(4, chance) / 4 - 0.5))
    found = factorial.answers(["a", "b", "c"], rows)
    assert [name for name, _, _ in found] == ["a", "b", "c"]
    for (_, elo, error), worth in zip(found, worths, strict=True):
        assert abs(elo - worth) < 1.5 * error
        assert 1 < error < 5


def test_a_factorial_plays_and_counts_who_had_what():
    """A few pairs at few nodes: each row says which side had what, nothing else, and a score between the ends."""
    questions = factorial.settings_of(["NullMove=0", "ReductionCut=2"])
    play = factorial.Factorial(questions, [], 50, factorial.book_openings(1), seed=3)
    play.work(6, float("inf"))
    assert len(play.rows) == 6
    assert {value for had, _ in play.rows for value in had} <= {-1, 0, 1}
    assert any(any(had) for had, _ in play.rows)
    assert all(-0.5 <= points <= 0.5 for _, points in play.rows)


def test_a_factorial_asks_only_what_there_is():
    """A wrong name or value is refused before any game."""
    with pytest.raises(OptionError, match="no search option"):
        factorial.settings_of(["NoSuchThing=1"])
    with pytest.raises(OptionError, match="outside"):
        factorial.settings_of(["NullMove=7"])


def test_a_known_curve_is_found_again():
    """Results drawn by two logistic curves give those curves back."""
    draw = np.random.default_rng(2)
    points, men = draw.uniform(-500, 500, 40_000), draw.integers(3, 33, 40_000)
    half = 400 * np.exp(-men / 18)
    won, lost = (1 / (1 + np.exp((half - side) / 50)) for side in (points, -points))
    lot = draw.random(len(points))
    results = np.where(lot < won, 1, np.where(lot > 1 - lost, -1, 0))
    curve = fit_wdl.fitted(np.column_stack([points, results, men]))
    assert curve == pytest.approx((400, 18, 50), rel=0.05)


def test_scores_of_a_game_are_its_movers():
    """Scores are the mover's, in points, with the men on the board; mates and early moves are passed over."""
    game = chess.pgn.Game({"Result": "1-0", "FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 30", "SetUp": "1"})
    node = game
    for move, comment in (("e2e4", "+1.00/10 0.066s n=29066"), ("e8e7", "-0.50/9 0.1s n=5"), ("e4e5", "#5/9 0.1s n=5")):
        node = node.add_variation(chess.Move.from_uci(move), comment=comment)
    assert fit_wdl.scores_of(game).tolist() == [[HALF_WIN, 1, 3], [-HALF_WIN / 2, -1, 3]]
    early = chess.pgn.Game({"Result": "1-0"})
    early.add_variation(chess.Move.from_uci("e2e4"), comment="+1.00/10 0.066s n=29066")
    assert len(fit_wdl.scores_of(early)) == 0
