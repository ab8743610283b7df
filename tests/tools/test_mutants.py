"""Faults are drawn by a seed, planted in a copy, judged by tests, and remembered."""

import subprocess

import pytest

from tools.mutants.faults import Fault, sample
from tools.mutants.session import Session, equivalents, lines_changed, table
from tools.mutants.targets import TARGETS, Target
from tools.mutants.trial import CAUGHT, SURVIVED, TIMED_OUT, Clone, Outcome

SOURCE = '''"""Shell. Adds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum."""

    left: int

    def add(self, right):
        """Left and right."""
        if right > 100:
            return 100
        return self.left + right
'''
TEST = """
from quiesce.adding import Sum


def test_add():
    assert Sum(2).add(3) == 5
"""


@pytest.fixture
def clone(tmp_path):
    """A copy of a small checkout."""
    root = tmp_path / "root"
    (root / "src/quiesce").mkdir(parents=True)
    (root / "src/quiesce/__init__.py").write_text("")
    (root / "src/quiesce/adding.py").write_text(SOURCE)
    (root / "test_adding.py").write_text(TEST)
    (root / "test_endless.py").write_text("while True:\n    pass\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return Clone(root, tmp_path / "copy")


def test_the_sample_is_drawn_by_its_seed():
    """Equal seeds give equal faults, each another text; what changes nothing when it runs is left out."""
    drawn = sample("adding.py", SOURCE, 8, 1)
    assert drawn == sample("adding.py", SOURCE, 8, 1) != sample("adding.py", SOURCE, 8, 2)
    texts = {fault.planted(SOURCE) for fault in sample("adding.py", SOURCE, 1000, 1)}
    assert SOURCE not in texts
    assert not any("=False" in text for text in texts)


def test_a_fault_is_caught_or_survives_and_is_taken_out(clone):
    """The tests of a target decide; the file is whole again afterwards."""
    target = Target("adding.py", ("test_adding.py",))
    assert clone.baseline(target, 20) is None
    wrong = Fault("adding.py", "core/ReplaceBinaryOperator_Add_Sub", 0)
    unseen = Fault("adding.py", "core/NumberReplacer", 0)
    assert clone.judge(target, wrong, 20).end == CAUGHT
    assert clone.judge(target, unseen, 20).end == SURVIVED
    assert clone.source("adding.py").read_text() == SOURCE


def test_tests_that_cannot_tell_are_refused(clone):
    """Without a fault they must pass, in time; what takes too long is ended."""
    assert "without a fault" in clone.baseline(Target("adding.py", ("test_nowhere.py",)), 20)
    assert clone.run(["test_endless.py"], 2, plain=False) == TIMED_OUT


def test_a_session_goes_on(tmp_path):
    """What was judged is found again, unless the module has changed."""
    file, fault = tmp_path / "session.jsonl", Fault("adding.py", "core/NumberReplacer", 0)
    Session(file).add(fault, "digest", fault.patch(SOURCE), Outcome(SURVIVED, "test_adding.py", 0.5))
    assert Session(file).find(fault, "digest")["end"] == SURVIVED
    assert Session(file).find(fault, "another") is None


def test_the_table_counts_what_survived():
    """Equivalent faults are not counted among those to be caught."""
    patches = [Fault("adding.py", "core/NumberReplacer", n).patch(SOURCE) for n in range(3)]
    rows = [{"module": "adding.py", "patch": patch, "end": SURVIVED} for patch in patches[:2]]
    rows.append({"module": "adding.py", "patch": patches[2], "end": CAUGHT})
    lines, survivors = table(rows, {("adding.py", *lines_changed(patches[0])): "no reason"})
    assert survivors == [patches[1]]
    assert " 50.0 % of    2 caught,   1 survived,   0 timed out,   1 equivalent" in lines[0]


def test_targets_and_equivalents_name_what_is_there(request):
    """Modules and tests exist, and each equivalent fault has a reason."""
    root = request.config.rootpath
    for target in TARGETS:
        assert (root / "src/quiesce" / target.module).is_file(), target.module
        for test in (*target.quick, *target.wide):
            assert (root / test).exists(), test
    assert all(equivalents().values())
