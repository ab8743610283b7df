"""Each technique's own question, asked directly: yes on one side of its numbers, no on the other, no when off."""

import pytest

from quiesce.board.game import Game
from quiesce.board.types import NO_MOVE, u64
from quiesce.eval.endings import has_non_pawn_material
from quiesce.jit import copy_record
from quiesce.search import pruning
from quiesce.search.scores import NO_SCORE
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER
from tests.search.workers import BIG, KIWIPETE, NEAR_MATE, PLY, frame, move_of, without


def test_is_improving(w):
    """Better than two plies ago; than four where there was check; and where nothing is known."""
    frame(w, 3).static_eval, frame(w, 1).static_eval = 50, 40
    assert pruning.is_improving(w, 3)
    frame(w, 1).static_eval = 60
    assert not pruning.is_improving(w, 3)
    frame(w, 1).static_eval, frame(w, -1).static_eval = NO_SCORE, 20
    assert pruning.is_improving(w, 3)
    frame(w, 3).static_eval = NO_SCORE
    assert not pruning.is_improving(w, 3)


def test_is_opponent_worsening(w):
    """The sum of both sides' evaluations shows it."""
    frame(w, 3).static_eval, frame(w, 2).static_eval = 30, -20
    assert pruning.is_opponent_worsening(w, 3)
    frame(w, 2).static_eval = -40
    assert not pruning.is_opponent_worsening(w, 3)


@pytest.mark.parametrize(("fen", "expected"), [(KIWIPETE, True), ("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", False)])
def test_has_non_pawn_material(fen, expected):
    """Pawns and king alone may be in zugzwang."""
    assert bool(has_non_pawn_material(Game(fen).position)) == expected


def test_iir(w):
    """Only at depth, without a move, on the PV or where a cut is expected."""
    assert pruning.iir(w, 8, NO_MOVE, True, 0) == 1
    assert pruning.iir(w, 8, NO_MOVE, False, 1) == 1
    assert pruning.iir(w, 8, NO_MOVE, False, 0) == 0
    assert pruning.iir(w, 8, u64(77), True, 0) == 0
    assert pruning.iir(w, 2, NO_MOVE, True, 0) == 0
    assert pruning.iir(without(w, Iir=0), 8, NO_MOVE, True, 0) == 0


def test_reverse_futility_prunes(w):
    """Deeper needs more, mate bounds never, off never."""
    assert pruning.reverse_futility_prunes(w, PLY, 2, 400, 0, False)
    assert not pruning.reverse_futility_prunes(w, PLY, 8, 400, 0, False)
    assert not pruning.reverse_futility_prunes(w, PLY, 9, BIG, 0, False)
    assert not pruning.reverse_futility_prunes(w, PLY, 2, BIG, NEAR_MATE, False)
    assert not pruning.reverse_futility_prunes(without(w, ReverseFutility=0), PLY, 2, BIG, 0, False)


def test_tt_pv(w):
    """What was once on a PV is reduced less and not left for its evaluation; without the switch it is as any other."""
    frame(w, PLY).tt_pv = 1
    asked = (PLY, move_of("a2a3"), 10, 20, False, 0, True)
    usual = pruning.late_move_reduction(without(w, TtPv=0), *asked)
    assert pruning.reverse_futility_prunes(w, PLY, 2, 400, 0, False)
    assert pruning.late_move_reduction(without(w, TtPv=1, TtPvPlies=1), *asked) == usual - 1
    assert not pruning.reverse_futility_prunes(w, PLY, 2, 400, 0, False)
    frame(w, PLY).tt_pv = 0
    assert pruning.late_move_reduction(w, *asked) == usual
    assert pruning.reverse_futility_prunes(w, PLY, 2, 400, 0, False)


