"""Runs inside PyChess, by the Python it was installed for: starts its window, then a game and an analysis in it.

Run: python3 pychess_game.py ENGINE OPPONENT SECONDS - both engines as PyChess names them.
"""

import runpy
import sys

from gi.repository import GLib

ENGINE, OPPONENT, SECONDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
STRONGEST = 20
"""PyChess' scale."""
INCREMENT = 1


def start_game(_discoverer):
    """What the dialog of a new game does when it is answered; the analysis beside is by our engine."""
    from pychess.compat import create_task  # noqa: PLC0415 - PyChess sets itself up first
    from pychess.perspectives import perspective_manager  # noqa: PLC0415
    from pychess.Players.engineNest import discoverer  # noqa: PLC0415
    from pychess.System import conf  # noqa: PLC0415
    from pychess.Utils.const import ARTIFICIAL, BLACK, HINT, WHITE  # noqa: PLC0415
    from pychess.Utils.GameModel import GameModel  # noqa: PLC0415
    from pychess.Utils.TimeModel import TimeModel  # noqa: PLC0415

    conf.set("ana_combobox", discoverer.getEngineByName(ENGINE)["md5"])
    conf.set(key="analyzer_check", value=True)
    game = GameModel(TimeModel(SECONDS, INCREMENT))
    players = [
        (
            ARTIFICIAL,
            discoverer.initPlayerEngine,
            [discoverer.getEngineByName(name), colour, STRONGEST, game.variant, SECONDS, INCREMENT, 0],
            name,
        )
        for name, colour in ((ENGINE, WHITE), (OPPONENT, BLACK))
    ]

    async def play():
        perspective_manager.activate_perspective("games")
        await perspective_manager.get_perspective("games").generalStart(game, *players)
        await game.start_analyzer(HINT)

    create_task(play())


def connect():
    """Wait until PyChess has asked all engines for their options."""
    from pychess.Players.engineNest import discoverer  # noqa: PLC0415

    discoverer.connect_after("all_engines_discovered", start_game)
    return False


GLib.idle_add(connect)
sys.argv = ["pychess", "--no-version-check"]
runpy.run_path("/usr/games/pychess", run_name="__main__")
