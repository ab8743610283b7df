"""Boards for batches: random games of standard chess, Chess960 and endings, and games that are over."""

import itertools

import chess

from tests.oracles import randomplay

GAMES = 18
OVER = (
    "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
    "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "8/P7/8/8/8/8/7k/K7 w - - 99 200",
)


def mixed_boards():
    """Several hundred boards, without their moves."""
    found = [chess.Board(fen) for fen in OVER]
    for board, choice in itertools.islice(randomplay.games(seed=21), GAMES):
        for _ in range(60):
            if not any(board.legal_moves):
                break
            board.push(randomplay.lively(board, choice))
            found.append(board.copy(stack=False))
    return found