def test_tt_move_noisy(w):
    """A ply more for quiet moves where the table proposes a capture, not where it proposes a quiet move or none."""
    asked = (PLY, move_of("a2a3"), 10, 20, False, 0, True)
    for move, more in ((move_of("e5g6"), 1), (move_of("a2a4"), 0), (NO_MOVE, 0)):
        frame(w, PLY).tt_move = move
        usual = pruning.late_move_reduction(without(w, TtMoveNoisy=0), *asked)
        assert pruning.late_move_reduction(without(w, TtMoveNoisy=1), *asked) == usual + more


@pytest.mark.parametrize(("value", "plies"), [(100, 1), (51, 1), (50, 0), (9, 0), (8, -1)])
def test_lmr_research_depth(w, value, plies):
    """Deeper far above the best so far, less deep hardly above it, never without the switch."""
    without(w, LmrResearchDepth=1, LmrResearchDeeper=50, LmrResearchShallower=9)
    assert pruning.lmr_research_depth(w, value, 0) == plies
    assert pruning.lmr_research_depth(w, value - 300, -300) == plies
    assert pruning.lmr_research_depth(without(w, LmrResearchDepth=0), value, 0) == 0


def test_razoring_applies(w):
    """Only near the leaves, only far below, never with mate bounds."""
    without(w, Razoring=1)
    assert pruning.razoring_applies(w, 1, -1_000, 0)
    assert not pruning.razoring_applies(w, 1, -100, 0)
    assert not pruning.razoring_applies(w, 6, -1_000, 0)
    assert not pruning.razoring_applies(w, 1, -BIG, -NEAR_MATE)
    assert not pruning.razoring_applies(without(w, Razoring=0), 1, -1_000, 0)


def test_null_move_allowed(w):
    """With pieces, not twice in a row, not below beta, not while verified, not with pawns alone."""
    frame(w, PLY - 1).move = 77
    assert pruning.null_move_allowed(w, PLY, 6, 100, 50)
    assert not pruning.null_move_allowed(w, PLY, 6, 10, 50)
    assert not pruning.null_move_allowed(w, PLY, 1, 100, 50)
    w.null_ply = PLY + 1
    assert not pruning.null_move_allowed(w, PLY, 6, 100, 50)
    w.null_ply = 0
    frame(w, PLY - 1).move = NO_MOVE
    assert not pruning.null_move_allowed(w, PLY, 6, 100, 50)
    frame(w, PLY - 1).move = 77
    copy_record(w.stack[PLY], Game("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1").position)
    assert not pruning.null_move_allowed(w, PLY, 6, 100, 50)
    copy_record(w.stack[PLY], w.stack[0])
    assert not pruning.null_move_allowed(without(w, NullMove=0), PLY, 6, 100, 50)


def test_null_move_depth(w):
    """The deeper and the better, the more is saved; the surplus counts up to its limit."""
    assert pruning.null_move_depth(w, 8, 50, 50) == 8 - 4 - 2
    assert pruning.null_move_depth(w, 8, 50 + 180, 50) == 8 - 4 - 2 - 1
    assert pruning.null_move_depth(w, 8, BIG, 50) == 8 - 4 - 2 - 3


def test_probcut_allowed(w):
    """Only at depth, and not against a table that says otherwise."""
    assert pruning.probcut_allowed(w, 6, 50, NO_SCORE, 0)
    assert pruning.probcut_allowed(w, 6, 50, 300, BOUND_LOWER)
    assert not pruning.probcut_allowed(w, 6, 50, 60, BOUND_UPPER)
    assert not pruning.probcut_allowed(w, 3, 50, NO_SCORE, 0)
    assert not pruning.probcut_allowed(w, 6, NEAR_MATE, NO_SCORE, 0)
    assert not pruning.probcut_allowed(without(w, ProbCut=0), 6, 50, NO_SCORE, 0)


