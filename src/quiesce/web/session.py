"""Shell. One browser's connection: answers its messages in order, with one search of each kind at a time."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from quiesce.board.bridge import to_board
from quiesce.board.fen import FenError
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import parse_uci
from quiesce.engine import Limits, Report
from quiesce.engine.clock import Clock
from quiesce.engine.strength import LEAST_ELO, MOST_ELO, nodes_for
from quiesce.engine.syzygy import Tablebases, TablesError
from quiesce.review.judge import Spot
from quiesce.review.openings import opening_of
from quiesce.review.plan import ReviewPlan
from quiesce.review.reviewing import judge_of
from quiesce.review.why import Asking, Found, reasons
from quiesce.search.params import OptionError
from quiesce.trace.client import TracerError
from quiesce.trace.rows import LineError
from quiesce.web.facts import game_facts, judged_facts, position_facts, report_facts, table_facts, why_facts
from quiesce.web.guard import POLICY_VIOLATION
from quiesce.web.pool import Job, SearchPool
from quiesce.web.treequeue import TreeQueue
from quiesce.web.wire import (
    LONGEST_MOVE,
    Request,
    WireError,
    columns_of,
    game_of,
    moves_after,
    options_of,
    read_request,
    text_of,
    whole_of,
)

BURST, A_SECOND = 60.0, 20.0
"""Messages a browser may send at once, and per second after that."""
GREATEST_DEBT = 1.0
"""Seconds a browser may exceed its allowance before it is disconnected; our page never does."""
BYTES_A_TOKEN = 1_000
"""Bytes that count as one message."""
REPORT_SECONDS = 0.12
"""Least seconds between two reports of a search."""
SLOWEST_SECONDS = 30.0
"""Seconds a browser may leave a message unread before it is disconnected."""
MOST_LINES = 5
MOST_SECONDS = 600
"""Most seconds of an analysis."""
MOST_COMPARED_NODES = 10_000_000
"""Nodes of each compared search."""
REVIEW_NODES = 120_000
"""Average nodes per move of a review."""
LONGEST_CLOCK, LONGEST_INCREMENT = 3_600_000, 60_000
"""Milliseconds."""

log = logging.getLogger(__name__)

SLOTS = {
    "play": "play",
    "analyse": "search",
    "review": "search",
    "why": "search",
    "compare": "search",
    "tree": "tree",
    "tables": "tables",
}
"""Slots of searches: a new one replaces the running one of its slot only."""

KNOWN_ERRORS = (WireError, FenError, MoveError, OptionError, TracerError, TablesError, LineError)
"""Errors whose message is sent to the browser."""


class LeftError(Exception):
    """The browser has gone, or does not read its messages."""


class Allowance:
    """How many messages a browser may send; grows with time."""

    def __init__(self) -> None:
        self._left, self._seen = BURST, time.monotonic()

    def take(self, length: int) -> float:
        """Pay for a message of this size; returns the seconds to wait, 0 if it is paid."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._seen) * A_SECOND) - 1 - length / BYTES_A_TOKEN
        self._seen = now
        return max(0.0, -self._left / A_SECOND)


