"""A scripted engine as tests of suites see it, and the positions it is asked about."""

import json
import sys
from pathlib import Path

from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.suites.problems import read_problem
from quiesce.lab.suites.solve import Contender

MATE = '7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7; id "mate"; dm 2;'
ROOKS = '6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "rooks";'
QUEENS = '6k1/8/8/3q4/8/8/8/3Q2K1 w - - bm Qxd5+; id "queens";'


class Scripted:
    """A scripted engine, by what it does in each problem, and what it has heard."""

    def __init__(self, folder, script):
        self._log, file = folder / "heard.txt", folder / "script.json"
        steps = {read_problem(line, "").board.board_fen(): steps for line, steps in script.items()}
        file.write_text(json.dumps(steps), encoding="utf-8")
        program = Path(__file__).with_name("scriptedengine.py")
        self.command = (sys.executable, str(program), str(file), str(self._log))
        self.contender = Contender(EngineSpec("scripted", self.command), command=self.command)

    def heard(self, word):
        """Processes that heard a command, once for each time."""
        if not self._log.exists():
            return []
        lines = [line.split() for line in self._log.read_text(encoding="utf-8").splitlines()]
        return [int(words[0]) for words in lines if words[1] == word]


def is_alive(process):
    """Does a process run? One that ended and is not yet waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
