"""Limited strength: nodes for an Elo."""

from quiesce.engine.strength import LEAST_ELO, MOST_ELO, nodes_for


def test_more_elo_is_more_nodes():
    """Strictly, at every step."""
    counts = [nodes_for(elo) for elo in range(LEAST_ELO, MOST_ELO + 1, 25)]
    assert counts == sorted(set(counts))
