"""Shell. `quiesce explain`: print the quiescence tree of a position."""

import json
from collections.abc import Mapping
from typing import Any

import click
from rich.markup import escape
from rich.tree import Tree as RichTree

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.cli.common import chess960_option, game_of, is_of_board, json_option, position_argument
from quiesce.cli.console import err, print_words, progress
from quiesce.cli.options import option_option, search_options
from quiesce.engine.scoretext import pawns
from quiesce.search.params import OptionError
from quiesce.trace.client import TracerError, trace_client
from quiesce.trace.explain import Explanation, check_is_on
from quiesce.trace.node import Node
from quiesce.trace.text import counted
from quiesce.trace.tree import Drawn, Tree, drawn

DEFAULT_POSITION = "r1bq1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P3/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 7"


@click.command()
@position_argument("position")
@click.option(
    "--depth",
    type=click.IntRange(1, 64),
    default=6,
    show_default=True,
    help="Plies to print; deeper nodes are counted.",
)
@click.option("--wide", type=click.IntRange(1, 256), default=8, show_default=True, help="Moves to print at each node.")
@option_option
@chess960_option
@json_option
def explain(
    position: tuple[str, ...], depth: int, wide: int, options: tuple[str, ...], chess960: bool, as_json: bool
) -> None:
    """Scores are pawns for the side to move at the root. The first call compiles kernels that record the tree."""
    values = search_options(options)
    try:
        check_is_on(values)
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    game = game_of(position or (DEFAULT_POSITION,), chess960, is_of_board)
    found = traced(game, values)
    if as_json:
        click.echo(json.dumps(facts_of(found)))
        return
    print_words(rich_tree(found, depth, wide))
    print_words(f"\n{escape(found.sentence)}")


def traced(game: Game, options: Mapping[str, int]) -> Explanation:
    """The tree of a position, from a process with kernels that record it; the first time these are compiled."""
    client = trace_client()
    try:
        with progress("compiling a build that records its tree") as bar:
            client.start(bar if err.is_terminal else None)
        return client.explain(game, options)
    except TracerError as error:
        raise click.ClickException(str(error)) from None


def rich_tree(found: Explanation, plies: int, moves: int) -> RichTree:
    """A tree for the terminal: tried moves one by one, those left out in one line."""
    top = drawn(found.tree, plies, moves, apart=True)
    shown = RichTree(f"[bold]{top.tree.name}[/]  {root_text(found)}")
    add_branches(shown, top)
    return shown


def root_text(found: Explanation) -> str:
    """The line of the root."""
    standing = "in check, no standing pat" if found.static is None else f"stands at {pawns(found.static, 0)}"
    return f"{standing}, {pawns(found.score, 0)} once quiet  [dim]{counted(found.root.size, 'node')}[/]"


def add_branches(branch: RichTree, place: Drawn) -> None:
    """Add what is drawn below a node, and what is folded."""
    for child in place.children:
        if not child.tree.is_left_out:
            add_branches(branch.add(node_text(child.tree)), child)
    tried = [node for node in place.hidden if not node.is_skip]
    skipped = [child.tree for child in place.children if child.tree.is_left_out]
    if place.hidden and not place.children:
        branch.add(f"[dim]... {folded_text(place)}[/]")
        return
    if tried:
        nodes = sum(node.size for node in tried)
        branch.add(f"[dim]... {counted(len(tried), 'more move')}, {counted(nodes, 'node')}[/]")
    if skipped:
        words = ", ".join(f"{item.san} ({item.reason})" for item in skipped)
        hidden = len(place.hidden) - len(tried)
        branch.add(f"[dim]left out: {escape(words)}{f' and {hidden} more' if hidden else ''}[/]")


def folded_text(place: Drawn) -> str:
    """Counts of searched and skipped moves below a node that is not printed."""
    nodes, skips = place.hidden_size, sum(node.skips for node in place.hidden)
    parts = [counted(nodes, "node") + " folded"] if nodes else []
    return ", ".join([*parts, counted(skips, "move") + " left out"] if skips else parts)


def node_text(tree: Tree) -> str:
    """One node: move, score for the side to move at the root, reason."""
    standing = f"  [dim]{tree.stand_pat_text}[/]" if tree.stand_pat_text else ""
    return f"[bold]{escape(tree.san)}[/] {tree.score_text}{standing}  [cyan]{tree.meaning}[/]"


def facts_of(found: Explanation) -> dict[str, Any]:
    """The whole tree for --json."""
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
    """A node for --json; scores for its own side to move."""
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
