"""The engine of asyncio programs: awaited, cancelled, iterated, while the event loop goes on."""

import asyncio
import gc
import inspect
import time

import chess
import chess.engine
import pytest
from chess.engine import EngineError, EngineTerminatedError, Limit, Protocol

import quiesce

FEW = Limit(nodes=500)
OF_PIPES = {
    "connection_lost", "connection_made", "error_line_received", "line_received", "pause_writing",
    "pipe_connection_lost", "pipe_data_received", "process_exited", "resume_writing",
}  # fmt: skip
"""Members of a Protocol that its pipes call, and nobody else."""


def test_members_are_those_of_a_protocol():
    """All that users of a Protocol call is our own, and takes what theirs takes."""
    assert issubclass(quiesce.AsyncEngine, Protocol)
    for name in {name for name in dir(Protocol) if not name.startswith("_")} - OF_PIPES:
        assert name in vars(quiesce.AsyncEngine), name
        theirs, ours = (inspect.signature(getattr(of, name)).parameters for of in (Protocol, quiesce.AsyncEngine))
        assert {word: given.kind for word, given in theirs.items()} == {word: ours[word].kind for word in theirs}


def test_all_calls_are_awaited():
    """From popen_uci to quit, each call gives what the blocking engine gives."""

    async def main():
        transport, engine = await quiesce.popen_uci("quiesce", setpgrp=True)
        await engine.configure({"hash": 1})
        assert engine.options["HASH"].default == 16
        board = chess.Board()
        assert (await engine.play(board, FEW)).move in board.legal_moves
        assert isinstance((await engine.analyse(board, FEW))["score"], chess.engine.PovScore)
        assert len(await engine.analyse(board, FEW, multipv=3)) == 3
        await engine.send_opponent_information(opponent=chess.engine.Opponent("Ann", None, None, is_engine=True))
        await engine.send_game_result(board)
        await engine.new_game()
        await engine.ping()
        for ask in (engine.configure({"Hsah": 1}), engine.play("no board", FEW), engine.communicate(print)):
            with pytest.raises(EngineError):
                await ask
        await engine.quit()
        assert await engine.returncode == 0
        assert transport.get_returncode() == 0
        with pytest.raises(EngineTerminatedError):
            await engine.ping()
        with pytest.raises(ValueError, match="does not start Quiesce"):
            await quiesce.popen_uci("stockfish")

    asyncio.run(main())


def test_an_analysis_is_theirs():
    """An AnalysisResult: iterated, waited for, ended by `with` and by the next call; its infos are gathered by line."""

    async def main():
        async with quiesce.AsyncEngine({"Hash": 1}) as engine:
            with await engine.analysis(chess.Board(), multipv=2) as analysis:
                assert isinstance(analysis, chess.engine.AnalysisResult)
                async for info in analysis:
                    if info["depth"] >= 3 and info["multipv"] == 2:
                        break
            assert (await analysis.wait()).move in chess.Board().legal_moves
            assert [info["multipv"] for info in analysis.multipv] == [1, 2]
            endless = await engine.analysis(chess.Board())
            await engine.ping()
            assert (await endless.wait()).move is not None
            async for _ in endless:
                pass
            with pytest.raises(chess.engine.AnalysisComplete):
                await endless.get()
            over = await engine.analysis(chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), FEW)
            assert (await over.wait()).move is None
            assert over.info["score"].relative == chess.engine.Mate(0)

    asyncio.run(main())


def test_what_is_cancelled_or_let_go_of_ends():
    """A play that timed out, and an analysis that nobody holds, leave no search behind."""

    async def main():
        async with quiesce.AsyncEngine({"Hash": 1}) as engine:
            begun = time.monotonic()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(engine.play(chess.Board(), Limit(time=60)), 0.3)
            assert (await engine.play(chess.Board(), FEW)).move
            await engine.analysis(chess.Board())
            gc.collect()
            core = engine._searching.setup.engine
            while core.is_searching:
                await asyncio.sleep(0.01)
            assert time.monotonic() - begun < 30

    asyncio.run(main())


def test_the_loop_goes_on():
    """Three analyses at once hold up an event loop no longer than a machine as busy with other things does."""

    async def gaps(until):
        found, last = [], time.perf_counter()
        while not until.done():
            await asyncio.sleep(0.001)
            found.append((now := time.perf_counter()) - last)
            last = now
        return sorted(found)

    async def follow(engine):
        with await engine.analysis(chess.Board(), Limit(time=1.5)) as analysis:
            return [info async for info in analysis]

    async def main():
        engines = [quiesce.AsyncEngine({"Hash": 1}) for _ in range(3)]
        await asyncio.gather(*(engine.initialize() for engine in engines))
        busy = asyncio.gather(*map(follow, engines))
        while_busy = await gaps(busy)
        while_idle = await gaps(asyncio.ensure_future(asyncio.sleep(1)))
        for engine in engines:
            await engine.quit()
        return await busy, while_busy, while_idle

    followed, busy, idle = asyncio.run(main())
    assert all(followed)
    assert busy[len(busy) // 2] < idle[len(idle) // 2] + 0.02
