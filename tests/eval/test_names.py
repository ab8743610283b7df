"""What evaluations are called."""

from quiesce.eval.names import CLASSICAL, DEFAULT_EVAL, EVALS, MODES, NETWORK, eval_named


def test_a_mode_chooses():
    """The network that is built in or that of a file; in the other mode the weights, whatever the file."""
    assert eval_named(NETWORK) == NETWORK == DEFAULT_EVAL
    assert eval_named(NETWORK, "hand", "other.qnet") == "other.qnet"
    assert eval_named(CLASSICAL, "hand", "other.qnet") == "hand"
    assert set(MODES) == {NETWORK, CLASSICAL}
    assert NETWORK in EVALS
