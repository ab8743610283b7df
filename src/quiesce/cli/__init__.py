"""Shell. The `quiesce` command: one module a command, loaded only when it is called."""

import importlib
import inspect
import sys

import click

from quiesce.cli.version import show_version

EXIT_FAILED, EXIT_INTERRUPTED = 1, 130

COMMANDS = {
    "uci": "Be a chess engine for a GUI; what `quiesce` alone does too.",
    "analyse": "Search a position and show how the answer grows.",
    "board": "Show a position: the board, its FEN and key, what is legal in it.",
    "perft": "Count the lines of legal moves to a depth, or check published counts.",
    "qperft": "Count the nodes of all lines to a depth and of the noisy lines behind them.",
    "eval": "Show what the evaluation counts for each side, term by term.",
    "explain": "Draw the tree of quiescence for a position, and say what it saw.",
    "suite": "Solve the positions of an EPD file, such as WAC, and count.",
    "bench": "Search fixed positions to a fixed depth; `bench board` and `bench start` measure other speeds.",
    "match": "Let engines play each other: ours, its revisions, or any UCI or xboard engine.",
    "sprt": "Play a match only until it is known which of two strengths the first engine has.",
    "ladder": "Rate our engine by matches against engines whose ratings are published.",
    "ablate": "Measure what each technique is worth: nodes, positions solved, games with it and without.",
    "arena": "Let two settings of the search play paired games at fixed nodes.",
    "tune": "Fit numbers to games: `tune eval` the evaluation's weights, `tune search` the search's parameters.",
    "datagen": "Make positions to learn from: self-play, its quiet positions kept with scores and results.",
    "data": "Look at files of such positions, check, merge or shuffle them.",
    "train": "Train a network on samples of our own games, with PyTorch.",
    "report": "Write one HTML page of all that the lab has kept, with charts.",
    "serve": "Serve a board to browsers on this machine: play, analyse, look into quiescence.",
    "warmup": "Compile all kernels now, so that nothing compiles later.",
}
"""Each command is the function of its name in the module of its name."""
SPELT_OUT = {"eval": "evaluate"}
"""But for names that Python has taken."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        name = SPELT_OUT.get(cmd_name, cmd_name)
        command = getattr(importlib.import_module(f"quiesce.cli.{name}"), name)
        assert isinstance(command, click.Command)
        command.help = f"{COMMANDS[cmd_name]}\n\n{inspect.getdoc(command.callback) or ''}"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show_version,
    help="Show version, compiler, CPU and cache folder.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """A chess engine in Python that searches until the position is quiet, and shows why.

    Without a command it speaks UCI over standard input and output, as GUIs expect.
    """
    if context.invoked_subcommand is None:
        context.invoke(context.command.get_command(context, "uci"))  # type: ignore[attr-defined]


def main() -> None:
    """Run the command line; Ctrl-C ends it with a word and the usual code."""
    try:
        sys.exit(cli(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
