"""Shell. Accuracy and mean loss of a player, overall and by game phase.

A move that loses L expected points has an accuracy of 100 exp(-5 L) percent: 100 for no loss, 78 for 0.05, 61 for 0.10,
37 for 0.20. A player's accuracy is the mean over judged moves.
"""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from quiesce.review.plan import BOTH
from quiesce.review.verdict import Verdict

STEEPNESS = 5.0
PHASES = ("opening", "middlegame", "endgame")


def accuracy_of(loss: float) -> float:
    """Accuracy of a move, in percent."""
    return 100 * math.exp(-STEEPNESS * loss)


def figures(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """Number of judged moves, accuracy and mean loss (None without moves), and the number of each mark."""
    judged = [verdict for verdict in verdicts if verdict.is_judged]
    losses = [verdict.loss for verdict in judged]
    return {
        "moves": len(judged),
        "accuracy": round(sum(map(accuracy_of, losses)) / len(losses), 1) if losses else None,
        "mean_loss": round(sum(losses) / len(losses), 4) if losses else None,
        "marks": dict(sorted(Counter(verdict.mark for verdict in judged if verdict.mark).items())),
    }


def summary_of(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """Figures of both players, overall and by game phase."""
    found: dict[str, Any] = {}
    known = tuple(verdicts)
    for colour in BOTH:
        own = [verdict for verdict in known if (verdict.fen.split()[1] == "w") is (colour == "white")]
        phases = {phase: figures(verdict for verdict in own if verdict.phase == phase) for phase in PHASES}
        found[colour] = figures(own) | {"phases": phases}
    return found
