"""Shell. Judge games by a referee engine, and count how far the marks of a review agree with it.

`judge` goes through games in an order drawn by lot and has a UCI engine look at every move that is neither book nor
without a choice: all moves first, then the played one alone where another was best, both with the same nodes and the
table kept, backwards through the game. A move's loss is the difference in expected points by the engine's own
win-draw-loss model. Each game is one line of the output file, written as soon as it is judged: a run that was stopped
goes on, and a later one with more `--games` adds to it. `compare` reads that file and a review of the same games by
`quiesce annotate --json`, or by an engine that `judge` ran with fewer nodes, and prints precision and recall with
Wilson intervals. `games` prints the games as PGN.

    python tools/referee.py judge GAMES.pgn --games 60 --nodes 1000000 --out referee.jsonl
    python tools/referee.py games referee.jsonl > sample.pgn
    quiesce annotate sample.pgn --json > review.json
    python tools/referee.py compare referee.jsonl review.json
"""

import argparse
import json
import logging
import math
import random
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from quiesce.review.openings import opening_of

SLACK_RIGHT, SLACK_MISSED = 0.75, 1.25
"""A mark is right from this share of its threshold on; a mistake counts as missed from that."""
THRESHOLDS = {"??": 0.20, "?": 0.10, "?!": 0.05}
RANK = {"": 0, "!": 0, "?!": 1, "?": 2, "??": 3}
Z = 1.96
MATE_SCORE = 100_000
logging.getLogger("chess.engine").setLevel(logging.ERROR)


def drawn(path, seed):
    """The games of a file with their numbers, in an order drawn by lot; more games never change those before."""
    games = []
    with Path(path).open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    order = list(enumerate(games))
    random.Random(seed).shuffle(order)
    return order


def said(info):
    """What an engine says of a position, by the side to move: expected points and centipawns."""
    return {
        "points": info["wdl"].relative.expectation(),
        "cp": info["score"].relative.score(mate_score=MATE_SCORE),
    }


def judge_game(engine, game, nodes):
    """What the engine says of each move of a game; None for moves that are book or without a choice."""
    moves = [node.move for node in game.mainline()]
    boards = [node.parent.board() for node in game.mainline()]
    _, book = opening_of(game.board(), moves)
    limit, found = chess.engine.Limit(nodes=nodes), []
    for ply in reversed(range(len(moves))):
        board, move = boards[ply], moves[ply]
        if ply < book or board.legal_moves.count() == 1:
            found.append(None)
            continue
        best = engine.analyse(board, limit, game=id(game))
        alone = best
        if best["pv"][0] != move:
            alone = engine.analyse(board, limit, game=id(game), root_moves=[move])
        found.append({"uci": move.uci(), "best": best["pv"][0].uci(), "before": said(best), "after": said(alone)})
    return found[::-1]


def judge(options):
    """Judge games one by one; each is kept as soon as it is done."""
    out = Path(options.out)
    known = {kept["game"] for kept in kept_in(out)} if out.exists() else set()
    with chess.engine.SimpleEngine.popen_uci(options.engine) as engine, out.open("a", encoding="utf-8") as file:
        engine.configure({"Hash": options.hash, "Threads": 1, "UCI_ShowWDL": True})
        for number, game in drawn(options.pgn, options.seed)[options.skip : options.skip + options.games]:
            if number not in known:
                plies = judge_game(engine, game, options.nodes)
                kept = {"game": number, "nodes": options.nodes, "pgn": str(game), "plies": plies}
                file.write(json.dumps(kept) + "\n")
                file.flush()
                print(f"game {number}: {len(plies)} plies", file=sys.stderr, flush=True)


def kept_in(path):
    """The games of a referee's file; a last line that was cut off is passed by."""
    for line in Path(path).read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            yield json.loads(line)


def write_games(options):
    """Print the games of a referee's file as PGN, in its order."""
    for kept in kept_in(options.referee):
        print(kept["pgn"], end="\n\n")


def loss_of(fact):
    """Expected points that a move lost, by an engine that judged it."""
    return max(0.0, fact["before"]["points"] - fact["after"]["points"])


def mark_of(loss):
    """The mark of a loss."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), "")


def marks_by(path):
    """For each game of a review or of an engine's file: its moves, and mark, certainty and judged or not of each."""
    text = Path(path).read_text(encoding="utf-8")
    if "\n" in text.strip():
        for kept in kept_in(path):
            yield [
                None if fact is None else {"uci": fact["uci"], "mark": mark_of(loss_of(fact)), "sure": False}
                for fact in kept["plies"]
            ]
        return
    for told in json.loads(text)["games"]:
        yield [fact if fact["judged"] else None for fact in told["moves"]]


def pairs_of(referee, review):
    """Pairs of what the referee and the review say of one move that both judge."""
    pairs = []
    for kept, told in zip(referee, review, strict=True):
        for fact, verdict in zip(kept["plies"], told, strict=True):
            if fact is not None and verdict is not None:
                assert fact["uci"] == verdict["uci"], "the review is of other games"
                pairs.append((fact, verdict))
    return pairs


def wilson(hits, total):
    """A share with its 95 % interval by Wilson."""
    if total == 0:
        return "-"
    share, square = hits / total, Z * Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total)) / (1 + square / total)
    return f"{hits}/{total} = {share:.0%} ({middle - half:.0%} to {middle + half:.0%})"


def is_right(fact, mark):
    """Does the referee's loss bear a mark out?"""
    return loss_of(fact) >= SLACK_RIGHT * THRESHOLDS[mark]


def compare(options):
    """Print the table."""
    referee = list(kept_in(options.referee))
    pairs = pairs_of(referee, marks_by(options.review))
    print(f"{len(referee)} games, {len(pairs)} moves judged by both")
    for least in ("?", "??"):
        marked = [fact for fact, verdict in pairs if RANK[verdict["mark"]] >= RANK[least]]
        right = sum(is_right(fact, least) for fact in marked)
        wrong = [verdict for fact, verdict in pairs if loss_of(fact) >= SLACK_MISSED * THRESHOLDS[least]]
        found = sum(RANK[verdict["mark"]] >= RANK[least] for verdict in wrong)
        print(f"{least} or worse: precision {wilson(right, len(marked))}, recall {wilson(found, len(wrong))}")
    own = sum(verdict["mark"] in THRESHOLDS and fact["uci"] == fact["best"] for fact, verdict in pairs)
    print(f"marks on the referee's own best move: {own}")
    for certain in (True, False):
        group = [(f, v) for f, v in pairs if v["mark"] in THRESHOLDS and v["sure"] is certain]
        right = sum(is_right(fact, verdict["mark"]) for fact, verdict in group)
        print(f"marks called {'sure' if certain else 'unsure'}: right {wilson(right, len(group))}")


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("judge")
    one.add_argument("pgn")
    one.add_argument("--games", type=int, default=60)
    one.add_argument("--skip", type=int, default=0, help="games at the start of the order that are left out")
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
