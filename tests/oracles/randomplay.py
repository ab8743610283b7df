"""Boards met in random games of python-chess: standard chess, Chess960 and few-pieces endings."""

import random

import chess

LONGEST = 160
KEPT = 0.12
"""Share of the boards met that is handed out, so that neighbours differ."""
ENDINGS = (
    "8/8/4k3/8/8/3RK3/8/8 w - - 0 1",
    "8/5k2/8/2B5/3N4/4K3/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/2BBK3 w - - 0 1",
    "8/2b2k2/8/8/8/2B5/4K3/8 w - - 90 80",
    "8/P4k2/8/8/8/8/2p2K2/8 w - - 0 1",
)
KINDS = ("standard", "chess960", "ending")


def start(kind, choice):
    """A board to start a random game from."""
    if kind == "standard":
        return chess.Board()
    if kind == "chess960":
        return chess.Board.from_chess960_pos(choice.randrange(960))
    return chess.Board(choice.choice(ENDINGS))


def lively(board, choice):
    """A random legal move; noisy moves, castling and checks come more often than chance would have them."""
    moves = list(board.legal_moves)
    rare = [move for move in moves if move.promotion or board.is_en_passant(move) or board.is_castling(move)]
    sharp = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
    draw = choice.random()
    if rare and draw < 0.3:
        return choice.choice(rare)
    if sharp and draw < 0.4:
        return choice.choice(sharp)
    return choice.choice(moves)


def games(seed):
    """Endless random games, each as a fresh board; whoever iterates plays `lively` moves on it."""
    choice = random.Random(seed)
    while True:
        for kind in KINDS:
            yield start(kind, choice), choice


def boards(seed, count, most_pieces=32):
    """So many boards of standard chess met in such games, a move left to play in each, without their history."""
    found = 0
    for board, choice in games(seed):
        for _ in range(LONGEST):
            if board.chess960 or not any(board.legal_moves):
                break
            board.push(lively(board, choice))
            if len(board.piece_map()) <= most_pieces and any(board.legal_moves) and choice.random() < KEPT:
                yield chess.Board(board.fen(en_passant="legal"))
                found += 1
                if found == count:
                    return
