"""Shell. `quiesce explain`: the tree of quiescence in the terminal, and what it saw in a sentence."""

import json
from typing import Any

import chess
import click
from rich.markup import escape
from rich.tree import Tree

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.cli.common import chess960_option, game_of, go_on_tracing, json_option, position_argument
from quiesce.cli.console import print_words
from quiesce.cli.options import option_option, search_options
from quiesce.search.params import OptionError
from quiesce.search.reasons import REASONS
from quiesce.trace.explain import Explanation, Node, check_is_on, counted, is_needed, pawns
from quiesce.trace.explain import explain as explain_game

DEFAULT_POSITION = "r1bq1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P3/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 7"
MEANINGS = {reason.word: reason.meaning for reason in REASONS}


@click.command()
@position_argument("position")
@click.option(
    "--depth", type=click.IntRange(1, 64), default=6, show_default=True, help="Plies drawn; deeper is folded."
)
@click.option("--wide", type=click.IntRange(1, 256), default=8, show_default=True, help="Moves drawn at each node.")
@option_option
@chess960_option
@json_option
def explain(
    position: tuple[str, ...], depth: int, wide: int, options: tuple[str, ...], chess960: bool, as_json: bool
) -> None:
    """Scores are pawns from the side to move at the root. The first call compiles a build that records its tree."""
    values = search_options(options)
    try:
        check_is_on(values)
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    go_on_tracing()
    game = game_of(position or (DEFAULT_POSITION,), chess960, is_needed)
    found = explain_game(game, values)
    if as_json:
        click.echo(json.dumps(facts_of(found)))
        return
    board = to_board(game)
    tree = Tree(f"[bold]{'White' if board.turn else 'Black'} to move[/]  {root_text(found)}")
    draw(tree, board, found.root, 1, depth, wide)
    print_words(tree)
    print_words(f"\n{escape(found.sentence)}")


def root_text(found: Explanation) -> str:
    """The root's own line."""
    standing = "in check, no standing pat" if found.static is None else f"stands at {pawns(found.static, 0)}"
    return f"{standing}, {pawns(found.score, 0)} once quiet  [dim]{counted(found.root.size, 'node')}[/]"


def draw(tree: Tree, board: chess.Board, node: Node, ply: int, depth: int, wide: int) -> None:
    """Add a node's children to the tree: tried moves one by one, those left out in one line."""
    tried = [child for child in node.children if not child.is_skip]
    for child in tried[:wide]:
        move = to_chess_move(child.move, board.chess960)
        branch = tree.add(node_text(board.san(move), child, ply))
        if child.children and ply < depth:
            board.push(move)
            draw(branch, board, child, ply + 1, depth, wide)
            board.pop()
        elif child.children:
            branch.add(f"[dim]... {folded_text(child)}[/]")
    if len(tried) > wide:
        nodes = sum(child.size for child in tried[wide:])
        tree.add(f"[dim]... {counted(len(tried) - wide, 'more move')}, {counted(nodes, 'node')}[/]")
    skipped = [child for child in node.children if child.is_skip]
    if skipped:
        words = [f"{board.san(to_chess_move(item.move, board.chess960))} ({item.reason})" for item in skipped[:wide]]
        more = f" and {len(skipped) - wide} more" if len(skipped) > wide else ""
        tree.add(f"[dim]left out: {escape(', '.join(words))}{more}[/]")


def folded_text(node: Node) -> str:
    """What lies below a node that is not drawn: nodes searched and moves left out."""
    nodes, skips = node.size - 1, node.skips
    parts = [counted(nodes, "node") + " folded"] if nodes else []
    return ", ".join([*parts, counted(skips, "move") + " left out"] if skips else parts)


def node_text(san: str, node: Node, ply: int) -> str:
    """One node: move, score for the root's side, why it ended."""
    standing = "" if node.stand_pat is None else f"  [dim]stand pat {pawns(node.stand_pat, ply)}[/]"
    return f"[bold]{escape(san)}[/] {pawns(node.score, ply)}{standing}  [cyan]{MEANINGS[node.reason]}[/]"


def facts_of(found: Explanation) -> dict[str, Any]:
    """The whole tree for programs."""
    chess960 = found.game.chess960
    return {
        "fen": found.game.fen(shredder=chess960),
        "static": found.static,
        "score": found.score,
        "line": [to_chess_move(move, chess960).uci() for move in found.line],
        "whole": found.is_whole,
        "sentence": found.sentence,
        "tree": node_facts(found.root, chess960),
    }


def node_facts(node: Node, chess960: bool) -> dict[str, Any]:
    """A node for programs; scores from its own mover's side."""
    return {
        "move": to_chess_move(node.move, chess960).uci() if node.move else None,
        "alpha": node.alpha,
        "beta": node.beta,
        "stand_pat": node.stand_pat,
        "score": node.score,
        "reason": node.reason,
        "left_out": node.is_skip,
        "children": [node_facts(child, chess960) for child in node.children],
    }
