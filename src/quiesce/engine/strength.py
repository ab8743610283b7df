"""Shell. Limited strength: an Elo number becomes a node limit.

A search of few nodes sees less and plays otherwise alike. The scale is close to Stockfish's UCI_Elo at 3+0.03
(docs/explanation/uci.md).
"""

LEAST_ELO, MOST_ELO = 1_000, 2_600
LEAST_NODES = 100
"""Nodes a move at the least Elo."""
ELO_A_DOUBLING = 110
"""Elo that twice the nodes are worth on this scale."""


def nodes_for(elo: int) -> int:
    """Nodes a move for this Elo: more for each higher one."""
    return round(LEAST_NODES * 2 ** ((elo - LEAST_ELO) / ELO_A_DOUBLING))