def test_late_move_prunes(w):
    """Later at depth, sooner when not improving, never on the PV nor before a score is in hand."""
    assert pruning.late_move_prunes(w, 2, 7, 0, False, True)
    assert not pruning.late_move_prunes(w, 2, 6, 0, False, True)
    assert pruning.late_move_prunes(w, 2, 3, 0, False, False)
    assert not pruning.late_move_prunes(w, 2, 60, 0, True, False)
    assert not pruning.late_move_prunes(w, 2, 60, -NEAR_MATE, False, False)
    assert not pruning.late_move_prunes(without(w, LateMovePruning=0), 2, 60, 0, False, False)


def test_futility_prunes(w):
    """Far enough below alpha for the depth; never in check."""
    assert pruning.futility_prunes(w, 1, -400, 0)
    assert not pruning.futility_prunes(w, 8, -400, 0)
    assert not pruning.futility_prunes(w, 1, NO_SCORE, 0)
    assert not pruning.futility_prunes(without(w, Futility=0), 1, -400, 0)


def test_history_prunes(w):
    """A bad past counts near the leaves."""
    assert pruning.history_prunes(w, 1, -4_000)
    assert not pruning.history_prunes(w, 2, -4_000)
    assert not pruning.history_prunes(w, 5, -16_000 * 5)
    assert not pruning.history_prunes(without(w, HistoryPruning=0), 1, -4_000)


def test_see_prunes(w, t):
    """A queen for a pawn is too much at little depth, not at great depth."""
    pos = w.stack[0]
    assert pruning.see_prunes(w, t, pos, move_of("f3f6"), True, 1, 1)
    assert not pruning.see_prunes(w, t, pos, move_of("f3f6"), True, 9, 9)
    assert pruning.see_prunes(w, t, pos, move_of("f3e3"), False, 1, 1) == pruning.see_prunes(
        w, t, pos, move_of("f3e3"), False, 2, 1
    )
    assert not pruning.see_prunes(w, t, pos, move_of("f3f6"), True, 10, 1)
    assert not pruning.see_prunes(without(w, SeePruning=0), t, pos, move_of("f3f6"), True, 1, 1)


def test_late_move_reduction(w):
    """Later moves more, the PV and good histories less, checks less, the first never, off never."""
    quiet = move_of("a2a3")
    usual = pruning.late_move_reduction(w, PLY, quiet, 10, 20, False, 0, True)
    assert usual > 0
    assert pruning.late_move_reduction(w, PLY, quiet, 10, 20, True, 0, True) < usual
    assert pruning.late_move_reduction(w, PLY, quiet, 10, 20, False, 1, True) > usual
    assert pruning.late_move_reduction(w, PLY, quiet, 10, 20, False, 0, False) > usual
    assert pruning.late_move_reduction(w, PLY, quiet, 10, 1, False, 0, True) == 0
    frame(w, PLY).history = 16_000
    assert pruning.late_move_reduction(w, PLY, quiet, 10, 20, False, 0, True) < usual
    frame(w, PLY).history = 0
    w.stack[PLY + 1].checkers = 1
    assert pruning.late_move_reduction(w, PLY, quiet, 10, 20, False, 0, True) < usual
    assert pruning.late_move_reduction(without(w, LateMoveReductions=0), PLY, quiet, 10, 20, False, 0, True) == 0


def test_reduction_fractions(w):
    """What the table and the history leave over is added up, with the switch; without it each is rounded."""

    def reduced(history, fine=1):
        frame(w, PLY).history = history
        return pruning.late_move_reduction(
            without(w, ReductionFractions=fine), PLY, move_of("a2a3"), 10, 20, False, 0, True
        )

    steps = [reduced(-history) for history in range(0, 8_000, 100)]
    assert steps == sorted(steps)
    assert steps[-1] == steps[0] + 1
    left_over = 8_000 - 8_000 * int(w.params.reductions[10, 20] % 1_024) // 1_024
    assert steps[0] == reduced(100 - left_over)
    assert steps[-1] == reduced(-left_over - 100)
    assert reduced(-3_900, fine=0) == reduced(0, fine=0)
    assert reduced(-4_100, fine=0) == reduced(0, fine=0) + 1


