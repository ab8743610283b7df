"""The table: what is stored comes back, mates count from the node, torn entries are never believed."""

import random
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.board.types import u64
from quiesce.engine.table import Table
from quiesce.jit import kernel, peek, poke, prefetch
from quiesce.search.scores import MATE, NO_SCORE, from_table, is_mate_score, to_table
from quiesce.search.tt import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    NOT_PV,
    bucket_of,
    fetch_bucket,
    fullness,
    probe,
    store,
)

KEYS = st.integers(1, 2**64 - 1)


@pytest.fixture
def table():
    """A small table."""
    return Table(1)


@given(
    key=KEYS,
    move=st.integers(1, 65_535),
    score=st.integers(-20_000, 20_000),
    evaluation=st.integers(-20_000, 20_000),
    depth=st.integers(-1, 200),
    bound=st.sampled_from([BOUND_UPPER, BOUND_LOWER, BOUND_EXACT]),
    is_pv=st.booleans(),
)
def test_what_goes_in_comes_out(key, move, score, evaluation, depth, bound, is_pv):
    """Every field survives."""
    table = Table(1)
    store(table.record, u64(key), 3, u64(move), score, evaluation, depth, bound, is_pv)
    assert tuple(probe(table.record, u64(key), 3)) == (move, score, evaluation, depth, bound, is_pv)


def test_nothing_is_found_where_nothing_was_stored(table):
    """An empty table knows nothing, not even of key 0."""
    for key in (0, 1, 2**63):
        assert probe(table.record, u64(key), 0)[4] == BOUND_NONE
        assert probe(table.record, u64(key), 0)[1] == NO_SCORE


@given(st.integers(0, 100), st.integers(0, 100))
def test_mates_count_from_the_node(found_at, used_at):
    """A mate n plies below a node is n plies below it wherever the node is met again."""
    for sign in (1, -1):
        score = sign * (MATE - found_at - 5)
        again = from_table(to_table(score, found_at), used_at)
        assert again == sign * (MATE - used_at - 5)
        assert is_mate_score(again)


def test_a_move_is_kept(table):
    """A result without a move does not wipe out the move known before."""
    store(table.record, u64(77), 0, u64(1234), 10, 5, 4, BOUND_LOWER, NOT_PV)
    store(table.record, u64(77), 0, u64(0), -10, 5, 6, BOUND_UPPER, NOT_PV)
    move, score, _, depth, bound, _ = probe(table.record, u64(77), 0)
    assert (move, score, depth, bound) == (1234, -10, 6, BOUND_UPPER)


def test_deep_results_outlive_shallow_ones(table):
    """A bucket keeps its deepest entries of this search and gives up old ones first."""
    base = 5 << 40
    keys = [u64(base + number) for number in range(5)]
    assert len({int(bucket_of(table.record, key)) for key in keys}) == 1
    for key, depth in zip(keys[:4], (3, 9, 5, 7), strict=True):
        store(table.record, key, 0, u64(1), 0, 0, depth, BOUND_EXACT, NOT_PV)
    store(table.record, keys[4], 0, u64(1), 0, 0, 4, BOUND_EXACT, NOT_PV)
    kept = [probe(table.record, key, 0)[4] != BOUND_NONE for key in keys]
    assert kept == [False, True, True, True, True]
    table.age()
    for _ in range(3):
        table.age()
    store(table.record, keys[0], 0, u64(1), 0, 0, 1, BOUND_EXACT, NOT_PV)
    assert probe(table.record, keys[0], 0)[4] == BOUND_EXACT


def test_much_shallower_bounds_do_not_replace(table):
    """A depth-0 bound of quiescence leaves a deep result of the same position alone; an exact one does not."""
    store(table.record, u64(9), 0, u64(1), 50, 0, 12, BOUND_LOWER, NOT_PV)
    store(table.record, u64(9), 0, u64(2), 60, 0, 0, BOUND_UPPER, NOT_PV)
    assert probe(table.record, u64(9), 0)[3] == 12
    store(table.record, u64(9), 0, u64(2), 60, 0, 1, BOUND_EXACT, NOT_PV)
    assert probe(table.record, u64(9), 0)[3] == 1


def test_fullness_counts_this_search(table):
    """Permille of entries of this search."""
    assert fullness(table.record) == 0
    choice = random.Random(1)
    for _ in range(40_000):
        store(table.record, u64(choice.getrandbits(64)), 0, u64(1), 0, 0, 5, BOUND_EXACT, NOT_PV)
    assert 350 < fullness(table.record) < 600
    table.age()
    assert fullness(table.record) == 0
    table.clear()
    assert fullness(table.record) == 0


@kernel
def hammer(tt, key_base, count, salt):
    """Store and probe a few keys of one bucket over and over; returns how often something foreign came back."""
    wrong = 0
    for number in range(count):
        key = u64(key_base + (number * 7 + salt) % 6)
        value = np.int64(key & u64(0xFF))
        store(tt, key, 0, u64(value + 1), value, value, value % 60, 3, NOT_PV)
        move, score, evaluation, _depth, bound, _is_pv = probe(tt, u64(key_base + (number * 5 + salt) % 6), 0)
        expected = np.int64((u64(key_base + (number * 5 + salt) % 6)) & u64(0xFF))
        if bound != 0 and (move != u64(expected + 1) or score != expected or evaluation != expected):
            wrong += 1
    return wrong


def test_torn_entries_are_never_believed(table):
    """Threads that hammer one bucket never read a mixture of two entries."""
    hammer(table.record, 3 << 40, 1, 0)
    wrong = []
    threads = [
        threading.Thread(target=lambda salt=salt: wrong.append(hammer(table.record, 3 << 40, 1_500_000, salt)))
        for salt in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [0, 0, 0, 0]


def test_half_an_entry_is_nothing(table):
    """An entry of which only one word was replaced does not count."""
    store(table.record, u64(5 << 40), 0, u64(7), 1, 1, 9, BOUND_EXACT, NOT_PV)
    bucket = bucket_of(table.record, u64(5 << 40))
    poke(bucket, u64(int(peek(bucket)) ^ (1 << 20)))
    assert probe(table.record, u64(5 << 40), 0)[4] == BOUND_NONE


def test_fetching_changes_nothing(table):
    """Prefetching is only a hint."""
    fetch_bucket(table.record, u64(12345))
    prefetch(u64(0))
    assert fullness(table.record) == 0


@pytest.mark.parametrize("megabytes", [1, 3, 16, 100])
def test_any_size_is_used_whole(megabytes):
    """Buckets of random keys lie inside the memory and reach both its ends."""
    table = Table(megabytes)
    choice = random.Random(megabytes)
    first, size = int(table.record.address), int(table.record.buckets) * 64
    places = [int(bucket_of(table.record, u64(choice.getrandbits(64)))) - first for _ in range(2_000)]
    assert min(places) >= 0
    assert max(places) <= size - 64
    assert min(places) < size // 100
    assert max(places) > size - size // 100
    assert first % 64 == 0
