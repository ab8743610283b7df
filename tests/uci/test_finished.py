"""Finished games: mate and stalemate, with any number of threads, under every limit."""

import pytest

from tests.uci.driver import SOON

FINISHED = {
    "mate": ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "mate 0"),
    "stalemate": ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
}
LIMITS = (
    ["go"],
    ["go depth 5"],
    ["go nodes 1000"],
    ["go movetime 20"],
    ["go movetime 0"],
    ["go mate 2"],
    ["go wtime 100 btime 100"],
    ["go wtime 0 btime 0 winc 5 binc 5"],
    ["go searchmoves e2e4 depth 3"],
    ["go infinite", "stop"],
    ["go ponder wtime 100 btime 100", "ponderhit"],
    ["go ponder depth 3", "stop"],
)


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("kind", FINISHED)
def test_a_finished_game_has_no_move(gui, kind, threads):
    """The answer is (none) with the score of the end, also after a search of another position."""
    fen, score = FINISHED[kind]
    gui.send(f"setoption name Threads value {threads}")
    for lines in LIMITS:
        gui.ask("position startpos", "go nodes 300")
        said = gui.ask(f"position fen {fen}", *lines, timeout=SOON)
        assert said[-1] == "bestmove (none)", lines
        assert f"score {score}" in said[-2], lines
        assert not any("failed" in line for line in said), lines
