"""Shell. Statistics of a search's counters, and warnings."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

MOST_QUIET_SHARE = 10
"""Nodes of quiescence to one of the main search from which something is wrong."""
LEAST_NODES = 1_000
"""Nodes of a search below which its shares say nothing."""
LONGEST_CALL = 1.0
"""Seconds of one call of quiescence from which something is wrong."""
SWING, SWINGS = 150, 4
"""Centipawns the score jumps, and jumps to and fro in a row, from which it oscillates."""


def part(counters: Mapping[str, int], name: str, whole: str) -> float:
    """One counter as a share of another."""
    return counters[name] / max(counters[whole], 1)


def shares(counters: Mapping[str, int]) -> dict[str, float]:
    """The shares by which searches are compared."""
    cuts = counters["q_beta_cut"]
    return {
        "quiescence of nodes": part(counters, "qnodes", "nodes"),
        "first move of beta cuts": part(counters, "first_cutoffs", "cutoffs"),
        "stand pat of q-nodes": part(counters, "q_stand_pat", "qnodes"),
        "beta cuts of q-nodes": part(counters, "q_beta_cut", "qnodes"),
        "first move of q-cuts": counters["q_first_cuts"] / max(cuts, 1),
        "evasions of q-nodes": part(counters, "evasion_nodes", "qnodes"),
        "table hits of q-probes": part(counters, "q_hits", "q_probes"),
        "table cuts of q-nodes": part(counters, "q_table_cut", "qnodes"),
        "q-nodes a call": part(counters, "qnodes", "q_calls"),
    }


def swings(scores: Sequence[int]) -> int:
    """The longest run of large jumps to and fro between iterations."""
    jumps = [after - before for before, after in pairwise(scores)]
    longest = run = 0
    for before, after in pairwise(jumps):
        run = run + 1 if min(abs(before), abs(after)) >= SWING and (before > 0) != (after > 0) else 0
        longest = max(longest, run)
    return longest


def red_flags(counters: Mapping[str, int], speed: float, scores: Sequence[int] = ()) -> list[str]:
    """Warnings in sentences; scores are those of the iterations."""
    flags = []
    main = counters["nodes"] - counters["qnodes"]
    if counters["nodes"] >= LEAST_NODES and counters["qnodes"] > MOST_QUIET_SHARE * max(main, 1):
        flags.append(f"quiescence took {counters['qnodes']} nodes, the main search {main}")
    if counters["q_longest"] > LONGEST_CALL * max(speed, 1):
        flags.append(f"one call of quiescence took {counters['q_longest']} nodes")
    if counters["q_limit"]:
        flags.append(f"quiescence reached its limit {counters['q_limit']} times")
    if swings(scores) >= SWINGS:
        flags.append("the score jumps to and fro between iterations")
    return flags
