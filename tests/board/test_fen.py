"""FEN in and out: what is refused and why, what is repaired, what round-trips."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.board.fen import START_FEN, FenError, read_fen, write_fen
from quiesce.board.game import Game
from tests.conftest import shared

REFUSED = (
    ("", "FEN has 0 fields"),
    ("8/8/8/8/8/8/8/8", "FEN has 1 fields"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
    ("k7/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
    ("K7/8/8/8/8/8/8/8 w - - 0 1", "Black has no king"),
    ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
    ("3q4/8/3n1n2/2b1b3/2B1B3/3N1N2/8/3Q4 w - - 0 1", "White has no king"),
    ("KQQQQQQQ/QQQQQQQQ/QQQQqqqq/QQQ1qqqq/QQQqqqqq/QQqqqqqq/QQqqqqqq/QQqqqqqk b - - 1 1", "White has 32 pieces"),
    ("k7/ppppppppp/8/8/8/8/8/K7 w - - 0 1", "rank 7 'ppppppppp': describes 9 squares"),
    ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", "Black has 9 pawns"),
    ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn stands on h8"),
    ("k7/8/8/8/8/8/8/K6p w - - 0 1", "pawn stands on h1"),
    ("k7/44/8/8/8/8/8/K7 w - - 0 1", "two digits"),
    ("k7/9/8/8/8/8/8/K7 w - - 0 1", "'9' is neither"),
    ("k7/8/8/8/8/8/8 w - - 0 1", "7 ranks"),
    (START_FEN.replace(" w ", " x "), "side to move is 'x'"),
    (START_FEN.replace("KQkq", "KX"), "'X' is neither"),
    (START_FEN.replace("KQkq", "\u212a"), "is neither one of KQkq"),
    (START_FEN.replace("KQkq", "E"), "no rook on e1"),
    ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "no rook on h1"),
    ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "king has left its home rank"),
    ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "king is not on e1"),
    ("4k3/8/8/8/8/8/8/3K2RR w GH - 0 1", "two rights on one side"),
    (START_FEN.replace(" - ", " e9 "), "neither '-' nor a square"),
    (START_FEN.replace(" - ", " e3 "), "must be on rank 6"),
    (START_FEN.replace(" - ", " e6 "), "no black pawn on e5"),
    ("4k3/4r3/8/4pP2/8/8/8/4K3 w - e6 0 1", "cannot have just moved two squares"),
    (START_FEN.replace("0 1", "-1 1"), "half-move clock is '-1'"),
    (START_FEN.replace("0 1", "x 1"), "half-move clock is 'x'"),
    (START_FEN.replace("0 1", "0 1.5"), "move number is '1.5'"),
    (START_FEN.replace("0 1", "٣ 1"), "half-move clock"),
    (START_FEN.replace("0 1", "99999 1"), "larger than 9999"),
    ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black's king is already in check"),
    ("8/8/8/8/8/4k3/4K3/8 w - - 0 1", "Black's king is already in check"),
    ("4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1", "in check from 3 pieces"),
    (f"{START_FEN} moves e2e4", "FEN has 8 fields"),
)

REPAIRED = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START_FEN),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7", START_FEN.replace("0 1", "7 1")),
    ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w\tKQkq  -  0  1\r\n", START_FEN),
    (START_FEN.replace("0 1", "00000 0"), START_FEN),
    (START_FEN.replace("KQkq", "qkKQqH"), START_FEN),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    ("k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1", "k1r5/8/8/1pP5/2K5/8/8/8 w - - 0 1"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_refused_with_the_reason(text, reason):
    """Each bad FEN gets one sentence that names the field and what is wrong."""
    with pytest.raises(FenError) as refused:
        read_fen(text)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("text", "fen"), REPAIRED)
def test_harmless_slips_are_repaired(text, fen):
    """Missing counters, blanks, move number 0 and en passant squares nobody can use."""
    assert write_fen(read_fen(text)[0]) == fen


def test_malformed_collection():
    """On a published collection we accept what python-chess accepts, and impossible double checks beside."""
    rows = [line.split("\t") for line in shared("edge/malformed_fens.tsv").read_text("utf-8").splitlines()[1:]]
    assert len(rows) == 106
    for text, valid, _remark in rows:
        try:
            read_fen(text)
            accepted = True
        except FenError:
            accepted = False
        assert accepted == (valid == "1"), text


@pytest.mark.parametrize("number", [0, 1, 518, 700, 959])
def test_chess960_both_notations(number):
    """X-FEN and Shredder-FEN of a Chess960 start mean the same position."""
    board = chess.Board.from_chess960_pos(number)
    from_letters, is_960 = read_fen(board.shredder_fen())
    from_xfen, _ = read_fen(board.fen(), chess960=True)
    assert is_960
    assert from_letters.tobytes() == from_xfen.tobytes()
    assert write_fen(from_letters) == board.fen()
    assert write_fen(from_letters, shredder=True) == board.shredder_fen()


def test_inner_rook_is_named_by_its_file():
    """Where the castling rook is not the outermost, X-FEN names its file."""
    fen = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"
    position, chess960 = read_fen(fen)
    assert chess960
    assert write_fen(position) == fen


PIECES = st.sampled_from("PNBRQKpnbrqk12345678/ wb-KQkqe36019x\x00é")


@given(st.text(PIECES, max_size=90))
def test_any_text_is_read_or_refused(text):
    """No text makes the reader fail in any other way than by FenError."""
    try:
        position, _ = read_fen(text)
    except FenError:
        return
    assert chess.Board(write_fen(position)).status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK)


def in_order(text):
    """The same FEN with each castling right once and in order, which python-chess insists on."""
    fields = text.split(" ")
    if len(fields) > 2 and fields[2] and set(fields[2]) <= set("KQkq"):
        fields[2] = "".join(letter for letter in "KQkq" if letter in fields[2])
    return " ".join(fields)


@given(st.integers(0, len(START_FEN) - 1), PIECES, st.booleans())
def test_one_slip_agrees_with_python_chess(place, letter, insert):
    """A FEN with one letter changed or added is accepted exactly if python-chess accepts it."""
    text = START_FEN[:place] + letter + START_FEN[place + (not insert) :]
    try:
        board = chess.Board(in_order(text))
        expected = board.status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK) and len(text.split()) >= 4
        expected = (
            expected
            and all(part.isdigit() for part in text.split()[4:])
            and board.halfmove_clock <= 9_999
            and board.fullmove_number <= 9_999
        )
    except ValueError:
        expected = False
    try:
        read_fen(text)
        accepted = True
    except FenError:
        accepted = False
    assert accepted == expected, text


def test_nothing_is_half_set():
    """A FEN that is refused leaves an existing game as it was."""
    game = Game()
    before = game.position.tobytes()
    with pytest.raises(FenError):
        game.__init__("4k3/8/8/8/8/8/8/4K3 w K - 0 1")
    assert game.position.tobytes() == before
