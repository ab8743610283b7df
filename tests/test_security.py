"""What must not be in the sources: code made from text, shells, and data that runs when it is read."""

import ast

import pytest

from tests.test_architecture import PACKAGE, ROOT, imports_of, tree_of

SOURCES = [*sorted(PACKAGE.rglob("*.py")), *sorted((ROOT / "tools").rglob("*.py"))]
FORBIDDEN_CALLS = {
    "eval", "exec", "os.system", "os.popen", "os.startfile", "subprocess.getoutput", "subprocess.getstatusoutput",
    "asyncio.create_subprocess_shell", "yaml.load", "yaml.unsafe_load", "tempfile.mktemp",
}  # fmt: skip
"""Calls that run text, or race with others for a file."""
RUNS_WHEN_READ = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
"""Modules whose data can be code."""
SAFE_BY_WORD = {"np.load": ("allow_pickle", False), "torch.load": ("weights_only", True)}
"""Calls that are safe only with a word said."""


def name_of(node):
    """A call's function as it is written, `np.load` say."""
    return ast.unparse(node.func)


def calls_of(path):
    """All calls of a file."""
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]


def is_said(call, word, value):
    """Does a call say `word=value`, in as many words?"""
    return any(
        keyword.arg == word and isinstance(keyword.value, ast.Constant) and keyword.value.value is value
        for keyword in call.keywords
    )


def offences(path):
    """Calls of a file that must not be."""
    for call in calls_of(path):
        name = name_of(call)
        wanted = SAFE_BY_WORD.get(name.replace("numpy.", "np."))
        is_shell = any(keyword.arg == "shell" for keyword in call.keywords)
        if name in FORBIDDEN_CALLS or is_shell or (wanted and not is_said(call, *wanted)):
            yield f"{path.name}:{call.lineno}: {ast.unparse(call)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_becomes_code(path):
    """No shell, no eval, no array or network file that may hold objects."""
    assert list(offences(path)) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_data_is_code(path):
    """Nobody imports pickle or its kin: processes of ours speak JSON, files hold plain values."""
    assert not {name.partition(".")[0] for name in imports_of(path)} & RUNS_WHEN_READ


@pytest.mark.parametrize(
    "text",
    [
        "eval('1')",
        "os.system('ls')",
        "subprocess.run('ls', shell=True)",
        "subprocess.run('ls', shell=wanted)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "numpy.load(path)",
        "torch.load(path)",
        "yaml.load(file)",
    ],
)
def test_the_test_sees(tmp_path, text):
    """Each of these is an offence."""
    path = tmp_path / "planted.py"
    path.write_text(text, encoding="utf-8")
    assert list(offences(path))
