"""Repeated games: found whatever block they are in, told from those that only begin alike."""

import numpy as np
import pytest

from quiesce.eval.repeats import Repeats, game_hashes, game_starts, row_hashes, without_games
from quiesce.eval.samples import SamplesError
from tests.train.toys import toy_games


def test_games_are_told_apart():
    """Each of many games has a number of its own, the same wherever it stands; one sample more or less is another."""
    games = toy_games(300, length=12)
    found = game_hashes(games)
    assert len(set(found.tolist())) == 300
    assert (game_hashes(games[120:240]) == found[10:20]).all()
    assert game_hashes(games[:11])[0] != found[0]
    turned = np.concatenate([games[:1], games[2:3], games[1:2], games[3:12]])
    assert game_hashes(turned)[0] != found[0]


def test_rows_differ_in_every_field():
    """A change of any field changes a sample's number; that it begins a game does not."""
    row = toy_games(1)[1:2]
    for name in row.dtype.names:
        other = row.copy()
        other[name] = other[name] ^ 4
        assert row_hashes(other)[0] != row_hashes(row)[0], name
    first = row.copy()
    first["flags"] |= 2
    assert row_hashes(first)[0] == row_hashes(row)[0]


def test_what_was_there_before_is_found():
    """In the same block or an earlier one; the first stays, empty blocks are none."""
    games = toy_games(6, length=5)
    blocks = [games[:10], games[:0], np.concatenate([games[10:15], games[5:10], games[10:15]]), games[25:]]
    repeats = Repeats()
    for block in blocks:
        repeats.add(block)
    found = {number: places.tolist() for number, places in repeats.found().items()}
    assert (found, repeats.games) == ({2: [1, 2]}, 6)
    with pytest.raises(SamplesError, match="does not begin with a game"):
        repeats.add(games[1:])
    left = without_games(blocks[2], found[2])
    assert (left == games[10:15]).all()
    assert game_starts(left).tolist() == [0]
