"""Shell. Options in UCI syntax. Loads no kernels."""

from quiesce.engine.options import CHECK, COMBO, OPTIONS, SPIN, STRING, BadValueError, Option, Value, shown

NOTHING = "<empty>"
"""UCI's text for an empty string option."""


def declaration(option: Option) -> str:
    """The UCI line that declares an option."""
    text = f"option name {option.name} type {option.kind}"
    if option.kind == CHECK:
        return f"{text} default {str(option.default).lower()}"
    if option.kind == SPIN:
        return f"{text} default {option.default} min {option.low} max {option.high}"
    if option.kind == COMBO:
        return f"{text} default {option.default} {' '.join(f'var {choice}' for choice in option.choices)}"
    return f"{text} default {option.default or NOTHING}" if option.kind == STRING else text


def declarations() -> str:
    """All declarations, one per line."""
    return "\n".join(declaration(option) for option in OPTIONS.values())


def read(option: Option, text: str) -> Value:
    """The value of a UCI text. Raises BadValueError if the option cannot have it."""
    if option.kind == CHECK and text.lower() not in ("true", "false"):
        raise BadValueError(f"{option.name} is true or false, not {shown(text)}")
    return option.value_of("" if option.kind == STRING and text == NOTHING else text)
