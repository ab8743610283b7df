"""Xboard with polyglot, as Debian starts a UCI engine: games with ponder against Fairy-Max, in a window."""

import chess.pgn

from tools.clients.desk import ClientError, program

CLOCK = ("-timeControl", "0:08", "-timeIncrement", "0.1")
GAME_SECONDS = 150.0
OPPONENT = "Fairy-Max"
NOT_CHESS = ("forfeit", "false", "illegal", "exit", "terminated")
"""Words in xboard's reasons for a loss that is none on the board."""


def play(desk):
    """Play the games; xboard ends by itself after the last."""
    desk.show_screen()
    games = desk.folder / "games.pgn"
    process = desk.start(
        program("xboard"), "-fUCI", "-fcp", str(desk.engine), "-scp", program("fairymax"),
        "-matchGames", str(desk.games), *CLOCK, "-ponderNextMove", "true", "-saveGameFile", str(games),
        "-popupExitMessage", "false", "-popupMoveErrors", "false",
        cwd=desk.folder,
    )  # fmt: skip
    desk.wait("the first moves in xboard", lambda: desk.verdict().moves >= 5)
    desk.picture("game")
    desk.wait("xboard to end after its match", lambda: process.poll() is not None, GAME_SECONDS * desk.games)
    read_games(desk, games)


def read_games(desk, path):
    """Check xboard's saved games: none may be lost by us except on the board."""
    with path.open(encoding="latin-1") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            desk.rounds += 1
            result, end = game.headers["Result"], game.end()
            words = end.comment.strip()
            desk.note(f"game {desk.rounds}: {result} after {end.ply()} half-moves: {words}")
            lost = "1-0" if OPPONENT in game.headers["White"] else "0-1"  # by us
            if result == lost and any(word in words.lower() for word in NOT_CHESS):
                desk.faults.append(f"xboard says: {words}")
    if desk.rounds != desk.games:
        raise ClientError(f"xboard kept {desk.rounds} of {desk.games} games")
