"""Shell. TD(lambda): scores of a game's positions blended with the scores a little later in the same game."""

from typing import Any

import numpy as np
import numpy.typing as npt

from quiesce.eval.samples import FIRST_OF_GAME, INTERIOR, UNKNOWN, Samples, is_black

LAMBDA_FACT, SCALE_FACT = "foresight", "win_scale"
"""What the header of a shuffled file calls the lambda and the sigmoid scale of its scores."""


def td_lambda_scores(samples: Samples, td_lambda: float, sigmoid_scale: float) -> npt.NDArray[Any]:
    """Scores blended with later ones of the same game, as winning chances; points from the mover's side.

    The score n plies later has the weight td_lambda ** n, like a deeper search's. Perturbed positions and interior
    nodes keep their scores: no game was played on from them.
    """
    score = samples["score"].astype(np.float64)
    signs = np.where(is_black(samples), -1.0, 1.0)
    chances = 1 / (1 + np.exp(-signs * score / sigmoid_scale))
    ends_before = samples["flags"] & (FIRST_OF_GAME | INTERIOR) > 0
    last = np.append(ends_before[1:], True) | (samples["result"] == UNKNOWN)
    plies = np.append(np.diff(samples["ply"].astype(np.int64)), 0)
    weight = np.where(last, 0.0, td_lambda ** np.maximum(plies, 1))
    ends = np.flatnonzero(last)
    left = ends[np.searchsorted(ends, np.arange(len(samples)))] - np.arange(len(samples))
    order = np.argsort(left, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(left))[:-1])[1:]:
        chances[rows] += weight[rows] * (chances[rows + 1] - chances[rows])
    return np.rint(signs * sigmoid_scale * np.log(chances / (1 - chances))).astype(np.int16)
