"""Shell. Kinds of positions: by piece count, or sharp if material can be won at once."""

import chess

OPENING, MIDDLEGAME, ENDGAME, SHARP = KINDS_OF_POSITIONS = ("opening", "middlegame", "endgame", "sharp")
OPENING_MEN = 28
"""Least number of pieces of an opening position."""
ENDGAME_PHASE = 10
"""Phase, of 24, up to which a position is an ending: two rooks and a minor piece each."""
PHASES = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 100}


def wins_material(board: chess.Board, move: chess.Move) -> bool:
    """Does a capture win material: a greater piece than the capturing one, or an undefended one?"""
    if not board.is_capture(move):
        return False
    taker, taken = board.piece_type_at(move.from_square), board.piece_type_at(move.to_square) or chess.PAWN
    if VALUES[taken] > VALUES[taker or chess.KING]:
        return True
    after = board.copy(stack=False)
    after.push(move)
    return not any(reply.to_square == move.to_square for reply in after.legal_moves)


def position_kind(fen: str) -> str:
    """The kind of a position: sharp if the side to move is in check or can win material, else by piece count."""
    board = chess.Board(fen)
    if board.is_check() or any(wins_material(board, move) for move in board.legal_moves):
        return SHARP
    if chess.popcount(board.occupied) >= OPENING_MEN:
        return OPENING
    phase = sum(PHASES.get(piece.piece_type, 0) for piece in board.piece_map().values())
    return ENDGAME if phase <= ENDGAME_PHASE else MIDDLEGAME
