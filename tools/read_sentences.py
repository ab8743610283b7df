"""Shell. Print sentences about random moves of games, checked by the oracle of the tests.

python tools/read_sentences.py GAMES.pgn --moves 200 --seed 1 --nodes 50000
"""

import argparse
import random
import sys
from pathlib import Path

import chess.pgn

sys.path.insert(0, str(Path(__file__).parent.parent))

from quiesce.board.bridge import from_chess_move, game_at
from quiesce.engine import Engine
from quiesce.review.plan import MEGABYTES
from quiesce.review.why import why
from tests.oracles.sentences import wrong


def main():
    """Half of the moves are those of the games, half any legal ones, which are worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pgn")
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=50_000)
    options = parser.parse_args()
    with Path(options.pgn).open(encoding="utf-8") as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    lot, faults = random.Random(options.seed), 0
    with Engine(MEGABYTES) as engine:
        for number in range(options.moves):
            node = lot.choice(list(lot.choice(games).mainline()))
            board = node.parent.board()
            move = node.move if number % 2 else lot.choice(list(board.legal_moves))
            game = game_at(board.copy(stack=False))
            own = from_chess_move(game, move)
            found = why(engine, game, own, options.nodes)
            fault = wrong(found)
            faults += bool(fault)
            print(
                f"{number + 1:>3} {board.fen()} | {found}{'  WRONG: ' + '; '.join(fault) if fault else ''}", flush=True
            )
    print(f"{options.moves} moves, {faults} with something wrong")


if __name__ == "__main__":
    main()
