"""Every command on a page works: all are parsed by the real parsers, quick ones run, long ones run small."""

import shlex
import shutil
import subprocess
import sys
from contextlib import suppress

import click
import pytest
from click.testing import CliRunner

from quiesce.cli import cli
from quiesce.lab.match.plan import read_plan
from tests.cli.test_serve import serve_until_interrupted
from tests.conftest import run_python
from tests.web.conftest import has_bundle

from .checks import PATCHED, check
from .pages import PAGES, ROOT, blocks, commands, in_blocks, in_sentences, stages

TOLD = commands(in_blocks)
QUICK = {"board": (), "perft": (), "qperft": (), "eval": (), "analyse": ("--time", "0.1"), "warmup": ()}
"""Commands of ours that are run in this process, with what keeps them short."""
SMALL = {
    "bench": (),
    "suite": ("--first", "2", "--least", "0"),
    "match": ("--games", "2", "--concurrency", "1"),
    "sprt": ("--games", "2", "--concurrency", "1"),
    "arena": ("--pairs", "1", "--nodes", "100"),
    "datagen": ("--positions", "1000", "--nodes", "100"),
    "data": (),
    "tune": ("--iterations", "1", "--pairs", "1", "--nodes", "100", "--verify", "1"),
    "ladder": ("glaurung", "--games", "2", "--concurrency", "1", "--tc", "1+0.01"),
    "ablate": ("NullMove", "--nodes", "100", "--games", "2", "--time-games", "0"),
    "report": (),
}
"""Commands that take long, with what makes them short (`make test-all`)."""
TRAIN = ("--width", "16", "--epochs", "1", "--batch", "64", "--held-out", "0.5", "--device", "cpu")
"""What makes a training short."""
FAR = ("--cluster", "@", "--open", "--preset", "tune eval", "--config", "FOLDER", "QSearchEven", "my-engine", "other.")
"""What a test cannot have: other machines, other revisions, a browser, hours, what only a reader can name or patch."""
INCOMPLETE = (0, 10, 11)
"""A sequential test that ends undecided has run all the same."""


def words_of(command):
    """What is said to `quiesce` in a command line; nothing where it is not ours, or part of a pipe."""
    found = list(stages(command.line))
    return found[0][1:] if len(found) == 1 and found[0][0].endswith("quiesce") else []


def chosen(table):
    """Commands of a table, with their words."""
    lines = [(command, words_of(command)) for command in TOLD]
    return [(command, words) for command, words in lines if words and words[0] in table]


