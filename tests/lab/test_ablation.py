"""Ablations: what is asked, in which order, and that answers are the same however often it is stopped."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from quiesce.lab.ablation import (
    BATCH_PAIRS,
    ECONOMY,
    NODES,
    QUIESCENCE,
    SUITE,
    TIME,
    Ablation,
    AblationError,
    AblationTerms,
    Answer,
    Question,
    answer_one,
    presets,
    switch,
)
from quiesce.lab.match.referee import Control
from quiesce.lab.sprt import Sprt
from quiesce.search.params import TECHNIQUES
from quiesce.search.settings import params
from tests.conftest import run_python

CHEAP = AblationTerms(nodes=200, games=40, bench_depth=3, suite_positions=3, suite_nodes=500)


def test_presets_ask_of_every_technique():
    """Each technique once; the rungs of the ladder go from none to all; all settings are valid."""
    lists = presets()
    asked = [question.name for name in ("quiescence", "search") for question in lists[name]]
    assert sorted(asked) == sorted({item.name for item in TECHNIQUES} - {"QSearchLimits"})
    rungs = lists["ladder"]
    assert rungs[0].second == {"UseQuiescence": 0}
    assert all(below.first == above.second for below, above in pairwise(rungs))
    defaults = {item.name: int(item.default) for item in TECHNIQUES if item.name in QUIESCENCE}
    assert rungs[-1].first == {"UseQuiescence": 1} | defaults
    for question in (question for name in lists for question in lists[name]):
        params(question.first)
        params(question.second)
    with pytest.raises(AblationError, match="QSearchSEE"):
        switch("QSearchSea")


def do_all(work, limit=10_000):
    """Do tasks here, one by one; returns all items."""
    items = {}
    for key, task in work.tasks():
        items[key] = answer_one(json.loads(json.dumps(task)))
        work.take(key, items[key])
        if len(items) == limit:
            break
    return items


def test_answers_are_the_same_after_a_stop():
    """Nodes, suite and games of a run that was stopped and gone on with are those of one that was not."""
    questions = [switch("QSearchSEE"), switch("UseQuiescence")]
    whole = do_all(Ablation(questions, CHEAP))
    assert sum(key.split("/")[1] == NODES for key in whole) == 2 * 40 // (2 * BATCH_PAIRS)
    assert {key.split("/")[1] for key in whole} == {ECONOMY, SUITE, NODES}
    part = do_all(Ablation(questions, CHEAP), limit=5)
    later = Ablation(questions, CHEAP)
    for key, facts in part.items():
        later.take(key, facts)
    rest = do_all(later)
    assert not set(part) & set(rest)
    assert part | rest == whole
    assert later.answers["UseQuiescence"].economy == whole["UseQuiescence/economy"]


def test_the_least_certain_comes_first():
    """A question with many games waits for one with few; a decided one gets no more."""
    terms = replace(CHEAP, games=400, sprt=Sprt(0, 10))
    work = Ablation([switch("QSearchSEE"), switch("QSearchTT"), switch("Killers")], terms)
    for name in work.answers:
        work.take(f"{name}/economy", {"nodes_on": 1, "nodes_off": 2})
        work.take(f"{name}/suite", {"solved_on": 1, "solved_off": 1, "positions": 1})
    work.take("QSearchSEE/nodes/0", {"pentanomial": [10, 10, 10, 10, 10]})
    work.take("QSearchTT/nodes/0", {"pentanomial": [3, 4, 3, 4, 3]})
    work.take("Killers/nodes/0", {"pentanomial": [0, 0, 0, 10, 90]})
    assert not work.answers["Killers"].is_open(NODES, terms)
    tasks = work.tasks()
    assert next(tasks)[0] == "QSearchTT/nodes/1"
    seen = {next(tasks)[0].split("/")[0] for _ in range(10)}
    assert "Killers" not in seen


def test_games_by_the_clock():
    """Two processes of ours with switches as UCI has them; every pair is one count, and nothing goes wrong.

    Seconds are forgiven, for other tests run on the same cores.
    """
    question = Question("LMR", {"LateMoveReductions": 1}, {"LateMoveReductions": 0})
    terms = replace(CHEAP, games=0, time_games=2, control=Control(0.4, 0.01, margin=5.0))
    work = Ablation([question], terms)
    work.take("LMR/economy", {})
    work.take("LMR/suite", {})
    ((key, facts),) = do_all(work).items()
    assert key == "LMR/time/0"
    assert sum(facts["pentanomial"]) == 1
    assert facts["faults"] == []


def test_a_verdict_stands():
    """Games that were under way when a question was decided count, but do not open it again."""
    terms = replace(CHEAP, games=400, sprt=Sprt(0, 10))
    work = Ablation([switch("Killers")], terms)
    work.take("Killers/nodes/0", {"pentanomial": [0, 0, 0, 10, 90]})
    work.take("Killers/nodes/1", {"pentanomial": [60, 20, 0, 0, 0]})
    assert work.answers["Killers"].verdicts == {NODES: 1}
    assert not work.answers["Killers"].is_open(NODES, terms)
    assert sum(work.answers["Killers"].by_nodes) == 180


def test_no_opening_is_played_twice_at_fixed_nodes():
    """It would be the same game and no evidence: the book is the budget."""
    work = Ablation([switch("Killers")], replace(CHEAP, games=100_000))
    fens = [fen for key, task in work.tasks() if "/nodes/" in key for fen in task["openings"]]
    assert len(set(fens)) == len(fens) > 1900


def test_answers_add_up():
    """Pentanomials of batches are summed, apart for nodes and time."""
    answer = Answer(switch("QSearchTT"))
    for way in (NODES, NODES, TIME):
        answer.add(way, {"pentanomial": [1, 0, 2, 0, 1]})
    assert (answer.by_nodes, answer.by_time) == ([2, 0, 4, 0, 2], [1, 0, 2, 0, 1])
    assert answer.worth(NODES).elo == pytest.approx(0)


def test_the_command(tmp_path):
    """A table with the technique in it, kept; unknown names are usage errors."""
    words = ["-m", "quiesce", "ablate", "QSearchSEE", "--games", "20", "--nodes", "200", "--store", str(tmp_path / "s")]
    done = run_python(*words, "--concurrency", "2", "--json")
    assert done.returncode == 0, done.stderr
    (facts,) = json.loads(done.stdout)
    assert (facts["name"], facts["nodes"]["games"], facts["suite"]["positions"]) == ("QSearchSEE", 20, 100)
    assert facts["economy"]["nodes_on"] < facts["economy"]["nodes_off"]
    assert run_python(*words, "--json").stdout == done.stdout
    assert run_python("-m", "quiesce", "ablate", "Nonsense").returncode == 2
