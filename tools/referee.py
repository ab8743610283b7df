"""Shell. Judge games by a referee engine, and count how far the marks of a review agree with it.

`judge` draws games by lot and has a UCI engine look at every move: all moves first, then the played one alone where
another was best, both with the same nodes and the table kept, backwards through the game. A move's loss is the
difference in expected points by the engine's own win-draw-loss model. `compare` reads what `judge` wrote and a
review of the same games by `quiesce annotate --json`, and prints precision and recall with Wilson intervals.

    python tools/referee.py judge GAMES.pgn --games 8 --seed 1 --nodes 300000 --out referee.json
    python tools/referee.py games referee.json > sample.pgn
    python tools/referee.py compare referee.json review.json
"""

import argparse
import io
import json
import logging
import math
import random
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn

SLACK_RIGHT, SLACK_MISSED = 0.75, 1.25
"""A mark is right from this share of its threshold on; a mistake counts as missed from that."""
THRESHOLDS = {"??": 0.20, "?": 0.10, "?!": 0.05}
RANK = {"": 0, "!": 0, "?!": 1, "?": 2, "??": 3}
Z = 1.96
logging.getLogger("chess.engine").setLevel(logging.ERROR)


def points(info):
    """Expected points of the side to move."""
    return info["wdl"].relative.expectation()


def referee_game(engine, game, nodes):
    """What the referee says of each move of a game."""
    boards = [node.parent.board() for node in game.mainline()]
    moves, found = [node.move for node in game.mainline()], []
    limit = chess.engine.Limit(nodes=nodes)
    for board, move in reversed(list(zip(boards, moves, strict=True))):
        best = engine.analyse(board, limit, game=id(game))
        fact = {"played": move.uci(), "best": best["pv"][0].uci(), "before": points(best), "loss": 0.0}
        fact["score"] = best["score"].relative.score(mate_score=100_000)
        if best["pv"][0] != move:
            alone = engine.analyse(board, limit, game=id(game), root_moves=[move])
            fact["loss"] = max(0.0, points(best) - points(alone))
        found.append(fact)
    return found[::-1]


def judge(options):
    """Draw games and judge them; each game is stored when done."""
    games = []
    with Path(options.pgn).open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    drawn = random.Random(options.seed).sample(range(len(games)), options.games)
    out = Path(options.out)
    kept = json.loads(out.read_text()) if out.exists() else {}
    with chess.engine.SimpleEngine.popen_uci(options.engine) as engine:
        engine.configure({"Hash": options.hash, "Threads": 1, "UCI_ShowWDL": True})
        for number in drawn:
            if str(number) not in kept:
                plies = referee_game(engine, games[number], options.nodes)
                kept[str(number)] = {"pgn": str(games[number]), "nodes": options.nodes, "plies": plies}
                out.write_text(json.dumps(kept))
                print(f"game {number}: {len(plies)} plies", file=sys.stderr, flush=True)


def write_games(options):
    """Print the games of a referee's file as PGN, in its order."""
    for kept in json.loads(Path(options.referee).read_text()).values():
        print(kept["pgn"], end="\n\n")


def wilson(hits, total):
    """A share with its 95 % interval by Wilson."""
    if total == 0:
        return "-"
    share, square = hits / total, Z * Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total)) / (1 + square / total)
    return f"{hits}/{total} = {share:.0%} ({middle - half:.0%} to {middle + half:.0%})"


def plies_of(referee, review):
    """Pairs of what the referee and the review say of one move; book and forced moves are left out of both."""
    for kept, told in zip(referee.values(), review["games"], strict=True):
        moves = [node.move.uci() for node in chess.pgn.read_game(io.StringIO(kept["pgn"])).mainline()]
        verdicts = {fact["ply"]: fact for fact in told["moves"]}
        for ply, (move, fact) in enumerate(zip(moves, kept["plies"], strict=True), 1):
            verdict = verdicts[ply]
            assert verdict["uci"] == move, "the review is of other games"
            if verdict["judged"]:
                yield fact, verdict


def compare(options):
    """Print the table."""
    referee, review = (json.loads(Path(name).read_text()) for name in (options.referee, options.review))
    pairs = list(plies_of(referee, review))
    print(f"{len(referee)} games, {len(pairs)} moves judged")
    for least in ("?", "??"):
        threshold, rank = THRESHOLDS[least], RANK[least]
        marked = [fact for fact, verdict in pairs if RANK[verdict["mark"]] >= rank]
        right = sum(fact["loss"] >= SLACK_RIGHT * threshold for fact in marked)
        wrong = [verdict for fact, verdict in pairs if fact["loss"] >= SLACK_MISSED * threshold]
        found = sum(RANK[verdict["mark"]] >= rank for verdict in wrong)
        print(f"{least} or worse: precision {wilson(right, len(marked))}, recall {wilson(found, len(wrong))}")
    own = sum(verdict["mark"] in THRESHOLDS and fact["played"] == fact["best"] for fact, verdict in pairs)
    print(f"marks on the referee's own best move: {own}")
    for certain in (True, False):
        group = [(f, v) for f, v in pairs if v["mark"] in THRESHOLDS and v["sure"] is certain]
        right = sum(fact["loss"] >= SLACK_RIGHT * THRESHOLDS[verdict["mark"]] for fact, verdict in group)
        print(f"marks called {'sure' if certain else 'unsure'}: right {wilson(right, len(group))}")


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("judge")
    one.add_argument("pgn")
    one.add_argument("--games", type=int, default=60)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--nodes", type=int, default=1_000_000)
    one.add_argument("--hash", type=int, default=64)
    one.add_argument("--engine", default="/usr/games/stockfish")
    one.add_argument("--out", required=True)
    one.set_defaults(run=judge)
    two = commands.add_parser("games")
    two.add_argument("referee")
    two.set_defaults(run=write_games)
    three = commands.add_parser("compare")
    three.add_argument("referee")
    three.add_argument("review")
    three.set_defaults(run=compare)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
