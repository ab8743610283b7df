"""Shell. REASONS: every way a node of quiescence ends and every ground on which a move is left out, once.

Kernels count by these numbers, traces and reports name them. A technique that leaves moves out brings its own reason.
"""

import numpy as np

from quiesce.search.params import TECHNIQUES
from quiesce.search.reason import Reason

REASONS = (
    Reason("all_tried", "all moves worth trying were tried"),
    Reason("stopped", "the search was stopped"),
    Reason("draw", "drawn by repetition, move clock or dead material"),
    Reason("repetition", "a move back to an earlier position is worth a draw, and that is enough"),
    Reason("table_cut", "the table knew enough"),
    Reason("stand_pat", "standing pat was enough"),
    Reason("delta_node", "not even winning a queen would have been enough"),
    Reason("beta_cut", "a move was good enough"),
    Reason("mated", "in check without a legal move"),
    Reason("stalemate", "no legal move, not in check"),
    Reason("limit", "the limit of plies or nodes was reached"),
    Reason("stack_end", "the end of the stack was reached"),
    *(reason for technique in TECHNIQUES for reason in technique.skips),
)
REASON_INDEX = {reason.word: np.int64(number) for number, reason in enumerate(REASONS)}
"""What kernels call each reason, by its word."""
TRY_IT = -1
"""What a move that is not left out gets instead of a reason."""
