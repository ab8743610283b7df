"""Shell. The web server: page, status and WebSockets."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

import quiesce
from quiesce.board.fen import START_FEN
from quiesce.engine.strength import LEAST_ELO, MOST_ELO
from quiesce.engine.syzygy import Tablebases
from quiesce.search.params import TECHNIQUES
from quiesce.search.reasons import REASONS
from quiesce.web.bundle import STATIC, check_bundle
from quiesce.web.connections import AT_ONCE, Connections, HttpConnection, PatientServer, SocketConnection, room
from quiesce.web.guard import Guard
from quiesce.web.plan import ServerPlan
from quiesce.web.pool import SearchPool
from quiesce.web.session import MOST_LINES, Session
from quiesce.web.tour import tour_facts
from quiesce.web.treequeue import TreeQueue
from quiesce.web.wire import LONGEST_MESSAGE

MOST_BROWSERS, MOST_OF_ONE = 64, 32
"""Most browsers, and most from one address."""
SMALLEST_PACKED = 1_000
"""Answers of at least this many bytes are compressed."""
TRY_AGAIN_LATER = 1013
"""WebSocket code of a full server."""
PING_SECONDS = 20.0
"""Seconds without an answer to a ping after which a browser counts as gone."""
SHARED = ("MateDistance", "UpcomingRepetition", "TtFiftyMoves")
"""Techniques of the main search that affect quiescence."""


class Server:
    """The application, with what its connections share."""

    def __init__(self, plan: ServerPlan, folder: Path = STATIC) -> None:
        """Load kernels. Raises BundleError without a page, TablesError without the tables."""
        check_bundle(folder)
        self.tables = Tablebases(plan.syzygy) if plan.syzygy else None
        self.pool = SearchPool(plan.engine_count, plan.megabytes)
        self.trees = TreeQueue()
        self.connections = Connections(room())
        self._browsers: Counter[str] = Counter()
        engine = {"threads": self.pool.most_threads, "megabytes": self.pool.most_megabytes}
        self._hello = hello_facts() | {"engine": engine, "tables": self.tables is not None}
        routes = [
            WebSocketRoute("/socket", self._connect),
            Route("/status", self._status),
            Mount("/", StaticFiles(directory=folder, html=True)),
        ]
        middleware = [Middleware(Guard, names=plan.names), Middleware(GZipMiddleware, minimum_size=SMALLEST_PACKED)]
        self.app = Starlette(routes=routes, middleware=middleware, lifespan=self._lifespan)

    @property
    def browsers(self) -> int:
        """Number of connected browsers."""
        return self._browsers.total()

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start and end engines and tracer with the server."""
        self.pool.start()
        self.trees.start()
        try:
            yield
        finally:
            self.trees.close()
            if self.tables is not None:
                self.tables.close()
            await self.pool.close()

    async def _connect(self, socket: WebSocket) -> None:
        """Serve one browser."""
        address = socket.client.host if socket.client else ""
        is_full = self.browsers >= MOST_BROWSERS
        if is_full or self._browsers[address] >= MOST_OF_ONE:
            await socket.accept()
            await socket.close(TRY_AGAIN_LATER, f"too many browsers {'at once' if is_full else 'from one address'}")
            return
        self._browsers[address] += 1
        try:
            with self.connections.served(socket.client):
                await socket.accept()
                await Session(socket, self.pool, self.trees, self._hello, self.tables).run()
        finally:
            self._browsers -= Counter([address])

    async def _status(self, _: Request) -> JSONResponse:
        """Counts for /status."""
        facts = {"browsers": self.browsers, "running": self.pool.running, "waiting": self.pool.waiting}
        return JSONResponse(facts | {"engines": self.pool.size, "tracer": self.trees.is_ready})


def technique_facts() -> Iterable[dict[str, Any]]:
    """Every switch that affects quiescence, with its parameters."""
    for technique in TECHNIQUES:
        if technique.name.startswith("QSearch") or technique.name in SHARED:
            yield asdict(technique)


def hello_facts() -> dict[str, Any]:
    """The first message to a browser."""
    return {
        "version": quiesce.__version__,
        "start": START_FEN,
        "elo": [LEAST_ELO, MOST_ELO],
        "lines": MOST_LINES,
        "techniques": list(technique_facts()),
        "switches": [asdict(technique) for technique in TECHNIQUES],
        "reasons": [asdict(reason) for reason in REASONS],
        "tour": tour_facts(),
    }


def uvicorn_server(plan: ServerPlan, folder: Path = STATIC) -> uvicorn.Server:
    """A server ready to run. Raises BundleError without a page."""
    server = Server(plan, folder)
    http: Any = partial(HttpConnection, server.connections)
    websockets: Any = partial(SocketConnection, server.connections)
    config = uvicorn.Config(
        server.app,
        host=plan.host,
        port=plan.port,
        backlog=AT_ONCE,
        http=http,
        ws=websockets,
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return PatientServer(config)
