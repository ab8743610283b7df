"""Our hash key computed by python-chess: its Polyglot hasher, fed with our numbers."""

import chess
import chess.polyglot

from quiesce.board.tables import tables


def our_numbers():
    """Our Zobrist numbers in the order Polyglot lays them out."""
    t = tables()
    numbers = []
    for kind in range(6):
        for polyglot_colour in (1, 0):  # Polyglot puts black before white
            numbers += [int(number) for number in t.piece_keys[2 * kind + polyglot_colour]]
    numbers += [int(t.castling_keys[square]) for square in (chess.H1, chess.A1, chess.H8, chess.A8)]
    numbers += [int(number) for number in t.ep_keys]
    return [*numbers, int(t.turn_key)]


def key_of(board):
    """Key of a standard board; Polyglot hashes White to move, we hash Black, and en passant only where legal."""
    plain = board.copy(stack=False)
    if not board.has_legal_en_passant():
        plain.ep_square = None
    hasher = chess.polyglot.ZobristHasher(our_numbers())
    return hasher(plain) ^ int(tables().turn_key)
