"""Ratings from games: equal to Elo against one opponent, between opponents, calibrated in simulation."""

import math
import random

import pytest

from quiesce.lab.elo import score_of, strength
from quiesce.lab.rating import Rung, rating_of


def test_one_opponent_is_plain_elo():
    """The same figure and nearly the same error as Elo over that opponent."""
    games = (20, 30, 50)
    found, plain = rating_of([Rung(2500, games)]), strength(games)
    assert found.value == pytest.approx(2500 + plain.elo, abs=0.01)
    assert found.error == pytest.approx(plain.error, rel=0.05)


def test_several_opponents_meet_in_the_middle():
    """Equal against a weak and a strong one; more games count more."""
    assert rating_of([Rung(2000, (25, 50, 25)), Rung(2400, (25, 50, 25))]).value == pytest.approx(2200)
    assert rating_of([Rung(2000, (250, 500, 250)), Rung(2400, (25, 50, 25))]).value < 2100


def test_no_rating_without_both_wins_and_losses():
    """Only wins: higher than can be said. No games: nothing."""
    assert rating_of([Rung(2000, (0, 0, 9))]).value == math.inf
    assert rating_of([Rung(2000, (9, 0, 0))]).value == -math.inf
    assert math.isnan(rating_of([]).value)
    assert rating_of([Rung(2000, (0, 0, 9)), Rung(2600, (5, 2, 2))]).error < 300


def test_rungs_that_are_all_alike_are_no_certainty():
    """Everything won below and lost above leaves a wide interval, not none."""
    assert rating_of([Rung(1800, (0, 0, 60)), Rung(3650, (60, 0, 0))]).error > 100


def test_intervals_cover_the_truth():
    """Simulated ladders of a player of 2300: the interval holds it about 95 times in a hundred."""
    draw, held = random.Random(4), 0
    for _ in range(600):
        rungs = []
        for rating in (1900, 2250, 2600):
            share = score_of(2300 - rating)
            games = [0, 0, 0]
            for _ in range(80):
                chance = draw.random()
                drawn = min(share, 1 - share) * 0.6
                games[2 if chance < share - drawn / 2 else 1 if chance < share + drawn / 2 else 0] += 1
            rungs.append(Rung(rating, tuple(games)))
        found = rating_of(rungs)
        held += abs(found.value - 2300) <= found.error
    assert 0.92 <= held / 600 <= 0.98
