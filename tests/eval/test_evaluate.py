"""The evaluation: incremental equals from scratch, symmetric, bounded."""

import chess

from quiesce.board.game import Game
from quiesce.eval.evaluate import EVAL_LIMIT, follow_account, refresh_account, static_eval
from quiesce.eval.weights import weights
from quiesce.records import new
from quiesce.search.worker import FRAME
from tests.oracles import randomplay
from tests.oracles.plainsearch import evaluate


def scratch(position):
    """An account made from scratch."""
    account = new(FRAME)
    refresh_account(weights(), account, position)
    return account


def test_incremental_equals_from_scratch():
    """Move by move the account is what counting all men gives, and the oracle's number comes out."""
    moves = 0
    for board, choice in randomplay.games(seed=21):
        game = Game(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)
        account = scratch(game.position)
        while game.legal_moves() and len(game.moves) < 80:
            move = choice.choice(game.legal_moves())
            game.push(move)
            after = new(FRAME)
            follow_account(weights(), after, account, game.position)
            account = after
            fresh = scratch(game.position)
            assert (after.middle, after.ending, after.phase) == (fresh.middle, fresh.ending, fresh.phase)
            seen = chess.Board(game.fen(shredder=True), chess960=True)
            assert int(static_eval(after, game.position)) == evaluate(seen, weights())
            moves += 1
        if moves > 600:
            return


def test_symmetric_under_colour_flip():
    """A position and its mirror with colours changed get the same number."""
    seen = 0
    for board, choice in randomplay.games(seed=22):
        for _ in range(60):
            if not any(board.legal_moves):
                break
            board.push(randomplay.lively(board, choice))
            one, other = Game(board.fen(), board.chess960), Game(board.mirror().fen(), board.chess960)
            values = [int(static_eval(scratch(game.position), game.position)) for game in (one, other)]
            assert values[0] == values[1]
            seen += 1
        if seen > 300:
            return


def test_bounded():
    """Even the position that overflowed another engine's evaluation stays within the limit."""
    position = Game("7k/QQQQR3/2B5/4KN1Q/3QQ3/8/8/4R3 b - - 0 1").position
    assert -EVAL_LIMIT <= int(static_eval(scratch(position), position)) < -3_000