class Session:
    """Lives as long as its WebSocket; its searches end with it."""

    def __init__(
        self,
        socket: WebSocket,
        pool: SearchPool,
        trees: TreeQueue,
        hello: Mapping[str, Any],
        tables: Tablebases | None = None,
    ) -> None:
        self._socket, self._pool, self._trees, self._hello, self._tables = socket, pool, trees, hello, tables
        self._allowance = Allowance()
        self._sending = asyncio.Lock()
        self._telling = set[asyncio.Task[None]]()
        self._work: dict[str, tuple[int, asyncio.Task[None]]] = {}

    async def run(self) -> None:
        """Serve until the browser leaves or is disconnected."""
        try:
            await self._say({"hello": self._hello})
            while True:
                text = await self._hear()
                debt = self._allowance.take(len(text))
                if debt > GREATEST_DEBT:
                    await self._socket.close(POLICY_VIOLATION, "too many messages")
                    return
                await asyncio.sleep(debt)
                await self._handle(text)
        except LeftError:
            return
        finally:
            await self._drop(*self._work)

    async def _hear(self) -> str:
        """The next message. Raises LeftError if the connection ended or the message is not text."""
        try:
            return await self._socket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            raise LeftError from None

    async def _say(self, message: Mapping[str, Any]) -> None:
        """Send a message. Raises LeftError if it is not read."""
        text = json.dumps(message, separators=(",", ":"))
        try:
            async with self._sending, asyncio.timeout(SLOWEST_SECONDS):
                await self._socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            raise LeftError from None

    async def _handle(self, text: str) -> None:
        """Handle a message, or send its error."""
        number = 0
        try:
            request = read_request(text)
            number = request.number
            if request.do in QUICK:
                answer = await asyncio.to_thread(QUICK[request.do], request.body)
                await self._say({"number": number, "answer": answer})
            elif request.do == "stop":
                await self._drop(slot_of(request.body))
                await self._say({"number": number, "answer": {}})
            elif request.do in LONG:
                await self._begin(request)
            else:
                raise WireError(f"there is nothing called {request.do!r} to do")
        except KNOWN_ERRORS as error:
            await self._say({"number": number, "error": str(error)})

    async def _begin(self, request: Request) -> None:
        """Start a search, replacing the one in its slot."""
        slot = SLOTS[request.do]
        await self._drop(slot)
        game = await asyncio.to_thread(game_of, request.body)
        self._work[slot] = request.number, asyncio.create_task(self._carry_out(request, game))

    async def _drop(self, *slots: str) -> None:
        """Stop a search; its engine has been told when this returns."""
        for number, task in [self._work.pop(slot) for slot in slots if slot in self._work]:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            if task.cancelled():
                with suppress(LeftError):
                    await self._say({"number": number, "answer": {"stopped": True}})

    async def _carry_out(self, request: Request, game: Game) -> None:
        """Run a search and always send its end, unless the browser has left."""
        try:
            told: dict[str, Any] = {"answer": await LONG[request.do](self, request, game)}
        except LeftError:
            return
        except KNOWN_ERRORS as error:
            told = {"error": str(error)}
        except Exception as error:
            log.exception("%s failed", request.do)
            told = {"error": f"the server failed: {type(error).__name__}: {error}"}
        with suppress(LeftError):
            await self._say({"number": request.number} | told)

    async def _play(self, request: Request, game: Game) -> dict[str, Any]:
        """Send the engine's move and the game after it."""
        body = request.body
        elo = whole_of(body, "elo", 0, MOST_ELO, 0)
        job = Job(game, play_limits(body, elo), is_urgent=True, is_weak=elo > 0)
        report = await self._pool.search(job)
        if report.lines:
            game.push(report.lines[0].moves[0])
        return {"game": await asyncio.to_thread(game_facts, game), "depth": report.depth, "nodes": report.nodes}

    async def _analyse(self, request: Request, game: Game) -> dict[str, Any]:
        """Analyse until stopped; send the newest reports."""
        latest: asyncio.Queue[Report] = asyncio.Queue()
        lines = whole_of(request.body, "lines", 1, MOST_LINES, 1)
        job = Job(game, Limits(is_infinite=True), latest.put_nowait, multi_pv=lines)
        job.threads = whole_of(request.body, "threads", 1, self._pool.most_threads, 1)
        job.megabytes = whole_of(request.body, "megabytes", 0, self._pool.most_megabytes, 0)
        job.longest = whole_of(request.body, "seconds", 0, MOST_SECONDS, 0) or job.longest
        search = asyncio.create_task(self._pool.search(job))
        telling = asyncio.create_task(self._tell(request.number, game, latest))
        try:
            await asyncio.wait([search, telling], return_when=asyncio.FIRST_COMPLETED)
            return report_facts(game, await search) if search.done() else {"stopped": True}
        finally:
            search.cancel()
            telling.cancel()
            await asyncio.gather(search, telling, return_exceptions=True)

    async def _tell(self, number: int, game: Game, latest: "asyncio.Queue[Report]") -> None:
        """Send reports, but not too often; say while it waits for an engine.

        An analysis that was interrupted for others starts again; nothing is sent twice.
        """
        if self._pool.is_full:
            await self._say({"number": number, "waiting": self._pool.waiting})
        deepest = 0
        while True:
            report = await latest.get()
            while not latest.empty():
                report = latest.get_nowait()
            if report.depth < deepest:
                continue
            deepest = report.depth
            facts = await asyncio.to_thread(report_facts, game, report)
            await self._say({"number": number, "report": facts})
            await asyncio.sleep(REPORT_SECONDS)

    async def _review(self, request: Request, game: Game) -> dict[str, Any]:
        """Review a game: send each position when it is first judged, from the last, then all."""
        judge, _ = await asyncio.to_thread(judge_of, game, ReviewPlan(nodes=REVIEW_NODES))
        seen = list[Spot]()
        asking = judge.run(seen.append)
        ask = next(asking, None)
        while ask is not None:
            report = await self._pool.search(Job(ask.game.copy(), ask.limits))
            try:
                ask = asking.send(report)
            except StopIteration:
                ask = None
            while seen:
                await self._say({"number": request.number, "verdict": position_facts(judge, seen.pop(0).ply)})
        for ply in range(len(game.moves) + 1):
            facts = await asyncio.to_thread(judged_facts, judge, ply)
            await self._say({"number": request.number, "verdict": facts})
        return {"plies": len(game.moves)}

    async def _why(self, request: Request, game: Game) -> dict[str, Any]:
        """Explain why a move is good or bad."""
        move = parse_uci(game, text_of(request.body, "move", LONGEST_MOVE))
        found = await self._answered(reasons(game, move))
        return await asyncio.to_thread(why_facts, found)

    async def _answered(self, asking: Asking[Found]) -> Found:
        """Run a question that needs searches, which send reports of the pool; returns its answer."""
        try:
            ask = next(asking)
            while True:
                ask = asking.send(await self._pool.search(Job(ask.game.copy(), ask.limits, ask.heard)))
        except StopIteration as ended:
            return cast("Found", ended.value)

    async def _compare(self, request: Request, game: Game) -> dict[str, Any]:
        """Search one position with several sets of options, in parallel if engines are free."""
        nodes = whole_of(request.body, "nodes", 1, MOST_COMPARED_NODES)
        searches = list[Awaitable[Report]]()
        for column, options in enumerate(columns_of(request.body)):
            heard = partial(self._hear_column, request.number, game, column)
            searches.append(self._pool.search(Job(game.copy(), Limits(nodes=nodes), heard, options=options)))
        reports = await asyncio.gather(*searches)
        return {"reports": [await asyncio.to_thread(report_facts, game, report) for report in reports]}

    def _hear_column(self, number: int, game: Game, column: int, report: Report) -> None:
        """Send a report of one of several searches."""
        message = {"number": number, "column": column, "report": report_facts(game, report)}
        task = asyncio.create_task(self._say_if_there(message))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _say_if_there(self, message: Mapping[str, Any]) -> None:
        """Send a message, if the browser is still there."""
        with suppress(LeftError):
            await self._say(message)

    async def _probe(self, _: Request, game: Game) -> dict[str, Any]:
        """Send the tablebase's answer; nothing if there is none."""
        if self._tables is None:
            return {}
        verdict = await asyncio.to_thread(self._tables.verdict, game)
        return {} if verdict is None else table_facts(game, verdict)

    async def _tree(self, request: Request, game: Game) -> dict[str, Any]:
        """The quiescence tree at the end of a game, whose moves count for repetition."""
        options = options_of(request.body)
        if not self._trees.is_ready:
            await self._say({"number": request.number, "waiting": 0})
        return await self._trees.tree(game, options, moves_after(game, request.body))


