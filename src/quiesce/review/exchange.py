"""Shell. Material and exchanges, played out on a python-chess board."""

from collections import Counter
from collections.abc import Iterable

import chess

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
KING_VALUE = 100
"""Value of a king, as victim and as capturing piece: above all others."""
MOST_CAPTURES = 8
"""Most captures in a row."""
NAMES = {kind: chess.piece_name(kind) for kind in chess.PIECE_TYPES}
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def value_at(board: chess.Board, square: chess.Square) -> int:
    """Value in pawns of the piece on a square; 0 if it is empty."""
    kind = board.piece_type_at(square)
    return 0 if kind is None else VALUES[kind]


def weight(kind: chess.PieceType | None) -> int:
    """Value of a kind, a king above all others; 0 for no piece."""
    return 0 if kind is None else VALUES[kind] or KING_VALUE


def material(board: chess.Board, colour: chess.Color) -> int:
    """Material balance of one side, in pawns."""
    return sum(
        value * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, value in VALUES.items()
    )


def captures_on(board: chess.Board, square: chess.Square) -> list[chess.Move]:
    """Legal captures on a square, the least valuable piece first."""
    moves = board.generate_legal_captures(chess.BB_ALL, chess.BB_SQUARES[square])
    return sorted(moves, key=lambda move: (weight(board.piece_type_at(move.from_square)), move.uci()))


def exchange(board: chess.Board, square: chess.Square) -> int:
    """Pawns the side to move wins by captures on a square, each by the least valuable piece; either side may stop."""
    moves = captures_on(board, square)
    return max(0, worth(board, moves[0])) if moves else 0


def worth(board: chess.Board, move: chess.Move) -> int:
    """Pawns a move wins by captures on its target square."""
    gain = value_at(board, move.to_square) + (1 if board.is_en_passant(move) else 0)
    if move.promotion is not None:
        gain += VALUES[move.promotion] - 1
    after = board.copy(stack=False)
    after.push(move)
    return gain - exchange(after, move.to_square)


def settled(board: chess.Board) -> chess.Board:
    """The board after all captures; each side takes what pays best, or nothing."""
    stage = board.copy(stack=False)
    for move in capture_search(stage, -KING_VALUE, KING_VALUE, MOST_CAPTURES)[1]:
        stage.push(move)
    return stage


def capture_search(board: chess.Board, alpha: int, beta: int, depth: int) -> tuple[int, list[chess.Move]]:
    """Material balance of the side to move after all captures, and those captures; the board is not changed."""
    best, line = material(board, board.turn), list[chess.Move]()
    if depth == 0 or best >= beta:
        return best, line
    moves = sorted(
        board.generate_legal_captures(),
        key=lambda move: weight(board.piece_type_at(move.from_square)) - 10 * value_at(board, move.to_square),
    )
    for move in moves:
        board.push(move)
        value, rest = capture_search(board, -beta, -max(alpha, best), depth - 1)
        board.pop()
        if -value > best:
            best, line = -value, [move, *rest]
            if best >= beta:
                break
    return best, line


def passed(board: chess.Board) -> chess.Board | None:
    """The board with the other side to move; None in check."""
    if board.is_check():
        return None
    other = board.copy(stack=False)
    other.push(chess.Move.null())
    return other


def is_loose(board: chess.Board, square: chess.Square) -> bool:
    """Would the piece on a square lose material if the other side were to move?"""
    piece = board.piece_at(square)
    if piece is None:
        return False
    other = board if board.turn != piece.color else passed(board)
    return other is not None and exchange(other, square) > 0


def won(before: chess.Board, after: chess.Board, colour: chess.Color) -> tuple[Counter[int], Counter[int]]:
    """Kinds of pieces one side has won and lost between two boards; equal ones cancel."""
    gained = Counter[int]()
    for kind in VALUES:
        for side in chess.COLORS:
            gone = len(before.pieces(kind, side)) - len(after.pieces(kind, side))
            gained[kind] += gone if side != colour else -gone
    return Counter({kind: count for kind, count in gained.items() if count > 0}), Counter(
        {kind: -count for kind, count in gained.items() if count < 0}
    )


def listed(kinds: Counter[int]) -> str:
    """Pieces in words, the most valuable first: a rook and two pawns."""
    words = [
        f"a {NAMES[kind]}" if count == 1 else f"{NUMBERS.get(count, str(count))} {NAMES[kind]}s"
        for kind, count in sorted(kinds.items(), reverse=True)
    ]
    return joined(words)


def joined(words: Iterable[str]) -> str:
    """Words joined as a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def named(board: chess.Board, square: chess.Square) -> str:
    """A piece with its square: the knight on f3."""
    kind = board.piece_type_at(square)
    assert kind is not None
    return f"the {NAMES[kind]} on {chess.square_name(square)}"
