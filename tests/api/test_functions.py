"""Questions about one position: counts, exchanges and evaluations against independent answers."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quiesce
from quiesce.api.boards import game_of
from quiesce.board.counter import count_quiescence
from quiesce.board.game import Game
from quiesce.engine import Engine as Core
from quiesce.engine.wdl import centipawns
from tests.oracles import randomplay
from tests.oracles.exchange import exchange

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def board_of(seed, plies=40):
    """A board of a random game, standard, Chess960 or ending, with its moves."""
    source = randomplay.games(seed)
    for _ in range(seed % 3 + 1):
        board, choice = next(source)
    for _ in range(seed % plies):
        if not any(board.legal_moves):
            break
        board.push(randomplay.lively(board, choice))
    return board


def leaves(board, depth):
    """Perft by python-chess."""
    if depth == 0:
        return 1
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


@given(st.integers(0, 10_000))
def test_perft_agrees_with_python_chess(seed):
    """Two plies from any board."""
    board = board_of(seed)
    assert quiesce.perft(board, 2) == leaves(board, 2)


@given(st.integers(0, 10_000))
def test_see_agrees_with_exchanges_played_out(seed):
    """Every legal move of any board, castling in either notation."""
    board = board_of(seed)
    for move in board.legal_moves:
        assert quiesce.see(board, move) == exchange(board, move), (board.fen(), move)


@given(st.integers(0, 10_000))
def test_games_keep_what_counts(seed):
    """The game of a board is its position, with every earlier position that could still be repeated."""
    board = board_of(seed, plies=120)
    game = game_of(board)
    assert game.fen(shredder=True) == board.shredder_fen(en_passant="legal")
    assert game.is_threefold == (board.is_repetition(3))
    assert len(game.moves) == min(board.halfmove_clock, len(board.move_stack))


def test_qperft_and_bounds():
    """The same counts as the command's; depths out of range and illegal moves are refused."""
    assert quiesce.qperft(KIWIPETE, 1) == count_quiescence(Game(KIWIPETE), 1)
    for ask in (
        lambda: quiesce.perft(chess.Board(), -1),
        lambda: quiesce.perft(chess.Board(), 99),
        lambda: quiesce.qperft(chess.Board(), 9),
        lambda: quiesce.see(chess.Board(), "e2e5"),
        lambda: quiesce.see(chess.Board(), chess.Move.null()),
        lambda: quiesce.see(chess.Board(), "rubbish"),
    ):
        with pytest.raises(ValueError, match=r"outside|illegal|algebraic"):
            ask()


def test_evaluation_is_the_engines():
    """Points are the engine's own, for either side to move; the breakdown sums to them, and shows itself."""
    with Core(1) as core:
        core.set_weights("fitted")
        for fen in (KIWIPETE, KIWIPETE.replace(" w ", " b "), "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"):
            found = quiesce.evaluate(fen, "fitted")
            assert found.points == core.static_eval(Game(fen))
            assert found.score.relative.score() == centipawns(found.points)
            assert found.terms.value == found.points
            middle, ending = (sum(pair[part] for pair in found.groups.values()) for part in (0, 1))
            assert (middle, ending) == found.terms.total
            assert "material" in str(found)
            assert "material" in found._repr_html_()


def test_evaluation_by_the_network():
    """Points are the engine's own, and each piece but the kings has a share."""
    with Core(1) as core:
        found = quiesce.evaluate(KIWIPETE)
        assert found.points == core.static_eval(Game(KIWIPETE))
        assert found.terms is None
        assert set(found.pieces) == set(found.board.piece_map()) - set(map(found.board.king, chess.COLORS))
        assert found.pieces[chess.F3] > found.pieces[chess.D5] > 0 > found.pieces[chess.E7]
        assert "Qf3" in str(found)
        assert "Qf3" in found._repr_html_()


def test_evaluation_by_other_weights():
    """Another set gives another value; one that is not there is refused by name."""
    assert quiesce.evaluate(KIWIPETE, "hand").points != quiesce.evaluate(KIWIPETE).points
    with pytest.raises(ValueError, match="no-such-set"):
        quiesce.evaluate(KIWIPETE, "no-such-set")


def test_warmup_tells_how_far_it_is():
    """Every kernel is told of, the last word is that all are ready."""
    told = []
    quiesce.warmup(lambda *what: told.append(what))
    assert told[-1] == (len(told) - 1, len(told) - 1, "ready")


def test_what_is_no_depth_or_move_is_told():
    """Words of ours instead of Python's; algebraic notation names a move, too."""
    board = chess.Board()
    for count in (quiesce.perft, quiesce.qperft):
        with pytest.raises(TypeError, match="depth is a whole number, not '3'"):
            count(board, "3")
    assert quiesce.see(board, "Nf3") == quiesce.see(board, "g1f3") == 0
    with pytest.raises(ValueError, match="'e9' is not a move in algebraic notation"):
        quiesce.see(board, "e9")
    with pytest.raises(ValueError, match="'e2e5' is illegal: the pawn on e2 cannot go to e5"):
        quiesce.see(board, "e2e5")
    with pytest.raises(TypeError, match=r"a move is a chess.Move, or text such as e2e4 or Nf3, not None"):
        quiesce.see(board, None)


def test_positions_in_words():
    """The start by its word, and moves from it; a file's name is told to be one."""
    assert quiesce.perft("startpos", 3) == quiesce.perft(chess.Board(), 3)
    board = chess.Board()
    board.push_san("e4")
    assert quiesce.perft("e4", 2) == leaves(board, 2)
    with quiesce.Engine(Hash=1) as engine:
        assert engine.play("startpos", chess.engine.Limit(depth=1)).move in chess.Board().legal_moves
    with pytest.raises(ValueError, match=r"'game.pgn' is the name of a file"):
        quiesce.evaluate("game.pgn")


def test_weights_are_named_by_text():
    """Anything else is told, not met inside."""
    for ask in (quiesce.evaluate, lambda board, weights: quiesce.explain(board, None, weights)):
        with pytest.raises(TypeError, match="weights are a name, or the path of a file as text, not 3"):
            ask(chess.Board(), 3)
