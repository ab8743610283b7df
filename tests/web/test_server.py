"""The server: its page, its status, its plan."""

import gzip
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed

from quiesce.web import server as server_module
from quiesce.web.plan import MOST_ENGINES, ServerPlan
from quiesce.web.server import SHARED, hello_facts

from .conftest import Client, settled, status


def test_the_page_is_served(address, page_folder):
    """Each file as it is on disk, the page at the root."""
    for path, name in (("", "index.html"), ("app.js", "app.js"), ("app.css", "app.css")):
        with urllib.request.urlopen(f"http://{address}/{path}", timeout=10) as answer:
            assert answer.read() == (page_folder / name).read_bytes()


def test_the_page_is_compressed(address, page_folder):
    """For browsers that can read it, and it is the same file."""
    request = urllib.request.Request(f"http://{address}/licences.txt", headers={"Accept-Encoding": "gzip"})
    if not (page_folder / "licences.txt").exists():
        pytest.skip("the page is not built")
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        packed, plain = answer.read(), (page_folder / "licences.txt").read_bytes()
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 2


def test_one_address_cannot_take_all_places(address, monkeypatch):
    """One more than it may have is told so, and others are still served."""
    monkeypatch.setattr(server_module, "MOST_OF_ONE", 2)
    settled(address, browsers=0)
    with Client(address), Client(address):
        with pytest.raises(ConnectionClosed) as refused:
            Client(address)
        assert refused.value.rcvd.reason == "too many browsers from one address"
        with Client(address, source_address=("127.0.0.2", 0)):
            assert status(address)["browsers"] == 3
    settled(address, browsers=0)
    with Client(address):
        assert status(address)["browsers"] == 1


def test_the_status_counts_browsers(address):
    """Those connected now."""
    settled(address, browsers=0)
    with Client(address), Client(address):
        assert status(address)["browsers"] == 2
    assert settled(address, browsers=0)["engines"] == 2


def test_engines_are_as_many_as_asked_or_cores():
    """Unasked one a core, but not without end."""
    assert ServerPlan(engines=3).engine_count == 3
    assert 1 <= ServerPlan().engine_count <= MOST_ENGINES


def test_switches_that_change_a_tree_are_offered():
    """Quiescence's own and those it shares, each with its default, its numbers and its off."""
    techniques = {technique["name"]: technique for technique in hello_facts()["techniques"]}
    assert set(SHARED) <= set(techniques)
    assert "NullMove" not in techniques
    assert techniques["QSearchDelta"]["numbers"][0]["name"] == "QSearchDeltaMargin"
    assert techniques["QSearchUnderpromotions"]["plain"] is True
