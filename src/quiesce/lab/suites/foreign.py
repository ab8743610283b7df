"""Shell. Any UCI engine as a solver: a process that stays from problem to problem, heard line by line."""

import asyncio
import contextlib
import logging
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any

import chess
import chess.engine
from chess.engine import AnalysisResult, EngineError, EngineTerminatedError, InfoDict, UciProtocol

from quiesce.lab.match.channel import CRASH, ILLEGAL, PARTING_SECONDS, STALL, Fault
from quiesce.lab.match.player import HELLO_SECONDS, READY_SECONDS, STALL_SECONDS
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.suites.problems import Problem
from quiesce.lab.suites.scoring import Glimpse, Limit
from quiesce.work.lifetime import bound_to_us, kill_all

logging.getLogger(chess.engine.__name__).setLevel(logging.CRITICAL)  # what an engine says wrong is told by us


class UciSolver:
    """Solves problems one after the other; whatever goes wrong is a Fault, after which only `close` makes sense."""

    def __init__(
        self,
        command: Sequence[str],
        options: Mapping[str, Any],
        folder: str,
        limit: Limit,
        grace: float = STALL_SECONDS,
    ) -> None:
        """Start the engine; it stalls when it is silent for the grace beyond its limit."""
        self._limit, self._grace = limit, grace
        self._runner = asyncio.Runner()
        self._transport: asyncio.SubprocessTransport | None = None
        self._protocol: UciProtocol | None = None
        self._analysis: AnalysisResult | None = None
        self._is_idle = False
        try:
            self._runner.get_loop().set_exception_handler(self._hear)
            self._runner.run(self._start(command, options, folder))
        except BaseException:
            self.close()
            raise

    async def _start(self, command: Sequence[str], options: Mapping[str, Any], folder: str) -> None:
        """Start the process, read its options and set ours."""
        try:
            transport, protocol = await UciProtocol.popen(
                list(command),
                cwd=folder or None,
                stderr=subprocess.DEVNULL,
                **bound_to_us(),
            )
            self._transport, self._protocol = transport, protocol
            async with asyncio.timeout(HELLO_SECONDS):
                await protocol.initialize()
            async with asyncio.timeout(READY_SECONDS):
                await protocol.configure(options)
                await protocol.ping()
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise SetUpError(f"{command[0]} does not answer as UCI engines do") from None
            raise SetUpError(f"{command[0]} cannot be started: {error.strerror or error}") from None
        except EngineError as error:
            raise SetUpError(f"{command[0]}: {error}") from None
        self._is_idle = True

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        assert self._protocol is not None
        return self._protocol.id.get("name", "")

    def solve(self, problem: Problem) -> tuple[list[Glimpse], Glimpse]:
        """Search a problem; returns the best moves over time, and the answer."""
        self._is_idle = False
        try:
            found = self._runner.run(self._search(problem.board))
        except TimeoutError as error:
            raise Fault(STALL, str(error)) from None
        except EngineTerminatedError as error:
            raise Fault(CRASH, str(error)) from None
        except EngineError as error:
            raise Fault(ILLEGAL, str(error)) from None
        self._is_idle = True
        return found

    async def _search(self, board: chess.Board) -> tuple[list[Glimpse], Glimpse]:
        """One search with empty tables; the clock runs from `go`."""
        assert self._protocol is not None
        limit = chess.engine.Limit(time=self._limit.seconds, nodes=self._limit.nodes, depth=self._limit.depth)
        patience = (self._limit.seconds or READY_SECONDS) + self._grace
        glimpses: list[Glimpse] = []
        try:
            async with asyncio.timeout(READY_SECONDS):
                analysis = await self._protocol.analysis(board, limit, game=object())
            self._analysis, begun = analysis, time.perf_counter()
            async with asyncio.timeout(patience):
                async for info in analysis:
                    glimpses += glimpses_of(info, time.perf_counter() - begun)
                best = await analysis.wait()
        except TimeoutError:
            raise TimeoutError(f"no move after {patience:g} s") from None
        seconds = time.perf_counter() - begun
        if not best.move:
            raise EngineError("no move, though there are some")
        told = glimpses[-1] if glimpses else Glimpse(best.move, seconds)
        return glimpses, Glimpse(best.move, seconds, told.nodes, told.depth, told.score, told.mate)

    def _hear(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An answer that python-chess cannot read ends the search instead of being waited for."""
        error = context.get("exception")
        if isinstance(error, EngineError) and self._analysis is not None:
            with contextlib.suppress(asyncio.InvalidStateError):  # it had ended
                self._analysis.set_exception(error)

    def close(self) -> None:
        """End the engine: asked if it listens, killed if it searches, with whatever it started."""
        transport, protocol = self._transport, self._protocol
        if transport is not None and protocol is not None:
            if self._is_idle:
                with contextlib.suppress(Exception):
                    self._runner.run(asyncio.wait_for(protocol.quit(), PARTING_SECONDS))
            kill_all(transport.get_pid())
            with contextlib.suppress(Exception):
                self._runner.run(ended(transport, protocol))
        self._transport = None
        with contextlib.suppress(Exception):
            self._runner.close()


async def ended(transport: asyncio.SubprocessTransport, protocol: UciProtocol) -> None:
    """Wait for the end of a killed process and close its pipes."""
    await asyncio.wait_for(asyncio.shield(protocol.returncode), PARTING_SECONDS)
    transport.close()


def glimpses_of(info: InfoDict, seconds: float) -> list[Glimpse]:
    """The best move of an `info` line, if it has one; a score below the window is ignored."""
    moves = info.get("pv")
    if not moves or info.get("multipv", 1) != 1 or info.get("upperbound"):
        return []
    score = info["score"].relative if "score" in info else None
    points, mate = (None, None) if score is None else (score.score(), score.mate())
    return [Glimpse(moves[0], seconds, info.get("nodes"), info.get("depth"), points, mate)]
