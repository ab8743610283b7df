"""The reference page of commands, made from the command line's own declarations; write_reference.py writes it."""

import inspect

import click

from quiesce.cli import SETTINGS, cli


def commands_of(group, parent):
    """Every command of a group with its context, depth first."""
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        context = click.Context(command, info_name=name, parent=parent, **SETTINGS)
        yield command, context
        if isinstance(command, click.Group):
            yield from commands_of(command, context)


def cell(text):
    """A text for a table: on one line, bars kept from ending the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def section(command, context):
    """One command: usage, description, options."""
    words = " ".join(command.collect_usage_pieces(context))
    level = "##" if context.command_path.count(" ") == 1 else "###"
    lines = [f"{level} {context.command_path}", "", "```text", f"{context.command_path} {words}", "```", ""]
    lines += [inspect.cleandoc(command.help or "").strip(), ""]
    options = [item for item in command.get_params(context) if isinstance(item, click.Option) and item.name != "help"]
    shown = [record for item in options if (record := item.get_help_record(context))]  # none for hidden ones
    if shown:
        lines += ["| option | meaning |", "|---|---|"]
        lines += [f"| `{cell(name)}` | {cell(meaning)} |" for name, meaning in shown]
        lines += [""]
    return lines


def commands_page(made):
    """Every command with its options, in the order of `quiesce --help`."""
    root = click.Context(cli, info_name="quiesce", **SETTINGS)
    lines = ["# Commands", "", made, "", inspect.cleandoc(cli.help), ""]
    lines += ["`quiesce --help` and `quiesce COMMAND --help` say the same; `quiesce --version` is for reports.", ""]
    for command, context in commands_of(cli, root):
        lines += section(command, context)
    return "\n".join(lines)
