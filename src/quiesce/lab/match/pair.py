"""Shell. One task of a match: two games from one opening, colours reversed, between engines that stay running."""

import contextlib
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

import chess

from quiesce.lab.match.channel import Fault
from quiesce.lab.match.engines import EngineSpec, engine_from
from quiesce.lab.match.openings import Opening
from quiesce.lab.match.pgn import pgn_of
from quiesce.lab.match.player import Player
from quiesce.lab.match.referee import Adjudication, Adjudicator, Control, PlayedGame, Tables, play_game
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.work.identity import current_digest, sources_digest
from quiesce.work.lifetime import at_end

STARTS = 2
"""An engine that does not start is tried once more before the match ends."""


class EnginePool:
    """Engines of one thread, kept running from game to game; the two seats never share one."""

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}
        at_end(self.clear)

    def player(self, seat: int, engine: EngineSpec, sources: str) -> Player:
        """The engine of a seat, started if need be; another one that sat there is ended."""
        key = f"{seat}{json.dumps(engine.facts(), sort_keys=True)}"
        if key not in self._players:
            for other in [other for other in self._players if other.startswith(str(seat))]:
                self._players.pop(other).close()
            self._players[key] = started(engine, sources)
        return self._players[key]

    def drop(self, player: Player) -> None:
        """End an engine that did something wrong; the next game starts it anew."""
        for key in [key for key, known in self._players.items() if known is player]:
            del self._players[key]
        player.kill()

    def clear(self) -> None:
        """End all."""
        while self._players:
            with contextlib.suppress(Exception):
                self._players.popitem()[1].kill()


POOLS = threading.local()


def engine_pool() -> EnginePool:
    """The one of this thread: a worker of a cluster may play several pairs at once."""
    if not hasattr(POOLS, "mine"):
        POOLS.mine = EnginePool()
    found: EnginePool = POOLS.mine
    return found


@cache
def tables(folder: str) -> Tables:
    """Endgame tables, opened once in a process."""
    return Tables(folder)


def started(engine: EngineSpec, sources: str) -> Player:
    """A running engine; one that does not run, or is not the one meant, is the match's end, not a lost game."""
    if engine.is_ours and current_digest() != sources:
        raise SetUpError("our own sources have changed since this run began: begin another")
    for _ in range(STARTS):
        try:
            return engine.start()
        except Fault as fault:
            trouble = fault.words
    raise SetUpError(f"{engine.name}: {trouble}")


def play_one(task: Mapping[str, Any], white: int, control: Control, rules: Adjudication) -> PlayedGame:
    """One game in which engine `white` (0 or 1) has White."""
    opening = Opening(task["fen"], tuple(task["moves"]), task["is_chess960"])
    engines = [engine_from(facts) for facts in task["engines"]]
    players = [engine_pool().player(seat, engine, task["sources"]) for seat, engine in enumerate(engines)]
    played = play_game(
        players[white], players[1 - white], opening, control, Adjudicator(rules, tables(rules.tablebase))
    )
    if played.offender is not None:
        engine_pool().drop(players[white] if played.offender == chess.WHITE else players[1 - white])
    return played


def play_pair(task: dict[str, Any]) -> dict[str, Any]:
    """Play a pair; returns the ending of each game for engine 1, and faults."""
    begun = time.perf_counter()
    engines = [engine_from(facts) for facts in task["engines"]]
    control, rules = Control(**task["control"]), Adjudication(**task["rules"])
    games, thinking = list[dict[str, Any]](), 0.0
    try:
        for white in (0, 1):
            played = play_one(task, white, control, rules)
            thinking += sum(played.seconds)
            titles = engines[white].title, engines[1 - white].title
            offender = None if played.offender is None else white if played.offender == chess.WHITE else 1 - white
            games.append(
                {
                    "white": white + 1,
                    "result": played.result if white == 0 else -played.result,
                    "reason": played.reason,
                    "fault": played.fault,
                    "offender": None if offender is None or not played.fault else offender + 1,
                    "plies": len(played.board.move_stack),
                    "moves": " ".join(move.uci() for move in played.board.move_stack),
                    "pgn": pgn_of(played, *titles, control, f"{task['pair'] + 1}.{white + 1}"),
                }
            )
    except SetUpError as error:
        return {"trouble": str(error)}
    return {"games": games, "thinking": thinking, "seconds": time.perf_counter() - begun}


def task_of(
    number: int, engines: list[EngineSpec], opening: Opening, control: Control, rules: Adjudication
) -> dict[str, Any]:
    """What a process anywhere needs to play a pair."""
    return {
        "pair": number,
        "engines": [engine.facts() for engine in engines],
        "sources": sources_digest(),
        "fen": opening.fen,
        "moves": list(opening.moves),
        "is_chess960": opening.is_chess960,
        "control": asdict(control),
        "rules": asdict(rules),
    }