def slot_of(body: Mapping[str, Any]) -> str:
    """The slot to stop; by default analysis."""
    slot = text_of(body, "what", 20, "search")
    if slot not in SLOTS.values():
        raise WireError(f"there is nothing called {slot!r} to stop")
    return slot


def play_limits(body: Mapping[str, Any], elo: int) -> Limits:
    """Limits of the engine's move: its clock, or a fixed time, and its strength."""
    plain = Limits()
    nodes = nodes_for(max(elo, LEAST_ELO)) if elo else plain.nodes
    if "left" not in body:
        return Limits(nodes=nodes, seconds=whole_of(body, "milliseconds", 10, 20_000, 1_000) / 1_000)
    left = whole_of(body, "left", 0, LONGEST_CLOCK)
    return Limits(nodes=nodes, clock=Clock(left, whole_of(body, "increment", 0, LONGEST_INCREMENT, 0)))


def position(body: Mapping[str, Any]) -> dict[str, Any]:
    """A game as JSON values."""
    return game_facts(game_of(body))


def opening(body: Mapping[str, Any]) -> dict[str, Any]:
    """Code and name of the last named opening of a game; nothing if there is none."""
    board = to_board(game_of(body))
    found, _ = opening_of(board.root(), board.move_stack)
    return {} if found is None else {"eco": found.eco, "name": found.name}


QUICK: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"position": position, "opening": opening}
"""Messages answered at once."""
LONG: dict[str, Callable[[Session, Request, Game], Awaitable[dict[str, Any]]]] = {
    "play": Session._play,
    "analyse": Session._analyse,
    "review": Session._review,
    "why": Session._why,
    "compare": Session._compare,
    "tree": Session._tree,
    "tables": Session._probe,
}
"""Messages that start a search."""
