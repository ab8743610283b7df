"""Shell. A tree as flat rows for programs and browsers: bounded, with what was left out counted."""

from collections.abc import Mapping
from typing import Any

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.engine.scoretext import centipawns_or_mate
from quiesce.search.reasons import REASONS
from quiesce.trace.explain import Explanation
from quiesce.trace.tree import Drawn, drawn

MOST_ROWS = 4_000
"""Nodes and moves left out that one tree may show; upper plies first."""
COLUMNS = ("parent", "uci", "san", "score", "stand_pat", "alpha", "beta", "reason", "board", "hidden")
"""What a row holds. Parent is a row's number, -1 for the root's; scores are of the side to move at the root;
hidden counts the nodes and moves below that are not among the rows."""
NUMBERS = {reason.word: number for number, reason in enumerate(REASONS)}


def tree_rows(top: Drawn) -> list[list[Any]]:
    """Every drawn node as a row, parents before children, in the order of the search."""
    rows: list[list[Any]] = []
    add_rows(top, -1, rows)
    return rows


def add_rows(place: Drawn, parent: int, rows: list[list[Any]]) -> None:
    """Add a node and all below it."""
    tree, node, number = place.tree, place.tree.node, len(rows)
    ends = () if node.is_skip else (node.alpha, node.beta) if tree.ply % 2 == 0 else (node.beta, node.alpha)
    low, high = (centipawns_or_mate(end, tree.ply) for end in ends or (None, None))
    scores = (centipawns_or_mate(node.score, tree.ply), centipawns_or_mate(node.stand_pat, tree.ply), low, high)
    uci = "" if tree.move is None else tree.move.uci()
    rows.append([parent, uci, tree.san, *scores, NUMBERS[node.reason], tree.board.board_fen(), place.hidden_total])
    for child in place.children:
        add_rows(child, number, rows)


def explanation_facts(found: Explanation, most: int = MOST_ROWS) -> dict[str, Any]:
    """A whole answer: scores before and after, the line, counters, and the rows of the tree."""
    game = found.game
    board = to_board(game)
    line = [board.san_and_push(to_chess_move(move, game.chess960)) for move in found.line]
    rows = tree_rows(drawn(found.tree, most=most))
    return {
        "fen": game.fen(shredder=game.chess960),
        "turn": "white" if int(game.position.turn) == 0 else "black",
        "static": centipawns_or_mate(found.static, 0),
        "score": centipawns_or_mate(found.score, 0),
        "line": line,
        "sentence": found.sentence,
        "nodes": found.counters["qnodes"],
        "counters": quiescence_counters(found.counters),
        "columns": COLUMNS,
        "rows": rows,
        "left_out": told_missing(found, len(rows)),
    }


def quiescence_counters(counters: Mapping[str, int]) -> dict[str, int]:
    """The counters quiescence moves, by name."""
    return {name: count for name, count in counters.items() if name.startswith(("q_", "qnodes", "evasion"))}


def told_missing(found: Explanation, shown: int) -> str:
    """A sentence on what a bounded tree does not show; empty where it shows everything."""
    parts = []
    if found.counters["q_stopped"]:
        parts.append(f"the search was stopped after {found.counters['nodes']:,} nodes")
    recorded = found.root.total
    if not found.is_whole:
        parts.append(f"only its first {recorded:,} steps were kept")
    if recorded > shown:
        parts.append(f"{shown:,} of {recorded:,} steps are shown, upper plies first")
    return "; ".join(parts).capitalize()
