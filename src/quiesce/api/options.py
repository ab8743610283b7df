"""Shell. What can be configured, as python-chess describes and refuses it; what there is stands in `engine.options`."""

from collections.abc import Mapping
from typing import Any

import chess.engine

from quiesce.engine import options as table
from quiesce.engine.options import BUTTON, OPTIONS, SPIN, UNDERSTOOD, BadValueError, Option, Values

MANAGED = {
    "MultiPV": "give multipv= to analyse or analysis",
    "Ponder": "there is no thinking in the opponent's time",
}
"""Options that follow from each call, and what to do instead."""


class BadOptionError(chess.engine.EngineError, BadValueError):
    """An option that does not exist or a value it cannot have; the message says which."""


def described(option: Option) -> chess.engine.Option:
    """An option as python-chess describes it."""
    low, high = (option.low, option.high) if option.kind == SPIN else (None, None)
    default = None if option.kind == BUTTON else option.default
    return chess.engine.Option(option.name, option.kind, default, low, high, list(option.choices))


DESCRIBED = tuple((option.name, described(option)) for option in OPTIONS.values())


def options_map() -> chess.engine.UciOptionMap[chess.engine.Option]:
    """All options by name, in any case."""
    return chess.engine.UciOptionMap(DESCRIBED)


def read_options(given: Mapping[str, Any]) -> Values:
    """Options by their right names with values they can have, None as the default; raises BadOptionError for others."""
    try:
        values = table.read_options(given)
    except BadValueError as error:
        raise BadOptionError(str(error)) from None
    for name, instead in MANAGED.items():
        if name in values:
            raise BadOptionError(f"{name} cannot be set, for it follows from each call: {instead}")
    return values


def by_keyword(named: Mapping[str, Any]) -> Values:
    """Options given by keyword, by their right names: _ stands for the blank that no keyword can hold."""
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
    """What UCI tells of an opponent: title, rating, computer or human, name; nothing where no name is known."""
    if opponent is None or not opponent.name:
        return {}
    kind = "computer" if opponent.is_engine else "human"
    return {"UCI_Opponent": f"{opponent.title or 'none'} {opponent.rating or 'none'} {kind} {opponent.name}"}
