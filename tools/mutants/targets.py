"""Which modules faults are planted in, and the tests that should notice them.

`quick` are tests of a few seconds, run for every fault; `wide` ones are asked only about faults that the quick ones
let through. Kernels (`plain=True`) are run as plain Python: compiled code follows the text of all kernel files, so each
fault would cost a minute of compiling.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A module of the package, and the tests that prove it."""

    module: str
    quick: tuple[str, ...]
    wide: tuple[str, ...] = ()
    plain: bool = False


TALK = ("tests/uci/test_order.py", "tests/uci/test_finished.py")
WHOLE_TALK = (
    "tests/uci/test_protocol.py",
    "tests/uci/test_options.py",
    "tests/uci/test_answers.py",
    "tests/uci/test_start.py",
)

TARGETS = (
    Target("uci/parse.py", ("tests/uci/test_parse.py", *TALK), WHOLE_TALK),
    Target("uci/orders.py", TALK, WHOLE_TALK),
    Target("uci/session.py", TALK, WHOLE_TALK),
    Target("uci/thinker.py", TALK, WHOLE_TALK),
    Target("uci/thought.py", TALK, WHOLE_TALK),
    Target("uci/setup.py", TALK, WHOLE_TALK),
    Target("uci/limits.py", TALK, WHOLE_TALK),
    Target("uci/options.py", ("tests/uci/test_options.py",), WHOLE_TALK),
    Target("engine/options.py", ("tests/uci/test_options.py", "tests/api/test_engine.py"), WHOLE_TALK),
    Target("engine/setup.py", ("tests/engine/test_setup.py", "tests/uci/test_options.py"), WHOLE_TALK),
    Target("uci/infolines.py", ("tests/uci/test_order.py",), ("tests/uci/test_info.py", *WHOLE_TALK)),
    Target("engine/clock.py", ("tests/engine/test_clock.py",)),
    Target("engine/syzygy.py", ("tests/engine/test_syzygy.py",)),
    Target("engine/book.py", ("tests/engine/test_book.py",), ("tests/test_damaged.py",)),
    Target("engine/team.py", ("tests/engine/test_team.py",), ("tests/engine/test_engine.py",)),
    Target("engine/table.py", ("tests/engine/test_table.py",), ("tests/engine/test_engine.py",)),
    Target("engine/searcher.py", ("tests/engine/test_engine.py", "tests/batch/test_search.py"), TALK),
    Target("engine/scoretext.py", ("tests/engine/test_scoretext.py",)),
    Target("engine/task.py", ("tests/engine/test_engine.py",), TALK),
    Target("search/tt.py", ("tests/search/test_tt.py",), plain=True),
    Target("search/node.py", ("tests/search/test_node.py",), plain=True),
    Target("web/guard.py", ("tests/web/test_guard.py",)),
    Target("web/wire.py", ("tests/web/test_wire.py",)),
    Target("web/pool.py", ("tests/web/test_pool.py",), ("tests/web/test_session.py",)),
    Target("lab/sprt.py", ("tests/lab/test_sprt.py",)),
    Target("lab/elo.py", ("tests/lab/test_sprt.py",)),
    Target("work/store.py", ("tests/work/test_store.py",), ("tests/test_damaged.py",)),
    Target("work/pool.py", ("tests/work/test_pool.py",)),
    Target("lab/match/pair.py", ("tests/lab/match",)),
    Target("api/limits.py", ("tests/api/test_limits.py",), ("tests/api/test_engine.py",)),
    Target("api/options.py", ("tests/api/test_engine.py",)),
    Target("eval/netfile.py", ("tests/eval/test_netfile.py",), ("tests/test_damaged.py",)),
    Target("eval/weights.py", ("tests/eval/test_evaluate.py",), ("tests/test_damaged.py",)),
    Target("eval/samples.py", ("tests/eval/test_samples.py",), ("tests/test_damaged.py",)),
)
