"""Counts for people: division by root move, bounds of depth, q-perft by name."""

import pytest

from quiesce.board.counter import Counter, count_quiescence
from quiesce.board.game import Game

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_divide_adds_up():
    """Counts by root move sum to the whole, and progress ends at the end."""
    told = []
    with Counter() as counter:
        found = counter.divide(Game(KIWIPETE), 3, lambda done, total: told.append((done, total)))
    assert found.nodes == sum(found.divide.values()) == 97_862
    assert len(found.divide) == 48
    assert found.divide["e1g1"] == 2_059
    assert told[0] == (0, 48)
    assert told[-1] == (48, 48)


def test_divide_depth_zero_and_mate():
    """Depth 0 is one leaf; a mated side has none below."""
    with Counter() as counter:
        assert counter.divide(Game(), 0).nodes == 1
        assert counter.divide(Game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 3).nodes == 0


def test_depth_is_bounded():
    """Depths without room are refused before anything runs."""
    with Counter() as counter, pytest.raises(ValueError, match="outside 0 to 31"):
        counter.divide(Game(), 32)


def test_quiescence_is_counted_by_name():
    """At depth 0 the root is the one regular start of all noisy lines; too deep is refused."""
    counts = count_quiescence(Game("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), 0)
    assert counts == {"regular_nodes": 0, "quiescence_nodes": 2, "captures": 1, "promotions": 0, "checks": 0}
    with pytest.raises(ValueError, match="outside 0 to 8"):
        count_quiescence(Game(), 9)
