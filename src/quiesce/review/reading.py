"""Shell. Reads PGN games strictly: a game that is not understood is refused by name.

python-chess skips letters it does not know, so it reads Sf3 as f3. Here every word must be understood. Figurines and
other languages' piece letters are accepted if the game is legal in exactly one language.
"""

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import chess.pgn

from quiesce.board.fen import shorten

logging.getLogger(chess.pgn.__name__).setLevel(logging.CRITICAL)  # it would log what we tell ourselves

ENGLISH = "KQRBN"
LANGUAGES = {
    "German": "KDTLS",
    "French": "RDTFC",
    "Spanish": "RDTAC",
    "Italian": "RDTAC",
    "Dutch": "KDTLP",
    "Polish": "KHWGS",
    "Czech": "KDVSJ",
}
"""Letters of king, queen, rook, bishop and knight."""
FIGURINES = str.maketrans("♔♕♖♗♘♚♛♜♝♞", ENGLISH * 2, "♙♟\ufe0e\ufe0f")
TAG = re.compile(r"\[\s*[A-Za-z0-9_]+\s+\"")
PARTS = re.compile(r"(\{[^}]*\}|;[^\n]*|^%[^\n]*)", re.DOTALL | re.MULTILINE)
"""Comments."""
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
NUMBER = re.compile(r"\d+\.*|\.+")
WORD = re.compile(r"[()]|[^\s()]+")
MOVE = re.compile(
    r"([A-Z])?[a-h]?[1-8]?[-x:]?([a-h][1-8])(=?\(?([A-Z])\)?)?[+#]{0,2}[!?]{0,2}|[Oo0]-[Oo0](-[Oo0])?[+#]{0,2}[!?]{0,2}"
)
ODD = re.compile(r"\$\d{1,3}|[!?]{1,2}|--|Z0|0000|@@@@|\+-|-\+|\+/?[-=]|[-=]/?\+|=|e\.?p\.?|[+#]{1,2}|N|D")
"""Other words in PGN movetext: NAGs, marks, null moves."""
MOST_LETTERS = 1_000_000
"""Most characters of a game."""


class DamagedError(ValueError):
    """An unreadable game; the message says why."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a game, its file and its number there."""

    name: str
    number: int
    text: str

    @property
    def title(self) -> str:
        """Name of the game in messages."""
        return f"{self.name}, game {self.number}"


