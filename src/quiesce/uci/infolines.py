"""Shell. `info` and `bestmove` lines."""

from quiesce.board.movetext import move_to_uci
from quiesce.engine import Line, Progress, Report
from quiesce.engine.clock import MILLISECONDS
from quiesce.engine.results import BOUND_LOWER, BOUND_UPPER
from quiesce.engine.wdl import wdl

BOUND_WORDS = {BOUND_LOWER: " lowerbound", BOUND_UPPER: " upperbound"}
NO_MOVE_TEXT = "(none)"


def score_text(line: Line, pieces: int | None) -> str:
    """Score, bound and WDL of a line."""
    score = f"cp {line.centipawns}" if line.mate is None else f"mate {line.mate}"
    chances = " wdl {} {} {}".format(*wdl(line.score, pieces)) if pieces is not None else ""
    return f"score {score}{BOUND_WORDS.get(line.bound, '')}{chances}"


def info_lines(report: Report, chess960: bool, pieces: int | None) -> str:
    """One `info` line for each line of a report; with the number of pieces on the board, win chances too."""
    milliseconds = round(report.seconds * MILLISECONDS)
    counts = f"nodes {report.nodes} nps {report.speed} hashfull {report.hashfull} tbhits {report.tablebase_hits}"
    return "\n".join(
        f"info depth {line.depth} seldepth {max(line.seldepth, line.depth)} multipv {number} "
        f"{score_text(line, pieces)} {counts} time {milliseconds} pv {moves_text(line.moves, chess960)}"
        for number, line in enumerate(report.lines, 1)
    )


def moves_text(moves: list[int], chess960: bool) -> str:
    """Moves separated by spaces."""
    return " ".join(move_to_uci(move, chess960) for move in moves)


def progress_line(progress: Progress, chess960: bool) -> str:
    """Current move, nodes and time of a running search."""
    speed = round(progress.nodes / max(progress.seconds, 1e-6))
    milliseconds = round(progress.seconds * MILLISECONDS)
    text = f"info depth {progress.depth}"
    if progress.move and progress.number > 0:
        text += f" currmove {move_to_uci(progress.move, chess960)} currmovenumber {progress.number}"
    return f"{text} nodes {progress.nodes} nps {speed} hashfull {progress.hashfull} time {milliseconds}"


def best_line(moves: list[int], chess960: bool) -> str:
    """The `bestmove` line, with the ponder move."""
    if not moves:
        return f"bestmove {NO_MOVE_TEXT}"
    ponder = f" ponder {move_to_uci(moves[1], chess960)}" if len(moves) > 1 else ""
    return f"bestmove {move_to_uci(moves[0], chess960)}{ponder}"


def debug_line(report: Report) -> str:
    """The statistics of a search."""
    return "stats " + " ".join(f"{name} {count}" for name, count in report.counters.items())
