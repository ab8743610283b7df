"""What counters say: shares, and red flags where something is wrong."""

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.engine.stats import red_flags, shares, swings


def test_counters_add_up():
    """Every node of quiescence ends for exactly one reason; cuts, probes and hits keep their order."""
    with Engine(8) as engine:
        counters = engine.search(
            Game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), Limits(depth=9)
        ).counters
    ends = "all_tried draw repetition table_cut stand_pat delta_node beta_cut mated stalemate limit stack_end stopped"
    assert sum(counters[f"q_{word}"] for word in ends.split()) == counters["qnodes"]
    assert counters["q_first_cuts"] <= counters["q_beta_cut"]
    assert counters["q_hits"] <= counters["q_probes"] <= counters["qnodes"]
    assert counters["q_calls"] <= counters["qnodes"] <= counters["nodes"]
    assert counters["q_exchange"] > 0
    assert counters["q_futility"] > 0
    assert all(share >= 0 for share in shares(counters).values())
    assert red_flags(counters, 1e6, [10, 20, 15]) == []


def test_red_flags():
    """Explosions, endless calls, limits and oscillation are told."""
    counters = {"nodes": 1_200, "qnodes": 1_100, "q_longest": 900, "q_limit": 3}
    flags = red_flags(counters, 500, [0, 300, 0, 300, 0, 300, 0])
    assert len(flags) == 4
    assert swings([0, 300, 0, 300, 0, 300, 0]) == 5
    assert swings([0, 300, 600, 900]) == 0
