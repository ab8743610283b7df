"""Shell. What evaluations are called: the built-in network, the terms with a set of weights, or a file of either.

Loads nothing: a GUI asks for the options first.
"""

from quiesce.eval.terms import DEFAULT_SET, SETS

NETWORK = "network"
"""The network that is built in."""
NETWORK_SUFFIX = ".qnet"
"""What files of networks end with."""
CLASSICAL = "classical"
MODES = (NETWORK, CLASSICAL)
"""How positions are judged: by a network, or by terms that people can read."""
DEFAULT_EVAL = NETWORK
EVALS = (NETWORK, *SETS)
"""All that go by a name."""


def is_by_network(name: str) -> bool:
    """Does an evaluation of this name, or in this file, judge by a network?"""
    return name == NETWORK or name.endswith(NETWORK_SUFFIX)


def eval_named(mode: str, weights: str = DEFAULT_SET, file: str = "") -> str:
    """The evaluation that a mode, weights of the terms, and a network's file, or none for the built-in one, ask for."""
    return weights if mode == CLASSICAL else file or NETWORK
