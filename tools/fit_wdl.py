"""Find what a score means in games: the curve of `engine/wdl.py` that fits games of ours best.

Run: PYTHONPATH=src python tools/fit_wdl.py games.pgn
     PYTHONPATH=src python tools/fit_wdl.py FOLDER/plan.samples
A PGN is one of `quiesce match --pgn` between engines of ours that are about as strong; the scores they wrote into it
are taken back to points by the scale of this checkout. Samples are those of `quiesce datagen`, not shuffled. Printed
are the three numbers of the curve, and the points that win half of the games by pieces on the board, with the interval
in which they lie when games are drawn again.
"""

import argparse
import re
from pathlib import Path

import chess
import chess.pgn
import numpy as np
from scipy.optimize import minimize

from quiesce.engine.wdl import BARE_HALF, HALF_WIN, PAWN, PIECE_FALL, WIN_SPREAD
from quiesce.eval.samples import FIRST_OF_GAME, UNKNOWN, open_samples

SCORE = re.compile(r"([+-]\d+\.\d\d)/\d+ ")
"""How a match writes a pawn score and its depth; mates have none."""
FIRST_MOVE, LARGEST = 12, 6.0
"""Moves from which on scores count, and pawns beyond which nothing is to be learnt."""
DRAWN_AGAIN, SEED = 50, 1
START = (BARE_HALF, PIECE_FALL, WIN_SPREAD)
STEEPEST = 50
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
SHOWN_MEN = (8, 16, 24, 30)


def scores_of(game):
    """Points of each mover, what became of him (+1, 0 or -1), and pieces on the board."""
    result, rows = RESULTS[game.headers["Result"]], []
    for node in game.mainline():
        found, board = SCORE.match(node.comment.strip()), node.parent.board()
        if found and board.fullmove_number >= FIRST_MOVE and abs(float(found[1])) <= LARGEST:
            sign = 1 if board.turn else -1
            rows.append((float(found[1]) * HALF_WIN, sign * result, chess.popcount(board.occupied)))
    return np.array(rows, float).reshape(-1, 3)


def games_of(path):
    """The rows of each game of a file."""
    if path.suffix == ".samples":
        samples = open_samples(path).read()
        number = np.cumsum((samples["flags"] & FIRST_OF_GAME) > 0)
        pieces = np.bitwise_count(samples["occupancy"])
        rows = np.column_stack([samples["score"], samples["result"].astype(int) - 1, pieces]).astype(float)
        is_known = samples["result"] != UNKNOWN
        return [part[kept] for part, kept in zip(*(split(all_, number) for all_ in (rows, is_known)), strict=True)]
    games = []
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.headers["Result"] in RESULTS:
                games.append(scores_of(game))
    return games


def split(rows, number):
    """Rows apart where their number changes."""
    return np.split(rows, np.flatnonzero(np.diff(number)) + 1)


def half_win(curve, pieces):
    """Points that win half of the games."""
    return curve[0] * np.exp(-pieces / curve[1])


def unlikelihood(curve, rows):
    """Mean surprise at the results by two logistic curves, wins by points and losses by points mirrored."""
    points, results, pieces = rows.T
    half = half_win(curve, pieces)
    exponents = (np.clip((half - side) / curve[2], -STEEPEST, STEEPEST) for side in (points, -points))
    won, lost = (1 / (1 + np.exp(exponent)) for exponent in exponents)
    chances = np.where(results > 0, won, np.where(results < 0, lost, 1 - won - lost))
    return -np.log(np.clip(chances, 1e-9, 1)).mean()


def fitted(rows, start=START):
    """The curve that is surprised least."""
    return minimize(unlikelihood, start, args=(rows,), method="Nelder-Mead").x


def main():
    """Read, fit, draw games again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    games = games_of(parser.parse_args().path)
    rows = np.concatenate(games)
    curve = fitted(rows)
    draw = np.random.default_rng(SEED)
    again = [
        fitted(np.concatenate([games[i] for i in draw.integers(0, len(games), len(games))]), curve)
        for _ in range(DRAWN_AGAIN)
    ]
    print(f"{len(games)} games, {len(rows):,} positions, {PAWN} centipawns are {HALF_WIN:.0f} points here")
    print(f"bare {curve[0]:.0f}, fall {curve[1]:.1f}, spread {curve[2]:.0f}")
    print(f"surprise {unlikelihood(curve, rows):.4f}, that of engine/wdl.py {unlikelihood(START, rows):.4f}")
    for pieces in SHOWN_MEN:
        low, high = np.percentile([half_win(one, pieces) for one in again], [2.5, 97.5])
        print(f"with {pieces} pieces half are won from {half_win(curve, pieces):.0f} points ({low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
