"""What an exchange on one square wins, played out piece by piece on a python-chess board.

Cheapest piece first, the lowest square among equals; either side may stop; pins do not count; a king
takes only what is not defended; a pawn that recaptures on an end rank becomes a queen.
"""

import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 20_000}


def exchange(board, move):
    """Centipawns a legal move wins for its side, with best recaptures."""
    if board.is_castling(move):
        return 0
    after = board.copy(stack=False)
    piece = after.remove_piece_at(move.from_square)
    won = 0
    if board.is_en_passant(move):
        after.remove_piece_at(move.to_square + (-8 if board.turn == chess.WHITE else 8))
        won = VALUES[chess.PAWN]
    elif board.piece_at(move.to_square):
        won = VALUES[board.piece_at(move.to_square).piece_type]
    if move.promotion:
        won += VALUES[move.promotion] - VALUES[chess.PAWN]
        piece = chess.Piece(move.promotion, board.turn)
    after.set_piece_at(move.to_square, piece)
    return won - recapture(after, move.to_square, not board.turn)


def recapture(board, square, side):
    """Centipawns a side wins by taking on a square, or nothing if it is better to stop."""
    hitters = board.attackers(side, square)
    if not hitters:
        return 0
    origin = min(hitters, key=lambda where: (VALUES[board.piece_type_at(where)], board.piece_type_at(where), where))
    if board.piece_type_at(origin) == chess.KING and board.attackers(not side, square):
        return 0
    prize = VALUES[board.piece_type_at(square)]
    after = board.copy(stack=False)
    taker = after.remove_piece_at(origin)
    if taker.piece_type == chess.PAWN and chess.square_rank(square) in (0, 7):
        taker = chess.Piece(chess.QUEEN, side)
        prize += VALUES[chess.QUEEN] - VALUES[chess.PAWN]
    after.set_piece_at(square, taker)
    return max(0, prize - recapture(after, square, not side))
