"""Measure several settings of the search with the same games: each side's settings are drawn at random.

Run: PYTHONPATH=src python tools/factorial.py PawnHistory=1 ReductionCut=2 --games 4000 --keep answers.json

In each pair each side has each setting with probability one half, and plays an opening with both colours; networks are
drawn likewise, the built-in one included. A least-squares fit separates the effects, each from all games. It assumes
that they add up.
"""

import argparse
import json
import random
import threading
import time
from pathlib import Path

import numpy as np

from quiesce.engine.selfplay import SelfPlay
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.lab.arena import openings, read_openings
from quiesce.lab.dataopenings import book_lines, positions_along
from quiesce.search.params import BOUNDS, check_option, current_name
from quiesce.work.cores import cores

PAIR_HALF = 0.5
ELO_A_POINT = 1_600 / np.log(10)
"""Elo for each point of a game, near an even score."""
SURE = 1.96
"""Standard errors of a 95 % interval."""
TOLD_EVERY = 20.0


def settings_of(words):
    """Questions as (name, value)."""
    found = []
    for word in words:
        old, _, value = word.partition("=")
        name = current_name(old)
        check_option(name, int(value))
        found.append((name, int(value)))
    return found


def book_openings(seed):
    """Ends of the bundled book's lines without end, in an order that the seed decides."""
    choice, numbers = random.Random(seed), list(range(len(book_lines())))
    while True:
        choice.shuffle(numbers)
        for number in numbers:
            yield positions_along(number)[-1]


class Factorial:
    """Plays pairs in threads and records settings and results."""

    def __init__(self, questions, networks, nodes, source, seed):
        self._questions, self._networks, self._nodes, self._source = questions, networks, nodes, source
        self._choice, self._lock = random.Random(seed), threading.Lock()
        self.rows = []

    def drawn(self):
        """One side's lot: which settings it has, and which network."""
        had = [self._choice.random() < PAIR_HALF for _ in self._questions]
        return had, self._choice.randrange(len(self._networks) + 1)

    def work(self, pairs, deadline):
        """Play pairs in a thread until their number or the time is reached."""
        while True:
            with self._lock:
                if len(self.rows) >= pairs or time.time() > deadline:
                    return
                opening = next(self._source).copy()
                lots = self.drawn(), self.drawn()
            sides = [dict(q for q, had in zip(self._questions, lot[0], strict=True) if had) for lot in lots]
            weights = tuple((DEFAULT_EVAL, *self._networks)[lot[1]] for lot in lots)
            points = sum(SelfPlay(*sides, self._nodes, weights).play_pair(opening))
            columns = [[*map(int, had), *(int(net == i + 1) for i in range(len(self._networks)))] for had, net in lots]
            with self._lock:
                self.rows.append(([a - b for a, b in zip(*columns, strict=True)], points / 4))


def answers(names, rows):
    """Elo of each question with its 95 % error."""
    had, points = np.array([row[0] for row in rows], float), np.array([row[1] for row in rows])
    inverse = np.linalg.inv(had.T @ had)
    found = inverse @ had.T @ points
    spread = ((points - had @ found) ** 2).sum() / max(len(rows) - len(names), 1)
    errors = SURE * np.sqrt(np.diag(inverse) * spread)
    return list(zip(names, found * ELO_A_POINT, errors * ELO_A_POINT, strict=True))


def main():
    """Play, print progress, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", metavar="NAME=VALUE", help=f"of {len(BOUNDS)} options of the search")
    parser.add_argument("--games", type=int, default=4_000)
    parser.add_argument("--seconds", type=float, default=86_400, help="when to end at the latest")
    parser.add_argument("--nodes", type=int, default=10_000, help="of a move")
    parser.add_argument("--book", type=Path, help="openings as FEN or EPD, instead of the bundled book")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--networks", nargs="*", default=[], help="files of networks to be drawn beside the built-in one"
    )
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--keep", type=Path, help="where all rows are written")
    told = parser.parse_args()
    questions = settings_of(told.questions)
    source = openings(read_openings(told.book), told.seed) if told.book else book_openings(told.seed)
    play = Factorial(questions, told.networks, told.nodes, source, told.seed)
    deadline = time.time() + told.seconds
    threads = [threading.Thread(target=play.work, args=(told.games // 2, deadline)) for _ in range(told.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(TOLD_EVERY)
            print(f"{2 * len(play.rows)} games", flush=True)
    names = [*told.questions, *told.networks]
    for name, elo, error in answers(names, play.rows):
        print(f"{name:<28} {elo:+6.1f} ± {error:.1f}")
    if told.keep:
        told.keep.write_text(json.dumps({"names": names, "nodes": told.nodes, "rows": play.rows}))


if __name__ == "__main__":
    main()
