"""A terminal as small as terminals are: what is written to it is what a person would see on its rows."""

import io
import re

from rich.console import Console

CONTROL = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")


class Screen(io.StringIO):
    """Keeps the visible rows after each write; understands what rich's live displays say."""

    def __init__(self, width=80, height=24):
        super().__init__()
        self.width, self.height = width, height
        self.rows, self.row, self.column = [""] * height, 0, 0
        self.frames = []

    def write(self, text):
        """Take what a program prints."""
        place = 0
        while place < len(text):
            found = CONTROL.match(text, place)
            if found:
                self._control(found[2], found[3])
                place = found.end()
            else:
                self._letter(text[place])
                place += 1
        self.frames.append(list(self.rows))
        return len(text)

    def _control(self, number, letter):
        """Go up, or clear a row; colours and the cursor's looks are nothing to us."""
        if letter == "A":
            self.row = max(self.row - int(number or 1), 0)
        elif letter == "K":
            self.rows[self.row] = ""

    def _letter(self, letter):
        """Put one letter where the cursor is; rows that are full wrap, and the last one scrolls."""
        if letter == "\r":
            self.column = 0
        elif letter == "\n":
            self._feed()
        else:
            if self.column == self.width:
                self._feed()
            row = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = row[: self.column] + letter + row[self.column + 1 :]
            self.column += 1

    def _feed(self):
        """To the beginning of the next row."""
        self.column = 0
        if self.row == self.height - 1:
            self.rows = [*self.rows[1:], ""]
        else:
            self.row += 1


def console_on(screen, **more):
    """A console of rich that takes this for a terminal."""
    return Console(
        file=screen, force_terminal=True, width=screen.width, height=screen.height, legacy_windows=False,
        color_system=None, highlight=False, _environ={"TERM": "xterm"}, **more,
    )  # fmt: skip
