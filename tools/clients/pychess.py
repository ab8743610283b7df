"""PyChess: it discovers our engine, plays a game of it against its own, and shows its analysis beside."""

import json
import signal
from pathlib import Path

from tools.clients.desk import PARTING_SECONDS

INSIDE = Path(__file__).parent / "inside" / "pychess_game.py"
PYTHON = "/usr/bin/python3"
"""Debian's, which PyChess is installed for."""
OPPONENT = "PyChess.py"
CLOCK_SECONDS = 10
MOVES = 8


def play(desk):
    """Play some moves, look, and close the window."""
    settings = desk.home / "xdg_config_home" / "pychess"
    settings.mkdir(parents=True)
    ours = {"name": "quiesce", "protocol": "uci", "command": str(desk.engine), "recheck": True, "level": 20,
            "workingDirectory": str(desk.folder), "country": "unknown", "comment": ""}  # fmt: skip
    theirs = {"name": OPPONENT, "protocol": "xboard", "recheck": True, "vm_name": "python3", "vm_args": ["-u"],
              "country": "dk", "comment": ""}  # fmt: skip
    (settings / "engines.json").write_text(json.dumps([ours, theirs]), encoding="utf-8")
    quiet = "[General]\nshow_tip_at_startup = False\ndont_show_externals_at_startup = True\n"
    (settings / "config").write_text(quiet, encoding="utf-8")
    desk.show_screen()
    desk.environment["PATH"] = "/usr/bin:/bin"  # it would ask every engine of Debian, and wait a minute for some
    process = desk.start(PYTHON, str(INSIDE), "quiesce", OPPONENT, str(CLOCK_SECONDS), cwd=desk.folder)
    desk.wait(f"{MOVES} moves in PyChess", lambda: desk.verdict().moves >= MOVES or process.poll() is not None)
    desk.picture("game")
    desk.rounds += 1
    process.send_signal(signal.SIGTERM)
    desk.wait("PyChess to end", lambda: process.poll() is not None, PARTING_SECONDS)
