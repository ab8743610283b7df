"""PGN in and out."""

import io

import chess.pgn
import pytest

from quiesce.board.fen import FenError
from quiesce.board.pgnfile import PgnError
from quiesce.web.pgn import read_pgn, write_pgn
from quiesce.web.wire import game_of

from .conftest import KIWIPETE

OPERA = """[Event "Paris"]
[White "Morphy, P"]
[Black "Duke of Brunswick"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a comment} 4. dxe5 Bxf3 (4... dxe5) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def test_a_game_is_read():
    """Moves of the main line, and who played."""
    game, headers, note = read_pgn(OPERA)
    assert len(game.moves) == 33
    assert game.is_checkmate
    assert (headers["White"], headers["Result"]) == ("Morphy, P", "1-0")
    assert not note


@pytest.mark.parametrize("aside", ["2. Ke5", "2. Nc3 (2. Qh9) Nf6", "2. --", "2. Nc3 { a ) here } Ke4"])
def test_variations_are_passed_over(aside):
    """What stands in them, sound or not, does not matter to the main line."""
    game, *_ = read_pgn(f"1. e4 e5 2. Nf3 ({aside}) 2... Nc6 3. Bb5 *")
    assert game.fen() == read_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 *")[0].fen()


@pytest.mark.parametrize("text", ["1. e4 e5 2. Sf3 Sc6", "1. e4 e5 2. ♘f3 ♞c6"])
def test_no_game_is_read_as_another(text):
    """Letters of other languages and figurines are understood, where they were passed over once."""
    assert read_pgn(text)[0].fen() == read_pgn("1. e4 e5 2. Nf3 Nc6")[0].fen()
    with pytest.raises(PgnError, match="pieces are called X"):
        read_pgn("1. e4 e5 2. Xf3")


def test_the_first_of_several_games_is_taken():
    """And that is said."""
    game, headers, note = read_pgn(f"{OPERA}\n{OPERA}".replace("17. Rd8# 1-0", "1-0", 1))
    assert len(game.moves) == 32
    assert headers["White"] == "Morphy, P"
    assert note == "this text goes on after its first game: only that was taken"


@pytest.mark.parametrize("told", [{"moves": ["e2e4", "e7e5"]}, {"fen": KIWIPETE, "moves": ["e1c1"]}])
def test_what_is_written_is_read_again(told):
    """The same start and moves come back, by python-chess too."""
    game = game_of(told)
    text = write_pgn(game, "You", "Quiesce", "0-1")
    again, headers, _ = read_pgn(text)
    assert (again.start_fen, again.moves) == (game.start_fen, game.moves)
    assert (headers["White"], headers["Black"], headers["Result"]) == ("You", "Quiesce", "0-1")
    assert chess.pgn.read_game(io.StringIO(text)).end().board().fen() == game.fen()


def test_a_long_error_is_not_logged(caplog):
    """Whatever a text holds, the log of a server does not grow by it: who asked is told, and shortly."""
    for text in ('[FEN "' + "x" * 40_000 + '"]\n\n1. e4 *', "1. " + "Q" * 40_000 + " *", "1. e4 e5 2. Ke3 *"):
        with pytest.raises(ValueError, match=r".") as told:
            read_pgn(text)
        assert len(str(told.value)) < 300
    assert not caplog.records


def test_chess960_survives():
    """Castling rights by rook, and the variant's name."""
    game = game_of({"fen": "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", "moves": ["f1h1"]})
    text = write_pgn(game, "a", "b", "*")
    again, *_ = read_pgn(text)
    assert '[Variant "Chess960"]' in text
    assert again.chess960
    assert again.fen(shredder=True) == game.fen(shredder=True)


def test_rules_decide_before_what_is_claimed():
    """A mate is a mate whatever result is told; what is no result is none."""
    mated = game_of({"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]})
    assert '[Result "0-1"]' in write_pgn(mated, "a", "b", "1-0")
    assert '[Result "*"]' in write_pgn(game_of({}), "a", "b", "nonsens")


def test_a_draw_that_nobody_claimed_is_none():
    """With a third repetition one move away, who resigns has lost and an open game is open, as the page has it."""
    back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]
    game = game_of({"moves": back_and_forth})
    assert '[Result "1-0"]' in write_pgn(game, "a", "b", "1-0")
    assert '[Result "*"]' in write_pgn(game, "a", "b", "*")
    assert '[Result "1/2-1/2"]' in write_pgn(game_of({"moves": [*back_and_forth, "f6g8"]}), "a", "b", "*")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "no game"), ("1. e4 e5 2. Ke3 *", "cannot be read"), ("hello", "is not a move"),
     ("1. e4 -- 2. d4 d5 *", "move 1 is a null move"), ("1. e4 e5 2. Z0 *", "move 2 is a null move"),
     ("1. Nf3 Nf6 2. Ng1 Ng8 " * 300 + "*", "more than 1000")],
)  # fmt: skip
def test_what_is_no_game_is_told(text, reason):
    """One sentence each."""
    with pytest.raises(PgnError, match=reason):
        read_pgn(text)


def test_a_game_from_nowhere_is_refused():
    """A FEN header without kings, or another variant, is no game of ours."""
    with pytest.raises((FenError, PgnError)):
        read_pgn('[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*')
    with pytest.raises((FenError, PgnError)):
        read_pgn('[Variant "Atomic"]\n\n1. e4 *')
