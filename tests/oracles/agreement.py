"""Everything we say of a position against everything python-chess says of it."""

import chess

from quiesce.board.bridge import to_chess_move
from quiesce.board.invariants import BROKEN, broken
from quiesce.board.legality import gives_check, is_legal
from quiesce.board.movegen import (
    count_legal,
    generate_evasions,
    generate_noisy,
    generate_quiet,
)
from quiesce.board.position import POSITION, complete
from quiesce.board.quietchecks import generate_quiet_checks
from quiesce.board.tables import tables
from quiesce.board.types import MOVE_LIST, u64
from quiesce.jit import copy_record
from quiesce.records import new

from . import zobrist

MOVES = new(MOVE_LIST)
SCRATCH = new(POSITION)


def generated(generate, game):
    """The moves a generator writes, which must be all different."""
    count = int(generate(tables(), game.position, MOVES))
    moves = [int(move) for move in MOVES.moves[:count]]
    assert len(set(moves)) == count
    return moves


def chess_moves(moves, game):
    """Moves as python-chess writes them."""
    return {to_chess_move(move, game.chess960) for move in moves}


def is_noisy(board, move):
    """Capture or promotion, by python-chess."""
    return board.is_capture(move) or move.promotion is not None


def assert_same_moves(game, board):
    """Each generator part, the count and `gives_check` agree."""
    legal = set(board.legal_moves)
    own = game.legal_moves()
    assert chess_moves(own, game) == legal
    assert int(count_legal(tables(), game.position)) == len(legal) == len(own)
    noisy = {move for move in legal if is_noisy(board, move)}
    checks = {move for move in legal if board.gives_check(move)}
    assert chess_moves(generated(generate_noisy, game), game) == noisy
    assert chess_moves(generated(generate_quiet, game), game) == legal - noisy
    assert chess_moves(generated(generate_evasions, game), game) == (legal if board.is_check() else set())
    assert chess_moves(generated(generate_quiet_checks, game), game) == checks - noisy
    for move in own:
        found = bool(gives_check(tables(), game.position, u64(move)))
        assert found == (to_chess_move(move, game.chess960) in checks), hex(move)


def assert_same_legality(game, choice, tries):
    """`is_legal` knows the legal moves among random numbers and among legal moves with bits changed."""
    own = set(game.legal_moves())
    near = [move ^ (1 << choice.randrange(16)) for move in own for _ in range(2)]
    for move in [*own, *near, *(choice.randrange(1 << 16) for _ in range(tries))]:
        assert bool(is_legal(tables(), game.position, u64(move))) == (move in own), hex(move)


def assert_same_state(game, board):
    """Check, FEN, keys, invariants and draws agree; the incremental record equals one made from scratch."""
    assert game.is_check == board.is_check()
    assert game.fen() == board.fen(en_passant="legal")
    assert game.fen(shredder=True) == board.shredder_fen(en_passant="legal")
    assert BROKEN[broken(tables(), game.position)] == "sound"
    copy_record(SCRATCH, game.position)
    complete(tables(), SCRATCH)
    for name in ("key", "pawn_key", "material_key", "checkers", "pinned", "ep"):
        assert SCRATCH[name] == game.position[name], name
    assert list(SCRATCH.nonpawn_keys) == list(game.position.nonpawn_keys)
    assert int(game.position.key) == zobrist.key_by_hand(board)
    if not board.chess960:
        assert int(game.position.key) == zobrist.key_of(board)
    assert game.is_checkmate == board.is_checkmate()
    assert game.is_stalemate == board.is_stalemate()
    assert game.is_insufficient == board.is_insufficient_material()
    assert game.is_fifty_moves == board.is_fifty_moves()
    assert game.is_threefold == board.is_repetition(3)
    assert game.is_dead == is_fide_dead(board)


def is_fide_dead(board):
    """Bare kings, one minor piece, or one bishop each on squares of one colour."""
    pieces = board.occupied & ~board.kings
    if pieces & ~(board.knights | board.bishops):
        return False
    if chess.popcount(pieces) <= 1:
        return True
    bishops = list(chess.SquareSet(board.bishops))
    shades = {(chess.square_file(square) + chess.square_rank(square)) % 2 for square in bishops}
    owners = {board.color_at(square) for square in bishops}
    return not board.knights and len(bishops) == 2 and len(owners) == 2 and len(shades) == 1
