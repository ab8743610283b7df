"""What the tests of the protocol share: one engine process, idle and as new for each test."""

import pytest

from quiesce.engine.options import OPTIONS
from tests.uci.driver import Gui


@pytest.fixture(scope="package")
def process():
    """An engine that has been asked for its options."""
    with Gui() as made:
        made.send("uci")
        made.expect("^uciok$")
        made.ready()
        yield made


@pytest.fixture
def gui(process):
    """The same, idle, with default options and the start position."""
    process.send("stop")
    for option in OPTIONS.values():
        if option.kind != "button" and not option.is_search:
            value = str(option.default).lower() if option.kind == "check" else option.default or "<empty>"
            process.send(f"setoption name {option.name} value {value}")
    process.send("debug off", "ucinewgame", "position startpos")
    process.ready()
    return process
