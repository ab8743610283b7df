"""The reference page of the Python API, made from signatures and docstrings; write_reference.py writes it."""

import ast
import importlib
import inspect
import sys
from functools import cache
from pathlib import Path

import quiesce

HOME = "https://python-chess.readthedocs.io"
CONSTANTS = {"ROW": "a position in 32 bytes", "SEARCHED": "what `search` returns for each position"}
"""NumPy types among the names, which cannot hold a docstring."""
NUMBERS = {"UNFINISHED": "the result of a game that tells none, or `*`"}
"""Numbers among the names, which cannot either."""
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
CALLED = {"review": "quiesce.review.functions"}
"""Packages that are called as the function of their name, and where that is."""
HANDED_OUT = ("Analysis", "AsyncAnalysis", "Tree")
"""Classes that only our own calls make."""


@cache
def definitions(module):
    """Classes and functions of a module by name; of overloads the last."""
    tree = ast.parse(Path(sys.modules[module].__file__).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, FUNCTIONS | ast.ClassDef)}


def signature(name, node):
    """The declared signature of a call."""
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({arguments}){result}".replace('"', "").replace("'", "")


def prose(docstring):
    """A docstring as Markdown: its examples become blocks."""
    lines, inside = [], False
    for line in inspect.cleandoc(docstring).removeprefix("Shell. ").splitlines():
        if line.startswith(">>>") and not inside:
            lines.append("```pycon")
            inside = True
        elif inside and not line:
            lines.append("```")
            inside = False
        lines.append(line)
    return [*lines, *["```"] * inside, ""]


def is_property(node):
    """Is a method read like a field?"""
    return any("property" in ast.unparse(item) for item in node.decorator_list)


def class_section(name, node):
    """A class: its fields, then its methods."""
    lines = [f"### {name}", "", *prose(ast.get_docstring(node) or "")]
    fields = [item for item in node.body if isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_")]
    if fields:
        lines += ["```text", *(f"{item.target.id}: {ast.unparse(item.annotation)}" for item in fields), "```", ""]
    methods = {item.name: item for item in node.body if isinstance(item, FUNCTIONS)}
    for method, item in methods.items():
        if method == "__init__" and name not in HANDED_OUT:
            label = signature(name, item).removesuffix(" -> None")
        elif method.startswith("_"):
            continue
        else:
            label = f"{method} -> {ast.unparse(item.returns)}" if is_property(item) else signature(method, item)
        lines += [f"**`{label}`**", "", *prose(ast.get_docstring(item) or "")]
    return lines


def named(owner, name):
    """The section of one name."""
    value = getattr(owner, name)
    if name in CALLED:
        value = getattr(importlib.import_module(CALLED[name]), name)
    if name in CONSTANTS:
        return [f"### {name}", "", f"The NumPy type of {CONSTANTS[name]}: {', '.join(value.names)}.", ""]
    if name in NUMBERS:
        return [f"### {name}", "", f"{value}: {NUMBERS[name]}.", ""]
    node = definitions(value.__module__)[name]
    if isinstance(node, ast.ClassDef):
        return class_section(name, node)
    return [f"### {name}", "", "```text", signature(name, node), "```", "", *prose(ast.get_docstring(node))]


def api_page(made):
    """Every public name of `quiesce` and `quiesce.batch`."""
    lines = ["# Python API", "", made, ""]
    lines += [f"Boards, moves, limits and scores are those of [python-chess]({HOME}). How to use it:"]
    lines += ["[from Python](../howto/api.md), [in a notebook](../howto/notebook.md),"]
    lines += ["[on millions of positions](../howto/batch.md).", ""]
    for title, owner in (("quiesce", quiesce), ("quiesce.batch", importlib.import_module("quiesce.batch"))):
        lines += [f"## {title}", "", *prose(owner.__doc__)]
        for name in owner.__all__:
            if name not in ("__version__", "batch"):
                lines += named(owner, name)
    return "\n".join(lines)
