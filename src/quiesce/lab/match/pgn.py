"""Shell. Games as PGN: every move with its score, depth, time and nodes."""

from datetime import UTC, datetime

import chess
import chess.pgn

from quiesce.lab.match.player import Thought
from quiesce.lab.match.referee import Control, PlayedGame

COLUMNS = 100
RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}


def comment_of(thought: Thought) -> str:
    """What a match viewer shows beside a move: +0.25/12 0.340s n=51234."""
    if thought.mate is not None:
        score = f"{'+' if thought.mate > 0 else '-'}M{abs(thought.mate)}"
    else:
        score = "" if thought.score is None else f"{thought.score / 100:+.2f}"
    depth = f"/{thought.depth}" if thought.depth is not None else ""
    nodes = f" n={thought.nodes}" if thought.nodes is not None else ""
    return f"{score}{depth} {thought.seconds:.3f}s{nodes}".strip()


def pgn_of(played: PlayedGame, white: str, black: str, control: Control, round_: str) -> str:
    """The text of one game."""
    start = chess.Board(played.opening.fen, chess960=played.opening.is_chess960)
    game = chess.pgn.Game()
    game.headers.update(
        {
            "Event": "Quiesce match",
            "Site": "?",
            "Date": datetime.now(UTC).strftime("%Y.%m.%d"),
            "Round": round_,
            "White": white,
            "Black": black,
            "Result": RESULTS[played.result],
            "TimeControl": str(control),
            "Termination": played.fault or ("adjudication" if played.reason.startswith("adjud") else "normal"),
            "PlyCount": str(len(played.board.move_stack)),
        }
    )
    game.setup(start)
    node: chess.pgn.GameNode = game
    book = len(played.opening.moves)
    for ply, move in enumerate(played.board.move_stack):
        text = "book" if ply < book else comment_of(played.thoughts[ply - book])
        node = node.add_variation(move, comment=text)
    node.comment = f"{node.comment}; {played.reason}".removeprefix("; ")
    return game.accept(chess.pgn.StringExporter(columns=COLUMNS))
