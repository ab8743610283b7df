"""What make_move writes beside the position: the pieces that moved, clocks, null moves; and what debug refuses."""

import random

import pytest

from quiesce.board.fen import square_of
from quiesce.board.game import Game
from quiesce.board.invariants import (
    BAD_BOARD,
    BAD_CASTLING,
    BAD_CHECKS,
    BAD_EP,
    BAD_KEYS,
    BAD_PIECES,
    IN_CHECK_TO_MOVE,
    SOUND,
    broken,
)
from quiesce.board.makemove import likely_key
from quiesce.board.movetext import parse_uci
from quiesce.board.types import NO_PIECE, NO_SQUARE, u64

MOVES = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", {("P", "e2", "e4")}),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", {("P", "e4", "d5"), ("p", "d5", None)}),
    ("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", "e4f3", {("p", "e4", "f3"), ("P", "f4", None)}),
    ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", {("P", "b7", None), ("Q", None, "b8")}),
    ("2n1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7c8n", {("P", "b7", None), ("N", None, "c8"), ("n", "c8", None)}),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", {("K", "e1", "c1"), ("R", "a1", "d1")}),
)


def moved(position):
    """The pieces a move changed, as letters and square names."""
    men = set()
    for slot in range(int(position.moved_count)):
        piece = "PpNnBbRrQqKk"[position.moved_piece[slot]]
        ends = (int(position.moved_from[slot]), int(position.moved_to[slot]))
        men.add((piece, *(None if end == NO_SQUARE else "abcdefgh"[end % 8] + str(end // 8 + 1) for end in ends)))
    return men


@pytest.mark.parametrize(("fen", "move", "men"), MOVES)
def test_moved_men_are_noted(fen, move, men):
    """Every piece that moved, came or went is written down once."""
    game = Game(fen)
    game.push(parse_uci(game, move))
    assert moved(game.position) == men


@pytest.mark.parametrize(("fen", "move", "_men"), MOVES)
def test_moved_men_rebuild_the_board(fen, move, _men):
    """Applying the notes to the old board gives the new one."""
    game = Game(fen)
    board = [int(piece) for piece in game.position.board]
    game.push(parse_uci(game, move))
    changes = [
        (int(game.position.moved_piece[i]), int(game.position.moved_from[i]), int(game.position.moved_to[i]))
        for i in range(int(game.position.moved_count))
    ]
    for _piece, origin, _target in changes:
        if origin != NO_SQUARE:
            board[origin] = int(NO_PIECE)
    for piece, _origin, target in changes:
        if target != NO_SQUARE:
            board[target] = piece
    assert board == [int(piece) for piece in game.position.board]


def test_null_move():
    """Passing hands over the move, drops en passant and keeps the rest."""
    game = Game("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1")
    game.push(0)
    assert game.fen() == "4k3/8/8/8/4pP2/8/8/4K3 w - - 1 2"
    assert game.position.moved_count == 0


def damage(game, kind):
    """Break a position in one way."""
    position = game.position
    if kind == BAD_BOARD:
        position.board[square_of("e4")] = 0
    elif kind == BAD_PIECES:
        position.pieces[5] = 0
        position.board[[square_of("e1"), square_of("e8")]] = NO_PIECE
        position.colours[:] = [0x000000000000FFEF, 0xEFFF000000000000]
    elif kind == BAD_CHECKS:
        position.pinned = 1 << square_of("a2")
    elif kind == BAD_CASTLING:
        position.castling ^= 1 << square_of("b1")
    elif kind == BAD_EP:
        position.ep = square_of("e6")
    elif kind == BAD_KEYS:
        position.pawn_key ^= 1


@pytest.mark.parametrize("kind", [BAD_BOARD, BAD_PIECES, BAD_CHECKS, BAD_CASTLING, BAD_EP, BAD_KEYS])
def test_invariants_see_damage(t, kind):
    """Each kind of damage is found and named."""
    game = Game()
    assert broken(t, game.position) == SOUND
    damage(game, kind)
    assert broken(t, game.position) == kind


def test_invariants_see_a_king_left_in_check(t):
    """A position whose last mover is in check is not sound."""
    game = Game("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    game.position.turn = 0
    game.position.key ^= t.turn_key
    game.position.checkers = 0
    assert broken(t, game.position) == IN_CHECK_TO_MOVE


def test_the_likely_key_is_mostly_right(t):
    """Known before the move is played: right for all but castling, en passant, promotions and lost rights."""
    choice, game, right = random.Random(5), Game(), 0
    for _ in range(400):
        move = choice.choice(game.legal_moves())
        guess = int(likely_key(t, game.position, u64(move)))
        game.push(move)
        right += guess == int(game.position.key)
        if not game.legal_moves():
            game = Game()
    assert right > 350
