"""Shell. The judge: which moves of a game lost expected points, and how certain that is.

It yields searches and receives their reports, so that any owner of engines can run it. It first searches all positions
backwards, so that the table knows what follows. Moves that seem to lose are then searched again beside all other moves,
deeper each time, until the mark is certain or the budget ends. The smaller loss of the last two searches counts.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import NamedTuple

from quiesce.board.ending import end_of_game
from quiesce.board.game import Game
from quiesce.engine import Limits, Report
from quiesce.engine.wdl import expected, piece_count
from quiesce.review.plan import BOTH, ReviewPlan
from quiesce.search.scores import DRAW, MATE

FIRST_SHARE = 0.4
"""Share of a move's budget for its first search; the rest is for further searches."""
RUNG = 2
"""Cost of the second search as a multiple of the first; each further one costs twice the one before."""
SUSPECT = 0.8
"""A move is searched again while its loss is at least this share of the lowest threshold."""
ONLY_SHARE = 0.08
"""Share of a move's budget to check whether it was the only good move."""
NOISE = 0.02
"""Least assumed difference between two searches of a move, in expected points."""
CERTAIN = 2.0
"""A mark is certain if the loss is this many times the difference of two searches above its threshold."""
SURE_LOOKS, MOST_LOOKS = 3, 6
"""Least searches of a certain mark, and most searches of a move, the first included."""
LINE_SHARE, LINE_PLIES, LINE_TRIES = 0.1, 6, 3
"""Shorter lines are continued from their end with this share of the budget, at most this often."""
BOOK, FORCED, ASIDE = "book", "forced", "not asked"
"""Why a move is not judged."""


class Ask(NamedTuple):
    """A search to do, and who receives its reports."""

    game: Game
    limits: Limits
    heard: Callable[[Report], None] | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Results of searching the played move and the best other one."""

    share: float
    loss: float


@dataclass(slots=True)
class Spot:
    """A position before a move; scores are points for the side to move."""

    game: Game
    move: int
    ply: int
    aside: str = ""
    best: int = 0
    score: int = 0
    after: int = 0
    line: list[int] = field(default_factory=list)
    answer: list[int] = field(default_factory=list)
    """The line that begins with the played move."""
    looks: list[Look] = field(default_factory=list)
    is_only: bool = False

    def points(self, score: int) -> float:
        """The mover's expected points for a score."""
        return expected(score, piece_count(self.game))

    @property
    def loss(self) -> float:
        """Expected points the played move loses, the less of the last two searches; 0 if it is the best."""
        if not self.looks or self.best == self.move:
            return 0.0
        return max(min(look.loss for look in self.looks[-2:]), 0.0)

    @property
    def width(self) -> float:
        """Uncertainty of the loss, from the last two searches."""
        last = [max(look.loss, 0.0) for look in self.looks[-2:]]
        return max(NOISE, abs(last[0] - last[-1]))


Asking = Generator[Ask, Report, None]
OnSpot = Callable[[Spot], None]


