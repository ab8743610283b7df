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


def key_by_hand(board):
    """Key of any board, Chess960 too, piece by piece."""
    t = tables()
    key = 0 if board.turn else int(t.turn_key)
    for square, piece in board.piece_map().items():
        key ^= int(t.piece_keys[2 * (piece.piece_type - 1) + (not piece.color), square])
    for square in chess.SquareSet(board.clean_castling_rights()):
        key ^= int(t.castling_keys[square])
    if board.has_legal_en_passant():
        key ^= int(t.ep_keys[chess.square_file(board.ep_square)])
    return key


def key_of(board):
    """Key of a standard board by Polyglot's rules, which hash White to move where we hash Black."""
    plain = board.copy(stack=False)
    if not board.has_legal_en_passant():
        plain.ep_square = None
    hasher = chess.polyglot.ZobristHasher(our_numbers())
    return hasher(plain) ^ int(tables().turn_key)
