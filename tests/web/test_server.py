"""The server: its page, its status, its plan."""

import urllib.request

from quiesce.web.plan import MOST_ENGINES, Plan
from quiesce.web.server import SHARED, hello_facts

from .conftest import Client, settled, status


def test_the_page_is_served(address, page_folder):
    """Each file as it is on disk, the page at the root."""
    for path, name in (("", "index.html"), ("app.js", "app.js"), ("app.css", "app.css")):
        with urllib.request.urlopen(f"http://{address}/{path}", timeout=10) as answer:
            assert answer.read() == (page_folder / name).read_bytes()


def test_the_status_counts_browsers(address):
    """Those connected now."""
    settled(address, browsers=0)
    with Client(address), Client(address):
        assert status(address)["browsers"] == 2
    assert settled(address, browsers=0)["engines"] == 2


def test_engines_are_as_many_as_asked_or_cores():
    """Unasked one a core, but not without end."""
    assert Plan(engines=3).engine_count == 3
    assert 1 <= Plan().engine_count <= MOST_ENGINES


def test_switches_that_change_a_tree_are_offered():
    """Quiescence's own and those it shares, each with its default, its numbers and its off."""
    techniques = {technique["name"]: technique for technique in hello_facts()["techniques"]}
    assert set(SHARED) <= set(techniques)
    assert "NullMove" not in techniques
    assert techniques["QSearchDelta"]["numbers"][0]["name"] == "QSearchDeltaMargin"
    assert techniques["QSearchUnderpromotions"]["plain"] is True
