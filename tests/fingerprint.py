"""Print all that the kernels say of a few positions, as JSON: the same with and without the compiler."""

import json

import numpy as np

from quiesce.board.draws import can_repeat
from quiesce.board.game import Game
from quiesce.board.invariants import broken
from quiesce.board.legality import gives_check, is_legal
from quiesce.board.movegen import count_legal, generate_noisy, generate_quiet
from quiesce.board.movetext import parse_uci
from quiesce.board.perft import PERFT, perft
from quiesce.board.quietchecks import generate_quiet_checks
from quiesce.board.see import see
from quiesce.board.tables import tables
from quiesce.board.types import MOVE_LIST
from quiesce.records import new

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/1k6/2pP4/8/8/4KQ2 b - d3 0 1",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 0 1",
)
PERFT_DEPTH = 2


def moves_of(generate, position):
    """What a generator writes."""
    moves = new(MOVE_LIST)
    count = int(generate(tables(), position, moves))
    return [int(move) for move in moves.moves[:count]]


def describe(fen):
    """Everything about one position."""
    t, game = tables(), Game(fen)
    legal = game.legal_moves()
    work = new(PERFT)
    work.stack[0] = game.position
    facts = {
        "fen": game.fen(),
        "keys": [int(game.position[name]) for name in ("key", "pawn_key", "material_key")],
        "legal": legal,
        "parts": [moves_of(part, game.position) for part in (generate_noisy, generate_quiet, generate_quiet_checks)],
        "count": int(count_legal(t, game.position)),
        "checks": [bool(gives_check(t, game.position, np.uint64(move))) for move in legal],
        "see": [int(see(t, game.position, np.uint64(move))) for move in legal],
        "judged": [bool(is_legal(t, game.position, np.uint64(move))) for move in range(0, 1 << 16, 257)],
        "broken": int(broken(t, game.position)),
        "perft": int(perft(t, work, np.int64(0), np.int64(PERFT_DEPTH))),
    }
    game.push(legal[0])
    return {**facts, "after": [int(part) for part in game.position.tobytes()]}


def repetition():
    """A game in which a position is about to come again."""
    game = Game()
    for text in ("g1f3", "g8f6", "f3g1"):
        game.push(parse_uci(game, text))
    return bool(can_repeat(tables(), game.position, game.path, game.index, 8))


if __name__ == "__main__":
    print(json.dumps([[describe(fen) for fen in FENS], repetition()]))
