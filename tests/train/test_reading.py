"""Scores that know a little of what came later, against the same said row by row."""

import math

import numpy as np
import pytest

from quiesce.eval.samples import (
    BLACK_MOVES,
    FIRST_OF_GAME,
    INTERIOR,
    SAMPLE,
    UNKNOWN,
    SamplesError,
    block_bytes,
    header_bytes,
)
from quiesce.eval.tdlambda import td_lambda_scores
from quiesce.train.reading import ReadSpec, read_file

SCALE = 200.0


def some_games(seed=1, games=40):
    """Games of one to thirty positions with gaps between them, some of offshoots."""
    draw = np.random.default_rng(seed)
    parts = []
    for _ in range(games):
        rows = np.zeros(draw.integers(1, 31), SAMPLE)
        rows["ply"] = np.cumsum(draw.integers(1, 6, len(rows)))
        rows["flags"] = (rows["ply"] % 2) * BLACK_MOVES
        rows["flags"][0] |= FIRST_OF_GAME
        rows["score"] = draw.integers(-900, 901, len(rows))
        rows["result"] = UNKNOWN if draw.random() < 0.2 else draw.integers(0, 3)
        parts.append(rows)
    return np.concatenate(parts)


def said_again(samples, td_lambda):
    """The same from the last row to the first, one by one."""
    found, later = [], None
    for row in samples[::-1]:
        sign = -1 if row["flags"] & BLACK_MOVES else 1
        chance = 1 / (1 + math.exp(-sign * int(row["score"]) / SCALE))
        if later is not None and row["result"] != UNKNOWN:
            weight = td_lambda ** (later[1] - int(row["ply"]))
            chance = weight * later[0] + (1 - weight) * chance
        found.append(round(sign * SCALE * math.log(chance / (1 - chance))))
        later = None if row["flags"] & FIRST_OF_GAME else (chance, int(row["ply"]))
    return found[::-1]


@pytest.mark.parametrize("td_lambda", [0.3, 0.7, 0.95])
def test_scores_know_what_came_later(td_lambda):
    """Within a game, by the plies between, as the same side sees it."""
    samples = some_games()
    assert np.abs(td_lambda_scores(samples, td_lambda, SCALE) - said_again(samples, td_lambda)).max() <= 1


def test_without_foresight_nothing_changes():
    """No share of what is later: the scores as they are."""
    samples = some_games()
    assert (td_lambda_scores(samples, 0.0, SCALE) == samples["score"]).all()


def test_the_side_to_move_is_minded():
    """White is lost a ply later, as Black's score says: White's own score falls."""
    samples = np.zeros(2, SAMPLE)
    samples["score"], samples["ply"] = [0, 600], [10, 11]
    samples["flags"] = [FIRST_OF_GAME, BLACK_MOVES]
    first, last = td_lambda_scores(samples, 0.5, SCALE)
    assert last == 600
    assert first == pytest.approx(SCALE * math.log((0.5 + 0.0474) / (0.5 + 0.9526)), abs=1)


def test_interior_nodes_know_nothing_of_what_came_later():
    """Kept behind a game, they keep their scores, and the last of the game's own hears nothing of them."""
    samples = some_games()
    starts = np.flatnonzero(samples["flags"] & FIRST_OF_GAME)
    inside = np.zeros(3, SAMPLE)
    inside["flags"], inside["score"], inside["ply"] = INTERIOR, [900, -900, 40], [20, 90, 20]
    games = np.split(samples, starts[1:])
    mixed = np.concatenate([part for game in games for part in (game, inside)])
    found = td_lambda_scores(mixed, 0.7, SCALE)
    is_inside = mixed["flags"] & INTERIOR > 0
    assert (found[is_inside] == mixed["score"][is_inside]).all()
    assert (found[~is_inside] == td_lambda_scores(samples, 0.7, SCALE)).all()


def test_a_shuffled_file_has_no_later(tmp_path):
    """It is refused with a reason; without foresight it is read."""
    path = tmp_path / "mixed.samples"
    samples = some_games()
    path.write_bytes(header_bytes({"shuffled": True}) + block_bytes(0, samples))
    with pytest.raises(SamplesError, match="shuffled"):
        read_file(path, ReadSpec(0.1, 0.5, SCALE))
    assert sum(len(columns[0]) for part in read_file(path, ReadSpec(0.1))[:2] for columns in part) == len(samples)
