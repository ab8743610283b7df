"""Shell. PGN in and out: one game at a time, main line only."""

import io
from datetime import UTC, datetime

import chess
import chess.pgn

from quiesce.board.bridge import from_board, to_board
from quiesce.board.fen import shorten
from quiesce.board.game import Game
from quiesce.board.pgnfile import PgnError, read_game
from quiesce.web.facts import end_of
from quiesce.web.wire import MOST_MOVES

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SHOWN_HEADERS = ("Event", "Site", "Date", "White", "Black", "Result", "WhiteElo", "BlackElo")
LONGEST_HEADER = 60
GOES_ON = "this text goes on after its first game: only that was taken"


def read_pgn(text: str) -> tuple[Game, dict[str, str], str]:
    """The first game of a text, who played it, and a word on what was left out, empty where nothing was.

    Raises PgnError, or FenError for what cannot be played.
    """
    stream = io.StringIO(text)
    found = read_game(stream)
    if found is None:
        raise PgnError("there is no game in this text")
    if found.errors:
        raise PgnError(f"the game cannot be read: {shorten(str(found.errors[0]), 120)}")
    board = found.end().board()
    if not board.move_stack and found.headers.get("FEN") is None:
        raise PgnError("there is no move in this text")
    if len(board.move_stack) > MOST_MOVES:
        raise PgnError(f"the game has {len(board.move_stack)} moves, more than {MOST_MOVES}")
    if chess.Move.null() in board.move_stack:
        number = (board.root().ply() + board.move_stack.index(chess.Move.null())) // 2 + 1
        raise PgnError(f"move {number} is a null move, which no game has")
    headers = {name: found.headers[name][:LONGEST_HEADER] for name in SHOWN_HEADERS if name in found.headers}
    return from_board(board), headers, GOES_ON if chess.pgn.skip_game(stream) else ""


def write_pgn(game: Game, white: str, black: str, result: str) -> str:
    """A game as PGN, with the result told, or that of the rules where it is over."""
    written = chess.pgn.Game.from_board(to_board(game))
    written.headers.update(
        {"Event": "Quiesce web board", "Date": datetime.now(UTC).strftime("%Y.%m.%d"), "White": white, "Black": black}
    )
    end = end_of(game)
    written.headers["Result"] = end["result"] if end else result if result in RESULTS else "*"
    return f"{written}\n"