def decoded(data: bytes) -> str:
    """Text of a file: UTF-8, or else Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def sources_in(text: str, name: str) -> Iterator[Source]:
    """The games of a text. Tags start a game; without tags a result ends one."""
    number = 0
    for chunk in chunks_of(text):
        parts = [chunk] if TAG.match(chunk.lstrip()) else split_at_results(chunk)
        for part in parts:
            if part.strip():
                number += 1
                yield Source(name, number, part.strip() + "\n")


def chunks_of(text: str) -> Iterator[str]:
    """Parts that start with tags; tags inside comments do not count."""
    lines, has_moves, is_comment = list[str](), False, False
    for line in text.splitlines():
        is_tag = not is_comment and bool(TAG.match(line.lstrip()))
        if is_tag and has_moves:
            yield "\n".join(lines)
            lines, has_moves = [], False
        lines.append(line)
        if not is_tag and line.strip():
            has_moves = True
            is_comment = is_open_after(line, is_comment)
    yield "\n".join(lines)


def is_open_after(line: str, is_comment: bool) -> bool:
    """Is a comment in braces still open at the end of a line?"""
    for place, letter in enumerate(line):
        if is_comment:
            is_comment = letter != "}"
        elif letter == "{":
            is_comment = True
        elif letter == ";" or (letter == "%" and place == 0):
            return False
    return is_comment


def split_at_results(text: str) -> list[str]:
    """Games without tags, each with its result."""
    games, current = list[str](), ""
    for place, part in enumerate(PARTS.split(text)):
        if place % 2:
            current += part
            continue
        for piece in re.split(r"(?<=\s)(1-0|0-1|1/2-1/2|\*)(?=\s|$)", part):
            current += piece
            if piece in RESULTS:
                games.append(current)
                current = ""
    return [*games, current]


def read_source(text: str) -> chess.pgn.Game:
    """The game of a text. Raises DamagedError with the reason."""
    if len(text) > MOST_LETTERS:
        raise DamagedError(f"the game has more than {MOST_LETTERS:,} letters")
    tags, moves = split_tags(text)
    parts = PARTS.split(moves)
    parts[::2] = [part.translate(FIGURINES) for part in parts[::2]]
    letters = letters_of(parts[::2])
    if letters <= set(ENGLISH):
        return parsed(tags, parts)
    return in_a_language(tags, parts, letters)


def split_tags(text: str) -> tuple[str, str]:
    """The tag section and the movetext of a game."""
    lines = text.splitlines()
    count = 0
    while count < len(lines) and (not lines[count].strip() or lines[count].lstrip().startswith(("[", "%"))):
        count += 1
    tags = "\n".join(line for line in lines[:count] if line.lstrip().startswith("["))
    return tags, "\n".join(line for line in lines[count:] if line.strip())


def letters_of(parts: list[str]) -> set[str]:
    """Piece letters in the moves. Raises DamagedError for an unknown word."""
    letters, has_ended = set[str](), False
    for part in parts:
        for word in WORD.findall(part):
            if has_ended:
                raise DamagedError(f"the text goes on after the result: {shorten(word, 20)}")
            if word in RESULTS:
                has_ended = True
                continue
            letters |= letters_in(word)
    return letters


def letters_in(word: str) -> set[str]:
    """Piece letters in a word."""
    if word in "()" or ODD.fullmatch(word):
        return set()
    rest = NUMBER.sub("", word, count=1) if NUMBER.match(word) and not word.startswith("0-0") else word
    if not rest or ODD.fullmatch(rest):
        return set()
    found = MOVE.fullmatch(rest)
    if found is None:
        raise DamagedError(f"{shorten(word, 20)} is not a move")
    return {letter for letter in (found[1], found[4]) if letter}


def in_a_language(tags: str, parts: list[str], letters: set[str]) -> chess.pgn.Game:
    """The game in the only language in which it is legal. Raises DamagedError if there is none or several."""
    found: dict[str, chess.pgn.Game] = {}
    for names in dict.fromkeys(LANGUAGES.values()):
        if letters <= set(names):
            translation = str.maketrans(names, ENGLISH)
            told = [part if place % 2 else translated(part, translation) for place, part in enumerate(parts)]
            try:
                game = parsed(tags, told)
            except DamagedError:
                continue
            found[" ".join(move.uci() for move in game.mainline_moves())] = game
    shown = "".join(sorted(letters - set(ENGLISH)))
    if len(found) != 1:
        why = "legal in more than one language" if found else "legal in no language known here"
        raise DamagedError(f"pieces are called {shown}, and the moves are {why}")
    return next(iter(found.values()))


def translated(part: str, translation: dict[int, int]) -> str:
    """Moves with English piece letters; other words stay."""
    return WORD.sub(lambda word: word[0] if ODD.fullmatch(word[0]) else word[0].translate(translation), part)


def parsed(tags: str, parts: list[str]) -> chess.pgn.Game:
    """The game as python-chess reads it. Raises DamagedError for its errors."""
    try:
        game = chess.pgn.read_game(io.StringIO(f"{tags}\n\n{''.join(parts)}\n"))
    except (ValueError, IndexError, AttributeError, KeyError) as error:
        raise DamagedError(shorten(str(error), 120)) from None
    if game is None:
        raise DamagedError("there is no game in it")
    if game.errors:
        raise DamagedError(shorten(str(game.errors[0]), 120))
    for node in game.mainline():
        if not node.move:
            number = node.parent.board().fullmove_number
            raise DamagedError(f"move {number} is a null move, which no game has")
    if game.board().uci_variant != "chess":
        raise DamagedError(f"a game of {game.board().uci_variant}; only chess and Chess960 are played here")
    return game