def near(table):
    """Those of them that a test can have all of."""
    return [(command, words) for command, words in chosen(table) if not any(far in command.line for far in FAR)]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the files the pages speak of, and a store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIESCE_STORE", str(tmp_path / "lab.sqlite"))
    suite = ROOT / "src/quiesce/lab/suites/data/bk.epd"
    for name in ("wac.epd", "lct2.epd"):
        shutil.copy(suite, tmp_path / name)
    for name in (
        "plan.toml",
        "margins.toml",
        "train.samples",
        "data/one.samples",
        "FOLDER/fitted.json",
        "other.sqlite",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def expanded(words, folder):
    """Words with their stars replaced by names of files, as a shell does."""
    for word in words:
        yield from sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if "*" in word else [word]


@pytest.mark.parametrize("command", TOLD, ids=lambda command: command.name)
def test_commands_are_right(command, desk):
    """Each command parses, and what it names exists."""
    for stage in stages(command.line):
        check(list(expanded(stage, desk)))


@pytest.mark.parametrize("command", commands(in_sentences), ids=lambda command: command.name)
def test_mentions_are_right(command, desk):
    """So does each that a sentence mentions, but for what it leaves to the reader."""
    for stage in stages(command.line):
        with suppress(click.MissingParameter):
            check(list(expanded(stage, desk)))


@pytest.mark.parametrize(
    "line",
    [
        "quiesce analise",
        "quiesce analyse --dept 3",
        "quiesce match --option1 NoSuch=1",
        "quiesce ablate NoSuch",
        "quiesce tune search NoSuch",
        "make nothing",
        "make soak NOTHING=3",
        "pip install '.[nothing]'",
        "pip install 'quiesce-VERSION-py3-none-any.whl[nothing]'",
        "pip install 'quiesce[web]'",
        "dask worker --nothing 3",
        "python tools/datagen_many.py OUT --nothing 3",
        "python -m pytest tests/nothing.py",
        "python -m tools.soak --nothing 3",
        "nothing at all",
    ],
)
def test_wrong_commands_are_found(line):
    """A command that is not right does not pass."""
    (stage,) = stages(line)
    with pytest.raises((AssertionError, click.ClickException, ValueError)):
        check(stage)


@pytest.mark.parametrize(("command", "words"), chosen(QUICK), ids=lambda found: getattr(found, "name", ""))
def test_quick_commands_run(command, words, desk):
    """Each runs to its end; what `board` and `perft` print is what the page shows."""
    done = CliRunner().invoke(cli, [*expanded(words, desk), *QUICK[words[0]]], prog_name="quiesce")
    assert done.exit_code == 0, done.output
    if words[0] in ("board", "perft", "qperft"):
        shown = [text for text in blocks(command.page, "console") if text.startswith(f"$ {command.line}\n")]
        assert all(text.partition("\n")[2].strip() == done.output.strip() for text in shown)


def run_explanation(words):
    """It draws its tree and says what it saw."""
    done = run_python("-m", "quiesce", *words)
    assert done.returncode == 0, done.stderr
    assert "ith quiescence, after" in done.stdout


def test_an_explanation_runs():
    """`quiesce explain`, as the README has it."""
    run_explanation(min(words for _, words in chosen(("explain",))))


@pytest.mark.slow
def test_all_explanations_run():
    """Each of them; but what needs the tutorial's patch."""
    found = [words for _, words in chosen(("explain",)) if not PATCHED & {word.partition("=")[0] for word in words}]
    assert found
    for words in found:
        run_explanation(words)


def test_the_engine_answers_as_the_page_says():
    """What the page on GUIs pipes into the engine is answered."""
    (line,) = [command.line for command in TOLD if command.line.startswith("printf")]
    assert line.endswith("| quiesce")
    started = f"{line.removesuffix('quiesce')}{shlex.quote(sys.executable)} -m quiesce"
    done = subprocess.run(["sh", "-c", started], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert "uciok" in done.stdout


def test_plans_are_right(tmp_path):
    """Each plan in TOML on the page about matches is read as one."""
    (text,) = blocks(ROOT / "docs/howto/match.md", "toml")
    (tmp_path / "plan.toml").write_text(text)
    plan = read_plan(tmp_path / "plan.toml", 100)
    assert plan.sprt is not None
    assert plan.seed == 1


def test_every_page_is_looked_at():
    """Commands are found where they stand: on most pages, not on none."""
    assert len({command.page for command in TOLD}) >= 15
    assert len(PAGES) > 30


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_long_commands_run(desk, monkeypatch):
    """Each command that takes long runs to its end when it is given little to do, in the order of the pages."""
    monkeypatch.chdir(desk)
    (desk / "data/one.samples").unlink()
    (desk / "train.samples").unlink()
    for command, words in sorted(near(SMALL), key=lambda found: list(SMALL).index(found[1][0])):
        asked = [*expanded(words, desk), *SMALL[words[0]]]
        if words[0] in ("match", "sprt"):
            asked += ["--nodes", "100"] if "--nodes" in words else ["--tc", "1+0.01"]
        if "--time" in words:
            asked += ["--time", "0.2"]
        done = run_python("-m", "quiesce", *asked, timeout=600)
        assert done.returncode in INCOMPLETE, (command.line, done.stdout[-500:], done.stderr[-2000:])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_training_runs(desk):
    """On positions that were just made, to a network that is written."""
    (desk / "data/one.samples").unlink()
    played = run_python("-m", "quiesce", "datagen", "data", *SMALL["datagen"])
    assert played.returncode == 0, played.stderr
    for _, words in near(("train",)):
        done = run_python("-m", "quiesce", *expanded(words, desk), *TRAIN, timeout=300)
        assert done.returncode == 0, done.stderr
        assert (desk / words[words.index("--out") + 1]).exists()


@pytest.mark.slow
@pytest.mark.skipif(not has_bundle(), reason="the page is not built (make web)")
def test_the_web_board_is_served():
    """Until Ctrl-C, as each page has it that opens no browser."""
    lines = [words for _, words in near(("serve",))]
    assert lines
    for words in lines:
        serve_until_interrupted(*words, "--port", "0")
