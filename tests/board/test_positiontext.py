"""Positions as people write them: all forms mean what they say, and what is none is told in a sentence."""

import pytest

from quiesce.board.fen import START_FEN, FenError
from quiesce.board.game import Game, MoveError
from quiesce.board.positiontext import game_from_text

AFTER = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


@pytest.mark.parametrize(
    "text",
    [
        AFTER,
        "e4 e5 Nf3 Nf6",
        "e2e4 e7e5 g1f3 g8f6",
        "1. e4 e5 2. Nf3! Nf6?!",
        "1.e4 e5 2.Nf3 Nf6",
        "startpos moves e2e4 e7e5 g1f3 g8f6",
        "startpos e4 e5 Nf3 Nf6",
        "moves e4 e5 Nf3 Nf6",
        f"{START_FEN} moves e4 e5 Nf3 Nf6",
    ],
)
def test_forms_of_one_position(text):
    """FEN, moves in either notation, numbered or not, from the start or behind a FEN."""
    assert game_from_text(text).fen() == AFTER


def test_the_start():
    """By its word, with its moves for repetition, and in Chess960."""
    assert game_from_text(" startpos ").fen() == START_FEN
    assert len(game_from_text("e4 e5").moves) == 2
    assert game_from_text("startpos", chess960=True).chess960
    assert game_from_text("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O").position.key == game_from_text(
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"
    ).position.key  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("nonsense", FenError, "FEN has 1 fields .*; a position may also be startpos, or moves"),
        ("", FenError, "may also be startpos"),
        ("game.pgn", FenError, "is the name of a file: .*quiesce serve. opens PGN"),
        ("some/folder/Games.PGN", FenError, "is the name of a file"),
        (__file__, FenError, "is the name of a file"),
        ("e4 e5 Ke3", MoveError, r"'Ke3' is illegal in .* \(after e4 e5\)"),
        ("e2e5", MoveError, "'e2e5' is illegal: the pawn on e2 cannot go to e5$"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", FenError, "White has no king$"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves Kd9", MoveError, "not a move in algebraic notation"),
    ],
)
def test_what_is_no_position(text, kind, reason):
    """A sentence that says what is wrong, and what might have been meant."""
    with pytest.raises(kind, match=reason):
        game_from_text(text)


def test_a_fen_is_read_as_ever():
    """All that read_fen takes, Chess960 included."""
    fen = "r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 1"
    assert game_from_text(fen, chess960=True).fen() == Game(fen, chess960=True).fen()
