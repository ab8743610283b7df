"""Shell. The referee: plays one game between two players by the clock, and says how and why it ended."""

from dataclasses import dataclass, field

import chess

from quiesce.board.ending import end_of_board
from quiesce.engine.syzygy import Tablebases, TablesError
from quiesce.lab.match.channel import FAULTS, ILLEGAL, TIME, Fault
from quiesce.lab.match.openings import Opening
from quiesce.lab.match.player import MoveBudget, Player, Thought
from quiesce.lab.match.ucioptions import SetUpError

CERTAIN = 100_000
"""The score of any mate."""


@dataclass(frozen=True, slots=True)
class Control:
    """How long sides may think: a clock with increment, or fixed seconds, nodes or depth for each move."""

    base: float | None = None
    increment: float = 0.0
    moves: int = 0
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = 0.02
    """Seconds beyond the clock that are forgiven: the referee's own."""

    @property
    def is_repeatable(self) -> bool:
        """Does the same opening give the same game again, because no clock has a say?"""
        return self.base is None and self.seconds is None

    def __str__(self) -> str:
        if self.base is not None:
            return (f"{self.moves}/" if self.moves else "") + f"{self.base:g}+{self.increment:g}"
        amounts = (("s", self.seconds), ("nodes", self.nodes), ("plies", self.depth))
        return ", ".join(f"{amount:g} {unit}" for unit, amount in amounts if amount is not None) + " a move"


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game is ended before the board ends it; zero switches a rule off."""

    draw_from: int = 40
    draw_moves: int = 8
    draw_score: int = 10
    win_moves: int = 4
    win_score: int = 600
    longest: int = 300
    """Moves after which a game is drawn."""
    tablebase: str = ""
    """Folder of Syzygy files."""


@dataclass(slots=True)
class PlayedGame:
    """A finished game: result for White, reason, offender, and every move with its score."""

    board: chess.Board
    opening: Opening
    result: int = 0
    reason: str = ""
    fault: str = ""
    offender: chess.Color | None = None
    thoughts: list[Thought] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """What each side, Black and White, has used in all."""


class Tables:
    """Syzygy tables of a folder; none without a folder.

    Raises SetUpError for a folder without tables, and for a damaged table when it is probed. That ends the match,
    because later games would end differently.
    """

    def __init__(self, folder: str) -> None:
        try:
            self._base = Tablebases(folder) if folder else None
        except TablesError as error:
            raise SetUpError(f"tablebase: {error}") from None

    def result(self, board: chess.Board) -> int | None:
        """The result for White by the tables, with the fifty-move rule; None if unknown."""
        if self._base is None or board.halfmove_clock:
            return None
        try:
            found = self._base.result(board)
        except TablesError as error:
            raise SetUpError(f"tablebase: {error}") from None
        if found is None:
            return None
        won = (found == 2) - (found == -2)
        return won if board.turn else -won


class Adjudicator:
    """Counts how long scores have agreed."""

    def __init__(self, rules: Adjudication, tables: Tables) -> None:
        self._rules, self._tables = rules, tables
        self._calm = self._won = self._lost = 0

    def hear(self, turn: chess.Color, thought: Thought) -> None:
        """A move was played with a score."""
        score = thought.score if thought.mate is None else CERTAIN if thought.mate > 0 else -CERTAIN
        if score is None:
            self._calm = self._won = self._lost = 0
            return
        white = score if turn else -score
        self._calm = self._calm + 1 if abs(score) <= self._rules.draw_score else 0
        self._won = self._won + 1 if white >= self._rules.win_score else 0
        self._lost = self._lost + 1 if white <= -self._rules.win_score else 0

    def verdict(self, board: chess.Board) -> tuple[int, str] | None:
        """Result for White and reason, if the game is adjudicated."""
        rules = self._rules
        if rules.win_moves and self._won >= 2 * rules.win_moves:
            return 1, "adjudication: both scores say White wins"
        if rules.win_moves and self._lost >= 2 * rules.win_moves:
            return -1, "adjudication: both scores say Black wins"
        if rules.draw_moves and board.fullmove_number >= rules.draw_from and self._calm >= 2 * rules.draw_moves:
            return 0, "adjudication: both scores say draw"
        if rules.longest and len(board.move_stack) >= 2 * rules.longest:
            return 0, "adjudication: too long"
        known = self._tables.result(board)
        return None if known is None else (known, "adjudication: tablebase")


@dataclass(slots=True)
class Clocks:
    """What Black and White have left."""

    control: Control
    left: list[float] = field(init=False)
    played: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        self.left = [self.control.base or 0.0] * 2

    def budget(self, turn: chess.Color) -> MoveBudget:
        """What the side to move may use."""
        control = self.control
        if control.base is None:
            return MoveBudget(seconds=control.seconds, nodes=control.nodes, depth=control.depth)
        to_go = control.moves - self.played[turn] % control.moves if control.moves else None
        return MoveBudget(
            self.left[turn], self.left[not turn], control.increment, to_go, nodes=control.nodes, depth=control.depth
        )

    def stop(self, turn: chess.Color, seconds: float) -> None:
        """A side has moved; raises Fault if it took too long."""
        control = self.control
        allowed = self.left[turn] if control.base is not None else control.seconds
        if allowed is not None and seconds > allowed + control.margin:
            raise Fault(TIME, f"took {seconds:.3f} s where {allowed:.3f} s were left")
        if control.base is not None:
            self.played[turn] += 1
            renewal = control.base if control.moves and self.played[turn] % control.moves == 0 else 0.0
            self.left[turn] = max(self.left[turn] - seconds, 0.0) + control.increment + renewal


def next_move(board: chess.Board, thought: Thought) -> chess.Move:
    """The move an engine answered, if it is one."""
    try:
        move = board.parse_uci(thought.move)
    except ValueError:
        move = chess.Move.null()
    if not move:
        raise Fault(ILLEGAL, f"played {thought.move!r} in {board.fen()}")
    return move


def play_game(white: Player, black: Player, opening: Opening, control: Control, judge: Adjudicator) -> PlayedGame:
    """Play one game to its end; whatever an engine does, there is a result."""
    board = opening.board()
    game, clocks, players = PlayedGame(board, opening), Clocks(control), (black, white)
    turn = board.turn
    try:
        for turn in (chess.WHITE, chess.BLACK):
            players[turn].new_game(opening.fen, opening.is_chess960)
        while True:
            turn = board.turn
            end = end_of_board(board) or judge.verdict(board)
            if end is not None:
                game.result, game.reason = end
                return game
            thought = players[turn].think(board, clocks.budget(turn))
            game.seconds[turn] += thought.seconds
            clocks.stop(turn, thought.seconds)
            move = next_move(board, thought)
            judge.hear(turn, thought)
            board.push(move)
            game.thoughts.append(thought)
    except Fault as fault:
        game.result, game.reason = (-1 if turn else 1), f"{fault.kind}: {fault.words}"
        game.fault, game.offender = (fault.kind if fault.kind in FAULTS else ""), turn
        return game
