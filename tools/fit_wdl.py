"""Fit the win-draw-loss curve of `engine/wdl.py` to the games of a match.

Run: PYTHONPATH=src python tools/fit_wdl.py games.pgn

The PGN comes from `quiesce match --pgn` between engines of ours of similar strength; its scores are converted to points
by the scale of this checkout. It prints the points at which half of the games are won (a) with a bootstrap interval,
and the slope (b).
"""

import argparse
import re
from pathlib import Path

import chess.pgn
import numpy as np
from scipy.optimize import minimize

from quiesce.engine.wdl import HALF_WIN, PAWN

SCORE = re.compile(r"([+-]\d+\.\d\d)/\d+ ")
"""How a match writes a pawn score and its depth; mates have none."""
FIRST_MOVE, LARGEST = 12, 6.0
"""First move whose score counts, and largest score in pawns."""
DRAWN_AGAIN, SEED = 200, 1
START = (120.0, 60.0)
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def scores_of(game):
    """Points of each mover, and what became of him: +1, 0 or -1."""
    result, rows = RESULTS[game.headers["Result"]], []
    for node in game.mainline():
        found = SCORE.match(node.comment.strip())
        if found and node.parent.board().fullmove_number >= FIRST_MOVE and abs(float(found[1])) <= LARGEST:
            sign = 1 if node.parent.turn() else -1
            rows.append((float(found[1]) * HALF_WIN, sign * result))
    return np.array(rows).reshape(-1, 2)


def unlikelihood(curve, points, results):
    """Mean surprise at the results by two logistic curves, wins by points and losses by points mirrored."""
    half, spread = curve
    won, lost = (1 / (1 + np.exp(np.clip((half - side) / spread, -50, 50))) for side in (points, -points))
    chances = np.where(results > 0, won, np.where(results < 0, lost, 1 - won - lost))
    return -np.log(np.clip(chances, 1e-9, 1)).mean()


def fitted(rows):
    """The curve that is surprised least."""
    return minimize(unlikelihood, START, args=(rows[:, 0], rows[:, 1]), method="Nelder-Mead").x


def main():
    """Read, fit, draw games again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pgn", type=Path)
    games = []
    with parser.parse_args().pgn.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.headers["Result"] in RESULTS:
                games.append(scores_of(game))
    rows = np.concatenate(games)
    half, spread = fitted(rows)
    draw = np.random.default_rng(SEED)
    again = [
        fitted(np.concatenate([games[i] for i in draw.integers(0, len(games), len(games))])) for _ in range(DRAWN_AGAIN)
    ]
    low, high = np.percentile([curve[0] for curve in again], [2.5, 97.5])
    print(f"{len(games)} games, {len(rows):,} positions, {PAWN} centipawns are {HALF_WIN:.0f} points here")
    print(f"a = {half:.0f} ({low:.0f} to {high:.0f}), b = {spread:.0f}")


if __name__ == "__main__":
    main()
