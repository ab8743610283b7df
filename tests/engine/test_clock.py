"""How long to think: never more than there is, more where it matters."""

from hypothesis import given
from hypothesis import strategies as st

from quiesce.engine.clock import LEAST, TREND_LEAST, TREND_MOST, Clock, Pace, budget, fixed_budget

milliseconds = st.integers(-10_000, 10_000_000)


@given(milliseconds, st.integers(-10, 60_000), st.none() | st.integers(-1, 200), st.integers(0, 5_000))
def test_a_budget_never_loses_on_time(left, increment, moves, overhead):
    """Soft is at most hard; both leave the overhead on the clock wherever it has more."""
    found = budget(Clock(left, increment, moves), overhead)
    assert 0 < found.soft <= found.hard
    assert found.hard <= max((left - overhead) / 1000, LEAST)


@given(st.integers(1_000, 600_000), st.integers(0, 5_000))
def test_many_moves_can_be_made(left, increment):
    """Sixty moves at the soft limit and ten at the hard one never use up a clock: it shrinks by shares."""
    for number in range(70):
        found = budget(Clock(left, increment), 10)
        left -= round((found.hard if number % 7 == 0 else found.soft) * 1000)
        assert left > 0
        left += increment


def test_more_time_is_more_thinking():
    """Budgets grow with the clock, with the increment, and near a control."""
    plain = budget(Clock(60_000), 10)
    assert budget(Clock(120_000), 10).soft > plain.soft
    assert budget(Clock(60_000, 1_000), 10).soft > plain.soft
    assert budget(Clock(60_000, 0, 5), 10).soft > budget(Clock(60_000, 0, 40), 10).soft
    last = budget(Clock(1_000, 0, 1), 50)
    assert 0.5 < last.hard < 0.9


def test_fixed_time_respects_the_overhead():
    """Movetime less the overhead, and always something."""
    assert fixed_budget(1_000, 50).hard == 0.95
    assert fixed_budget(10, 50).hard == LEAST


@given(st.integers(1, 6), st.floats(0, 1), st.integers(1, 300))
def test_a_falling_score_costs_time(depth, effort, drop):
    """Best move and effort alike, the search whose score falls thinks longer, the one whose score rises no longer."""
    level, falling, rising = Pace(), Pace(), Pace()
    for pace, step in ((level, 0), (falling, -drop), (rising, drop)):
        for number in range(depth + 1):
            pace.note(1, number * step, effort)
    assert rising.factor <= level.factor < falling.factor
    assert rising.factor > level.factor * (TREND_LEAST - 0.01)
    assert falling.factor < level.factor * (TREND_MOST + 0.01)


def test_pace():
    """A best move that stands saves time, a score that falls and scattered effort cost some."""
    steady, shaky = Pace(), Pace()
    for depth in range(6):
        steady.note(1, 20, 0.9)
        shaky.note(depth, 20 - 40 * depth, 0.2)
    assert steady.factor < 0.7
    assert shaky.factor > 1.5
