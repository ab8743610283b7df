"""The sequential test and the Elo formulae: published values, simulated matches of known strength, and bounds."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.lab.elo import elo_of, moments, score_of, strength
from quiesce.lab.sprt import LOGISTIC, MODELS, NORMALIZED, Sprt, SprtError

GOLDEN = [
    (NORMALIZED, (365, 16618, 36229, 16974, 390), (0, 2), 2.250368),
    (NORMALIZED, (127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.010154),
    (NORMALIZED, (0, 0, 0, 0, 5550), (0, 5), 111.80),
    (NORMALIZED, (39, 8843, 26675, 9240, 44), (0.5, 2.5), 2.941675),
    (LOGISTIC, (223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.074126),
    (LOGISTIC, (871, 26175, 55983, 26678, 821), (0, 2), -4.978673),
    (LOGISTIC, (10789, 19328, 33806, 19402, 10543), (-3, 1), 2.131068),
    (NORMALIZED, (36027, 68692, 36433), (0, 2), 0.923293),
    (LOGISTIC, (21184, 40708, 21404), (0.5, 2.5), -1.571889),
]
EQUAL_PAIRS = np.array([0.03, 0.2, 0.54, 0.2, 0.03])
"""Pairs of two equal engines, as fast games have them."""


def test_each_error_has_its_own_bound():
    """Wald's bounds: alpha, taking elo1 for true wrongly, decides the upper one; beta the lower one."""
    low, high = Sprt(alpha=0.01, beta=0.2).bounds
    assert math.isclose(low, math.log(0.2 / 0.99))
    assert math.isclose(high, math.log(0.8 / 0.01))
    assert -low < high / 2


@pytest.mark.parametrize(("model", "counts", "elos", "expected"), GOLDEN)
def test_llr_of_published_results(model, counts, elos, expected):
    """Values on which two implementations of others agree."""
    digits = 2 if expected > 100 else 6
    assert Sprt(*elos, model=model).llr(counts) == pytest.approx(expected, abs=0.6 * 10**-digits)


def test_strength_of_published_results():
    """Elo, its error, normalized Elo and LOS, of pairs and of games."""
    pairs = strength([34, 54, 63, 64, 75])
    assert (round(pairs.elo, 2), round(pairs.error, 2)) == (55.58, 27.65)
    assert (round(pairs.nelo, 2), round(pairs.nelo_error, 2)) == (57.94, 28.28)
    games = strength([96, 111, 136])
    assert (round(games.elo, 2), round(games.error, 2), round(games.superiority, 4)) == (40.70, 30.43, 0.9960)


def test_results_all_alike_have_no_error_to_tell():
    """A handful of equal results is no proof: the error is not zero but unknown."""
    for counts in ([0, 0, 0, 0, 1], [0, 0, 0, 0, 30], [30, 0, 0, 0, 0], [0, 0, 4, 0, 0]):
        assert strength(counts).error == math.inf
    assert strength([0, 0, 4, 0, 0]).superiority == 0.5
    assert not strength([0, 0, 0, 0, 1]).is_sure
    assert strength([0, 0, 0, 0, 30]).is_sure
    assert strength([30, 0, 0, 0, 0]).superiority < 0.01


def test_lopsided_results_are_sure():
    """However wide an interval is on the scale of Elo, where one side won nearly all it is the stronger."""
    assert strength([0, 0, 0, 1, 29]).is_sure
    assert not strength([10, 20, 40, 22, 12]).is_sure


def test_bounds_at_five_percent():
    """The bounds everybody knows."""
    assert Sprt().bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert Sprt().llr([0] * 5) == 0
    assert Sprt().verdict([0] * 5) == 0


@pytest.mark.parametrize(
    "wrong",
    [{"elo0": 5, "elo1": 5}, {"alpha": 0}, {"beta": 0.5}, {"model": "bayes"}, {"elo1": 1000}, {"elo0": math.nan}],
)
def test_impossible_tests_are_refused(wrong):
    """Each with a reason."""
    with pytest.raises(SprtError):
        Sprt(**({"elo0": 0, "elo1": 5} | wrong))


