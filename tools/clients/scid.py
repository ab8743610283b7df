"""Scid: a serious game with ponder against random moves, then an analysis that steps through it."""

from pathlib import Path

from tools.clients.desk import ClientError, program

INSIDE = Path(__file__).parent / "inside" / "scid_game.tcl"
MOVES, SEED = 8, 7


def play(desk):
    """Play, analyse; Scid ends by itself."""
    desk.show_screen()
    process = desk.start(program("tkscid"), str(INSIDE), str(desk.engine), str(MOVES), str(SEED), cwd=desk.folder)
    desk.wait("half a game in Scid", lambda: desk.verdict().moves >= MOVES // 2 or process.poll() is not None)
    desk.picture("game")
    desk.wait("an analysis in Scid", lambda: "scid_game: done" in desk.said() or process.poll() is not None)
    desk.picture("analysis")
    desk.rounds += 1
    desk.wait("Scid to end", lambda: process.poll() is not None)
    if process.returncode:
        raise ClientError(f"Scid ended with code {process.returncode}")