def test_check_extension(w):
    """Checks that lose nothing, in lines not yet much extended."""
    assert pruning.check_extension(w, PLY) == 0
    w.stack[PLY + 1].checkers = 1
    assert pruning.check_extension(w, PLY) == 1
    frame(w, PLY).bad_next = 1
    assert pruning.check_extension(w, PLY) == 0
    frame(w, PLY).bad_next = 0
    w.root_depth = 1
    assert pruning.check_extension(w, PLY) == 0
    w.root_depth = 10
    assert pruning.check_extension(without(w, CheckExtension=0), PLY) == 0


def test_prune_move_keeps_what_it_must(w, t):
    """Nothing is skipped at the root or before a score that is no mate is in hand."""
    quiet = move_of("a2a3")
    assert pruning.prune_move(w, t, PLY, quiet, 1, 9, BIG, 0)
    assert not pruning.prune_move(w, t, 0, quiet, 1, 9, BIG, 0)
    assert not pruning.prune_move(w, t, PLY, quiet, 1, 9, BIG, -NEAR_MATE)


def test_singular_allowed(w):
    """A deep enough lower bound, no mate, not inside its own test, not at the root."""
    known = u64(77)
    assert pruning.singular_allowed(w, PLY, 8, known, 50, 6, BOUND_LOWER)
    assert pruning.singular_allowed(w, PLY, 8, known, 50, 6, BOUND_EXACT)
    assert not pruning.singular_allowed(w, PLY, 8, known, 50, 6, BOUND_UPPER)
    assert not pruning.singular_allowed(w, PLY, 8, known, 50, 4, BOUND_LOWER)
    assert not pruning.singular_allowed(w, PLY, 5, known, 50, 6, BOUND_LOWER)
    assert not pruning.singular_allowed(w, 0, 8, known, 50, 6, BOUND_LOWER)
    assert not pruning.singular_allowed(w, PLY, 8, known, NEAR_MATE, 6, BOUND_LOWER)
    frame(w, PLY).excluded = known
    assert not pruning.singular_allowed(w, PLY, 8, known, 50, 6, BOUND_LOWER)
    frame(w, PLY).excluded = NO_MOVE
    assert not pruning.singular_allowed(without(w, Singular=0), PLY, 8, known, 50, 6, BOUND_LOWER)


def test_singular_extension(w):
    """Alone by far: two plies, alone: one, not alone but good: one less; each by its switch."""
    assert pruning.singular_beta(w, 8, 50) == 50 - 8
    assert pruning.singular_extension(w, PLY, 30, 34, 50, 60, False, 0) == 1
    assert pruning.singular_extension(w, PLY, 0, 34, 50, 60, False, 0) == 2
    assert pruning.singular_extension(w, PLY, 0, 34, 50, 60, True, 0) == 1
    assert pruning.singular_extension(w, PLY, 40, 34, 70, 60, False, 0) == -1
    assert pruning.singular_extension(w, PLY, 40, 34, 50, 60, False, 0) == 0
    frame(w, PLY).double_extensions = 6
    assert pruning.singular_extension(w, PLY, 0, 34, 50, 60, False, 0) == 1
    frame(w, PLY).double_extensions = 0
    without(w, DoubleExtension=0, NegativeExtension=0)
    assert pruning.singular_extension(w, PLY, 0, 34, 50, 60, False, 0) == 1
    assert pruning.singular_extension(w, PLY, 40, 34, 70, 60, False, 0) == 0


def test_multi_cut_prunes(w):
    """Another move beats beta too."""
    assert pruning.multi_cut_prunes(w, 80, 34, 60)
    assert not pruning.multi_cut_prunes(w, 50, 34, 60)
    assert not pruning.multi_cut_prunes(w, NEAR_MATE, 34, 60)
    assert not pruning.multi_cut_prunes(without(w, MultiCut=0), 80, 34, 60)
