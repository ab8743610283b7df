"""Shell. The `quiesce` command: one module a command, loaded only when it is called."""

import importlib
import inspect
import sys
from typing import Any

import click

from quiesce.cli.numbers import in_plain_words
from quiesce.cli.version import show_version

EXIT_FAILED, EXIT_INTERRUPTED = 1, 130

GROUPS = {
    "Use": {
        "analyse": "Search a position and show how the answer grows.",
        "annotate": "Review the games of PGN files: marks, better lines, and why.",
        "serve": "Serve a board to browsers here: play, analyse, see quiescence.",
        "uci": "Be a chess engine for a GUI; what `quiesce` alone does too.",
        "warmup": "Compile the kernels ahead of use.",
        "doctor": "Show what this machine has and lacks, for bug reports.",
    },
    "Look inside": {
        "why": "Say why a move is good or bad, with the search behind it.",
        "explain": "Draw the tree of quiescence for a position, say what it saw.",
        "eval": "Show what the evaluation counts for each side, and where.",
        "board": "Show a position: the board, its FEN and key, its legal moves.",
        "perft": "Count lines of legal moves, or check published counts.",
        "qperft": "Count nodes to a depth and of the noisy lines behind it.",
    },
    "Lab": {
        "match": "Let engines play each other: ours, or any UCI or xboard engine.",
        "sprt": "Play until it is known which of two strengths engine 1 has.",
        "suite": "Solve the positions of an EPD file, such as WAC, and count.",
        "static": "Compare evaluations with deep judges on quiet positions.",
        "bench": "Search fixed positions to a fixed depth, and count nodes.",
        "report": "Write one HTML page of all that the lab has kept.",
        "arena": "Let two settings of the search play at fixed nodes.",
        "ablate": "Measure what each technique of the search is worth.",
        "ladder": "Rate our engine by matches against rated engines.",
    },
    "Train": {
        "tune": "Fit weights of the evaluation or numbers of the search to games.",
        "datagen": "Make positions to learn from, by self-play.",
        "data": "Look at files of such positions, check, merge or shuffle them.",
        "train": "Train a network on such positions.",
    },
}
"""Commands by what people want of them, the most useful first."""
COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}
"""Each command is the function of its name in the module of its name."""
WIDEST_NAME = max(len(name) for name in COMMANDS)
SPELT_OUT = {"eval": "evaluate"}
"""But for names that Python has taken."""
ALIASES = {"analyze": "analyse"}
"""Other spellings that are understood and not listed."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        cmd_name = ALIASES.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        name = SPELT_OUT.get(cmd_name, cmd_name)
        command = getattr(importlib.import_module(f"quiesce.cli.{name}"), name)
        assert isinstance(command, click.Command)
        in_plain_words(command)
        command.help = f"{COMMANDS[cmd_name]}\n\n{inspect.getdoc(command.callback) or ''}"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by group, without loading them."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{WIDEST_NAME}}", text) for name, text in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a lack of memory is told in one sentence, whatever the command."""
        try:
            return super().invoke(ctx)
        except MemoryError as error:
            raise click.ClickException(str(error) or "there is not enough memory for this") from None


class WholeGroup(click.Group):
    """A group of commands that lists what each does in a whole sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with the first line of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_line(command)) for name, command in self.commands.items()])


def first_line(command: click.Command) -> str:
    """What a command does, in a sentence."""
    return inspect.cleandoc(command.help or "").partition("\n")[0]


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.option(
    "-V",
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
    except (click.Abort, KeyboardInterrupt) as error:
        click.echo(": ".join(("interrupted", *words_of(error))), err=True)
        sys.exit(EXIT_INTERRUPTED)


def words_of(error: BaseException) -> tuple[str, ...]:
    """What an interrupt says beside that it was one; click hands it on as the cause of its own."""
    return (error if isinstance(error, KeyboardInterrupt) else error.__cause__ or error).args
