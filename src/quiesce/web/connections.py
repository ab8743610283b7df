"""Shell. Open connections: fewer than the system allows, so that half a request shuts nobody out.

uvicorn waits for a request as long as its sender likes, and accepts until no file descriptor is left. Here a request
must come within seconds; and where there is no room for one more connection, the one that has been without a whole
request longest is closed. A browser that is being served keeps its place.
"""

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

REQUEST_SECONDS = 10.0
"""What a request has to come whole, from the connection or from its first byte."""
MOST_OPEN, LEAST_OPEN = 1_000, 8
"""Connections at once, whatever the system allows."""
AT_ONCE = 16
"""Connections accepted in one go, before any of them is looked at."""
SPARE_FILES = 6 * AT_ONCE
"""File descriptors for all else: connections just accepted or just closed, files that are sent, the tracer's pipes."""
QUEUE = 1_024
"""Connections the system keeps until they are accepted."""
COMPLAINT_SECONDS = 60.0
"""Between two lines that say that there is no file descriptor left."""
NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

log = logging.getLogger(__name__)

Peer = tuple[str, int] | None
"""Who is at the other end."""


def room() -> int:
    """How many connections may be open at once, by the files this process may still open."""
    if resource is None:
        return MOST_OPEN
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MOST_OPEN
    return max(LEAST_OPEN, min(MOST_OPEN, limit - open_files() - SPARE_FILES))


def open_files() -> int:
    """How many file descriptors this process has; a guess where the system does not tell."""
    try:
        return sum(1 for _ in Path("/dev/fd").iterdir())
    except OSError:
        return SPARE_FILES


class Connections:
    """All that are open, in the order in which they have been without a request; so many and no more."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[HttpConnection | SocketConnection, None] = {}
        self._served: set[Peer] = set()

    def enter(self, connection: "HttpConnection | SocketConnection") -> None:
        """One more; if that is one too many, another is closed, or this one where all others are being served."""
        self._open[connection] = None
        if len(self._open) > self._most:
            closed = self._first_to_close()
            self.leave(closed)
            closed.transport.abort()

    def _first_to_close(self) -> "HttpConnection | SocketConnection":
        """Whoever is without a request longest; if all have one, the oldest whose peer is not a browser we serve."""
        waiting = (one for one in self._open if one.is_waiting)
        return next(waiting, None) or next(one for one in self._open if one.client not in self._served)

    def leave(self, connection: "HttpConnection | SocketConnection") -> None:
        """One less, if it was still counted."""
        self._open.pop(connection, None)

    def wait_again(self, connection: "HttpConnection | SocketConnection") -> None:
        """A connection's request was answered: from now on it is without one."""
        if connection in self._open:
            del self._open[connection]
            self._open[connection] = None

    @contextmanager
    def served(self, peer: Peer) -> Iterator[None]:
        """While a browser is served its connection is not closed for others."""
        self._served.add(peer)
        try:
            yield
        finally:
            self._served.discard(peer)


class HttpConnection(H11Protocol):
    """A connection as uvicorn has it, counted, and closed if its request does not come."""

    def __init__(self, connections: Connections, **told: Any) -> None:
        super().__init__(**told)
        self._all = connections
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Is there no whole request that is still to be answered?"""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it and wait for its request."""
        super().connection_made(transport)
        self._all.enter(self)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._all.leave(self)
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come, and go on waiting for the rest."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, which uvicorn gives a few seconds to begin."""
        self._all.wait_again(self)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the protocol of WebSockets, which counts for itself."""
        self._all.leave(self)
        self._unwatch()
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Set the deadline of a request that has not come whole; once, so that bytes that trickle in win no time."""
        if not self.is_waiting:
            self._unwatch()
        elif self._deadline is None and self.transport.get_protocol() is self:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        """No deadline any more."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket as uvicorn has it, counted."""

    is_waiting = False
    """It begins with a whole request."""

    def __init__(self, connections: Connections, **told: Any) -> None:
        super().__init__(**told)
        self._all = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it."""
        super().connection_made(transport)
        self._all.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._all.leave(self)
        super().connection_lost(exc)


class PatientServer(uvicorn.Server):
    """Accepts a few connections at a time, lets others queue, and complains in a line now and then."""

    _complained = -COMPLAINT_SECONDS

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; asyncio takes one number for the queue and for what it accepts at once."""
        asyncio.get_running_loop().set_exception_handler(self._complain)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)

    def _complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell that nothing can be accepted, once in a while; anything else as asyncio does."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in NO_ROOM:
            loop.default_exception_handler(context)
        elif time.monotonic() - self._complained >= COMPLAINT_SECONDS:
            self._complained = time.monotonic()
            log.error("no connection can be accepted for now: %s", error.strerror)
