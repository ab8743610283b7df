"""Shell. A position as people write it: a FEN, `startpos`, moves from the start, or moves after either of them."""

import re
from pathlib import Path

from quiesce.board.fen import START_FEN, FenError, shorten
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import parse_move

START_WORD, MOVES_WORD = "startpos", "moves"
MOVE = re.compile(r"(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBNqrbn])?|O-O(?:-O)?|0-0(?:-0)?)[+#]?[!?]*")
"""How a move looks, in UCI or in algebraic notation."""
MOVE_NUMBER = re.compile(r"\d{1,3}\.+")
FILE_ENDINGS = (".pgn", ".epd", ".fen", ".txt", ".gz")
OTHER_WORDS = "a position may also be startpos, or moves such as e4 e5"
FOR_FILES = (
    "a position is a FEN, startpos, or moves such as e4 e5; `quiesce serve` opens PGN, `quiesce suite` solves EPD"
)


def game_from_text(text: str, chess960: bool = False) -> Game:
    """The game that a text means; raises FenError or MoveError with the reason where it means none."""
    words = text.split()
    if is_file_name(text.strip()):
        raise FenError(f"{shorten(text.strip())} is the name of a file: {FOR_FILES}")
    start, moves = parts_of(words)
    try:
        game = Game(START_FEN if start == START_WORD else start, chess960)
    except FenError as error:
        raise error if "/" in start else FenError(f"{error}; {OTHER_WORDS}") from None
    for number, move in enumerate(moves):
        try:
            game.push(parse_move(game, move))
        except MoveError as error:
            behind = f" (after {' '.join(moves[:number])})" if number else ""
            raise MoveError(f"{error}{behind}") from None
    return game


def parts_of(words: list[str]) -> tuple[str, list[str]]:
    """What a text starts from, FEN or START_WORD, and the moves behind it; numbers of moves count for nothing."""
    if MOVES_WORD in words:
        split = words.index(MOVES_WORD)
        return " ".join(words[:split]) or START_WORD, bare_moves(words[split + 1 :])
    if words[:1] == [START_WORD]:
        return START_WORD, bare_moves(words[1:])
    moves = bare_moves(words)
    if moves and MOVE.fullmatch(moves[0]):
        return START_WORD, moves
    return " ".join(words), []


def bare_moves(words: list[str]) -> list[str]:
    """Moves without their numbers, as in 1. e4 or 1.e4."""
    return [move for word in words if (move := MOVE_NUMBER.sub("", word, count=1))]


def is_file_name(text: str) -> bool:
    """Does a text name a file rather than a position?"""
    if text.lower().endswith(FILE_ENDINGS):
        return True
    try:
        return bool(text) and Path(text).is_file()
    except (OSError, ValueError):
        return False
