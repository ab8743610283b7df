"""Kernels. The one door to the evaluation: tapered material and squares, kept up to date move by move."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import BLACK, NO_PIECE, NO_SQUARE, SQUARES, u64
from quiesce.jit import kernel

FULL_PHASE = 24
"""Phase of all men on the board; promotions may exceed it and count no more."""
TEMPO = 12
"""Centipawns for having the move."""
EVAL_LIMIT = 20_000
"""No evaluation is larger: mates and tablebase wins lie beyond."""


@kernel
def count_man(weights, account, piece, square, sign):
    """Add a man on a square to an account, or with sign -1 take it out."""
    account.middle += sign * weights.middle[piece, square]
    account.ending += sign * weights.ending[piece, square]
    account.phase += sign * weights.phase[piece]


@kernel
def refresh_account(weights, account, pos):
    """Count all men of a position into an account, from scratch."""
    account.middle = 0
    account.ending = 0
    account.phase = 0
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        if piece != NO_PIECE:
            count_man(weights, account, piece, square, 1)


@kernel
def follow_account(weights, account, before, pos):
    """The account after the move that led to `pos`, from the one before it and the men that moved."""
    account.middle = before.middle
    account.ending = before.ending
    account.phase = before.phase
    for slot in range(u64(pos.moved_count)):
        piece, origin, target = u64(pos.moved_piece[slot]), u64(pos.moved_from[slot]), u64(pos.moved_to[slot])
        if origin != NO_SQUARE:
            count_man(weights, account, piece, origin, -1)
        if target != NO_SQUARE:
            count_man(weights, account, piece, target, 1)


@kernel
def static_eval(account, pos):
    """Centipawns from the mover's side, within EVAL_LIMIT.

    The sign is turned before dividing, so that a position and its mirror get the same number.
    """
    phase = min(np.int64(account.phase), FULL_PHASE)
    total = np.int64(account.middle) * phase + np.int64(account.ending) * (FULL_PHASE - phase)
    if u64(pos.turn) == BLACK:
        total = -total
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, total // FULL_PHASE + TEMPO))
