"""Shell. The judge: which moves of a game lost expected points, and how sure that is.

It asks for searches one by one and is sent their reports, so that whoever owns engines, in threads or not, may run it.
First it goes backwards through the game, so that the table knows what comes when a position is searched. Moves that
seem to lose are then searched again, side by side with all others, deeper each time, until the mark is stable or the
budget ends. No mark rests on the first look alone.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import NamedTuple

from quiesce.board.game import Game
from quiesce.engine import Limits, Report
from quiesce.review.plan import BOTH, Plan
from quiesce.review.points import expected
from quiesce.search.scores import DRAW, MATE

FIRST_SHARE = 0.4
"""Of what a move may cost: its first look. The rest is for second looks, where they are needed."""
RUNG = 2
"""How many times as much a second look may cost as the first; each further one costs twice the one before."""
SUSPECT = 0.6
"""A move is looked at again from this share of the lowest threshold on."""
ONLY_SHARE = 0.08
"""Of what a move may cost: a short look for another move that holds too."""
NOISE = 0.02
"""Expected points by which two looks at one move differ at least."""
CERTAIN = 2.0
"""How many times as far as two looks differ a loss must be from the next threshold."""
SURE_LOOKS, MOST_LOOKS = 3, 6
"""Looks at one move, the first included: the least that make a mark sure, and the most it gets."""
LINE_SHARE, LINE_PLIES, LINE_TRIES = 0.1, 6, 3
"""Lines of fewer plies are searched on from their end, with this share, this often at most."""
BOOK, FORCED, ASIDE = "book", "forced", "not asked"
"""Why a move is not judged."""


class Ask(NamedTuple):
    """A search that is wanted, and who hears of it depth by depth."""

    game: Game
    limits: Limits
    heard: Callable[[Report], None] | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """The played move and the best other one, searched with so much of a move's cost each."""

    share: float
    loss: float


@dataclass(slots=True)
class Spot:
    """A position of the game before a move; scores are points from its mover's side."""

    game: Game
    move: int
    ply: int
    aside: str = ""
    best: int = 0
    score: int = 0
    after: int = 0
    line: list[int] = field(default_factory=list)
    answer: list[int] = field(default_factory=list)
    """The line after the played move, that move first."""
    looks: list[Look] = field(default_factory=list)
    is_only: bool = False

    @property
    def loss(self) -> float:
        """Expected points the played move loses, by the last look; none if it is the best."""
        if not self.looks or self.best == self.move:
            return 0.0
        return max(self.looks[-1].loss, 0.0)

    @property
    def width(self) -> float:
        """By how much the loss may be wrong, to judge by the last two looks."""
        last = [max(look.loss, 0.0) for look in self.looks[-2:]]
        return max(NOISE, abs(last[0] - last[-1]))


Asking = Generator[Ask, Report, None]
OnSpot = Callable[[Spot], None]


class Judge:
    """Judges one game; `run` asks for searches."""

    def __init__(self, start: Game, moves: list[int], plan: Plan, book: int = 0) -> None:
        """The first `book` moves are known to openings, and not judged."""
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
        """Why the move of a ply is not judged, empty if it is."""
        number, colour = (self._first + ply) // 2 + 1, BOTH[int(game.position.turn)]
        if number < self.plan.from_move or colour not in self.plan.colours:
            return ASIDE
        if ply < book:
            return BOOK
        return FORCED if len(game.legal_moves()) == 1 else ""

    @property
    def wanted(self) -> list[Spot]:
        """The part of the game that is looked at."""
        return [spot for spot in self.spots if (self._first + spot.ply) // 2 + 1 >= self.plan.from_move]

    def run(self, on_spot: OnSpot | None = None) -> Asking:
        """Judge the game; `on_spot` hears of each position when its first look is done, the last one first."""
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
                spot.looks = [Look(FIRST_SHARE, expected(spot.score) - expected(spot.after))]
            score, line = spot.score, spot.line
            if on_spot is not None:
                on_spot(spot)

    def _score_at_end(self) -> int | None:
        """What the rules say of the last position; None where the game might go on."""
        game = self.end
        if not game.legal_moves():
            return -MATE if game.is_check else DRAW
        return DRAW if game.is_insufficient or game.is_threefold or game.is_fifty_moves else None

    def _is_suspect(self, spot: Spot) -> bool:
        """Is a move worth a second look?"""
        least = self.plan.inaccuracy * (SUSPECT if spot.best != spot.move else 1)
        return spot.looks[0].loss >= least

    def _look(self, spot: Spot) -> Asking:
        """Search the played move and all others apart, deeper than before."""
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
        spot.looks.append(Look(share, expected(other.score) - expected(played.score)))

    def _doubt(self, spot: Spot) -> float:
        """How likely it is that another look changes the mark: above 1 / CERTAIN it may."""
        return spot.width / max(self.plan.distance(spot.loss), NOISE / 10)

    def _is_open(self, spot: Spot) -> bool:
        """Does a suspect need another look?"""
        return len(spot.looks) < MOST_LOOKS and not self.is_sure(spot)

    def _only_moves(self, judged: list[Spot]) -> Asking:
        """See where a move that was the best was also the only one that held."""
        for spot in judged:
            if spot.best != spot.move or self._left <= 0 or len(spot.looks) > 1:
                continue
            others = [move for move in spot.game.legal_moves() if move != spot.move]
            for share in (ONLY_SHARE, FIRST_SHARE):
                report = yield Ask(spot.game, self.plan.limits(share, others))
                self._left -= share
                spot.is_only = expected(spot.score) - expected(report.lines[0].score) >= self.plan.blunder
                if not spot.is_only:
                    break

    def _followed(self, spot: Spot) -> Asking:
        """Search on from the end of lines that are too short to follow."""
        for line in (spot.line, spot.answer):
            for _ in range(LINE_TRIES):
                stage = spot.game.copy()
                stage.push_all(line)
                if len(line) >= LINE_PLIES or not stage.legal_moves():
                    break
                report = yield Ask(stage, self.plan.limits(LINE_SHARE))
                line.extend(report.lines[0].moves)

    def mark_of(self, spot: Spot) -> str:
        """The mark of a bad move, empty for any other; never of the best move, nor on a first look alone."""
        return self.plan.mark_of(spot.loss) if len(spot.looks) > 1 else ""

    def is_sure(self, spot: Spot) -> bool:
        """Do the last looks, side by side, agree, and is the loss farther from the next threshold than they differ?"""
        marks = {self.plan.mark_of(max(look.loss, 0.0)) for look in spot.looks[-2:]}
        return len(spot.looks) >= SURE_LOOKS and len(marks) == 1 and self._doubt(spot) * CERTAIN <= 1

    def held(self, spot: Spot) -> float:
        """Over how much of the nodes, last look to first, the mark has been the same; 1 if it is new."""
        marks = [self.plan.mark_of(max(look.loss, 0.0)) for look in spot.looks]
        since = len(marks) - 1
        while since > 0 and marks[since - 1] == marks[-1]:
            since -= 1
        return spot.looks[-1].share / spot.looks[since].share
