"""Games in PGN as rows: every position, the move played, the game it belongs to and how that ended."""

import io

import chess
import chess.pgn
import pytest

from quiesce import batch

GAMES = """[Event "one"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "from a position"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[Result "1/2-1/2"]

1. e4 Kd7 1/2-1/2

[Event "black wins"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def test_every_position_of_every_game(tmp_path):
    """Rows are python-chess's positions in order; playing each move gives the next row; results are White's."""
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    found = batch.from_pgn(path)
    expected, handle = [], io.StringIO(GAMES)
    while (game := chess.pgn.read_game(handle)) is not None:
        board = game.board()
        expected.append(board.fen(en_passant="legal"))
        for move in game.mainline_moves():
            board.push(move)
            expected.append(board.fen(en_passant="legal"))
    assert batch.to_fens(found.positions) == expected
    assert found.games.tolist() == [0] * 8 + [1] * 3 + [2] * 5
    assert found.results.tolist() == [1] * 8 + [0] * 3 + [-1] * 5
    played = found.moves != 0
    after = batch.play(found.positions[played], found.moves[played])
    assert after.tobytes() == found.positions[1:][played[:-1]].tobytes()
    assert batch.moves_to_uci(found.moves[:2]) == ["e2e4", "e7e5"]


def test_unfinished_games_are_no_draws():
    """A game that ends in `*`, or says nothing or nonsense of its end, has a result that no other game has."""
    texts = ("1. e4 *", '[Result "*"]\n\n1. e4 *', "1. e4", '[Result "White"]\n\n1. e4 *', "1. e4 1/2-1/2", "1. e4 1-0")
    results = [set(batch.from_pgn(io.StringIO(text + "\n")).results.tolist()) for text in texts]
    assert results == [{batch.UNFINISHED}] * 4 + [{0}, {1}]
    assert batch.UNFINISHED not in (-1, 0, 1)


def test_chess960_games():
    """Castling of a Chess960 game is played as such."""
    fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
    text = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. O-O O-O-O *\n'
    found = batch.from_pgn(io.StringIO(text))
    assert batch.moves_to_uci(found.moves[:2], chess960=True) == ["e1g1", "e8b8"]
    assert batch.to_fens(found.positions)[-1].startswith("2kr2r1/pppp")


def test_trouble_is_told_by_game(tmp_path):
    """An illegal move cuts its game, a position that cannot be loses its game, others are whole."""
    text = "1. e4 e5 2. Ke3 *\n\n" + '[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n\n1. Ka2 *\n\n1. d4 *\n'
    path, bad, told = tmp_path / "bad.pgn", {}, []
    path.write_text(text)
    found = batch.from_pgn(path, bad=bad, progress=lambda done, _: told.append(done))
    assert sorted(bad) == [0, 1]
    assert "Ke3" in bad[0]
    assert found.games.tolist().count(0) == 3
    assert found.games.tolist().count(2) == 2
    assert told == [1, 2, 3]
    with pytest.raises(batch.BadRowsError, match=r"bad\.pgn: game 0: illegal san: 'Ke3'"):
        batch.from_pgn(str(path))
    assert len(batch.from_pgn(io.StringIO("")).positions) == 0


def test_a_counter_beyond_all_measure_is_its_own_games_trouble():
    """A game that starts at the move 10 to the 30th is told of; the next one is read."""
    fen = chess.STARTING_FEN.replace(" 0 1", f" 0 {10**30}")
    bad = {}
    found = batch.from_pgn(io.StringIO(f'[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 *\n\n1. d4 *\n'), bad=bad)
    assert list(bad) == [0]
    assert "counter" in bad[0]
    assert batch.to_fens(found.positions[found.games == 1])[0] == chess.STARTING_FEN


def test_rows_know_who_played(tmp_path):
    """`headers` has the tags of every game, `tag` those of each row; Latin-1 is read as PGN's standard asks."""
    path = tmp_path / "games.pgn"
    path.write_bytes(GAMES.replace("[Result", '[White "Müller"]\n[Result', 1).encode("latin-1"))
    found = batch.from_pgn(path)
    assert [headers["Event"] for headers in found.headers] == ["one", "from a position", "black wins"]
    assert found.tag("White").tolist() == ["Müller"] * 8 + ["?"] * 8
    assert found.tag("ECO").tolist() == [""] * 16
    assert (found.results[found.tag("White") == "Müller"] == 1).all()


def test_what_is_no_text_is_named():
    """A program, a folder, a missing file: an error of the system with the name, before anything is read."""
    for path in ("/bin/sh", "/", "/nowhere.pgn"):
        with pytest.raises(OSError, match=path):
            batch.from_pgn(path, bad={})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (") 1. e4 *", ""),
        ("1. e4 Ke2 ) ) ) e5 *", "illegal san: 'Ke2'"),
        ("1. e4 e5 $" + "9" * 5000 + " 2. d4 *", "gives it up: ValueError"),
        ("root:x:0:0:root:/root", "neither tags nor moves"),
    ],
)
def test_strange_texts_are_their_own_games_trouble(text, words, capfd):
    """Where python-chess raises or logs, the game is told of and kept up to there; the next one is read."""
    bad = {}
    found = batch.from_pgn(io.StringIO(f"{text}\n\n1. d4 *\n"), bad=bad)
    assert list(bad) == ([0] if words else [])
    assert words in bad.get(0, "")
    assert batch.moves_to_uci(found.moves[found.games == 1]) == ["d2d4", "0000"]
    assert capfd.readouterr().err == ""
    if words:
        with pytest.raises(batch.BadRowsError, match=r"^game 0: "):
            batch.from_pgn(io.StringIO(text))


def test_a_game_is_kept_up_to_its_first_error():
    """Moves behind an illegal one would be of another position, also where a bracket would take them up again."""
    found = batch.from_pgn(io.StringIO("1. e4 Ke2 ) e5 2. Nf3 *"), bad={})
    assert batch.moves_to_uci(found.moves) == ["e2e4", "0000"]
