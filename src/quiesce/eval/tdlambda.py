"""Shell. Foresight: scores of a game's positions blended with what the players found out a little later."""

from typing import Any

import numpy as np
import numpy.typing as npt

from quiesce.eval.samples import FIRST_OF_GAME, INTERIOR, UNKNOWN, Samples, is_black


def td_lambda_scores(samples: Samples, foresight: float, win_scale: float) -> npt.NDArray[Any]:
    """Scores blended with those of the same game a little later, as chances and as White sees them.

    What the players found out in the next moves a deeper look would have told them. Of a score n plies later
    foresight ** n comes in, of all that is later still likewise. Nobody played on from offshoots and interior nodes:
    theirs stay.
    """
    score = samples["score"].astype(np.float64)
    signs = np.where(is_black(samples), -1.0, 1.0)
    chances = 1 / (1 + np.exp(-signs * score / win_scale))
    ends_before = samples["flags"] & (FIRST_OF_GAME | INTERIOR) > 0
    last = np.append(ends_before[1:], True) | (samples["result"] == UNKNOWN)
    plies = np.append(np.diff(samples["ply"].astype(np.int64)), 0)
    weight = np.where(last, 0.0, foresight ** np.maximum(plies, 1))
    ends = np.flatnonzero(last)
    left = ends[np.searchsorted(ends, np.arange(len(samples)))] - np.arange(len(samples))
    order = np.argsort(left, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(left))[:-1])[1:]:
        chances[rows] += weight[rows] * (chances[rows + 1] - chances[rows])
    return np.rint(signs * win_scale * np.log(chances / (1 - chances))).astype(np.int16)
