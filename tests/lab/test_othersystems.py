"""The lab where the system lacks what Linux has: without killpg, poll, preexec_fn and SIGKILL, as on Windows."""

import chess

from quiesce.work.store import Store
from tests.conftest import run_json

from .match.conftest import MOCK

BARE = """
import asyncio, importlib, json, multiprocessing, os, pkgutil, select, signal, subprocess, sys
import numba

for module, names in (
    (signal, ("SIGKILL", "SIGHUP", "SIGALRM")),
    (os, ("killpg", "getpgid", "setsid", "fork", "getuid", "sched_getaffinity")),
    (select, ("poll",)),
):
    for name in names:
        delattr(module, name)
sys.modules["resource"] = sys.modules["fcntl"] = None

class Popen(subprocess.Popen):
    def __init__(self, *told, preexec_fn=None, start_new_session=False, **more):
        if preexec_fn is not None or start_new_session:
            raise ValueError("not supported on Windows platforms")
        super().__init__(*told, **more)

subprocess.Popen = Popen
sys.platform = "win32"
from quiesce.work import lifetime
sys.platform = "linux"
"""
"""What begins a process on a poorer system; its own libraries are loaded before anything is taken away."""

IMPORTS = """
import quiesce.lab, quiesce.web, quiesce.work
found = [one.name for top in (quiesce.lab, quiesce.web, quiesce.work)
         for one in pkgutil.walk_packages(top.__path__, f"{top.__name__}.")]
for name in found:
    importlib.import_module(name)
from click.testing import CliRunner
from quiesce.cli import cli
done = CliRunner().invoke(cli, ["report", "--store", sys.argv[1], "--list"])
print(json.dumps({"modules": len(found), "code": done.exit_code, "output": done.output}))
"""

GAMES = """
import json, sys, threading
from quiesce.lab.match.channel import intake
from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.openings import Opening
from quiesce.lab.match.pair import engine_pool, play_pair, task_of
from quiesce.lab.match.referee import Adjudication, Control
from quiesce.lab.suites.foreign import UciSolver
from quiesce.lab.suites.scoring import Limit

rules, opening = Adjudication(draw_moves=0, win_moves=0, longest=12), Opening(sys.argv[2], ("e2e4",))
told = {"intake": intake.__name__}
for behaviour in ("good", "crash", "flood", "illegal"):
    engines = [EngineSpec(how, (sys.executable, sys.argv[1], how, "4")) for how in ("good", behaviour)]
    facts = play_pair(task_of(0, engines, opening, Control(nodes=1), rules))
    told[behaviour] = [[game["moves"], game["fault"]] for game in facts["games"]]
engine_pool().clear()
told["threads"] = threading.active_count()
solver = UciSolver([sys.executable, sys.argv[1], "good", "0"], {}, "", Limit(nodes=1))
told["name"] = solver.name
solver.close()
print(json.dumps(told))
"""


def test_the_lab_loads_and_reports(tmp_path):
    """Every module can be imported, and what a store holds can be listed."""
    with Store(tmp_path / "lab.sqlite") as store:
        store.run("match", "some match", {})
    found = run_json("-c", BARE + IMPORTS, str(tmp_path / "lab.sqlite"))
    assert found["modules"] > 60
    assert found["code"] == 0
    assert "some match" in found["output"]


def test_games_are_played_alike():
    """Where pipes cannot be polled engines are heard by threads: the same moves and faults, and no thread is left."""
    ours, theirs = (run_json("-c", before + GAMES, str(MOCK), chess.STARTING_FEN) for before in ("", BARE))
    assert (ours.pop("intake"), theirs.pop("intake")) == ("PolledPipe", "ThreadedPipe")
    assert [fault for _, fault in ours["crash"]] == ["crash", "crash"]
    assert ours["name"] == "mock"
    assert ours["threads"] == 1
    assert theirs == ours
