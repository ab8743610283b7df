"""Compare networks' values of the static test's positions with a judge (`quiesce static`).

    python -m tools.judge_points --fens FENS               writes the positions, one a line
    python -m tools.judge_points results.json              judges what `tools.compare_shapes` wrote

Training sees only the positions; the judge's scores are read only here.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from quiesce.lab.statictest.comparing import compare
from quiesce.lab.statictest.positions import BUNDLED, read_static


def main() -> None:
    """Write positions, or judge."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results", type=Path, nargs="?", help="of tools.compare_shapes")
    parser.add_argument("--fens", type=Path, help="write the positions there")
    parser.add_argument("--judge", help="how its title begins; else the first")
    words = parser.parse_args()
    file = read_static(BUNDLED)
    if words.fens is not None:
        words.fens.write_text("".join(f"{fen}\n" for fen in file.fens), encoding="utf-8")
    if words.results is not None:
        told = json.loads(words.results.read_text(encoding="utf-8"))
        points = {name: np.array(found["points"]) for name, found in told.items()}
        for result in compare(points, file.judgement(words.judge).scores, file.games, {}, next(iter(points))):
            print(result.name, result.error, result.ratio)


if __name__ == "__main__":
    main()
