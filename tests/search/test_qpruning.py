"""Each question of quiescence, asked directly: yes on one side of its numbers, no on the other, no when off."""

import pytest

from quiesce.board.types import u64
from quiesce.search import qpruning
from quiesce.search.qpruning import COUNT, EXCHANGE, EXCHANGE_FUTILITY, FUTILITY, QUIET_EVASION, UNDERPROMOTION
from quiesce.search.reasons import TRY_IT
from quiesce.search.scores import MATE
from tests.search.workers import NEAR_MATE, PLY, frame, move_of, without, worker_at

CHECKED = "4k3/8/8/8/8/3n4/8/R3K3 w - - 0 1"
PROMOTING = "4k3/1P6/8/3p4/4P3/8/8/4K2R w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 1"
PAWNS = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
LOCKED = "7k/7p/7P/8/8/8/8/K7 b - - 0 1"
STALEMATED = "7k/5K1p/7P/8/8/8/8/6R1 b - - 0 1"


def test_is_q_limit_reached(w, t):
    """Plies and nodes of one call are limited, but never in check."""
    assert qpruning.is_q_limit_reached(w, PLY, 32)
    assert not qpruning.is_q_limit_reached(w, PLY, 31)
    w.nodes, w.q_start = 300_000, 10
    assert qpruning.is_q_limit_reached(w, PLY, 1)
    assert not qpruning.is_q_limit_reached(without(w, QSearchLimits=0), PLY, 99)
    assert not qpruning.is_q_limit_reached(worker_at(t, CHECKED), PLY, 99)


def test_is_stalemate(t):
    """Seen with king and pawns alone; asked nowhere else."""
    assert qpruning.is_stalemate(worker_at(t, STALEMATED), t, PLY)
    assert not qpruning.is_stalemate(worker_at(t, LOCKED), t, PLY)
    assert not qpruning.is_stalemate(worker_at(t), t, PLY)
    assert not qpruning.is_stalemate(without(worker_at(t, STALEMATED), QSearchStalemate=0), t, PLY)


def test_blended_with_beta():
    """Drawn towards beta by some percent, never below it; mates stay."""
    assert qpruning.blended_with_beta(200, 100, 50) == 150
    assert qpruning.blended_with_beta(200, 100, 0) == 200
    assert qpruning.blended_with_beta(200, 100, 100) == 100
    assert qpruning.blended_with_beta(NEAR_MATE, 100, 50) == NEAR_MATE


def test_phase_margins(w, t):
    """Wider with fewer pieces; off with pawns alone or a pawn about to promote; plain when switched off."""
    assert qpruning.phase_margin(w, PLY, 100) == 100
    w.evaluator.accumulators[PLY].phase = 0
    assert qpruning.phase_margin(w, PLY, 100) == 160
    assert qpruning.phase_margin(without(w, QSearchPhaseMargin=0), PLY, 100) == 100
    assert qpruning.are_margins_off(worker_at(t, PAWNS), worker_at(t, PAWNS).stack[PLY])
    assert qpruning.are_margins_off(worker_at(t, PROMOTING), worker_at(t, PROMOTING).stack[PLY])
    assert not qpruning.are_margins_off(worker_at(t), worker_at(t).stack[PLY])


def test_q_delta_prunes(w, t):
    """A queen and the margin below alpha; not near mates, nor with a pawn about to promote, nor in check."""
    assert qpruning.q_delta_prunes(w, t, PLY, 2_000)
    assert not qpruning.q_delta_prunes(w, t, PLY, 900)
    assert not qpruning.q_delta_prunes(w, t, PLY, NEAR_MATE)
    assert not qpruning.q_delta_prunes(worker_at(t, PROMOTING), t, PLY, 2_000)
    assert not qpruning.q_delta_prunes(worker_at(t, CHECKED), t, PLY, 2_000)
    assert not qpruning.q_delta_prunes(without(w, QSearchDelta=0), t, PLY, 2_000)


@pytest.mark.parametrize(
    ("fen", "text", "alpha", "options", "reason"),
    [
        (None, "d5e6", 600, {}, FUTILITY),
        (None, "d5e6", 0, {}, TRY_IT),
        (None, "d5e6", 600, {"QSearchFutility": 0}, EXCHANGE_FUTILITY),
        (None, "d5e6", 600, {"QSearchFutility": 0, "QSearchExchangeFutility": 0}, TRY_IT),
        (None, "d5e6", NEAR_MATE, {}, TRY_IT),
        (None, "e5g6", -500, {}, EXCHANGE),
        (None, "e5g6", -500, {"QSearchSEE": 0}, TRY_IT),
        (None, "e5g6", -500, {"QSearchSEEFloor": 100}, EXCHANGE),
        (None, "e5g6", -500, {"QSearchSEEFloor": 200}, TRY_IT),
        (EN_PASSANT, "e5d6", 900, {"QSearchExchangeFutility": 0}, TRY_IT),
        (PROMOTING, "b7b8q", 900, {}, TRY_IT),
        (PROMOTING, "b7b8r", 900, {}, TRY_IT),
        (PROMOTING, "b7b8r", 0, {"QSearchUnderpromotions": 0}, UNDERPROMOTION),
        (PROMOTING, "b7b8n", 0, {"QSearchUnderpromotions": 0}, TRY_IT),
        (PAWNS, "e4d5", 900, {}, TRY_IT),
    ],
)
def test_skip_reason(t, fen, text, alpha, options, reason):
    """Each ground for leaving a move out, and each move that margins may not judge."""
    w = worker_at(t, fen) if fen else worker_at(t)
    move = move_of(text, fen) if fen else move_of(text)
    frame(w, PLY - 1).move = 0
    assert qpruning.skip_reason(without(w, **options), t, PLY, move, 0, alpha, -MATE) == reason


def test_move_count(w, t):
    """After some moves the rest is left out, but recaptures."""
    move = move_of("d5e6")
    frame(w, PLY - 1).move = 0
    assert qpruning.skip_reason(w, t, PLY, move, 3, -500, 0) == COUNT
    assert qpruning.skip_reason(w, t, PLY, move, 2, -500, 0) == TRY_IT
    frame(w, PLY - 1).move = int(u64(12) | (u64(44) << u64(6)))
    assert qpruning.skip_reason(w, t, PLY, move, 9, -500, 0) == TRY_IT
    frame(w, PLY - 1).move = 0
    assert qpruning.skip_reason(without(w, QSearchMoveCount=0), t, PLY, move, 9, -500, 0) == TRY_IT


def test_evasions(t):
    """In check only quiet evasions are left out, and only once another is known not to lose."""
    w, quiet = worker_at(t, CHECKED), move_of("e1d2", CHECKED)
    assert qpruning.skip_reason(w, t, PLY, quiet, 1, 0, 50) == QUIET_EVASION
    assert qpruning.skip_reason(w, t, PLY, quiet, 0, 0, -MATE + 3) == TRY_IT
    assert qpruning.skip_reason(without(w, QSearchEvasions=0), t, PLY, quiet, 1, 0, 50) == TRY_IT


def test_best_after_skip(w, t):
    """What futility leaves out might have come so far, but not beyond alpha."""
    move = move_of("d5e6")
    reach = int(qpruning.futility_value(w, t, PLY, move))
    assert qpruning.best_after_skip(w, t, PLY, move, FUTILITY, 1_000, 0) == reach
    assert qpruning.best_after_skip(w, t, PLY, move, FUTILITY, reach - 5, 0) == reach - 5
    assert qpruning.best_after_skip(w, t, PLY, move, EXCHANGE, 1_000, 0) == 0
