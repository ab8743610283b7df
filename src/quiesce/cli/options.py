"""Shell. Engine options on command lines, NAME=VALUE."""

from typing import Any

import click

from quiesce.engine.options import LOOKS_ON, SEARCH, BadValueError, read_options

Texts = tuple[str, ...]

option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Option of our engine; repeatable."
)


def values_by_name(texts: Texts) -> dict[str, str]:
    """Values by name, unchecked."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"{text!r} is not an option such as Hash=16 or NullMove=0")
        values[name.strip()] = value.strip()
    return values


def analysis_options(texts: Texts) -> dict[str, Any]:
    """The options of our engine that affect an analysis, by their canonical names."""
    return chosen(texts, LOOKS_ON, "is an option of play, which changes no analysis")


def search_options(texts: Texts) -> dict[str, int]:
    """The search options, by their canonical names."""
    values = chosen(texts, SEARCH, "is no search option: only switches and numbers of the search can be set here")
    return {name: int(value) for name, value in values.items()}


def chosen(texts: Texts, names: frozenset[str], otherwise: str) -> dict[str, Any]:
    """The values, if all of them are among these names; else a usage error."""
    try:
        values = read_options(values_by_name(texts))
    except BadValueError as error:
        raise click.UsageError(str(error)) from None
    if others := [name for name in values if name not in names]:
        raise click.UsageError(f"{others[0]} {otherwise}")
    return values
