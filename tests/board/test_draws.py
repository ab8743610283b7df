"""Draws by rule: repetition, one about to come, dead material."""

import random

import chess
import chess.pgn
import pytest

from quiesce.board.draws import PATH, can_repeat, is_repetition, last_seen, times_seen
from quiesce.board.game import Game
from quiesce.board.movetext import parse_uci
from quiesce.records import new
from tests.conftest import shared

ENDS_OF_GAMES = {
    "50": "is_fifty_moves",
    "3fold": "is_threefold",
    "threefold": "is_threefold",
    "insufficient_material": "is_insufficient",
    "material": "is_insufficient",
    "mate": "is_checkmate",
}
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def played(moves, fen=None):
    """A game after some moves in UCI notation."""
    game = Game() if fen is None else Game(fen)
    for text in moves:
        game.push(parse_uci(game, text))
    return game


def copy_of(game):
    """The same game again."""
    again = Game(game.start_fen, game.chess960)
    again.push_all(game.moves)
    return again


def path_of(*keys):
    """A path with these keys."""
    path = new(PATH)
    path.keys[: len(keys)] = keys
    return path


def test_threefold_in_a_game():
    """Knights out and home twice: the start stands for the third time."""
    assert not played(SHUFFLE).is_threefold
    assert played(SHUFFLE * 2).is_threefold
    assert not played((*SHUFFLE, *SHUFFLE[:3])).is_threefold


def test_published_games():
    """The games of the rule collection end as they say."""
    for name, kind in ENDS_OF_GAMES.items():
        with shared(f"edge/pgn/{name}.pgn").open(encoding="utf-8") as file:
            board = chess.pgn.read_game(file).end().board()
        game = Game(board.root().fen())
        for move in board.move_stack:
            game.push(parse_uci(game, move.uci()))
        assert getattr(game, kind), name


def test_false_repetition():
    """A position that came once before, with a promotion to come, is no draw yet."""
    game = played(["c1b1", "h1g1", "b1c1", "g1h1", "c1b1", "h1g1", "b1a1", "g1h1"], "8/8/8/8/8/8/p7/2k4K b - - 0 1")
    assert not game.is_threefold


def test_last_seen_and_times_seen():
    """Distance to the last time, and number of times, within what is reversible."""
    path = path_of(1, 2, 3, 4, 1, 2, 3, 4, 1)
    assert last_seen(path, 8, 8) == 4
    assert times_seen(path, 8, 8) == 2
    assert times_seen(path, 8, 7) == 1
    assert last_seen(path, 8, 3) == 0


def test_search_draws_on_the_second_time_after_the_root():
    """Once since the root is enough; before the root it takes two."""
    path = path_of(1, 2, 3, 4, 1, 2, 3, 4, 1)
    assert is_repetition(path, 4, 4, 5)
    assert not is_repetition(path, 4, 4, 4)
    assert is_repetition(path, 8, 8, 1)


def can_repeat_slowly(game, ply):
    """Try every legal move and look the position up in the path."""
    reach = min(int(game.position.reversible), game.index)
    for move in game.legal_moves():
        child = copy_of(game)
        child.push(move)
        for back in range(3, reach + 1, 2):
            earlier = game.index - back
            seen_before = last_seen(game.path, earlier, int(game.position.reversible) - back) != 0
            if game.path.keys[earlier] == child.position.key and (back < ply or seen_before):
                return True
    return False


@pytest.mark.parametrize("ply", [0, 4, 8, 60])
def test_upcoming_repetition_is_what_trying_all_moves_finds(t, ply):
    """The hash of reversible moves finds a move back exactly when there is one."""
    choice = random.Random(ply)
    found = 0
    for fen in (
        "8/8/4k3/8/8/3RK3/8/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/1N4K1 w - - 0 1",
        "7k/8/8/3q4/8/8/8/K7 w - - 0 1",
    ):
        for _ in range(5):
            game = Game(fen)
            for _ in range(40):
                expected = can_repeat_slowly(game, ply)
                assert bool(can_repeat(t, game.position, game.path, game.index, ply)) == expected, game.fen()
                found += expected
                legal = game.legal_moves()
                if not legal:
                    break
                game.push(choice.choice(legal))
    assert found > (0 if ply == 0 else 10)


def test_null_move_cuts_the_path():
    """No repetition reaches back across a passed move."""
    game = played(SHUFFLE[:3])
    game.push(0)
    assert game.position.reversible == 0
    assert game.index == 0
    assert game.position.halfmove == 4


@pytest.mark.parametrize(
    ("fen", "dead", "insufficient"),
    [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", True, True),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", True, True),
        ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", True, True),
        ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", False, False),
        ("8/8/2b1k3/8/8/3K4/4B3/8 w - - 0 1", True, True),
        ("8/8/3bk3/8/8/3K4/4B3/8 w - - 0 1", False, False),
        ("8/8/4k3/8/8/3KB3/8/2B5 w - - 0 1", False, True),
        ("8/8/3bk3/8/8/3KB3/8/2B5 w - - 0 1", False, True),
        ("8/8/2n1k3/8/8/3K4/4B3/8 w - - 0 1", False, False),
        ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", False, False),
    ],
)
def test_dead_material_of_both_kinds(fen, dead, insufficient):
    """FIDE's four kinds, and python-chess's wider word."""
    game = Game(fen)
    assert (game.is_dead, game.is_insufficient) == (dead, insufficient)
    assert chess.Board(fen).is_insufficient_material() == insufficient


def test_fifty_moves_and_mate():
    """A hundred plies are a draw, unless the last one mates."""
    assert Game("8/8/4k3/8/8/3RK3/8/8 w - - 100 90").is_fifty_moves
    assert not Game("8/8/4k3/8/8/3RK3/8/8 w - - 99 90").is_fifty_moves
    mate = Game("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90")
    assert mate.is_checkmate
    assert not mate.is_fifty_moves


def test_long_games_stay_within_the_path():
    """A thousand quiet plies neither overflow the path nor lose the repetition."""
    game = played(SHUFFLE * 250)
    assert game.is_threefold
    assert game.position.halfmove == 1_000
