"""Shell. The tree of one quiescence search for browsers: flat rows, bounded, with what was left out counted."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import chess

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.engine.wdl import centipawns
from quiesce.search.reasons import REASONS
from quiesce.search.scores import INFINITE, MATE, MATE_IN_STACK
from quiesce.trace.explain import Explanation, Node

MOST_ROWS = 4_000
"""Nodes and moves left out that one tree may show; upper plies first."""
MOST_NODES = 500_000
"""Nodes after which the search of one tree is stopped."""
COLUMNS = ("parent", "uci", "san", "score", "stand_pat", "alpha", "beta", "reason", "board", "hidden")
"""What a row holds. Parent is a row's number, -1 for the root's; scores are of the side to move at the root;
hidden counts the nodes and moves below that are not among the rows."""
NUMBERS = {reason.word: number for number, reason in enumerate(REASONS)}


@dataclass(slots=True)
class Kept:
    """A node among the rows, and those of its children that are too."""

    node: Node
    ply: int
    parent: int
    children: list["Kept"] = field(default_factory=list)


def entries(node: Node) -> int:
    """Nodes and moves left out in a subtree, its own root included."""
    return 1 + sum(entries(child) for child in node.children)


def kept_of(root: Node, most: int) -> Kept:
    """As much of a tree as `most` rows hold, ply by ply, so that whole upper plies are shown."""
    top = Kept(root, 0, -1)
    waiting, count = deque([top]), 1
    while waiting:
        kept = waiting.popleft()
        for child in kept.node.children[: max(most - count, 0)]:
            kept.children.append(Kept(child, kept.ply + 1, -1))
            count += 1
        waiting.extend(kept.children)
    return top


def shown_score(score: int | None, ply: int) -> int | str | None:
    """A score from the root's side: centipawns, or "#3" for a mate; None where there is none."""
    if score is None or abs(score) >= INFINITE:
        return None
    value = score if ply % 2 == 0 else -score
    if abs(value) >= MATE_IN_STACK:
        plies = MATE - abs(value)
        return f"#{(plies + 1) // 2 if value > 0 else -(plies // 2)}"
    return centipawns(value)


def rows_of(top: Kept, board: chess.Board) -> list[list[Any]]:
    """Every kept node as a row, parents before children, in the order the search went."""
    rows: list[list[Any]] = []
    add_rows(top, board, rows)
    return rows


def add_rows(kept: Kept, board: chess.Board, rows: list[list[Any]]) -> None:
    """Add a node, which has just been played on the board, and all below it."""
    node, ply, number = kept.node, kept.ply, len(rows)
    move = to_chess_move(node.move, board.chess960) if kept.parent >= 0 else None
    san = board.san_and_push(move) if move is not None else ""
    hidden = sum(entries(child) for child in node.children[len(kept.children) :])
    window = (None, None) if node.is_skip else (shown_score(node.alpha, ply), shown_score(node.beta, ply))
    low, high = window if ply % 2 == 0 else window[::-1]
    scores = (shown_score(node.score, ply), shown_score(node.stand_pat, ply), low, high)
    uci = move.uci() if move is not None else ""
    rows.append([kept.parent, uci, san, *scores, NUMBERS[node.reason], board.board_fen(), hidden])
    for child in kept.children:
        child.parent = number
        add_rows(child, board, rows)
    if move is not None:
        board.pop()


def tree_facts(found: Explanation, most: int = MOST_ROWS) -> dict[str, Any]:
    """A whole answer: scores before and after, the line, counters, and the rows of the tree."""
    game = found.game
    board = to_board(game)
    line = [board.san_and_push(to_chess_move(move, game.chess960)) for move in found.line]
    rows = rows_of(kept_of(found.root, most), to_board(game))
    return {
        "fen": game.fen(shredder=game.chess960),
        "turn": "white" if int(game.position.turn) == 0 else "black",
        "static": shown_score(found.static, 0),
        "score": shown_score(found.score, 0),
        "line": line,
        "sentence": found.sentence,
        "nodes": found.counters["qnodes"],
        "counters": counted(found.counters),
        "columns": COLUMNS,
        "rows": rows,
        "left_out": told_missing(found, len(rows)),
    }


def counted(counters: Mapping[str, int]) -> dict[str, int]:
    """The counters quiescence moves, by name."""
    return {name: count for name, count in counters.items() if name.startswith(("q_", "qnodes", "evasion"))}


def told_missing(found: Explanation, shown: int) -> str:
    """A sentence on what a bounded tree does not show; empty where it shows everything."""
    parts = []
    if found.counters["q_stopped"]:
        parts.append(f"the search was stopped after {found.counters['nodes']:,} nodes")
    traced = entries(found.root)
    if not found.is_whole:
        parts.append(f"only its first {traced:,} steps were kept")
    if traced > shown:
        parts.append(f"{shown:,} of {traced:,} steps are shown, upper plies first")
    return "; ".join(parts).capitalize()
