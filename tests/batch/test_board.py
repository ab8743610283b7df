"""Rules for whole arrays against python-chess, row by row."""

import chess
import numpy as np
import pytest

from quiesce import batch
from quiesce.board.bridge import to_chess_move
from quiesce.eval import samples
from tests.oracles import zobrist
from tests.oracles.exchange import exchange


def moves_of(found, row):
    """A row's moves out of all."""
    return found.moves[found.offsets[row] : found.offsets[row + 1]]


def test_counts_checks_and_moves(boards, positions):
    """Every legal move of every row, written as python-chess writes it; counts and checks agree."""
    counts, checks, found = batch.legal_counts(positions), batch.in_check(positions), batch.legal_moves(positions)
    for row, board in enumerate(boards):
        expected = {move.uci() for move in board.legal_moves}
        assert counts[row] == len(expected)
        assert checks[row] == board.is_check()
        assert set(batch.moves_to_uci(moves_of(found, row), chess960=board.chess960)) == expected
    assert 0 in counts
    assert 0 < checks.sum() < len(checks)


def test_play_every_move(boards, positions):
    """Each legal move of each row, played: python-chess's position after it, whether given as number, text or Move."""
    found = batch.legal_moves(positions)
    rows = np.repeat(np.arange(len(positions)), np.diff(found.offsets))
    after = batch.play(positions[rows], found.moves)
    fens = batch.to_fens(after, shredder=True)
    written = []
    for row, move, fen in zip(rows.tolist(), found.moves.tolist(), fens, strict=True):
        board = boards[row].copy(stack=False)
        written.append(to_chess_move(move, board.chess960))
        board.push(written[-1])
        assert fen == board.shredder_fen(en_passant="legal")
    assert (batch.moves_from(positions[rows], written) == found.moves).all()
    some = slice(None, None, 7)
    texts = [move.uci() for move in written[some]]
    assert batch.play(positions[rows][some], texts).tobytes() == after[some].tobytes()


def test_illegal_moves_are_told_by_row(positions):
    """Numbers and texts that are no legal moves, beside legal ones."""
    start = batch.from_fens([chess.STARTING_FEN] * 4)
    for moves in (["e2e4", "e2e5", "rubbish", "g1f3"], np.array([5_900, 0, 5_900 + (1 << 16), 1_350])):
        bad = {}
        after = batch.play(start, moves, bad=bad)
        assert bad == {1: "the move is illegal", 2: "the move is illegal"}
        assert after["occupied"][[1, 2]].tolist() == [0, 0]
        assert batch.legal_counts(after[[0, 3]]).tolist() == [20, 20]
    with pytest.raises(ValueError, match="4 positions, but 1 moves"):
        batch.see(start, ["e2e4"])
    with pytest.raises(batch.BadRowsError, match="row 0: the move is illegal"):
        batch.see(positions[:1], ["a1a1"])


@pytest.mark.parametrize("call", [batch.play, batch.see])
def test_moves_may_be_any_numbers_and_anything_else_is_a_bad_row(call):
    """Plain lists of numbers, mixed ones, and what is no move at all: whatever can be read is, row by row."""
    start = batch.from_fens([chess.STARTING_FEN] * 4)
    e4, nf3 = batch.moves_from(start[:2], ["e2e4", "g1f3"]).tolist()
    expected = call(start[:2], np.array([e4, nf3]))
    assert call(start[:2], [e4, nf3]).tobytes() == expected.tobytes()
    assert call(start[:2], (np.uint16(e4), chess.Move.from_uci("g1f3"))).tobytes() == expected.tobytes()
    illegal = "the move is illegal"
    for moves, reasons in (
        ([e4, None, nf3, 3.5], {1: "a NoneType is no move", 3: "a float is no move"}),
        (["e2e4", b"e2e4", nf3, True], {1: "a bytes is no move", 3: "a bool is no move"}),
        ([e4, -1, nf3, 2**70], {1: illegal, 3: illegal}),
        ([e4, chess.Move(300, 4), nf3, chess.Move(12, 28, promotion=0)], {1: illegal, 3: illegal}),
    ):
        bad = {}
        found = call(start, moves, bad=bad)
        assert bad == reasons
        assert found[[0, 2]].tobytes() == expected.tobytes()
    with pytest.raises(batch.BadRowsError, match="row 0: a float64 is no move"):
        call(start, np.full(4, float(e4)))
    with pytest.raises(ValueError, match="must be one-dimensional"):
        call(start, np.zeros((4, 2), int))


