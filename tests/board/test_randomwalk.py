"""Random walks: legal, the same for the same number, and told where they end."""

import chess
import numpy as np

from quiesce.board.fen import write_fen
from quiesce.board.game import Game
from quiesce.board.randomwalk import LONGEST_WALK, WALK, random_opening
from quiesce.jit import copy_record
from quiesce.records import new


def walked(t, fen, draw, plies):
    """The positions of a walk, the first included, and what it returned."""
    walk = new(WALK)
    copy_record(walk.line[0], Game(fen).position)
    walk.draw = draw
    last = int(random_opening(t, walk, np.uint64(plies)))
    return [write_fen(position) for position in walk.line[: (last if last >= 0 else plies) + 1]], last


def test_walks_are_legal_and_repeat_themselves(t):
    """Every step is a legal move by python-chess; another number gives another walk."""
    seen = set()
    for draw in range(1, 60):
        fens, last = walked(t, chess.STARTING_FEN, draw, LONGEST_WALK)
        assert (fens, last) == walked(t, chess.STARTING_FEN, draw, LONGEST_WALK)
        seen.add(fens[-1])
        board = chess.Board()
        for fen in fens[1:]:
            after = []
            for move in board.legal_moves:
                board.push(move)
                after.append(board.fen(en_passant="legal"))
                board.pop()
            assert fen in after
            board = chess.Board(fen)
        assert (last < 0) == (board.is_check() or not any(board.legal_moves))
    assert len(seen) > 50


def test_where_there_is_no_move(t):
    """A walk that ends in mate or stalemate is told so."""
    assert walked(t, "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", 5, 3)[1] == -1
