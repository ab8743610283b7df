"""Evidence: the trace build times its parts, keeps positions that reached a limit, and logs what it entered."""

import json

import pytest

from quiesce.engine import Engine
from quiesce.trace.evidence import NoTraceError, evidence_of
from tests.conftest import run_json, run_python

EXPLOSIVE = "q2q3k/1q2q1pp/2q2q2/3q4/3Q4/2Q2Q2/PP1Q2Q1/K3Q2Q w - - 0 1"
ALONE = """
import json
from dataclasses import asdict
from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.trace.explain import is_needed
from quiesce.jit import warm_up
from quiesce.engine.limits import NO_LIMIT
from quiesce.search.deepen import prepare_search
from quiesce.trace.evidence import evidence_of
from quiesce.search.params import all_off
from quiesce.search.qsearch import qsearch
from quiesce.search.trace import LIMIT
from quiesce.search.scores import INFINITE
from quiesce.search.settings import params
from quiesce.engine.table import Table
from quiesce.search.worker import new_worker, set_root
warm_up(None, is_needed)
w = new_worker(params(all_off() | {{"QSearchLimits": 1, "QSearchMaxNodes": 1000}}), "fitted")
set_root(w, Game("{fen}"))
prepare_search(w, tables(), NO_LIMIT, 1)
qsearch(w, tables(), Table(1).record, 0, -INFINITE, INFINITE, 0)
print(json.dumps(asdict(evidence_of(w)) | {{"qnodes": int(w.qnodes), "limits": int(w.q_reasons[LIMIT])}}))
"""


@pytest.mark.timeout(400)
def test_times_limits_and_log_of_one_call():
    """One call is one call, its time is above that of its parts, and every limit is kept with its position."""
    found = run_json("-c", ALONE.format(fen=EXPLOSIVE), QUIESCE_TRACE="1")
    times = {timing["what"]: timing for timing in found["timings"]}
    assert times["quiescence"]["calls"] == 1
    parts = [times[name]["calls"] * times[name]["average"] for name in ("generation", "evaluation")]
    assert 0 < sum(parts) < times["quiescence"]["average"]
    assert all(timing["longest"] >= timing["average"] > 0 for timing in times.values())
    assert found["limit_count"] == found["limits"] > 0
    assert len(found["limit_fens"]) == min(found["limits"], 32)
    searched = [entry for entry in found["log"] if entry["alpha"] != entry["beta"]]
    assert len(searched) == found["qnodes"] == found["node_count"]
    assert sum(entry["reason"] == "limit" for entry in searched) == found["limits"]
    assert all(entry["parent"] < entry["slot"] for entry in searched)


def test_other_builds_keep_nothing():
    """Without the trace build there is no evidence, and it is said so."""
    with Engine(1) as engine, pytest.raises(NoTraceError, match="QUIESCE_TRACE"):
        evidence_of(engine.lead_worker)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_command_shows_and_logs(tmp_path):
    """`analyse --debug --log` finds what the plain build finds, and writes its log."""
    log, words = tmp_path / "log.jsonl", ("-m", "quiesce", "analyse", "--depth", "7", "--json")
    plain, traced = (
        json.loads(run_python(*words, *more, timeout=500).stdout) for more in ((), ("--debug", "--log", str(log)))
    )
    assert traced["lines"] == plain["lines"]
    assert traced["counters"] == plain["counters"]
    assert traced["timings"]["quiescence"]["calls"] == plain["counters"]["q_calls"]
    assert len(log.read_text(encoding="utf-8").splitlines()) >= plain["counters"]["qnodes"]
