"""Endgame tables: what is told of them, and that nothing is told where there are none."""

import pytest

from quiesce.engine.syzygy import TablesError
from quiesce.web.plan import ServerPlan
from quiesce.web.server import Server
from tests.conftest import shared

from .conftest import Client, serving

QUEEN = "8/8/8/4k3/8/8/3QK3/8 {} - - 0 1"


def test_tables_tell_result_and_moves(page_folder):
    """A queen wins for White, loses for Black to move; a position with more pieces is passed over."""
    with serving(page_folder, engines=1, megabytes=1, syzygy=str(shared("syzygy"))) as at, Client(at) as client:
        assert client.hello["tables"] is True
        won = client.ask("tables", fen=QUEEN.format("w"))
        assert won["result"] == 1
        assert won["moves"]
        assert client.ask("tables", fen=QUEEN.format("b"))["result"] == -1
        assert client.ask("tables") == {}


def test_without_tables_nothing_is_told(client):
    """And the page knows that it need not ask."""
    assert client.hello["tables"] is False
    assert client.ask("tables", fen=QUEEN.format("w")) == {}


def test_folders_without_tables_are_refused(page_folder, tmp_path):
    """At the start, in a sentence."""
    with pytest.raises(TablesError, match="there are no Syzygy tables"):
        Server(ServerPlan(engines=1, megabytes=1, syzygy=str(tmp_path)), page_folder)
