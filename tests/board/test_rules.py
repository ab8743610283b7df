"""The rules of chess, ours against python-chess's: random play, corner cases, endings."""

import csv

import chess
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.board.legality import is_legal
from quiesce.board.movetext import move_to_uci
from quiesce.board.types import u64
from tests.conftest import DATA
from tests.oracles import agreement, randomplay

POSITIONS = 1_500
ALL_POSITIONS = 100_000
CORNERS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "3k4/8/8/K1Pp3r/8/8/8/8 w - d6 0 1",
    "8/8/8/1k6/2pP4/8/8/4KQ2 b - d3 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
)


def play_and_compare(positions, seed, tries):
    """Walk random games, comparing every position on the way; returns how many were compared."""
    compared = 0
    for board, choice in randomplay.games(seed):
        game = Game(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)
        for _ in range(randomplay.LONGEST):
            agreement.assert_same_state(game, board)
            agreement.assert_same_moves(game, board)
            agreement.assert_same_legality(game, choice, tries)
            compared += 1
            if compared == positions:
                return compared
            if not any(board.legal_moves):
                break
            played = randomplay.lively(board, choice)
            game.push(next(m for m in game.legal_moves() if to_chess_move(m, game.chess960) == played))
            board.push(played)
    return compared


def test_random_play_agrees_with_python_chess():
    """Moves, parts, checks, legality, FEN, keys, draws: the same at every step of random games."""
    assert play_and_compare(POSITIONS, seed=1, tries=50) == POSITIONS


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(4))
def test_random_play_agrees_at_length(part):
    """The same on a hundred thousand positions."""
    share = ALL_POSITIONS // 4
    assert play_and_compare(share, seed=100 + part, tries=50) == share


@pytest.mark.parametrize("fen", CORNERS)
def test_every_16_bit_number_is_judged(t, fen):
    """Of all 65,536 numbers exactly the generated moves are legal."""
    game = Game(fen)
    own = set(game.legal_moves())
    assert {move for move in range(1 << 16) if is_legal(t, game.position, u64(move))} == own
    agreement.assert_same_moves(game, chess.Board(fen))


def rules_rows():
    """Rows of the kokopu table."""
    with (DATA / "edge" / "rules_kokopu.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", rules_rows(), ids=lambda row: row["label"])
def test_rules_corner_cases(row):
    """Flags and legal moves are as kokopu's table has them, an independent library in another language."""
    game = Game(row["fen"], chess960=row["variant"] != "regular")
    found = {"check": game.is_check, "checkmate": game.is_checkmate, "stalemate": game.is_stalemate,
             "dead": game.is_insufficient}  # fmt: skip
    assert found == {name: row[name] == "true" for name in found}
    assert sorted(move_to_uci(move, game.chess960) for move in game.legal_moves()) == sorted(
        row["legal_moves_uci"].split()
    )


def test_endings_load_and_agree():
    """Every ending of three or four pieces reads, and its state is python-chess's."""
    lines = (DATA / "edge" / "endgame_wdl.epd").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 200
    for line in lines:
        board, operations = chess.Board.from_epd(line)
        game = Game(board.fen())
        agreement.assert_same_state(game, board)
        agreement.assert_same_moves(game, board)
        if operations["wdl"] in (2, -2):
            assert not game.is_insufficient
        if game.is_insufficient:
            assert operations["wdl"] == 0
