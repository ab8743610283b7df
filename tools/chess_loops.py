"""What batches do, one board at a time in python-chess, written to be fast; `measure_api.py` sets it beside ours."""

import io

import chess
import chess.pgn
import numpy as np

VALUES = {
    None: 0,
    chess.PAWN: 100,
    chess.KNIGHT: 300,
    chess.BISHOP: 300,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 20_000,
}
PROMOTED = VALUES[chess.QUEEN] - VALUES[chess.PAWN]
END_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8
TURNED_FILES, TURNED_RANKS = 7, 56
MOST_MEN = 32


def positions(text):
    """Every position of the main lines of games in PGN."""
    found, file = [], io.StringIO(text)
    while (game := chess.pgn.read_game(file)) is not None:
        board = game.board()
        found.append(board.copy(stack=False))
        for move in game.mainline_moves():
            board.push(move)
            found.append(board.copy(stack=False))
    return found


def exchange(board, move):
    """SEE in centipawns of a legal move for its side, as `batch.see` counts it."""
    if board.is_castling(move):
        return 0
    square, side, victim = move.to_square, board.turn, board.piece_type_at(move.to_square)
    occupied = board.occupied & ~chess.BB_SQUARES[move.from_square]
    if board.is_en_passant(move):
        victim = chess.PAWN
        occupied &= ~chess.BB_SQUARES[square ^ 8]
    standing = move.promotion or board.piece_type_at(move.from_square)
    worth = [VALUES[victim] + (VALUES[move.promotion] - VALUES[chess.PAWN] if move.promotion else 0)]
    is_at_end = chess.BB_SQUARES[square] & END_RANKS
    while True:
        side = not side
        kind, man = cheapest(board, board.attackers_mask(side, square, occupied) & occupied)
        is_last = kind == chess.KING and board.attackers_mask(not side, square, occupied) & occupied
        if kind is None or is_last:
            break
        promotes = kind == chess.PAWN and is_at_end
        worth.append(VALUES[standing] + (PROMOTED if promotes else 0) - worth[-1])
        standing = chess.QUEEN if promotes else kind
        occupied ^= man
    while len(worth) > 1:
        last = worth.pop()
        worth[-1] = -max(-worth[-1], last)
    return worth[0]


def cheapest(board, men):
    """Kind and square (as a set) of the least valuable piece of a set; None if it is empty."""
    if men:
        for kind, squares in zip(chess.PIECE_TYPES, kinds(board), strict=True):
            found = squares & men
            if found:
                return kind, found & -found
    return None, 0


def kinds(board):
    """Squares by kind, pawns first."""
    return board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings


def is_quiet(board):
    """Is the side to move out of check, with no capture or promotion that wins material by exchange?"""
    if board.is_check():
        return False
    if any(exchange(board, move) > 0 for move in board.generate_legal_captures()):
        return False
    promotions = board.generate_legal_moves(board.pawns, END_RANKS & ~board.occupied)
    return not any(exchange(board, move) > 0 for move in promotions)


def inputs(board):
    """The network's inputs that are on, as the side to move and the other one see the board: two rows, -1 beyond."""
    found = np.full((2, MOST_MEN), -1, np.int16)
    men = [
        (kind, board.pieces_mask(kind, chess.WHITE), board.pieces_mask(kind, chess.BLACK)) for kind in chess.PIECE_TYPES
    ]
    for row, side in enumerate((board.turn, not board.turn)):
        turned = (0 if side else TURNED_RANKS) ^ (TURNED_FILES if chess.square_file(board.king(side)) > 3 else 0)
        found[row, : chess.popcount(board.occupied)] = [
            ((is_enemy * 6 + kind - 1) * 64 + (square ^ turned))
            for kind, white, black in men
            for is_enemy, squares in ((not side, white), (side, black))
            for square in chess.scan_forward(squares)
        ]
    return found


def planes(board):
    """The board as 12 planes of 8 by 8, own pieces first, from the side to move's view."""
    sides = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    squares = np.array([men & side for side in sides for men in kinds(board)], "<u8")
    found = np.unpackbits(squares.view(np.uint8), bitorder="little").reshape(12, 8, 8)
    return found if board.turn else found[:, ::-1]
