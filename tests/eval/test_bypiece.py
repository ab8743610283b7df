"""A network's evaluation piece by piece: what each piece adds, against positions that lack it."""

import chess
import numpy as np

from quiesce.board.game import Game
from quiesce.eval.bypiece import by_piece
from quiesce.eval.names import uses_network
from quiesce.eval.netfile import read_network, reference_eval
from quiesce.eval.network import BUILT_IN
from quiesce.eval.samples import features, pack_positions

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R {} KQkq - 0 1"


def reference(board):
    """The built-in network's value of a board by the slow reference, mover's side."""
    position = Game(board.fen()).position
    samples = pack_positions(np.array([position]), 0, 1)
    return int(reference_eval(read_network(BUILT_IN), *features(samples), np.array([len(board.piece_map())]))[0])


def test_shares_are_differences_to_positions_without_the_man():
    """For either side to move, of every piece but the kings, White's side."""
    for turn in "wb":
        board = chess.Board(KIWIPETE.format(turn))
        found, sign = by_piece(Game(board.fen()).position), 1 if turn == "w" else -1
        assert found.value == reference(board)
        assert len(found.shares) == len(board.piece_map()) - 2
        for share in found.shares:
            lacking = board.copy()
            piece = lacking.remove_piece_at(share.square)
            lacking.castling_rights = lacking.clean_castling_rights()
            assert (piece.piece_type - 1) * 2 + (not piece.color) == share.piece
            if lacking.is_valid():
                assert share.points == sign * (found.value - reference(lacking))


def test_men_help_their_own_side():
    """The built-in network knows what pieces are worth: White's pieces count for White, a queen more than a knight."""
    shares = {share.square: share.points for share in by_piece(Game().position).shares}
    assert all(shares[square] > 0 for square in (chess.A1, chess.B1, chess.C1, chess.D1))
    assert all(shares[square] < 0 for square in (chess.A8, chess.B8, chess.C8, chess.D8))
    assert shares[chess.D1] > shares[chess.A1] > shares[chess.B1] > shares[chess.A2]


def test_the_board_is_shown():
    """Eight ranks, each piece with its number below."""
    rows = by_piece(Game().position).rows("PpNnBbRrQqKk")
    assert len(rows) == 16
    assert rows[0].split() == ["r", "n", "b", "q", "k", "b", "n", "r"]
    assert len(rows[1].split()) == 7, "a king has no number"
    assert all(int(word) < 0 for word in rows[1].split())


def test_names():
    """The built-in network and network files are networks, sets of weights are not."""
    assert uses_network("network")
    assert uses_network(str(BUILT_IN))
    assert not uses_network("fitted")