def test_a_bad_position_is_told_of_beside_moves_of_all_kinds():
    """A number in a row that holds no position is not called readable for being a number."""
    rows = batch.from_fens([chess.STARTING_FEN, "rubbish"], bad={})
    for moves in ([0, 0], ["e2e4", 796], [None, "e2e4"]):
        bad = {}
        batch.play(rows, moves, bad=bad)
        assert bad[1].startswith("kings, pawns")


def test_exchanges_and_quietness(boards, positions):
    """SEE of every legal move is the exchange played out; a row is quiet where none of its noisy moves wins by that."""
    found = batch.legal_moves(positions)
    rows = np.repeat(np.arange(len(positions)), np.diff(found.offsets))
    values, quiet = batch.see(positions[rows], found.moves), batch.is_quiet(positions)
    is_won = np.zeros(len(boards), bool)
    for row, move, value in zip(rows.tolist(), found.moves.tolist(), values.tolist(), strict=True):
        board = boards[row]
        played = to_chess_move(move, board.chess960)
        assert value == exchange(board, played), (board.fen(), played)
        is_won[row] |= value > 0 and (board.is_capture(played) or played.promotion is not None)
    checks = np.array([board.is_check() for board in boards])
    assert (quiet == ~(is_won | checks)).all()
    assert 0 < quiet.sum() < len(quiet)


def test_keys(boards, positions):
    """Keys are those made from scratch, equal for equal positions whatever their counters."""
    found = batch.keys(positions)
    for board, key in zip(boards, found.tolist(), strict=True):
        assert key == zobrist.key_by_hand(board)
    later = positions.copy()
    later["halfmove"] += 7
    later["fullmove"] += 7
    assert (batch.keys(later) == found).all()


def test_features(boards, positions):
    """Sparse inputs are those the network learns from; planes are not mirrored, the mover's own pawns first."""
    found = batch.features(positions)
    packed = np.zeros(len(positions), samples.SAMPLE)
    packed["occupancy"], packed["codes"], packed["flags"] = positions["occupied"], positions["men"], positions["turn"]
    for ours, theirs in zip(found, samples.features(packed), strict=True):
        assert (np.sort(ours) == np.sort(theirs)).all()
    planes = batch.features(positions, "planes")
    assert planes.shape == (len(positions), 12, 8, 8)
    rows, inputs = np.nonzero(planes.reshape(len(planes), -1))
    for row, mine in enumerate(samples.plain_features(packed)[0]):
        assert sorted(inputs[rows == row]) == sorted(mine[mine != samples.NO_FEATURE])
    for board, plane in zip(boards, planes[:, 0], strict=True):
        seen = board.pieces(chess.PAWN, board.turn)
        own = plane if board.turn else plane[::-1]
        assert set(np.flatnonzero(own).tolist()) == set(seen)
    with pytest.raises(ValueError, match="'sparse' or 'planes'"):
        batch.features(positions, "cubes")


def test_moves_in_algebraic_notation(boards, positions):
    """Every legal move is written as python-chess writes it; no move is nothing, an illegal one a bad row."""
    found = batch.legal_moves(positions)
    for index, board in enumerate(boards):
        moves = found.moves[found.offsets[index] : found.offsets[index + 1]]
        rows = np.repeat(positions[index : index + 1], len(moves))
        assert sorted(batch.moves_to_san(rows, moves)) == sorted(board.san(move) for move in board.legal_moves)
    bad = {}
    start = batch.from_fens([chess.STARTING_FEN] * 3)
    assert batch.moves_to_san(start, np.array([0, 1, 2], np.uint16), bad=bad) == ["", "", ""]
    assert sorted(bad) == [1, 2]
    with pytest.raises(TypeError, match="one move for each position"):
        batch.see(start, "e2e4")
