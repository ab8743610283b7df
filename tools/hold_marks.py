"""Shell. Do the marks of reviews hold at many times the nodes?

For every mark in what `quiesce annotate --json` wrote, the played move and all others are searched side by side, from
nothing learnt, each with `--times` the nodes that a move had. A mark holds if the loss is still worth it, or more.

    python -m tools.hold_marks review.json --times 10
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import chess

from quiesce.board.bridge import from_board
from quiesce.board.movetext import parse_uci
from quiesce.engine import Engine, Limits
from quiesce.engine.wdl import expected, piece_count
from quiesce.review.plan import GOOD, MEGABYTES, plan_from
from tools.referee import wilson


def loss_at(engine, board, move, nodes):
    """Expected points that a move loses, searched side by side with all others."""
    engine.new_game()
    game = from_board(board)
    played = parse_uci(game, board.uci(move))
    others = [one for one in game.legal_moves() if one != played]
    best, after = (engine.search(game, Limits(nodes=nodes, moves=part)).lines[0].score for part in (others, [played]))
    return expected(best, piece_count(game)) - expected(after, piece_count(game))


def main():
    """Read the command line, look again, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("review", type=Path)
    parser.add_argument("--times", type=int, default=10)
    options = parser.parse_args()
    marked, held = Counter(), Counter()
    with Engine(MEGABYTES) as engine:
        for told in json.loads(options.review.read_text(encoding="utf-8"))["games"]:
            plan = plan_from(told["plan"])
            for fact in told["moves"]:
                if fact["mark"] in ("", GOOD):
                    continue
                board = chess.Board(fact["fen"], chess960=told["chess960"])
                loss = loss_at(engine, board, chess.Move.from_uci(fact["uci"]), options.times * plan.nodes)
                groups = ("sure" if fact["sure"] else "unsure", fact["mark"])
                does_hold = loss >= plan.threshold_of(fact["mark"])
                for group in (groups[0], " ".join(groups)):
                    marked[group] += 1
                    held[group] += does_hold
                print(f"{fact['san']}{fact['mark']} {groups[0]}: {fact['loss']:.2f}, now {loss:.2f}", file=sys.stderr)
    for group in sorted(marked):
        print(f"{group}: holds {wilson(held[group], marked[group])}")


if __name__ == "__main__":
    main()