@given(
    counts=st.one_of(st.lists(st.integers(0, 10_000), min_size=n, max_size=n) for n in (3, 5)),
    model=st.sampled_from(MODELS),
    elo0=st.floats(-100, 99),
    width=st.floats(0.1, 100),
)
def test_llr_is_finite_and_antisymmetric(counts, model, elo0, width):
    """For any counts; seen from the other side, with the strengths turned round, it is the same evidence."""
    elo1 = min(elo0 + width, 100)
    ratio = Sprt(elo0, elo1, model=model).llr(counts)
    assert math.isfinite(ratio)
    mirrored = Sprt(-elo1, -elo0, model=model).llr(counts[::-1])
    assert ratio == pytest.approx(-mirrored, rel=1e-6, abs=1e-6)


def test_elo_and_score_are_inverse():
    """There and back."""
    for elo in (-300, -3.5, 0, 12, 250):
        assert elo_of(score_of(elo)) == pytest.approx(elo)


def pairs_of(elo, model):
    """Chances of the five kinds of pairs of an engine so much stronger."""
    shares = EQUAL_PAIRS.copy()
    for _ in range(60):
        mean, variance = moments(shares)
        unit = math.sqrt(2 * variance) * math.log(10) / 800 if model == NORMALIZED else None
        missing = (0.5 + elo * unit if model == NORMALIZED else score_of(elo)) - mean
        shares *= 1 + missing / variance * (np.linspace(0, 1, 5) - mean)
        shares /= shares.sum()
    return shares


def simulated_verdicts(test, elo, count, seed, step=8):
    """Verdicts of so many tests whose true strength is known, looked at every few pairs."""
    draw, shares = np.random.default_rng(seed), pairs_of(elo, test.model)
    verdicts = []
    for _ in range(count):
        counts, verdict = np.zeros(5, int), 0
        while verdict == 0:
            counts += draw.multinomial(step, shares)
            verdict = test.verdict(counts.tolist())
        verdicts.append(verdict)
    return verdicts


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("elo", "wrong"), [(0, 1), (30, -1)])
def test_error_rates_of_simulated_matches(model, elo, wrong):
    """Over many simulated tests wrong verdicts are no more frequent than alpha and beta allow."""
    test = Sprt(0, 30, 0.1, 0.1, model)
    verdicts = simulated_verdicts(test, elo, 300, seed=elo + len(model))
    errors = verdicts.count(wrong) / len(verdicts)
    assert errors <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / len(verdicts))
    assert errors > 0


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("elo", "wrong"), [(0, 1), (10, -1)])
def test_error_rates_over_thousands(model, elo, wrong):
    """Thousands of tests at 5 %, with strengths as close as real tests have them."""
    test = Sprt(0, 10, model=model)
    verdicts = simulated_verdicts(test, elo, 3000, seed=elo + len(model), step=16)
    errors = verdicts.count(wrong) / len(verdicts)
    print(f"{model}, true Elo {elo}: {errors:.2%} wrong of {len(verdicts)}")
    assert errors <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / len(verdicts))


def test_intervals_cover_the_truth():
    """95 % intervals of Elo and of normalized Elo hold the true value in about 95 % of simulated matches."""
    draw, shares = np.random.default_rng(11), pairs_of(25, LOGISTIC)
    mean, variance = moments(shares)
    true_nelo = (mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10)
    found = [strength(draw.multinomial(300, shares).tolist()) for _ in range(3000)]
    elo_covered = sum(abs(one.elo - 25) <= one.error for one in found) / len(found)
    nelo_covered = sum(abs(one.nelo - true_nelo) <= one.nelo_error for one in found) / len(found)
    assert 0.935 <= elo_covered <= 0.965
    assert 0.93 <= nelo_covered <= 0.97


def test_likelihood_of_superiority_is_calibrated():
    """Among simulated matches of equal engines a LOS over 90 % is seen in about a tenth."""
    draw = random.Random(5)
    rates = []
    for _ in range(2000):
        counts = [0] * 5
        for kind in draw.choices(range(5), EQUAL_PAIRS.tolist(), k=100):
            counts[kind] += 1
        rates.append(strength(counts).superiority > 0.9)
    assert 0.07 <= sum(rates) / len(rates) <= 0.13
