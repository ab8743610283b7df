"""Shell. The `quiesce` command. Each subcommand is a module that is imported when it is called."""

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
        "analyse": "Search a position and show each iteration.",
        "annotate": "Review PGN games: mark mistakes, show better lines, say why.",
        "serve": "Start the web board: play, analyse, explore quiescence.",
        "uci": "Run as a UCI engine for a GUI; the default command.",
        "warmup": "Compile the kernels before their first use.",
        "doctor": "Show software, hardware and kernels, for bug reports.",
    },
    "Look inside": {
        "why": "Explain why a move is good or bad.",
        "explain": "Print the quiescence search tree of a position.",
        "eval": "Show the static evaluation of a position, piece by piece.",
        "board": "Show a position: board, FEN, hash key, legal moves.",
        "perft": "Count legal move sequences, or check published counts.",
        "qperft": "Count nodes to a depth and of the noisy lines after it.",
    },
    "Lab": {
        "match": "Play a match between UCI or xboard engines.",
        "sprt": "Test whether engine 1 is stronger (SPRT).",
        "suite": "Solve test suites (EPD files) and count solutions.",
        "static": "Compare static evaluations with deep searches.",
        "bench": "Count nodes and time of a fixed set of searches.",
        "report": "Write an HTML report of all stored lab results.",
        "arena": "Play two settings of the engine at fixed nodes.",
        "ablate": "Measure what each search technique is worth.",
        "ladder": "Rate the engine by matches against rated engines.",
    },
    "Train": {
        "tune": "Tune evaluation weights or search parameters by games.",
        "datagen": "Make training positions by self-play.",
        "data": "Inspect, check, merge or shuffle training positions.",
        "train": "Train a network on training positions.",
    },
}
"""Commands by purpose, the most useful first."""
COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}
"""Each command is the function of its name in the module of its name."""
WIDEST_NAME = max(len(name) for name in COMMANDS)
SPELT_OUT = {"eval": "evaluate"}
"""Commands whose function has another name, because Python has taken theirs."""
ALIASES = {"analyze": "analyse"}
"""Other spellings, accepted but not listed."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, or None."""
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
        """Write the commands by group, without importing them."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{WIDEST_NAME}}", text) for name, text in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; report a lack of memory in one sentence."""
        try:
            return super().invoke(ctx)
        except MemoryError as error:
            raise click.ClickException(str(error) or "not enough memory") from None


class WholeGroup(click.Group):
    """A group whose list of commands shows the whole first line of each help text."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with the first line of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_line(command)) for name, command in self.commands.items()])


def first_line(command: click.Command) -> str:
    """The first line of a command's help."""
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
    help="Show version, compiler, CPU and cache folder, then exit.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """A chess engine in Python that searches until the position is quiet, and shows why.

    Without a command it runs as a UCI engine.
    """
    if context.invoked_subcommand is None:
        context.invoke(context.command.get_command(context, "uci"))  # type: ignore[attr-defined]


def main() -> None:
    """Run the command line. After Ctrl-C it prints `interrupted` and exits with code 130."""
    try:
        sys.exit(cli(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt) as error:
        click.echo(": ".join(("interrupted", *words_of(error))), err=True)
        sys.exit(EXIT_INTERRUPTED)


def words_of(error: BaseException) -> tuple[str, ...]:
    """The message of an interrupt, if it has one. Click keeps the original as the cause of its own exception."""
    return (error if isinstance(error, KeyboardInterrupt) else error.__cause__ or error).args
