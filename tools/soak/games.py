"""Games by the lab's own match code: against ourselves, Debian's engines, and in Chess960; python-chess replays all."""

import contextlib
import io
import json
import signal
import subprocess

import chess
import chess.pgn

from quiesce.lab.match.engines import OURS as OUR_NAME
from quiesce.lab.match.engines import is_installed, opponents
from quiesce.lab.match.pgn import RESULTS
from quiesce.work.store import Store
from tools.soak.processes import OURS, PARTING_SECONDS, Growth, descendants, end, outliving, started, watch
from tools.soak.table import Tally

COLUMNS = {"crash": "crashes", "illegal": "illegal", "time": "late", "stall": "hangs"}
"""Where each fault of a match is counted."""
SELF_CLOCKS = ("1+0.01", "2+0.02", "40/2+0.02")
OPPONENT_CLOCK = "4+0.04"
"""Some of them keep a second in reserve."""
CHESS960_ENGINES = (OUR_NAME, "stockfish", "ethereal")
CHESS960_OPENINGS, RANDOM_PLIES = 200, 4
UNTIL_STOPPED = 100_000
INTERRUPTED = 130


def self_play(seconds, choice, folder):
    """Our engine against itself, at fast clocks, one thread or two."""
    options = ["--option1", f"Threads={choice.choice((1, 1, 2))}", "--option2", f"Hash={choice.choice((1, 16))}"]
    return play(
        Tally("self-play"), seconds, choice, folder, OUR_NAME, OUR_NAME, "--tc", choice.choice(SELF_CLOCKS), *options
    )


def engine_games(seconds, choice, folder):
    """Our engine against one of Debian's."""
    tally = Tally("engines")
    found = [name for name, engine in opponents().items() if is_installed(engine)]
    if not found:
        tally.notes.append("engines: none of Debian's is installed, none was played")
        return tally
    return play(tally, seconds, choice, folder, OUR_NAME, choice.choice(found), "--tc", OPPONENT_CLOCK)


def chess960_games(seconds, choice, folder):
    """Chess960 games from positions after a few random moves, against engines that support it."""
    known = opponents()
    found = [name for name in CHESS960_ENGINES if name not in known or is_installed(known[name])]
    book = folder / "chess960.pgn"
    book.write_text("\n\n".join(chess960_opening(choice) for _ in range(CHESS960_OPENINGS)), encoding="utf-8")
    tally = Tally("Chess960")
    return play(tally, seconds, choice, folder, OUR_NAME, choice.choice(found), "--tc", "2+0.02", "--book", str(book))


def chess960_opening(choice):
    """A beginning of a game, as PGN."""
    while True:
        board = chess.Board.from_chess960_pos(choice.randrange(960))
        with contextlib.suppress(IndexError):  # the game was over: another one
            for _ in range(RANDOM_PLIES):
                board.push(choice.choice(list(board.legal_moves)))
            if not board.is_game_over():
                return str(chess.pgn.Game.from_board(board))


def play(tally, seconds, choice, folder, engine1, engine2, *options):
    """Play for a while, break off by an interrupt, and look at all that was kept."""
    store, pgn = folder / "games.sqlite", folder / "games.pgn"
    command = [*OURS, "match", engine1, engine2, "--games", str(UNTIL_STOPPED), "--concurrency", "1", "--json"]
    seed = str(choice.randrange(1 << 30))
    process = started([*command, "--seed", seed, "--store", str(store), "--pgn", str(pgn), *options])
    growth, family = Growth(), set()
    try:
        watch(process, seconds, growth)
        family = descendants(process.pid)
        said = interrupted(process, tally)
        if left := outliving(family):
            tally.fault("hangs", f"{len(left)} processes outlived their match")
        account(tally, said, store, pgn, {1, 2} if engine2 == engine1 else {1})
    finally:
        end(process, family)
    tally.grew(growth.megabytes())
    return tally


def interrupted(process, tally):
    """What a match says when it is asked to stop; one that has stopped before, or does not, is at fault."""
    is_early = process.poll() is not None
    if not is_early:
        process.send_signal(signal.SIGINT)
    try:
        said, words = process.communicate(timeout=PARTING_SECONDS)
    except subprocess.TimeoutExpired:
        tally.fault("hangs", "a match did not stop")
        return ""
    if is_early or process.returncode != INTERRUPTED:
        tally.fault("crashes", f"a match ended with code {process.returncode}: {words[-300:]}")
    return said


def account(tally, said, store, pgn, ours):
    """Count the games of a store, and compare them with the match's output and PGN."""
    with Store(store) as opened:
        pairs = [facts for run in opened.runs() for key, facts in run.items().items() if key.isdigit()]
    games = [game for facts in pairs for game in facts["games"]]
    for game in games:
        count_game(tally, game, ours)
    told = json.loads(said)["games"] if said.strip() else 0
    written = pgn.read_text(encoding="utf-8").count("[Event ") if pgn.exists() else 0
    for number, where in ((told, "told"), (written, "written as PGN")):
        if number != len(games):
            tally.fault("lost", f"{len(games)} games were kept, {number} {where}")


def count_game(tally, game, ours):
    """Count a game with its fault, and whatever is wrong with its moves or its result."""
    tally.rounds += 1
    if game["fault"]:
        kind = COLUMNS[game["fault"]] if game["offender"] in ours else "theirs"
        tally.fault(kind, f"{game['reason']} after {game['moves']}")
    if objection := objection_to(game):
        tally.fault("illegal", f"{objection}: {game['moves']}")


def objection_to(game):
    """What python-chess has against a game as it was kept; nothing where moves and result are right."""
    read = chess.pgn.read_game(io.StringIO(game["pgn"]))
    if read is None or read.errors:
        return f"the PGN cannot be replayed ({read and read.errors})"
    board = read.end().board()
    white = game["result"] if game["white"] == 1 else -game["result"]
    if " ".join(move.uci() for move in board.move_stack) != game["moves"]:
        return "the PGN has other moves"
    if read.headers["Result"] != RESULTS[white]:
        return "the PGN has another result"
    outcome = board.outcome()
    if outcome is not None and not game["fault"] and outcome.result() != RESULTS[white]:
        return f"the board says {outcome.result()}, the match {RESULTS[white]}"
    if (game["reason"] == "checkmate") != board.is_checkmate():
        return f"the match says {game['reason']}, the board {outcome}"
    return ""
