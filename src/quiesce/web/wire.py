"""Shell. Reads messages of browsers strictly, with one sentence for each error.

A message is a JSON object with a `number`, which the browser chooses and every answer repeats, and a command `do`.
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
"""Most sets of options to compare."""
LONGEST_FEN = 200
LONGEST_MOVE = 12
LONGEST_MESSAGE = 32_768
"""Longest message in bytes; the longest game fits. A longer one closes the connection."""
GAME_FIELDS = ("fen", "chess960", "moves", "say")
"""Fields that describe a game."""
GREATEST_NUMBER = 2**31


class WireError(ValueError):
    """An invalid message; the text says why."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message: its number, its command, and all other fields."""

    number: int
    do: str
    body: Mapping[str, Any]


def read_request(text: str) -> Request:
    """The request of a message."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise WireError(f"message is no JSON: {shorten(text, 40)}") from None
    if not isinstance(body, dict):
        raise WireError("message is no JSON object")
    return Request(whole_of(body, "number", 0, GREATEST_NUMBER), text_of(body, "do", 20), body)


def text_of(body: Mapping[str, Any], name: str, longest: int, default: str | None = None) -> str:
    """A text field; required if it has no default."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise WireError(f"{name} is not a text")
    if len(value) > longest:
        raise WireError(f"{name} is longer than {longest} letters")
    return value


def whole_of(body: Mapping[str, Any], name: str, low: int, high: int, default: int | None = None) -> int:
    """An integer field within bounds; required if it has no default."""
    value = body.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise WireError(f"{name} is not a whole number")
    if not low <= value <= high:
        raise WireError(f"{name} is outside {low} to {high}")
    return value


def flag_of(body: Mapping[str, Any], name: str) -> bool:
    """A boolean field; False by default."""
    value = body.get(name, False)
    if not isinstance(value, bool):
        raise WireError(f"{name} is neither true nor false")
    return value


def texts_of(body: Mapping[str, Any], name: str) -> list[str]:
    """A field with a list of moves; empty by default."""
    texts = body.get(name, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise WireError(f"{name} is not a list of texts")
    if len(texts) > MOST_MOVES:
        raise WireError(f"{name} has {len(texts)} moves, more than {MOST_MOVES}")
    return texts


def moves_after(game: Game, body: Mapping[str, Any]) -> list[int]:
    """The moves of `path`, played after a game; the game is not changed."""
    stage, found = game.copy(), list[int]()
    for text in texts_of(body, "path"):
        found.append(parse_uci(stage, text))
        stage.push(found[-1])
    return found


def game_of(body: Mapping[str, Any]) -> Game:
    """The game of a message: `fen`, `moves` in UCI notation, and `say`, a move as typed by a person.

    Raises FenError and MoveError with the UCI engine's messages.
    """
    game = Game(text_of(body, "fen", LONGEST_FEN, START_FEN), flag_of(body, "chess960"))
    for move in texts_of(body, "moves"):
        game.push(parse_uci(game, move))
    if said := text_of(body, "say", LONGEST_MOVE, "").strip():
        game.push(parse_typed(game, said))
    return game


def parse_typed(game: Game, text: str) -> int:
    """A move in UCI or SAN; errors are those of SAN, which people type."""
    try:
        return parse_uci(game, text)
    except MoveError:
        return parse_san(game, text)


def columns_of(body: Mapping[str, Any]) -> list[dict[str, int]]:
    """Several sets of options to compare."""
    columns = body.get("options")
    if not isinstance(columns, list) or not 1 <= len(columns) <= MOST_COLUMNS:
        raise WireError(f"options is not a list of 1 to {MOST_COLUMNS} objects")
    return [options_of({"options": options}) for options in columns]


def options_of(body: Mapping[str, Any]) -> dict[str, int]:
    """Search options by name. Raises OptionError for an unknown option."""
    values = body.get("options", {})
    if not isinstance(values, dict):
        raise WireError("options is not an object")
    options = current_names({name: whole_of(values, name, -GREATEST_NUMBER, GREATEST_NUMBER) for name in values})
    for name, value in options.items():
        check_option(name, value)
    return options
