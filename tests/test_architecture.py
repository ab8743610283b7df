"""The shape of the project: layers, kernels and shells apart, no circles, files of a size one can read."""

import ast
import importlib
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from quiesce.cachekey import KERNEL_PACKAGES, PACKAGE
from quiesce.jit.entries import ENTRIES, kernel_modules

from .conftest import run_python

ROOT = PACKAGE.parent.parent
LAYERS = (
    ("cachekey",),
    ("jit",),
    ("records",),
    ("board",),
    ("eval",),
    ("search",),
    ("engine",),
    ("trace",),
    ("work",),
    ("review",),
    ("uci", "api", "batch", "lab", "train", "web"),
    ("cli",),
)
LEVEL = {name: depth for depth, names in enumerate(LAYERS) for name in names}
WAYS_IN = ("review", "uci", "api", "batch", "lab", "train", "web", "cli")
TABLES_OF_SEARCH = {"params", "reasons", "scores"}
"""What anybody may read of the search: its table of techniques, its reasons and what scores mean."""
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
LONGEST_SEARCH = 90
"""The search itself is one list of steps, a tall screen of them."""
DECORATORS = {"kernel", "entry", "fastmath_entry", "inlined"}
FILES = sorted(PACKAGE.rglob("*.py"))


def layer_of(path):
    """The layer a file belongs to, None for the package's own two modules."""
    name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return None if name in ("__init__", "__main__") else name


@cache
def tree_of(path):
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path):
    """Names of all modules a file imports, wherever it does."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions_of(path):
    """All functions of a file."""
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]


def decorators_of(function):
    """Names in a function's decorators."""
    return {node.id for item in function.decorator_list for node in ast.walk(item) if isinstance(node, ast.Name)}


def is_kernel(function):
    """Is the function compiled?"""
    return bool(decorators_of(function) & DECORATORS)


def is_kernel_file(path):
    """Does the file say that it holds kernels?"""
    return (ast.get_docstring(tree_of(path)) or "").startswith("Kernels.")


def called_names(function):
    """Plain names a function calls."""
    return {
        node.func.id for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


KERNELS = {function.name: function for path in FILES if is_kernel_file(path) for function in functions_of(path)}
INLINED = {name for name, function in KERNELS.items() if "inlined" in decorators_of(function)}


def calls_of(name):
    """Kernels a kernel calls once what is inlined stands in its own text."""
    called = called_names(KERNELS[name]) & set(KERNELS)
    return (called - INLINED).union(*(calls_of(part) for part in called & INLINED))


CALLS = {name: calls_of(name) for name in set(KERNELS) - INLINED}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_dependencies_point_one_way(path):
    """A module sees its own package and every layer below it."""
    layer = layer_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if layer is not None and parts[0] == "quiesce" and len(parts) > 1 and parts[1] in LEVEL:
            assert parts[1] == layer or LEVEL[parts[1]] < LEVEL[layer], f"{layer} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_ways_in_do_not_reach_past_the_engine(path):
    """Above `engine` and `trace` nobody imports the search but its tables."""
    if layer_of(path) in WAYS_IN:
        parts = [name.split(".") for name in imports_of(path)]
        used = {part[2] for part in parts if part[:2] == ["quiesce", "search"]} - TABLES_OF_SEARCH
        assert used == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_kernels_and_shells_never_mix(path):
    """A file is wholly kernels or wholly shell, and says which in its first word."""
    text = ast.get_docstring(tree_of(path)) or ""
    if layer_of(path) is not None:
        assert text.startswith(("Kernels.", "Shell."))
    if is_kernel_file(path):
        assert layer_of(path) in KERNEL_PACKAGES
        assert all(is_kernel(function) for function in functions_of(path))
        assert not any(isinstance(node, ast.ClassDef | ast.Lambda | ast.Try) for node in ast.walk(tree_of(path)))
    else:
        assert not any(is_kernel(function) for function in functions_of(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_door_imports_numba(path):
    """Numba and llvmlite are seen by jit alone; the CPU's name is asked where the cache is named after it."""
    heavy = {name.split(".")[0] for name in imports_of(path)} & {"numba", "llvmlite"}
    allowed = {"jit": {"numba", "llvmlite"}, "cachekey": {"llvmlite"}}.get(layer_of(path), set())
    assert heavy <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_and_functions_are_short(path):
    """A file can be read at a sitting, a function on a screen."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    for function in functions_of(path):
        longest = LONGEST_SEARCH if function.name in ("negamax", "qsearch") else LONGEST_FUNCTION
        assert function.end_lineno - function.lineno < longest, function.name


def test_only_training_may_reorder_sums():
    """What plays computes the same everywhere: `fastmath_entry` is seen in train/ alone, the option nowhere."""
    for path in FILES:
        if layer_of(path) == "jit":
            continue
        text = path.read_text(encoding="utf-8")
        assert "fastmath_entry" not in text or layer_of(path) == "train", path
        assert "fastmath=" not in text, path


def test_kernel_names_are_unique():
    """One name is one kernel, so that the call graph by name is the true one."""
    names = [function.name for path in FILES if is_kernel_file(path) for function in functions_of(path)]
    assert len(names) == len(set(names))


def reachable(name):
    """Kernels reached from a kernel by calls, other than by calling itself directly."""
    seen, open_names = set(), CALLS[name] - {name}
    while open_names:
        seen |= open_names
        open_names = {called for other in open_names for called in CALLS[other] - {other}} - seen
    return seen


def test_no_kernel_calls_another_in_a_circle():
    """Only direct self-recursion: Numba's cache crashes on circles when it is warm."""
    assert {name for name in CALLS if name in reachable(name)} == set()


def test_recursive_kernels_have_one_signature():
    """A second specialisation of a recursive kernel crashes when it is warm, so there is exactly one."""
    recursive = {name for name, called in CALLS.items() if name in called}
    entries = {item.function.__name__: item for item in ENTRIES}
    assert {"perft", "qsearch", "negamax"} <= recursive
    for name in recursive:
        assert len(entries[name].function.signatures) == 1, name


def test_shells_call_entries_only():
    """What a shell calls has been compiled by the warm-up, so nothing compiles later."""
    for name in kernel_modules():
        importlib.import_module(name)
    entries, modules = {item.function.__name__ for item in ENTRIES}, set(kernel_modules())
    for path in FILES:
        if not is_kernel_file(path):
            parts = [name.rpartition(".") for name in imports_of(path)]
            imported = {name for module, _, name in parts if module in modules}
            assert imported & set(KERNELS) <= entries, path


def test_records_have_a_meaning_for_every_field():
    """Each field of each record says what it means."""
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Field":
                meaning = node.args[2]
                assert not isinstance(meaning, ast.Constant) or len(meaning.value) > 7, ast.unparse(node)


def test_nothing_names_this_machine_or_a_registry():
    """No tracked file holds a home folder, a checkout's path or a registry's host."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not listed:
        pytest.skip("not a git checkout")
    forbidden = re.compile("|".join(("/ro" + "ot/", r"(?<!\w)/wo" + "rk/", "pythonhos" + "ted", "npmjs" + r"\.")))
    for name in listed:
        path = Path(ROOT, name)
        if path.suffix in (".py", ".md", ".toml", ".txt", ".epd", "") and path.is_file():
            assert not forbidden.search(path.read_text(encoding="utf-8")), name


def test_reference_pages_are_up_to_date():
    """The pages made from the code's tables say what the tables say."""
    done = run_python(str(ROOT / "tools" / "write_reference.py"), "--check")
    assert done.returncode == 0, done.stderr
