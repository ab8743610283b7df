"""SPSA: known answers are found, a state can be written down, the order of results decides nothing."""

import json
import math
import random
from dataclasses import replace
from statistics import fmean

import pytest

from quiesce.lab.elo import score_of
from quiesce.lab.spsa import Parameter, Spsa, SpsaError, usual_reach

ANSWER = {"wide": 6_000.0, "narrow": 4.0, "middle": 140.0}
TOY = (
    Parameter("wide", 3_500, 500, 10_000, usual_reach(500, 10_000)),
    Parameter("narrow", 8, 2, 14, usual_reach(2, 14)),
    Parameter("middle", 80, 20, 200, usual_reach(20, 200)),
    Parameter("idle", 50, 0, 100, usual_reach(0, 100)),
)
REACH = {item.name: item.c for item in TOY}
GAMES = 16


def toy_elo(values):
    """A hill whose top is the answer: so many Elo are lost for each reach away from it, squared."""
    return -3 * sum(((values[name] - best) / REACH[name]) ** 2 for name, best in ANSWER.items())


def toy_pentanomial(plus, minus, seed):
    """Games between two settings of the toy, in pairs, a quarter of them drawn."""
    source, chance = random.Random(seed), score_of(toy_elo(plus) - toy_elo(minus))
    counts = [0] * 5
    for _ in range(GAMES // 2):
        games = [0 if source.random() < 0.25 else 1 if source.random() < chance else -1 for _ in range(2)]
        counts[sum(games) + 2] += 1
    return counts


def toy_result(plus, minus, seed):
    """Wins less losses of those games."""
    return sum((place - 2) * count for place, count in enumerate(toy_pentanomial(plus, minus, seed)))


def climbed(spsa, order=None, state=None):
    """The state after all iterations, with those under way finished in the order a generator decides."""
    state = state or spsa.begin()
    under_way = {}
    while state["applied"] < spsa.iterations:
        busy = {*under_way, *map(int, state["waiting"])}
        for iteration in range(state["applied"], state["applied"] + spsa.in_flight):
            if iteration not in busy and spsa.is_ready(state, iteration):
                under_way[iteration] = spsa.trial(state, iteration)
        chosen = min(under_way) if order is None else order.choice(list(under_way))
        spsa.tell(state, chosen, toy_result(*under_way.pop(chosen), chosen))
    return state


def test_the_top_is_found():
    """Numbers of very different scales come near the answer; one without effect stays within its noise."""
    spsa = Spsa(TOY, 3_000, rate=0.005)
    values = spsa.values(climbed(spsa))
    for name, best in ANSWER.items():
        assert abs(values[name] - best) < REACH[name], name
    assert toy_elo(values) > toy_elo({item.name: item.start for item in TOY}) / 10
    steps = (spsa.gain(TOY[3], k) / spsa.reach(TOY[3], k) for k in range(spsa.iterations))
    noise = math.sqrt(sum(step**2 * GAMES for step in steps))
    assert 0 < abs(values["idle"] - 50) < 3 * noise


def test_the_schedule_ends_at_c_and_rate():
    """The last reach is c and the last step the rate times c squared; both shrink as Spall has it."""
    spsa = Spsa(TOY, 1_000, rate=0.002)
    for item in TOY:
        assert spsa.reach(item, 999) == pytest.approx(item.c)
        assert spsa.gain(item, 999) == pytest.approx(0.002 * item.c**2)
        assert spsa.reach(item, 0) / spsa.reach(item, 99) == pytest.approx(100**0.101)
        assert spsa.gain(item, 0) / spsa.gain(item, 99) == pytest.approx((200 / 101) ** 0.602)


def test_bounds_are_kept():
    """Where the top lies outside, the value goes to the bound; neither it nor any trial goes beyond."""
    near = replace(TOY[0], start=5_000, high=5_500), replace(TOY[2], start=160, low=150)
    spsa = Spsa((near[0], TOY[1], near[1]), 1_500, rate=0.02)
    state, seen = spsa.begin(), []
    for iteration in range(spsa.iterations):
        trial = spsa.trial(state, iteration)
        spsa.tell(state, iteration, toy_result(*trial, iteration))
        seen += [*trial, spsa.values(state)]
    for item in spsa.parameters:
        assert all(item.low <= values[item.name] <= item.high for values in seen), item.name
    assert any(values["wide"] == 5_500 for values in seen)
    assert any(values["middle"] == 150 for values in seen)
    values = spsa.values(state)
    assert 5_500 - values["wide"] < REACH["wide"]
    assert values["middle"] - 150 < REACH["middle"]


def test_rounding_is_right_on_average():
    """Trials are whole numbers, on average the value and its reach; the sides never meet, however small the reach."""
    spsa = Spsa((Parameter("x", 10.3, 0, 100, 0.5),), 1)
    many = replace(spsa, iterations=20_000, in_flight=20_000)
    trials = [many.trial(many.begin(), iteration) for iteration in range(many.iterations)]
    assert all(isinstance(side["x"], int) for trial in trials for side in trial)
    assert {0.5 * (plus["x"] + minus["x"]) for plus, minus in trials} > {10.0, 10.5, 11.0}
    assert fmean(plus["x"] + minus["x"] for plus, minus in trials) / 2 == pytest.approx(10.3, abs=0.02)
    assert all(abs(plus["x"] - minus["x"]) >= 1 for plus, minus in trials)
    assert fmean(plus["x"] > minus["x"] for plus, minus in trials) == pytest.approx(0.5, abs=0.02)
    last = [replace(spsa, seed=seed).trial(spsa.begin(), 0) for seed in range(1_000)]
    assert {abs(plus["x"] - minus["x"]) for plus, minus in last} == {1}


def test_directions_follow_from_seed_and_iteration():
    """Drawn again they are the same; another seed or iteration has others; numbers are drawn apart."""
    spsa = Spsa(TOY, 400)
    assert [spsa.draws(7) for _ in range(2)] == [spsa.draws(7)] * 2
    assert spsa.draws(7) != spsa.draws(8) != replace(spsa, seed=2).draws(8)
    together = [draws["wide"][0] * draws["idle"][0] for draws in map(spsa.draws, range(400))]
    assert abs(sum(together)) < 80


@pytest.mark.parametrize("in_flight", [1, 5])
def test_a_state_can_be_written_down(in_flight):
    """Kept as text, results that came early included, and read again, it ends exactly as it would have."""
    spsa = Spsa(TOY, 60, in_flight=in_flight)
    expected = climbed(spsa)
    state = spsa.begin()
    for iteration in (*range(20), *range(21, 20 + in_flight)):
        spsa.tell(state, iteration, toy_result(*spsa.trial(state, iteration), iteration))
    assert state["applied"] == 20
    assert len(state["waiting"]) == in_flight - 1
    assert climbed(spsa, state=json.loads(json.dumps(state))) == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_results_does_not_matter(seed):
    """Whoever finishes first, the values are exactly the same; how many are under way does matter."""
    spsa = Spsa(TOY, 80, in_flight=6)
    assert climbed(spsa, random.Random(seed)) == climbed(spsa)
    assert climbed(replace(spsa, in_flight=5))["recent"][-1] != climbed(spsa)["recent"][-1]


def test_what_has_no_place_is_refused():
    """Results twice or too early, and parameters that cannot be tuned."""
    spsa = Spsa(TOY, 10, in_flight=2)
    state = spsa.begin()
    spsa.tell(state, 1, 3)
    for iteration in (1, 2):
        with pytest.raises(SpsaError, match="has no place"):
            spsa.tell(state, iteration, 1)
    with pytest.raises(SpsaError, match="cannot be tried"):
        spsa.trial(state, 2)
    with pytest.raises(SpsaError, match="tell two values apart"):
        Parameter("x", 1, 0, 3, 0.4)
    with pytest.raises(SpsaError, match="no room"):
        Parameter("x", 4, 0, 3, 0.5)
