"""Shell. Numbers on command lines, with plain error messages.

Click writes "is not a valid float range" and "is not in the range x>=1"; every command's numbers are read here instead.
"""

from typing import Any

import click


class WholeNumber(click.IntRange):
    """A whole number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, if it is within its bounds."""
        return checked(self, value, int, "a whole number", param, ctx)


class Number(click.FloatRange):
    """A number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, if it is within its bounds."""
        return checked(self, value, float, "a number", param, ctx)


def checked(
    kind: click.IntRange | click.FloatRange,
    value: Any,
    read: type[int] | type[float],
    noun: str,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> Any:
    """The value as a number; fails with the reason and the allowed range."""
    try:
        number = read(value)
    except ValueError:
        kind.fail(f"{value!r} is not {noun}", param, ctx)
    if (kind.min is not None and not number >= kind.min) or (kind.max is not None and not number <= kind.max):
        kind.fail(f"{value} is out of range: {bounds(kind)}", param, ctx)
    return number


def bounds(kind: click.IntRange | click.FloatRange) -> str:
    """The allowed range in words."""
    if kind.min is None:
        return f"at most {kind.max:g}"
    return f"at least {kind.min}" if kind.max is None else f"from {kind.min} to {kind.max}"


def in_plain_words(command: click.Command) -> click.Command:
    """The command and its subcommands, with plain error messages for numbers."""
    for param in command.params:
        kind = param.type
        if not isinstance(kind, click.IntRange | click.FloatRange) or kind.min_open or kind.max_open or kind.clamp:
            continue
        made = WholeNumber if isinstance(kind, click.IntRange) else Number
        param.type = made(kind.min, kind.max)  # type: ignore[arg-type]
    if isinstance(command, click.Group):
        for part in command.commands.values():
            in_plain_words(part)
    return command
