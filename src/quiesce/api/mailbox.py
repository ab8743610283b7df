"""Shell. A queue from the search's thread to its readers: another thread, or a task of any event loop."""

import asyncio
import threading
from collections import deque
from typing import Generic, TypeVar

LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""

Item = TypeVar("Item")


class Mailbox(Generic[Item]):
    """Items in order; once it is closed and empty, everybody is told so for ever."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._changed = threading.Condition()
        self._is_closed = False
        self._sleepers: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []

    def put(self, *items: Item) -> None:
        """Add items."""
        with self._changed:
            self._items.extend(items)
            self._wake()

    def close(self) -> None:
        """Nothing more will come."""
        with self._changed:
            self._is_closed = True
            self._wake()

    def _wake(self) -> None:
        """Wake all waiting threads and tasks; tasks of a closed event loop are skipped."""
        self._changed.notify_all()
        sleepers, self._sleepers = self._sleepers, []
        for loop, sleeper in sleepers:
            if not loop.is_closed():
                loop.call_soon_threadsafe(finish, sleeper)

    @property
    def is_empty(self) -> bool:
        """Is nothing there to be taken at once?"""
        return not self._items

    @property
    def is_over(self) -> bool:
        """Has all been taken, and will nothing come?"""
        return self._is_closed and not self._items

    def take(self) -> Item:
        """The next item, waited for; raises EOFError where none will come."""
        with self._changed:
            while not self._items:
                if self._is_closed:
                    raise EOFError
                self._changed.wait(LONGEST_WAIT)
            return self._items.popleft()

    async def take_soon(self) -> Item:
        """The next item, awaited; raises EOFError where none will come."""
        while True:
            with self._changed:
                if self._items:
                    return self._items.popleft()
                if self._is_closed:
                    raise EOFError
                loop = asyncio.get_running_loop()
                sleeper = loop.create_future()
                self._sleepers.append((loop, sleeper))
            await sleeper


def finish(sleeper: "asyncio.Future[None]") -> None:
    """End a future, unless it was cancelled."""
    if not sleeper.done():
        sleeper.set_result(None)
