"""What browsers are told agrees with python-chess."""

import chess
import pytest

from quiesce.board.bridge import from_board, from_chess_move
from quiesce.board.game import Game
from quiesce.engine import Line
from quiesce.search.scores import MATE
from quiesce.web.facts import dests_of, end_facts, game_facts, score_facts

from .conftest import KIWIPETE

OPENING = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"]


def played(fen=chess.STARTING_FEN, moves=()):
    """A game after some moves."""
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    return from_board(board)


def test_each_ply_is_told_with_its_board():
    """SAN, UCI, pieces and checks as python-chess has them."""
    facts = game_facts(played(moves=OPENING))
    board = chess.Board()
    for ply in facts["plies"]:
        assert board.parse_san(ply["san"]) == chess.Move.from_uci(ply["uci"])
        board.push_uci(ply["uci"])
        assert ply["board"] == board.board_fen()
    assert facts["fen"] == board.fen()
    assert (facts["turn"], facts["check"], facts["end"], facts["first"]) == ("black", False, None, 0)


def test_destinations_are_the_legal_moves():
    """Every legal move, castling in both ways, and nothing else."""
    board = chess.Board(KIWIPETE)
    wanted = {move.uci()[:4] for move in board.legal_moves} | {"e1h1", "e1a1"}
    assert {origin + target for origin, targets in dests_of(Game(KIWIPETE)).items() for target in targets} == wanted


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", {"result": "0-1", "why": "checkmate"}),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", {"result": "1/2-1/2", "why": "stalemate"}),
        ("k7/8/8/8/8/8/8/7K b - - 0 1", {"result": "1/2-1/2", "why": "insufficient material"}),
        ("k7/8/8/8/8/8/R7/7K b - - 100 90", {"result": "1/2-1/2", "why": "the fifty-move rule"}),
        (chess.STARTING_FEN, None),
    ],
)
def test_the_end_of_a_game(fen, end):
    """Mate and every draw are named."""
    assert end_facts(Game(fen)) == end


def test_a_third_repetition_ends_a_game():
    """Knights out and back, twice."""
    assert end_facts(played(moves=["g1f3", "g8f6", "f3g1", "f6g8"])) is None
    assert end_facts(played(moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 2))["why"] == "threefold repetition"


@pytest.mark.parametrize(("moves", "sign"), [([], 1), (["e2e4"], -1)])
def test_scores_are_white_s(moves, sign):
    """A pawn up for the mover is a pawn up for White only if White moves; mates likewise."""
    game = played(moves=moves)
    better = score_facts(game, Line(160, [], 1, 1))
    assert better["cp"] == 100 * sign
    assert (better["points"] > 0.5) == (sign > 0)
    mate = score_facts(game, Line(MATE - 3, [], 1, 1))
    assert (mate["cp"], mate["mate"]) == (None, 2 * sign)
    assert mate["points"] == (1.0 if sign > 0 else 0.0)


def test_promotions_are_moves_of_their_own():
    """Four promotions, one destination."""
    game = Game("8/P7/8/8/8/8/8/k6K w - - 0 1")
    assert dests_of(game)["a7"] == ["a8"]
    facts = game_facts(game)
    game.push(from_chess_move(game, chess.Move.from_uci("a7a8n")))
    assert game_facts(game)["plies"][0]["san"] == "a8=N"
    assert facts["plies"] == []
