"""Shell. REASONS: every way a node of quiescence ends and every ground on which a move is left out, once.

Kernels count by these numbers, traces and reports name them.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Reason:
    """A word for people and counters, what it means, and whether it is about a move left out."""

    word: str
    meaning: str
    is_skip: bool = False


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
    Reason("futility", "the prize could not lift the score to alpha", is_skip=True),
    Reason("exchange_futility", "the exchange could not make up for what was missing", is_skip=True),
    Reason("exchange", "the exchange loses material", is_skip=True),
    Reason("count", "enough moves had been tried", is_skip=True),
    Reason("quiet_evasion", "another evasion was known not to lose", is_skip=True),
    Reason("underpromotion", "promotions to rook and bishop were switched off", is_skip=True),
)
(
    ALL_TRIED,
    STOPPED_HERE,
    DRAWN_HERE,
    REPETITION,
    TABLE_CUT,
    STAND_PAT,
    DELTA_NODE,
    BETA_CUT,
    MATED_HERE,
    STALEMATE,
    LIMIT,
    STACK_END,
    FUTILITY,
    EXCHANGE_FUTILITY,
    EXCHANGE,
    COUNT,
    QUIET_EVASION,
    UNDERPROMOTION,
) = (np.int64(number) for number in range(len(REASONS)))
TRY_IT = -1
"""What a move that is not left out gets instead of a reason."""
