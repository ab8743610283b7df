"""What it means that a command on a page is right: the program's own parser takes it, and names in it exist."""

import re
import tomllib
from pathlib import Path

import click

from quiesce.cli import cli
from quiesce.engine.options import OPTIONS
from quiesce.lab.ablation import switch
from quiesce.lab.tunesearch import parameters_of
from quiesce.train.__main__ import parser as train_parser

from .pages import ROOT

PATCHED = {"QSearchEven"}
"""Techniques that only the tutorial's patch has."""
OUR_OPTIONS = {name.lower() for name in OPTIONS} | {name.lower() for name in PATCHED}
SETTINGS = ("option1", "option2", "options", "first", "second")
"""Arguments of our commands that are options of the engine."""
ELSEWHERE = {"git", "cd", "printf", "command", "source"}
"""Programs that are not ours to check."""
PLACEHOLDER = "COMMAND"
WHEEL = r"quiesce-VERSION-py3-none-(?:any|manylinux_2_17_x86_64)\.whl"
OURS_FOR_PIP = re.compile(rf"(?:\.|{WHEEL})(?:\[(\w+)\])?|--editable|notebook")
"""What pip is given on our pages."""


def parsed(words):
    """The context of a command line of ours, taken by its own parser; None where it only asks for help."""
    command, context, rest = cli, None, list(words)
    while True:
        try:
            context = command.make_context(command.name, rest, parent=context)
        except click.exceptions.Exit:
            return None
        rest = [*getattr(context, "_protected_args", []), *context.args]
        if not isinstance(command, click.Group) or not rest:
            return context
        _, command, rest = command.resolve_command(context, rest)


def check_ours(words):
    """A line of `quiesce`: it parses, and every option, technique and number of the engine in it exists."""
    if words[:1] == [PLACEHOLDER]:
        return
    context = parsed(words)
    if context is None:
        return
    for setting in SETTINGS:
        for text in context.params.get(setting) or ():
            assert text.partition("=")[0].lower() in OUR_OPTIONS, text
    names = [name for name in context.params.get("names") or () if name not in PATCHED]
    if context.command.name == "ablate":
        assert all(switch(name) for name in names)
    if context.command.name == "search" and names:
        assert parameters_of(names, {}, {})


def check_make(words):
    """Every target stands in the Makefile, and so does every variable that is set."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets, variables = (set(re.findall(form, text, re.MULTILINE)) for form in (r"^([a-z-]+):", r"^([A-Z]+) *\?="))
    settings = {word.partition("=")[0] for word in words if "=" in word}
    assert settings <= variables
    assert {word for word in words if "=" not in word} <= targets


def check_pip(words):
    """We are installed from a checkout or a wheel, as no index has us; extras that are asked for exist."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert words[0] == "install"
    for word in words[1:]:
        found = OURS_FOR_PIP.fullmatch(word)
        assert found, word
        assert found[1] is None or found[1] in project["optional-dependencies"]


def check_python(words):
    """Tests that are named exist, options of scripts stand in them, and the trainer's parser takes its own."""
    if words[:2] == ["-m", "quiesce.train"]:
        train_parser().parse_args(words[2:])
    elif words[:2] == ["-m", "pytest"]:
        assert all((ROOT / word).exists() for word in words[2:])
    else:
        module = Path(words[1].replace(".", "/")) if words[0] == "-m" else None
        script = Path(words[0]) if module is None else module.with_suffix(".py")
        if not (ROOT / script).exists() and module is not None:
            script = module / "__main__.py"
        text = (ROOT / script).read_text(encoding="utf-8")
        assert all(f'"{word}"' in text for word in words if word.startswith("--"))


def check_dask(words):
    """Dask has such a command with such options."""
    from distributed.cli import dask_scheduler, dask_worker  # noqa: PLC0415  (slow to load)

    command = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}[words[0]]
    known = {name for item in command.params for name in item.opts}
    assert {word for word in words if word.startswith("--")} <= known


CHECKS = {"quiesce": check_ours, "make": check_make, "pip": check_pip, "python": check_python, "dask": check_dask}


def check(stage):
    """One program with its arguments: right, or an AssertionError or click's error says what is wrong."""
    program, words = Path(stage[0]).name, stage[1:]
    if program not in ELSEWHERE:
        assert program in CHECKS, f"nobody checks {program}"
        CHECKS[program](words)