class Judge:
    """Judges one game; `run` yields searches."""

    def __init__(self, start: Game, moves: list[int], plan: ReviewPlan, book: int = 0) -> None:
        """The first `book` moves are opening theory and not judged."""
        self.plan, self.spots = plan, list[Spot]()
        stage = start.copy()
        fens = start.start_fen.split()
        self._first = 2 * (int(fens[5]) - 1) + (fens[1] == "b")
        for ply, move in enumerate(moves):
            self.spots.append(Spot(stage.copy(), move, ply, self._aside(stage, ply, book)))
            stage.push(move)
        self.end = stage
        self._left = 0.0

    def _aside(self, game: Game, ply: int, book: int) -> str:
        """Why the move of a ply is not judged; empty if it is."""
        number, colour = (self._first + ply) // 2 + 1, BOTH[int(game.position.turn)]
        if number < self.plan.from_move or colour not in self.plan.colours:
            return ASIDE
        if ply < book:
            return BOOK
        return FORCED if len(game.legal_moves()) == 1 else ""

    @property
    def wanted(self) -> list[Spot]:
        """The plies to judge."""
        return [spot for spot in self.spots if (self._first + spot.ply) // 2 + 1 >= self.plan.from_move]

    def run(self, on_spot: OnSpot | None = None) -> Asking:
        """Judge the game; `on_spot` is called after each first search, from the last position to the first."""
        spots = self.wanted
        self._left = len(spots)
        if not spots or not self.plan.colours:
            return
        yield from self._first_looks(spots, on_spot)
        judged = [spot for spot in spots if not spot.aside]
        suspects = [spot for spot in judged if self._is_suspect(spot)]
        for spot in sorted(suspects, key=lambda spot: (-spot.looks[0].loss, spot.ply)):
            if self._left > 0:
                yield from self._look(spot)
            else:
                spot.looks.clear()
        suspects = [spot for spot in suspects if spot.looks]
        yield from self._only_moves(judged)
        while self._left > 0 and (open_ := [spot for spot in suspects if self._is_open(spot)]):
            yield from self._look(min(open_, key=lambda spot: (len(spot.looks), -spot.loss, spot.ply)))
        for spot in suspects:
            if self.mark_of(spot):
                yield from self._followed(spot)

    def _first_looks(self, spots: list[Spot], on_spot: OnSpot | None) -> Asking:
        """Search every position, the last one first."""
        score, line = self._score_at_end(), list[int]()
        if score is None:
            report = yield Ask(self.end, self.plan.limits(FIRST_SHARE))
            score, line = report.lines[0].score, report.lines[0].moves
        for spot in reversed(spots):
            spot.after, spot.answer = -score, [spot.move, *line]
            if spot.aside == FORCED:
                spot.best, spot.score, spot.line = spot.move, spot.after, spot.answer
            else:
                report = yield Ask(spot.game, self.plan.limits(FIRST_SHARE))
                self._left -= FIRST_SHARE
                found = report.lines[0]
                spot.best, spot.score, spot.line = found.moves[0], found.score, found.moves
                spot.looks = [Look(FIRST_SHARE, spot.points(spot.score) - spot.points(spot.after))]
            score, line = spot.score, spot.line
            if on_spot is not None:
                on_spot(spot)

    def _score_at_end(self) -> int | None:
        """What the rules say of the last position; None where the game might go on."""
        end = end_of_game(self.end)
        return None if end is None else -MATE if end.result else DRAW

    def _is_suspect(self, spot: Spot) -> bool:
        """Should a move be searched again?"""
        least = self.plan.inaccuracy * (SUSPECT if spot.best != spot.move else 1)
        return spot.looks[0].loss >= least

    def _look(self, spot: Spot) -> Asking:
        """Search the played move and all others separately, deeper than before."""
        share = spot.looks[-1].share * (RUNG if len(spot.looks) == 1 else 2)
        others = [move for move in spot.game.legal_moves() if move != spot.move]
        report = yield Ask(spot.game, self.plan.limits(share, others))
        other = report.lines[0]
        report = yield Ask(spot.game, self.plan.limits(share, [spot.move]))
        played = report.lines[0]
        self._left -= 2 * share
        spot.after, spot.answer = played.score, played.moves
        if other.score > played.score:
            spot.best, spot.score, spot.line = other.moves[0], other.score, other.moves
        else:
            spot.best, spot.score, spot.line = spot.move, played.score, played.moves
        spot.looks.append(Look(share, spot.points(other.score) - spot.points(played.score)))

    def _is_open(self, spot: Spot) -> bool:
        """Does a suspect need another search?"""
        is_suspect = spot.looks[-1].loss >= SUSPECT * self.plan.inaccuracy
        return is_suspect and len(spot.looks) < MOST_LOOKS and not self.is_sure(spot)

    def _only_moves(self, judged: list[Spot]) -> Asking:
        """Check whether a best move was also the only good one."""
        for spot in judged:
            if spot.best != spot.move or self._left <= 0 or len(spot.looks) > 1:
                continue
            others = [move for move in spot.game.legal_moves() if move != spot.move]
            for share in (ONLY_SHARE, FIRST_SHARE):
                report = yield Ask(spot.game, self.plan.limits(share, others))
                self._left -= share
                spot.is_only = spot.points(spot.score) - spot.points(report.lines[0].score) >= self.plan.blunder
                if not spot.is_only:
                    break

    def _followed(self, spot: Spot) -> Asking:
        """Continue lines that are too short."""
        for line in (spot.line, spot.answer):
            for _ in range(LINE_TRIES):
                stage = spot.game.copy()
                stage.push_all(line)
                if len(line) >= LINE_PLIES or not stage.legal_moves():
                    break
                report = yield Ask(stage, self.plan.limits(LINE_SHARE))
                line.extend(report.lines[0].moves)

    def mark_of(self, spot: Spot) -> str:
        """The mark of a bad move, or empty. Never for the best move, nor after one search only."""
        return self.plan.mark_of(spot.loss) if len(spot.looks) > 1 else ""

    def is_sure(self, spot: Spot) -> bool:
        """Is the loss, by enough searches that agree, far enough above the threshold of its mark?"""
        above = spot.loss - self.plan.threshold_of(self.plan.mark_of(spot.loss))
        return len(spot.looks) >= SURE_LOOKS and above >= CERTAIN * spot.width

    def held(self, spot: Spot) -> float:
        """Ratio of nodes, last to first search, over which the loss was worth the mark; 1 if it is new."""
        least = self.plan.threshold_of(self.plan.mark_of(spot.loss))
        since = len(spot.looks) - 1
        while since > 0 and spot.looks[since - 1].loss >= least:
            since -= 1
        return spot.looks[-1].share / spot.looks[since].share
