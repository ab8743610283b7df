"""`quiesce analyse` as people see it: in small terminals, threads and options, what it says where it cannot."""

import json
import re

import pytest
from click.testing import CliRunner

import quiesce.cli.analyse as analyse_module
from quiesce.cli import cli
from tests.cli.screen import Screen, console_on
from tests.conftest import shared

SHORT = "8/8/8/3k4/3p4/3P4/3K4/8 w - - 0 1"


def run(*words):
    """Run a command in this process."""
    return CliRunner().invoke(cli, list(words))


def depth_seen(rows):
    """The deepest iteration whose row stands on a screen."""
    found = [int(row.split("/")[0]) for row in rows if re.match(r"\d+/\d+ ", row)]
    return max(found, default=0)


@pytest.mark.parametrize(("lines", "height"), [(3, 24), (1, 10)])
def test_the_newest_depth_is_on_a_small_screen(lines, height, monkeypatch):
    """While more iterations run than there is room for the newest can be seen, and at the end the last one."""
    screen, room = Screen(80, height), (height - 2) // lines
    monkeypatch.setattr(analyse_module, "out", console_on(screen, soft_wrap=True))
    reported = []
    row_of = analyse_module.row_of

    def noted(game, report, line):
        reported.append(report.depth)
        return row_of(game, report, line)

    monkeypatch.setattr(analyse_module, "row_of", noted)
    monkeypatch.setattr(analyse_module, "REFRESHES", 100)
    done = run("analyse", "--time", "2", "--multipv", str(lines))
    assert done.exit_code == 0, done.output
    assert max(reported) > room
    assert depth_seen(screen.rows) == max(reported)
    growing = [depth_seen(frame) for frame in screen.frames if any(row.startswith("depth") for row in frame)]
    assert max(growing[: len(growing) * 3 // 4]) > room, "rows below the end of the screen were cut"


def test_rows_that_are_kept_fit():
    """Whole iterations, the newest last, one row each; of a number of lines beyond the screen the first are shown."""
    growth = analyse_module.Growth()
    for depth in range(1, 31):
        growth.add([(f"{depth}/{depth}", "+0.10", "1", "1 M/s", f"line {n}") for n in range(3)])
    assert [row[0] for row in growth.newest(7)] == ["29/29"] * 3 + ["30/30"] * 3
    assert [row[-1] for row in growth.newest(2)] == ["line 0", "line 1"]
    screen = Screen(40, 10)
    console_on(screen).print(growth)
    assert depth_seen(screen.rows) == 30


def test_threads_and_options():
    """Workers and options of the engine, in any case and spelt as over UCI; what is none is told."""
    plain, other = (
        json.loads(run("analyse", SHORT, "--depth", "8", "--json", *words).output)["counters"]["nodes"]
        for words in (
            (),
            ("--option", "nullmove=false", "--option", "EvalMode=classical", "--option", "LateMoveReductions=0"),
        )
    )
    assert plain != other
    assert run("analyse", SHORT, "--depth", "8", "--threads", "2").exit_code == 0
    for words, reason in (
        ("Hsah=3", "there is no option 'Hsah'; is 'Hash' meant?"),
        ("NullMove=perhaps", "NullMove is true or false, not 'perhaps'"),
        ("Hash=lots", "Hash is a whole number, not 'lots'"),
        ("UCI_Elo=1500", "changes no analysis"),
        ("NullMove", "not an option such as"),
    ):
        done = run("analyse", SHORT, "--depth", "1", "--option", words)
        assert done.exit_code == 2
        assert reason in " ".join(done.output.split())


def test_tables_of_endgames_are_used():
    """SyzygyPath reaches the search, in rows and in the answer; a folder that is none is told in a sentence."""
    words = ("analyse", "8/8/8/4k3/8/8/3QK3/8 w - - 0 1", "--depth", "4", "--option")
    done = run(*words, f"SyzygyPath={shared('syzygy')}")
    assert done.exit_code == 0
    assert done.output.count("+199.") >= 4
    missing = run(*words, "SyzygyPath=/nowhere")
    assert (missing.exit_code, missing.output) == (1, "Error: /nowhere is no folder with Syzygy tables\n")


def test_a_table_that_does_not_fit_is_one_sentence(monkeypatch):
    """No traceback where there is no memory."""
    monkeypatch.setattr("quiesce.engine.table.free_megabytes", lambda: 100)
    done = run("analyse", "--hash", "65536", "--depth", "1")
    assert done.exit_code == 1
    assert done.output == "Error: 65536 MB of hash do not fit: 100 MB are free\n"


@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "--depth", "1", "--log", "{}"),
        ("match", "--games", "2", "--nodes", "100", "--pgn", "{}"),
        ("datagen", "{}"),
        ("tune", "eval", "{}"),
        ("data", "merge", __file__, "--out", "{}"),
    ],
)
def test_what_cannot_be_written_is_told_before_the_work(words, tmp_path, monkeypatch):
    """The file is named, exit code 2, and nothing was searched or played."""
    (tmp_path / "file").touch()
    target = str(tmp_path / "file" / "below")
    monkeypatch.setenv("QUIESCE_STORE", str(tmp_path / "lab.sqlite"))
    done = run(*(word.format(target) for word in words))
    assert done.exit_code == 2, done.output
    assert f"{target} cannot be written" in " ".join(done.output.split())
    assert not (tmp_path / "lab.sqlite").exists()


def test_a_device_is_no_file_to_replace():
    """What is written whole takes its target's place, which no device must suffer."""
    done = run("analyse", "--depth", "1", "--log", "/dev/null")
    assert done.exit_code == 2
    assert "/dev/null is not a regular file" in done.output
