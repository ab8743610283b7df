"""Shell. What a browser may ask: JSON messages read strictly, with one sentence for whatever is wrong.

A message is an object with a `number`, chosen by the browser and repeated in every answer, and a word `do`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quiesce.board.fen import START_FEN, shorten
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import parse_san, parse_uci
from quiesce.search.params import check_option, current_names

MOST_MOVES = 1_000
MOST_COLUMNS = 2
"""Sets of options that are compared."""
LONGEST_FEN = 200
LONGEST_MOVE = 12
LONGEST_MESSAGE = 32_768
"""Bytes of a message beyond which the connection is closed unread: the longest game fits."""
GAME_FIELDS = ("fen", "chess960", "moves", "say")
"""What tells a game."""
GREATEST_NUMBER = 2**31


class WireError(ValueError):
    """A message that makes no sense; the text says why."""


@dataclass(frozen=True, slots=True)
class Request:
    """One message: its number, what to do, and all the rest."""

    number: int
    do: str
    body: Mapping[str, Any]


def read_request(text: str) -> Request:
    """The request a message holds."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise WireError(f"message is no JSON: {shorten(text, 40)}") from None
    if not isinstance(body, dict):
        raise WireError("message is no JSON object")
    return Request(whole_of(body, "number", 0, GREATEST_NUMBER), text_of(body, "do", 20), body)


def text_of(body: Mapping[str, Any], name: str, longest: int, default: str | None = None) -> str:
    """A text of a message; without a default it must be there."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise WireError(f"{name} is not a text")
    if len(value) > longest:
        raise WireError(f"{name} is longer than {longest} letters")
    return value


def whole_of(body: Mapping[str, Any], name: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number of a message, within bounds; without a default it must be there."""
    value = body.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise WireError(f"{name} is not a whole number")
    if not low <= value <= high:
        raise WireError(f"{name} is outside {low} to {high}")
    return value


def flag_of(body: Mapping[str, Any], name: str) -> bool:
    """Yes or no; no where nothing is said."""
    value = body.get(name, False)
    if not isinstance(value, bool):
        raise WireError(f"{name} is neither true nor false")
    return value


def texts_of(body: Mapping[str, Any], name: str) -> list[str]:
    """A list of moves as texts; empty where nothing is said."""
    texts = body.get(name, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise WireError(f"{name} is not a list of texts")
    if len(texts) > MOST_MOVES:
        raise WireError(f"{name} has {len(texts)} moves, more than {MOST_MOVES}")
    return texts


def moves_after(game: Game, body: Mapping[str, Any]) -> list[int]:
    """The moves of `path`, which are played after a game; the game stays as it is."""
    stage, found = game.copy(), list[int]()
    for text in texts_of(body, "path"):
        found.append(parse_uci(stage, text))
        stage.push(found[-1])
    return found


def game_of(body: Mapping[str, Any]) -> Game:
    """The game a message tells: `fen`, `moves` in UCI notation, and `say`, one more move as a person may type it.

    Raises FenError and MoveError with the words the UCI engine has for them.
    """
    game = Game(text_of(body, "fen", LONGEST_FEN, START_FEN), flag_of(body, "chess960"))
    for move in texts_of(body, "moves"):
        game.push(parse_uci(game, move))
    if said := text_of(body, "say", LONGEST_MOVE, "").strip():
        game.push(parse_typed(game, said))
    return game


def parse_typed(game: Game, text: str) -> int:
    """A move in either notation; what is neither is explained as algebraic notation, which people type."""
    try:
        return parse_uci(game, text)
    except MoveError:
        return parse_san(game, text)


def columns_of(body: Mapping[str, Any]) -> list[dict[str, int]]:
    """Several sets of options, to be compared."""
    columns = body.get("options")
    if not isinstance(columns, list) or not 1 <= len(columns) <= MOST_COLUMNS:
        raise WireError(f"options is not a list of 1 to {MOST_COLUMNS} objects")
    return [options_of({"options": options}) for options in columns]


def options_of(body: Mapping[str, Any]) -> dict[str, int]:
    """Options of the search, by name; raises OptionError for one that is none."""
    values = body.get("options", {})
    if not isinstance(values, dict):
        raise WireError("options is not an object")
    options = current_names({name: whole_of(values, name, -GREATEST_NUMBER, GREATEST_NUMBER) for name in values})
    for name, value in options.items():
        check_option(name, value)
    return options
