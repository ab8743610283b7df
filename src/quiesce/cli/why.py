"""Shell. `quiesce why`: explain why a move is good or bad."""

import json
from typing import Any

import click
from rich.markup import escape

from quiesce.board.bridge import to_board
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import parse_move
from quiesce.cli.common import chess960_option, game_of, json_option
from quiesce.cli.console import out, print_words
from quiesce.cli.explain import rich_tree
from quiesce.engine import Engine
from quiesce.review.plan import LEAST_NODES, MEGABYTES
from quiesce.review.story import shown
from quiesce.review.verdict import score_facts
from quiesce.review.why import DEFAULT_NODES, Why
from quiesce.review.why import why as why_move
from quiesce.trace.client import TracerError


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[FEN|startpos|MOVES] MOVE")
@click.option(
    "--nodes",
    type=click.IntRange(min=LEAST_NODES),
    default=DEFAULT_NODES,
    show_default=True,
    help="Nodes to search the move, and again for the other moves.",
)
@click.option("--tree/--no-tree", "has_tree", default=True, help="Print the quiescence tree at the end of the line.")
@click.option("--depth", type=click.IntRange(1, 64), default=4, show_default=True, help="Plies of the tree to print.")
@click.option("--wide", type=click.IntRange(1, 256), default=6, show_default=True, help="Moves to print at each node.")
@chess960_option
@json_option
def why(
    words: tuple[str, ...], nodes: int, has_tree: bool, depth: int, wide: int, chess960: bool, as_json: bool
) -> None:
    """The last argument is the move, in UCI or SAN. Scores are pawns for White.

    The first tree compiles kernels that record it.
    """
    game = game_of(words[:-1], chess960)
    try:
        move = parse_move(game, words[-1])
    except MoveError as error:
        raise click.UsageError(str(error)) from None
    with Engine(MEGABYTES) as engine:
        found = why_move(engine, game, move, nodes)
    if as_json:
        click.echo(json.dumps(facts_of(found)))
        return
    for sentence in found.sentences:
        print_words(escape(sentence))
    out.print()
    print_words(f"[bold]{shown(found.after):>14}[/]  {escape(found.board.variation_san(found.answer))}")
    if found.line:
        print_words(f"[bold]{shown(found.best):>14}[/]  {escape(found.board.variation_san(found.line))}")
    if has_tree:
        draw_leaf(found, depth, wide)


def draw_leaf(found: Why, depth: int, wide: int) -> None:
    """Print the quiescence tree at the leaf of the main search."""
    try:
        explanation = found.quiescence
    except TracerError as error:
        raise click.ClickException(str(error)) from None
    if explanation is None:
        out.print("\nThe line ends the game: there is nothing left to search.")
        return
    print_words(f"\nQuiescence at the end of the main search, {escape(line_to(found.leaf, found))}:")
    print_words(rich_tree(explanation, depth, wide))
    print_words(f"\n{escape(explanation.sentence)}")


def line_to(leaf: Game, found: Why) -> str:
    """The moves from the position to the leaf."""
    return found.board.variation_san(to_board(leaf).move_stack[found.played :])


def facts_of(found: Why) -> dict[str, Any]:
    """The answer for --json; scores are for White."""
    return {
        "fen": found.board.fen(),
        "move": found.move.uci(),
        "sentences": list(found.sentences),
        "motifs": [motif.name for motif in found.motifs],
        "loss": round(found.loss, 4),
        "after": score_facts(found.after),
        "best": score_facts(found.best),
        "answer": [move.uci() for move in found.answer],
        "line": [move.uci() for move in found.line],
        "depth": found.depth,
        "seen": found.seen,
        "leaf": found.leaf.fen(shredder=found.leaf.chess960),
    }
