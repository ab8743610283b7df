"""Shell. Trees asked for without keeping the event loop waiting: one after the other, in the order they came."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from quiesce.board.game import Game
from quiesce.trace.client import TraceClient

PATIENCE = 30.0
"""Seconds a tree may take once the process is ready."""
MOST_NODES = 500_000
"""Nodes after which the search of one tree is stopped."""


class TreeQueue:
    """The server's client of the trace build, and the thread that waits for it."""

    def __init__(self) -> None:
        self.client = TraceClient(PATIENCE)
        self._thread = ThreadPoolExecutor(1, "trees")

    @property
    def is_ready(self) -> bool:
        """Is the trace build loaded?"""
        return self.client.is_ready

    def start(self) -> None:
        """Begin to load the trace build, so that it is ready when the first tree is wanted."""
        self._thread.submit(self.client.start)

    def close(self) -> None:
        """End the process and the thread that waits for it."""
        self.client.close()
        self._thread.shutdown(cancel_futures=True)

    async def tree(self, game: Game, options: Mapping[str, int], path: Sequence[int] = ()) -> dict[str, Any]:
        """The tree at the end of a game, from the node that a path leads to; raises TracerError and LineError.

        Being cancelled leaves the process unharmed.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self.client.facts, game, options, MOST_NODES, path)
