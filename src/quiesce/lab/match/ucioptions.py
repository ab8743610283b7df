"""Shell. Options as UCI engines declare them: what an engine would refuse, often without a word, is refused here."""

import re
from dataclasses import dataclass
from typing import Any

DECLARED = re.compile(r"^option name (?P<name>.+?) type (?P<kind>\w+)(?P<rest>.*)$")
SWITCH = {"true": "true", "1": "true", "on": "true", "false": "false", "0": "false", "off": "false"}


class SetUpError(ValueError):
    """An engine that cannot play as asked; the message says why."""


@dataclass(frozen=True, slots=True)
class ForeignOption:
    """An option as its engine declares it."""

    name: str
    kind: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def line(self, value: Any) -> str:
        """The command that sets it; raises SetUpError for a value it does not take."""
        if self.kind == "button":
            return f"setoption name {self.name}"
        return f"setoption name {self.name} value {self._text(value)}"

    def _text(self, value: Any) -> str:
        """A value in UCI's words."""
        text = str(value).strip()
        if "\n" in text or "\r" in text:
            raise SetUpError(f"option {self.name}: a value is one line")
        if self.kind == "check":
            if text.lower() not in SWITCH:
                raise SetUpError(f"option {self.name} is true or false, not {text!r}")
            return SWITCH[text.lower()]
        if self.kind == "spin":
            return self._number(text)
        if self.kind == "combo" and self.choices:
            found = [choice for choice in self.choices if choice.lower() == text.lower()]
            if not found:
                raise SetUpError(f"option {self.name} is one of {', '.join(self.choices)}, not {text!r}")
            return found[0]
        return text

    def _number(self, text: str) -> str:
        """A whole number within bounds."""
        if not text.removeprefix("-").isdigit():
            raise SetUpError(f"option {self.name} is a whole number, not {text!r}")
        if (self.low is not None and int(text) < self.low) or (self.high is not None and int(text) > self.high):
            raise SetUpError(f"option {self.name} lies between {self.low} and {self.high}, not {text}")
        return text


def option_of(line: str) -> ForeignOption | None:
    """The option a line declares, None if it declares none."""
    found = DECLARED.match(line)
    if found is None:
        return None
    words = found["rest"].split()
    numbers = {word: words[place + 1] for place, word in enumerate(words[:-1]) if word in ("min", "max")}
    low, high = (int(numbers[key]) if numbers.get(key, "").lstrip("-").isdigit() else None for key in ("min", "max"))
    choices = tuple(part.strip() for part in found["rest"].split(" var ")[1:])
    return ForeignOption(found["name"], found["kind"], low, high, choices)
