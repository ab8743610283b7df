"""Positions to learn from without an engine: random pieces on random squares, labelled by their material alone."""

import numpy as np

from quiesce.eval.samples import SAMPLE, as_game, block_bytes, header_bytes

WORTH = np.array([100, 300, 320, 500, 900, 0])
KING, SQUARES = 5, 64


def toy_game(draw, length):
    """One game's samples; each position is random, for nothing looks at moves."""
    samples = np.zeros(length, SAMPLE)
    for number in range(length):
        men = int(draw.integers(4, 21))
        squares = np.sort(draw.permutation(SQUARES)[:men])
        codes = 2 * draw.choice(KING, men, p=[0.5, 0.15, 0.15, 0.15, 0.05]) + draw.integers(0, 2, men)
        white, black = draw.permutation(men)[:2]
        codes[white], codes[black] = 2 * KING, 2 * KING + 1
        turn = number % 2
        score = (np.where(codes % 2 == turn, 1, -1) * WORTH[codes // 2]).sum() // 5
        nibbles = np.append(codes, np.zeros(32 - men, int))
        samples["occupancy"][number] = sum(1 << int(square) for square in squares)
        samples["codes"][number] = nibbles[::2] | nibbles[1::2] << 4
        samples["flags"][number] = turn
        samples["score"][number] = score
        samples["result"][number] = 1 + np.sign(score) * (abs(score) > 60)
        samples["ply"][number] = number
    return as_game(samples)


def toy_games(count, seed=1, length=40):
    """Many games, one after the other."""
    draw = np.random.default_rng(seed)
    return np.concatenate([toy_game(draw, length) for _ in range(count)])


def toy_file(path, samples, rows=400, **facts):
    """A file of them, in blocks of so many."""
    blocks = [block_bytes(at // rows, samples[at : at + rows]) for at in range(0, len(samples), rows)]
    path.write_bytes(header_bytes({"toy": 1} | facts) + b"".join(blocks))
    return path
