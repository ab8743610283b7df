"""Shell. Explains a verdict in sentences: what a line wins or loses, by which motif, with scores.

Material is counted at the end of the line after all captures. If nothing is won there, only scores are given.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import chess
import chess.engine

from quiesce.review.exchange import listed, won
from quiesce.review.motifs.finding import motifs_of
from quiesce.review.motifs.played import Motif, Played, line_of

EVEN = 0.5
"""Scores within this many pawns are called even."""
CENTIPAWNS = 100
MATES = ("mate", "back rank")
STORY_PLIES = 8
"""Material must be won within this many moves of a line; mates may take longer."""
LEAST_SHOWN = 2
"""Least plies of a line that are shown, if no motif needs more."""
LATEST = 2
"""Last ply of a line at which a motif still explains it."""


@dataclass(frozen=True)
class Story:
    """A move and the best other one, each with line and score; `seen` is the depth from which the loss shows."""

    board: chess.Board
    answer: Sequence[chess.Move]
    line: Sequence[chess.Move]
    after: chess.engine.PovScore
    best: chess.engine.PovScore
    is_best: bool = False
    seen: int = 0
    zugzwang: bool = False

    @property
    def own(self) -> Played:
        """The line after the move, from the mover's view."""
        return near(self.board, self.answer, STORY_PLIES + 1)

    @property
    def refutation(self) -> Played:
        """The line after the move, from the opponent's view."""
        after = self.board.copy(stack=False)
        after.push(self.answer[0])
        return near(after, self.answer[1:], STORY_PLIES)

    @property
    def point(self) -> Played:
        """The line after the best other move."""
        return near(self.board, self.line, STORY_PLIES)

    @property
    def motifs(self) -> list[Motif]:
        """The motifs by which the move is refuted, or works."""
        return motifs_of(self.own if self.is_best else self.refutation)

    @property
    def sentences(self) -> tuple[str, str]:
        """What the move does, and what the best other one does instead."""
        if self.is_best:
            return f"{self._done(self.own, self.after)}{self._seen()}.", f"{self._instead(self.point, self.best)}."
        return f"{self._lost()}{self._seen()}.", f"{self._instead(self.point, self.best)}."

    def _seen(self) -> str:
        """From which depth the loss shows; empty if unknown."""
        return f", seen from depth {self.seen}" if self.seen else ""

    def _lost(self) -> str:
        """What is wrong with the move."""
        san, refutation = self.board.san(self.answer[0]), self.refutation
        if refutation.is_mate:
            return f"{san} allows {refutation.san(0)}: {motifs_of(refutation)[0].words}"
        if self.zugzwang:
            return f"{san} runs into zugzwang after {refutation.san(0)}: any move loses what a pass would keep"
        if self.own.gain < 0 and refutation.wins:
            return f"{san} loses {traded(self.own)}{self._means(refutation)}"
        return f"{san} is worse: it leads to {shown(self.after)}"

    def _means(self, line: Played) -> str:
        """How a line wins, with its key move."""
        found = explaining(line)
        if found is None:
            return f": {line.start.variation_san(line.moves[: max(line.last_capture, LEAST_SHOWN) + 1])}"
        return f": after {line.start.variation_san(line.moves[: found.place + 1])} {found.words}"

    def _done(self, line: Played, score: chess.engine.PovScore) -> str:
        """What a good move does."""
        san = line.san(0)
        if line.is_mate:
            return f"{san} wins: {motifs_of(line)[0].words}"
        if line.gain > 0 and is_good(score):
            found = explaining(line)
            after = f"after {line.start.variation_san(line.moves[: found.place + 1])} " if found and found.place else ""
            return f"{san} wins {traded(line)}" + (f": {after}{found.words}" if found else "")
        if any(motif.name == "perpetual check" for motif in motifs_of(line)):
            return f"{san} holds the draw: the checks do not end"
        return f"{san} is the best move found, {shown(score)}"

    def _instead(self, line: Played, score: chess.engine.PovScore) -> str:
        """What the other move does."""
        if not line.moves:
            return "There is no other move"
        if line.is_mate:
            return self._done(line, score).replace(" wins", " instead wins", 1)
        if line.gain > 0 and is_good(score):
            return f"{self._done(line, score).replace(' wins', ' instead wins', 1)}, {shown(score)}"
        return f"{line.san(0)} instead is {shown(score)}"


def near(board: chess.Board, moves: Sequence[chess.Move], most: int) -> Played:
    """The moves of a line that are shown: all if it mates, else the first ones."""
    whole = line_of(board, moves)
    return whole if whole.end.is_checkmate() else line_of(board, moves[:most])


def explaining(line: Played) -> Motif | None:
    """The motif, besides mate, that explains most of a line, if it comes early enough."""
    found = (motif for motif in motifs_of(line) if motif.name not in MATES and motif.place <= LATEST)
    return next(found, None)


def is_good(score: chess.engine.PovScore) -> bool:
    """Is the mover at least even, so that material is won and not only regained?"""
    return score.relative >= chess.engine.Cp(0)


def traded(line: Played) -> str:
    """What the attacker wins for what, or loses."""
    gained, lost = won(line.start, line.rest, line.attacker)
    first, second = (gained, lost) if line.gain > 0 else (lost, gained)
    return f"{listed(first)} for {listed(second)}" if second else listed(first)


def shown(score: chess.engine.PovScore) -> str:
    """A score for White as text."""
    white = score.white()
    mate, points = white.mate(), white.score()
    if mate is not None:
        return f"mate in {abs(mate)} for {'White' if mate > 0 else 'Black'}"
    value = (points or 0) / CENTIPAWNS
    return f"{value:+.2f}" if abs(value) > EVEN else f"{value:+.2f} (even)"
