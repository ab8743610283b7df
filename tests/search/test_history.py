"""What past cutoffs teach: histories of moves, and corrections of the evaluation."""

from quiesce.board.types import NO_MOVE
from quiesce.jit import copy_record
from quiesce.search.history import (
    corrected_eval,
    quiet_score,
    reward_prior_move,
    update_correction_history,
    update_quiet_histories,
    update_tt_cut_history,
    updated_correction,
    with_gravity,
)
from tests.search.workers import PLY, frame, move_of, without

QUIET, OTHER, NOISY = move_of("a2a3"), move_of("a2a4"), move_of("e5g6")


def test_histories_stay_within_bounds():
    """However often a move is rewarded or punished, its history stays within its limit."""
    for bonus in (1_700, -1_700):
        value = 0
        for _ in range(200):
            value = int(with_gravity(value, bonus))
        assert 15_000 < abs(value) <= 16_384


def test_corrections_learn(w):
    """An evaluation that was too low again and again is raised, and not without the switch."""
    assert corrected_eval(w, PLY, 10) == 10
    for _ in range(60):
        update_correction_history(w, PLY, 80, 12)
    assert 30 < corrected_eval(w, PLY, 10) - 10 <= 130
    assert corrected_eval(without(w, CorrectionHistory=0), PLY, 10) == 10
    assert abs(int(updated_correction(0, 10**6, 16))) <= 8_192


def test_a_cut_by_the_table_rewards_its_move(w):
    """Only with the switch, only a quiet move, and only where there is one."""
    update_tt_cut_history(without(w, TtCutHistory=0), PLY, QUIET, 8)
    assert quiet_score(w, PLY, QUIET) == 0
    without(w, TtCutHistory=1)
    for move in (NO_MOVE, NOISY):
        update_tt_cut_history(w, PLY, move, 8)
        assert not w.quiet_history.any()
        assert not w.capture_history.any()
    update_tt_cut_history(w, PLY, QUIET, 8)
    assert quiet_score(w, PLY, QUIET) > 0
    assert quiet_score(w, PLY, OTHER) == 0


def test_a_move_without_an_answer_is_rewarded(w):
    """The quiet move before, in its own ply; no null move or capture, none while a move is left out or at the root."""
    before = frame(w, PLY - 1)
    before.move = QUIET
    reward_prior_move(without(w, PriorMoveBonus=0), PLY, 8)
    without(w, PriorMoveBonus=1)
    reward_prior_move(w, 0, 8)
    frame(w, PLY).excluded = OTHER
    reward_prior_move(w, PLY, 8)
    frame(w, PLY).excluded = NO_MOVE
    for move in (NO_MOVE, NOISY):
        before.move = move
        reward_prior_move(w, PLY, 8)
    assert not w.quiet_history.any()
    before.move = QUIET
    copy_record(w.stack[PLY - 1], w.stack[PLY])
    reward_prior_move(w, PLY, 8)
    assert quiet_score(w, PLY - 1, QUIET) > 0


def test_pawns_tell_histories_apart(w):
    """What a move did with some pawns says nothing where there are others; off, it says nothing at all."""
    without(w, PawnHistory=1, QuietHistory=0, ContinuationHistory=0)
    update_quiet_histories(w, PLY, QUIET, 1_000)
    assert quiet_score(w, PLY, QUIET) == 1_000
    w.stack[PLY].pawn_key ^= 1
    assert quiet_score(w, PLY, QUIET) == 0
    w.stack[PLY].pawn_key ^= 1
    assert quiet_score(without(w, PawnHistory=0, QuietHistory=0, ContinuationHistory=0), PLY, QUIET) == 0
