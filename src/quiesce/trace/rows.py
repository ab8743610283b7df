"""Shell. A tree as rows for programs and browsers: bounded, with counts of what is missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.board.game import Game
from quiesce.engine.scoretext import centipawns_or_mate
from quiesce.search.reasons import REASONS
from quiesce.trace.explain import Explanation
from quiesce.trace.tree import Drawn, Tree, drawn

MOST_ROWS = 20_000
"""Most nodes and skipped moves of a tree; upper plies first."""
COLUMNS = ("parent", "uci", "san", "score", "stand_pat", "alpha", "beta", "reason", "hidden")
"""What a row holds. Parent is the number of a row, -1 for the first row; scores are from the side to move at the root
of the search; hidden counts the nodes and moves below that are not among the rows."""
NUMBERS = {reason.word: number for number, reason in enumerate(REASONS)}


class LineError(ValueError):
    """A line that is not in a tree."""


def node_after(tree: Tree, moves: Sequence[int]) -> Tree:
    """The node that a line of moves leads to; raises LineError if the tree has no such node."""
    for move in moves:
        found = [child for child in tree.children if child.node.move == move]
        if not found:
            raise LineError("the tree has no such line")
        tree = next((child for child in found if not child.is_left_out), found[0])
    return tree


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
    rows.append([parent, uci, tree.san, *scores, NUMBERS[node.reason], place.hidden_total])
    for child in place.children:
        add_rows(child, number, rows)


def explanation_facts(found: Explanation, most: int = MOST_ROWS, path: Sequence[int] = ()) -> dict[str, Any]:
    """A whole answer: scores before and after, the line, counters, and the rows of the tree.

    With a path the rows are those of the node it leads to; everything else is of the whole search. Raises LineError.
    """
    game, top = found.game, node_after(found.tree, path)
    rows = tree_rows(drawn(top, most=most))
    return {
        "fen": game.fen(shredder=game.chess960),
        "turn": "white" if int(game.position.turn) == 0 else "black",
        "static": centipawns_or_mate(found.static, 0),
        "score": centipawns_or_mate(found.score, 0),
        "line": [san for _, san in notations(game, found.line)],
        "path": notations(game, path),
        "sentence": found.sentence,
        "nodes": found.counters["qnodes"],
        "counters": quiescence_counters(found.counters),
        "columns": COLUMNS,
        "rows": rows,
        "left_out": told_missing(found, top, len(rows)),
    }


def notations(game: Game, moves: Sequence[int]) -> list[tuple[str, str]]:
    """Moves after a game, each in UCI notation and in SAN."""
    board, found = to_board(game), []
    for move in moves:
        told = to_chess_move(move, game.chess960)
        found.append((told.uci(), board.san_and_push(told)))
    return found


def quiescence_counters(counters: Mapping[str, int]) -> dict[str, int]:
    """The counters quiescence moves, by name."""
    return {name: count for name, count in counters.items() if name.startswith(("q_", "qnodes", "evasion"))}


def told_missing(found: Explanation, top: Tree, shown: int) -> str:
    """A sentence on what a bounded tree omits; empty if nothing."""
    parts = []
    if found.counters["q_stopped"]:
        parts.append(f"the search was stopped after {found.counters['nodes']:,} nodes")
    if not found.is_whole:
        parts.append(f"only its first {found.root.total:,} steps were kept")
    if top.total > shown:
        parts.append(f"{shown:,} of {top.total:,} steps are shown, upper plies first")
    return "; ".join(parts).capitalize()
