"""The picker hands out each legal move exactly once, in the order its stages promise."""

import random

import chess
import numpy as np
import pytest

from quiesce.board.game import Game
from quiesce.board.legality import is_legal
from quiesce.board.see import see_reaches
from quiesce.board.types import NO_MOVE, is_noisy, u64
from quiesce.engine.limits import NO_LIMIT
from quiesce.search.deepen import prepare_search
from quiesce.search.picker import ALL_MOVES, NOISY_ONLY, SKIP_QUIET, TRY_QUIET, next_move, start_picker
from quiesce.search.settings import params
from quiesce.search.worker import FRAMES_BEFORE, new_worker, set_root
from tests.oracles import randomplay

POSITIONS = 400


@pytest.fixture(scope="module")
def w():
    """A worker."""
    return new_worker()


def picked(w, t, tt_move, noisy_only=ALL_MOVES, skip_quiet=TRY_QUIET):
    """All moves the picker hands out at the root."""
    start_picker(w, 0, u64(tt_move), noisy_only)
    moves = []
    while True:
        move = int(next_move(w, t, 0, skip_quiet))
        if move == NO_MOVE:
            return moves
        moves.append(move)
        assert len(moves) <= 256


def prepare(w, t, game, choice):
    """Put a position at the root, with killers, counter move and histories that may be anything."""
    set_root(w, game)
    prepare_search(w, t, NO_LIMIT, 1)
    legal = game.legal_moves()
    frame = w.frames[FRAMES_BEFORE]
    pool = [*legal, *(choice.randrange(1 << 16) for _ in range(6)), 0]
    frame.killers[0] = choice.choice(pool)
    frame.killers[1] = choice.choice([move for move in pool if move != frame.killers[0]] or [0])
    w.counters[:] = choice.choice(pool)
    w.quiet_history[:] = np.random.default_rng(choice.randrange(99)).integers(-9_000, 9_000, w.quiet_history.shape)
    return legal


def test_each_move_exactly_once(w, t):
    """Picker perft: on random positions all legal moves come, none twice, whatever is remembered."""
    seen = 0
    for board, choice in randomplay.games(seed=3):
        for _ in range(40):
            game = Game(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)
            legal = prepare(w, t, game, choice)
            tt_move = choice.choice([0, *legal])
            moves = picked(w, t, tt_move)
            assert sorted(moves) == sorted(legal), board.fen()
            if tt_move:
                assert moves[0] == tt_move
            seen += 1
            if not legal or seen == POSITIONS:
                break
            board.push(randomplay.lively(board, choice))
        if seen == POSITIONS:
            return


def test_noisy_only_and_skipping(w, t):
    """Without quiet moves exactly the noisy ones come; in check all evasions do."""
    for fen in (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1",
    ):
        game = Game(fen)
        legal = prepare(w, t, game, random.Random(1))
        noisy = sorted(move for move in legal if is_noisy(u64(move)))
        expected = sorted(legal) if game.is_check else noisy
        assert sorted(picked(w, t, 0, noisy_only=NOISY_ONLY)) == expected
        assert sorted(picked(w, t, 0, skip_quiet=SKIP_QUIET)) == expected


def test_order_of_stages(t):
    """Good captures, killers and counter move, quiet moves by history alone, captures that lose material."""
    w = new_worker(params({"ThreatOrder": 0, "CheckOrder": 0}))
    game = Game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    prepare(w, t, game, random.Random(2))
    quiet = [move for move in game.legal_moves() if not is_noisy(u64(move))]
    frame = w.frames[FRAMES_BEFORE]
    frame.killers[0], frame.killers[1] = quiet[5], quiet[9]
    w.counters[:] = quiet[3]
    moves = picked(w, t, 0)
    good = [m for m in moves if is_noisy(u64(m)) and see_reaches(t, game.position, u64(m), 0)]
    bad = [m for m in moves if is_noisy(u64(m)) and not see_reaches(t, game.position, u64(m), 0)]
    assert good
    assert bad
    assert moves[: len(good)] == good
    assert moves[len(good) : len(good) + 3] == [quiet[5], quiet[9], quiet[3]]
    assert moves[-len(bad) :] == bad
    histories = [int(w.quiet_history[0, m & 63, m >> 6 & 63]) for m in moves[len(good) + 3 : -len(bad)]]
    assert histories == sorted(histories, reverse=True)


def test_a_foreign_killer_is_not_played(w, t):
    """A killer that is no legal move here is passed over."""
    game = Game()
    legal = prepare(w, t, game, random.Random(4))
    frame = w.frames[FRAMES_BEFORE]
    frame.killers[0], frame.killers[1] = 0xFFFF, chess.E2 | chess.E5 << 6
    assert not is_legal(t, game.position, u64(frame.killers[1]))
    assert sorted(picked(w, t, 0)) == sorted(legal)
