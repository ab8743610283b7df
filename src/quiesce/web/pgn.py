"""Shell. PGN in and out: one game at a time, main line only."""

from datetime import UTC, datetime

import chess.pgn

from quiesce.board.bridge import from_board, to_board
from quiesce.board.game import Game
from quiesce.board.pgnfile import PgnError
from quiesce.review.reading import DamagedError, read_source, sources_in
from quiesce.web.facts import end_of
from quiesce.web.wire import MOST_MOVES

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SHOWN_HEADERS = ("Event", "Site", "Date", "White", "Black", "Result", "WhiteElo", "BlackElo")
LONGEST_HEADER = 60
GOES_ON = "this text goes on after its first game: only that was taken"


def read_pgn(text: str) -> tuple[Game, dict[str, str], str]:
    """The main line of the first game of a text, who played it, and a word on what was left out, empty if nothing was.

    Raises PgnError, or FenError for what cannot be played.
    """
    sources = sources_in(text, "the text")
    first = next(sources, None)
    if first is None:
        raise PgnError("there is no game in this text")
    try:
        found = read_source(first.text, is_main_line=True)
    except DamagedError as error:
        raise PgnError(f"the game cannot be read: {error}") from None
    board = found.end().board()
    if not board.move_stack and found.headers.get("FEN") is None:
        raise PgnError("there is no move in this text")
    if len(board.move_stack) > MOST_MOVES:
        raise PgnError(f"the game has {len(board.move_stack)} moves, more than {MOST_MOVES}")
    headers = {name: found.headers[name][:LONGEST_HEADER] for name in SHOWN_HEADERS if name in found.headers}
    return from_board(board), headers, GOES_ON if next(sources, None) else ""


def write_pgn(game: Game, white: str, black: str, result: str) -> str:
    """A game as PGN, with the result told, or that of the rules where it is over."""
    written = chess.pgn.Game.from_board(to_board(game))
    written.headers.update(
        {"Event": "Quiesce web board", "Date": datetime.now(UTC).strftime("%Y.%m.%d"), "White": white, "Black": black}
    )
    end = end_of(game)
    written.headers["Result"] = end["result"] if end else result if result in RESULTS else "*"
    return f"{written}\n"
