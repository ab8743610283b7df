"""Shell. Names of evaluations: the built-in network, the terms with a set of weights, or a file of either.

Loads nothing heavy: a GUI asks for the options first.
"""

from quiesce.eval.terms import DEFAULT_SET, SETS

NETWORK = "network"
"""The network that is built in."""
NETWORK_SUFFIX = ".qnet"
"""What files of networks end with."""
CLASSICAL = "classical"
MODES = (NETWORK, CLASSICAL)
"""How positions are evaluated: by a network, or by terms that people can read."""
DEFAULT_EVAL = NETWORK
EVALS = (NETWORK, *SETS)
"""All evaluations that have a name."""


def uses_network(name: str) -> bool:
    """Is an evaluation, by name or file, a network?"""
    return name == NETWORK or name.endswith(NETWORK_SUFFIX)


def eval_named(mode: str, weights: str = DEFAULT_SET, file: str = "") -> str:
    """Name or file of the evaluation for a mode, the terms' weights, and a network's file ("" for the built-in one)."""
    return weights if mode == CLASSICAL else file or NETWORK
