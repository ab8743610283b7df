"""Shell. Options as python-chess describes and refuses them."""

from collections.abc import Mapping
from typing import Any

import chess.engine

from quiesce.engine import options as table
from quiesce.engine.options import BUTTON, OPTIONS, SPIN, UNDERSTOOD, BadValueError, Option, Values

MANAGED = {
    "MultiPV": "give multipv= to analyse or analysis",
    "Ponder": "the engine does not think on the opponent's time",
}
"""Options that each call sets, and what to use instead."""


class BadOptionError(chess.engine.EngineError, BadValueError):
    """An unknown option or an invalid value; the message says which."""


def described(option: Option) -> chess.engine.Option:
    """An option as a chess.engine.Option."""
    low, high = (option.low, option.high) if option.kind == SPIN else (None, None)
    default = None if option.kind == BUTTON else option.default
    return chess.engine.Option(option.name, option.kind, default, low, high, list(option.choices))


DESCRIBED = tuple((option.name, described(option)) for option in OPTIONS.values())


def options_map() -> chess.engine.UciOptionMap[chess.engine.Option]:
    """All options by name, in any case."""
    return chess.engine.UciOptionMap(DESCRIBED)


def read_options(given: Mapping[str, Any]) -> Values:
    """Options by their canonical names with valid values; None restores the default. Raises BadOptionError."""
    try:
        values = table.read_options(given)
    except BadValueError as error:
        raise BadOptionError(str(error)) from None
    for name, instead in MANAGED.items():
        if name in values:
            raise BadOptionError(f"{name} cannot be configured: {instead}")
    return values


def by_keyword(named: Mapping[str, Any]) -> Values:
    """Keyword options by their canonical names: _ stands for a space."""
    return {name if name.lower() in UNDERSTOOD else name.replace("_", " "): value for name, value in named.items()}


def values_of(options: Mapping[str, Any] | None, named: Mapping[str, Any]) -> Values:
    """The values of all options, given as a mapping or by keyword; raises BadOptionError."""
    if isinstance(options, str):
        raise TypeError(
            f"options are a mapping such as {{'Hash': 64}}, not {options!r}: "
            "this is Quiesce itself, chess.engine.SimpleEngine.popen_uci starts other engines"
        )
    return table.defaults() | read_options({} if options is None else options) | read_options(by_keyword(named))


def opponent_option(opponent: chess.engine.Opponent | None) -> Values:
    """The value of UCI_Opponent: title, rating, computer or human, name; nothing without a name."""
    if opponent is None or not opponent.name:
        return {}
    kind = "computer" if opponent.is_engine else "human"
    return {"UCI_Opponent": f"{opponent.title or 'none'} {opponent.rating or 'none'} {kind} {opponent.name}"}
