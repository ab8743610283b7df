"""Shell. Positions of the static test: chosen from games, stored in one file with the judges' scores."""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import chess
import chess.pgn

from quiesce.board.readfile import read_bytes, read_json
from quiesce.work.files import written_whole

FORMAT = 1
LARGEST_FILE = 64_000_000
BUNDLED = "masters"
"""Two thousand positions of master games (GNU Chess book 1.02, public domain; Debian package gnuchess-book), that come
with the package, and Stockfish's scores of them."""
FIRST_PLY = 12
"""Earlier than this everybody plays by the book."""
A_GAME = 4
"""Positions of a game."""
PHASE_WEIGHTS = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
OPENING_PHASE, ENDING_PHASE = 20, 10
"""Material from which a position is an opening, and below which it is an endgame."""
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


class StaticFileError(ValueError):
    """A file that cannot be used; the message says why."""


@dataclass(slots=True)
class Judgement:
    """The scores of one judge."""

    engine: str
    """Its name and version."""
    options: dict[str, str]
    limit: str
    """Of each position."""
    program: str
    """A digest of its files."""
    scores: list[int | None]
    """Centipawns for the side to move, None if not judged; a mate in n is 100,000 - n."""

    @property
    def title(self) -> str:
        """Its name, options and limit."""
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"{self.engine}{options}, {self.limit}"


@dataclass(slots=True)
class StaticFile:
    """Positions and judges' scores."""

    source: str
    """Source of the positions."""
    fens: list[str]
    games: list[int]
    """The game of each, by number."""
    judgements: list[Judgement] = field(default_factory=list)

    def judgement(self, title: str | None) -> Judgement:
        """The judge whose title starts so, or the first."""
        for found in self.judgements:
            if title is None or found.title.startswith(title):
                return found
        known = "; ".join(found.title for found in self.judgements) or "not judged yet"
        raise StaticFileError(f"no judge {title!r}: {known}" if title else known)

    def write(self, path: Path) -> None:
        """Write all of it, whole or not at all; a position a line."""
        lines = ",\n".join(json.dumps(row) for row in zip(self.fens, self.games, strict=True))
        told = ",\n".join(json.dumps(asdict(found)) for found in self.judgements)
        head = json.dumps({"format": FORMAT, "source": self.source})[1:-1]
        text = f'{{{head},\n"positions": [\n{lines}],\n"judgements": [\n{told}]}}\n'
        with written_whole(path) as file:
            file.write(text.encode())


def read_static(name: str | Path) -> StaticFile:
    """The file of a path, or the one that comes with the package."""
    try:
        if str(name) == BUNDLED:
            data = resources.files(__package__).joinpath(f"{BUNDLED}.json").read_bytes()
        else:
            data = read_bytes(Path(name), LARGEST_FILE)
        return parsed(read_json(data))
    except OSError as error:
        raise StaticFileError(f"{name}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise StaticFileError(f"{name}: no file of the static test: {error}") from None


def parsed(facts: Any) -> StaticFile:
    """What a file holds."""
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise ValueError(f"this reads format {FORMAT}")
    fens = [str(chess.Board(fen).fen()) for fen, _ in facts["positions"]]
    found = StaticFile(str(facts["source"]), fens, [int(game) for _, game in facts["positions"]])
    for told in facts["judgements"]:
        judgement = Judgement(**told)
        if len(judgement.scores) != len(fens):
            raise ValueError(f"{judgement.engine} has {len(judgement.scores)} scores of {len(fens)} positions")
        found.judgements.append(judgement)
    return found


def quiet_positions(game: chess.pgn.Game) -> Iterator[chess.Board]:
    """Positions of a game that a static evaluation can judge: out of check, and the last move took nothing."""
    board = game.board()
    for move in game.mainline_moves():
        is_noisy = board.is_capture(move) or move.promotion is not None
        board.push(move)
        if board.ply() >= FIRST_PLY and not is_noisy and not board.is_check() and board.legal_moves.count() > 1:
            yield board.copy(stack=False)


def picked(path: Path, count: int, seed: int) -> StaticFile:
    """Quiet positions of the games of a PGN file, each once, A_GAME of a game and more only if they are too few."""
    chance, by_game, seen = random.Random(seed), list[list[str]](), set[str]()
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            boards = list(quiet_positions(game))
            chance.shuffle(boards)
            fresh = {board.epd(): board.fen() for board in boards if board.epd() not in seen}
            seen |= set(fresh)
            by_game.append(list(fresh.values()))
    first = [(number, fen) for number, fens in enumerate(by_game) for fen in fens[:A_GAME]]
    rest = [(number, fen) for number, fens in enumerate(by_game) for fen in fens[A_GAME:]]
    chance.shuffle(rest)
    kept = sorted((first + rest)[:count])
    if len(kept) < count:
        raise StaticFileError(f"{path}: {len(kept)} quiet positions, not {count}")
    source = f"{path.name}, seed {seed}"
    return StaticFile(source, [fen for _, fen in kept], [number for number, _ in kept])


def phase_of(board: chess.Board) -> str:
    """Opening, middlegame or endgame, by material."""
    phase = sum(
        weight * len(board.pieces(kind, side)) for kind, weight in PHASE_WEIGHTS.items() for side in chess.COLORS
    )
    return "opening" if phase >= OPENING_PHASE else "middlegame" if phase >= ENDING_PHASE else "ending"


def kinds_of(board: chess.Board) -> list[str]:
    """What kinds of position it is of."""
    sums = [sum(worth * len(board.pieces(kind, side)) for kind, worth in WORTH.items()) for side in chess.COLORS]
    counts = [[len(board.pieces(kind, side)) for kind in WORTH] for side in chess.COLORS]
    apart = abs(sums[0] - sums[1])
    if counts[0] == counts[1]:
        found = ["equal material"]
    else:
        found = [
            "imbalance" if apart <= 1 and counts[0][1:] != counts[1][1:] else "a pawn up" if apart == 1 else "more up"
        ]
    queens = board.occupied_co[chess.WHITE] & board.queens and board.occupied_co[chess.BLACK] & board.queens
    wings = [chess.square_file(board.king(side) or 0) // 4 for side in chess.COLORS]
    return [*found, "queens" if queens else "no queens", *(["kings on both wings"] if wings[0] != wings[1] else [])]
