"""The command line as people and programs use it."""

import json
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import quiesce.cli.datagen as datagen_module
from quiesce.cli import COMMANDS, EXIT_INTERRUPTED, GROUPS, cli, main
from quiesce.cli.common import KEPT
from tests.conftest import DATA, run_json, run_python

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def run(*words):
    """Run a command in this process."""
    return CliRunner().invoke(cli, list(words))


def test_help_is_light():
    """The help text loads neither Numba nor NumPy nor rich nor python-chess."""
    script = """
import sys
from quiesce.cli import cli
try:
    cli(["--help"])
except SystemExit:
    pass
print(sorted({"numba", "llvmlite", "numpy", "rich", "chess"} & set(sys.modules)))
"""
    done = run_python("-c", script)
    assert done.stdout.endswith("[]\n")
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


def test_help_lists_commands_in_groups():
    """Groups in the order of use, one line a command in a terminal of 80 columns, and no spelling twice."""
    done = CliRunner().invoke(cli, ["--help"], terminal_width=80)
    places = [done.output.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)
    for name, text in COMMANDS.items():
        assert f"  {name} ".ljust(max(map(len, COMMANDS)) + 4) + text + "\n" in done.output
    assert "analyze" not in done.output


@pytest.mark.parametrize("group", ["tune", "data", "bench"])
def test_groups_tell_whole_sentences(group):
    """No description of a command inside a command is cut."""
    text = CliRunner().invoke(cli, [group, "--help"], terminal_width=80).output
    assert text.rstrip().endswith(".")
    assert "..." not in text.partition("Commands:")[2]


def test_other_spellings_are_understood():
    """The American spelling, and -V as many programs have it."""
    assert "best move" in run("analyze", "--depth", "1").output
    assert run("-V").output == run("--version").output


def test_an_interrupt_is_told_once(tmp_path, monkeypatch, capsys):
    """A command that keeps what is finished says so in the one line that tells of the interrupt."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(datagen_module, "grow_file", interrupted)
    monkeypatch.setattr(sys, "argv", ["quiesce", "datagen", str(tmp_path), "--concurrency", "1"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == EXIT_INTERRUPTED
    told = [line for line in capsys.readouterr().err.splitlines() if "interrupted" in line]
    assert told == [f"interrupted: {KEPT}"]


def test_version_names_the_stack():
    """Version, compiler, CPU and cache folder, for reports of trouble."""
    done = run("--version")
    assert done.exit_code == 0
    for word in ("quiesce 0.", "Numba", "NumPy", "CPU", "kernels ", "cache "):
        assert word in done.output


@pytest.mark.parametrize("words", [("perft", "3"), ("perft", "startpos", "3")])
def test_perft_of_the_start(words):
    """The start position by name or by default."""
    done = run(*words)
    assert done.exit_code == 0
    assert "perft 3: 8,902 leaves" in done.output


def test_perft_takes_a_fen_with_and_without_quotes():
    """A FEN in one word or six."""
    for words in ((KIWIPETE,), tuple(KIWIPETE.split())):
        assert json.loads(run("perft", *words, "2", "--json").output)["nodes"] == 2_039


@pytest.mark.parametrize("words", [("e4", "e5"), ("startpos", "moves", "e2e4", "e7e5"), ("1.", "e4", "e5"), ("-",)])
def test_positions_in_other_words_than_fen(words):
    """Moves in either notation and a line of standard input are positions for all commands that take one."""
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    for command in (("board",), ("eval",), ("analyse", "--depth", "1")):
        done = CliRunner().invoke(cli, [*command, *words, "--json"], input=f"\n{fen}\n")
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["fen"] == fen
    for command in ("perft", "qperft"):
        assert CliRunner().invoke(cli, [command, *words, "1"], input=fen).exit_code == 0


def test_perft_divide():
    """Counts by root move, for people and programs."""
    done = run("perft", "startpos", "2", "--divide")
    assert "e2e4: 20\n" in done.output
    found = json.loads(run("perft", "startpos", "2", "--divide", "--json").output)
    assert sum(found["divide"].values()) == found["nodes"] == 400


def test_perft_chess960():
    """K and Q mean the outermost rooks only when asked for."""
    fen = "r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 1"
    assert run("perft", fen, "1").exit_code == 2
    assert json.loads(run("perft", fen, "2", "--chess960", "--json").output)["nodes"] == 206


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("perft",), "DEPTH is missing"),
        (("perft", "startpos"), "DEPTH is missing"),
        (("perft", KIWIPETE), "DEPTH is missing"),
        (("perft", *KIWIPETE.split()), "DEPTH is missing"),
        (("perft", "startpos", "9" * 5000), "small whole number"),
        (("perft", "3", "--max-nodes", "10"), "--max-nodes needs --suite"),
        (("perft", "--divide", "--suite", str(DATA / "perft" / "tricky.epd")), "excludes --divide"),
        (("board", "r3k1r1/8/8/8/8/8/8/4K3 b kq - 0 1"), "Chess960 must be asked for"),
        (("perft", "startpos", "-1"), "-1"),
        (("perft", "startpos", "99"), "outside 0 to 31"),
        (("perft", "8/8/8/8/8/8/8/8 w - - 0 1", "2"), "White has no king"),
        (("board", "nonsense"), "FEN has 1 fields"),
        (("board", "nonsense"), "may also be startpos, or moves such as e4 e5"),
        (("analyse", "my-games.pgn"), "'my-games.pgn' is the name of a file"),
        (("board", "e4", "e9"), "'e9' is not a move"),
        (("board", "-"), "there is no position on standard input"),
        (("perft", "--suite", "no/such/file"), "does not exist"),
        (("perft", "3", "--suite", str(DATA / "perft" / "tricky.epd")), "takes positions"),
        (("perft", "--suite", str(DATA / "README.md")), "no counts such as"),
        (("castle",), "No such command"),
    ],
)
def test_bad_words_are_explained(words, reason):
    """Bad input: a sentence on what is wrong, exit code 2."""
    done = run(*words)
    assert done.exit_code == 2
    assert reason in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_a_rival_that_is_no_engine():
    """A file that cannot be started is named; exit code 1."""
    done = run("bench", "board", "--stockfish", str(DATA / "README.md"))
    assert done.exit_code == 1
    assert "README.md: " in done.output


def test_a_fen_that_is_printed_can_be_read():
    """A Chess960 position is printed so that it reads back as itself."""
    fen = "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 0 1"
    facts = json.loads(run("board", fen, "--json").output)
    assert (facts["fen"], facts["chess960"]) == (fen, True)
    assert run("board", facts["fen"]).exit_code == 0


def test_odd_file_names_and_marks(tmp_path):
    """Names with brackets and colons, and a byte order mark, are only text."""
    path = tmp_path / "x[bold]:100:.epd"
    path.write_bytes(b"\xef\xbb\xbf4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 6\n")
    done = run("perft", "--suite", str(path))
    assert f"failed {path}:1: 4k3" in done.output


def test_terminals_without_unicode():
    """The board prints where only ASCII can."""
    done = run_python("-m", "quiesce", "board", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "8 r n b q k b n r\n" in done.stdout


def test_suite_passes_and_fails(tmp_path):
    """A closing count, each failure on its own line, exit code 1 on failure."""
    done = run("perft", "--suite", str(DATA / "perft" / "tricky.epd"), "--max-nodes", "1000")
    assert done.exit_code == 0
    assert done.output.splitlines()[-1].endswith(" passed, 0 failed")
    wrong = tmp_path / "wrong.epd"
    wrong.write_text(f"{KIWIPETE} ;D1 47 ;D2 2039\n")
    done = run("perft", "--suite", str(wrong))
    assert done.exit_code == 1
    assert "depth 1: 48 instead of 47" in " ".join(done.output.split())
    assert done.output.splitlines()[-1] == "1 passed, 1 failed"
    facts = json.loads(run("perft", "--suite", str(wrong), "--json").output)
    assert (facts["passed"], facts["failed"], facts["failures"][0]["found"]) == (1, 1, 48)


def test_suite_with_nothing_to_check_fails(tmp_path):
    """A suite of which every count is too large proves nothing."""
    path = tmp_path / "large.epd"
    path.write_text(f"{KIWIPETE} ;D5 193690690\n")
    done = run("perft", "--suite", str(path), "--max-nodes", "100")
    assert (done.exit_code, done.output) == (1, "0 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("fen", "state"),
    [
        (KIWIPETE, "in play"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("7k/8/6K1/8/8/8/8/7R b - - 0 1", "check"),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "draw by insufficient material"),
        ("7k/8/5K2/8/8/8/8/6R1 b - - 100 90", "draw by the fifty-move rule"),
    ],
)
def test_board_tells_the_state(fen, state):
    """The board, its state and its moves."""
    done = run("board", fen)
    assert f"state  {state}\n" in done.output
    assert f"fen    {fen}\n" in done.output
    facts = json.loads(run("board", fen, "--json").output)
    assert facts["state"] == state
    assert len(facts["key"]) == 16


def test_warmup_says_where():
    """Warm-up names the folder."""
    done = run("warmup")
    assert done.exit_code == 0
    assert "compiled already" in done.output


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nothing_compiles_after_a_warmup(tmp_path):
    """In a new cache: commands that need rare entries or the build of traces say nothing of compiling."""
    new = {"QUIESCE_CACHE_DIR": str(tmp_path), "QUIESCE_OPEN": ""}
    assert run_python("-m", "quiesce", "warmup", timeout=800, **new).returncode == 0
    see = "import quiesce; quiesce.see('4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1', 'e4d5')"
    commands = (["eval"], ["eval", "--terms"], ["explain"], ["arena", "--pairs", "1", "--nodes", "100"])
    for words in (*(["-m", "quiesce", *words] for words in commands), ["-c", see]):
        done = run_python(*words, **new)
        assert done.returncode == 0, done.stderr
        assert "compiling" not in done.stderr, words


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_at_once():
    """An interrupt in the middle of a long count ends the process with its usual code and no traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "quiesce", "perft", "startpos", "9"], stderr=subprocess.PIPE, text=True
    )
    try:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert time.monotonic() - started < 5
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "interrupted"
    assert "Traceback" not in errors


def test_analyse_for_people_and_programs():
    """A table that ends in the best move; the same as JSON; mates and ends of games said so."""
    done = run("analyse", KIWIPETE, "--depth", "6", "--multipv", "2", "--hash", "2")
    assert done.exit_code == 0
    assert done.output.splitlines()[-1].startswith("best move ")
    facts = json.loads(run("analyse", KIWIPETE, "--depth", "6", "--multipv", "2", "--hash", "2", "--json").output)
    assert facts["depth"] == 6
    assert len(facts["lines"]) == 2
    assert "(#1)" in run("analyse", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--depth", "4").output
    assert "checkmate" in run("analyse", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "--depth", "4").output


def test_bench_is_a_signature():
    """The last line is nodes and speed; the nodes are the same twice."""
    ends = [run("bench", "--depth", "5").output.splitlines()[-1].split() for _ in range(2)]
    assert ends[0][1::2] == ["nodes", "nps"]
    assert ends[0][0] == ends[1][0]
    assert "qnodes" in run("bench", "--depth", "3", "--stats").output


def test_arena_by_command():
    """Two settings play; wrong options are explained."""
    done = run("arena", "--pairs", "2", "--nodes", "200", "--second", "NullMove=0")
    assert done.exit_code == 0
    assert done.output.startswith("4 games at 200 nodes, pentanomial ")
    for words, reason in (
        ("Foo=1", "no option 'Foo'"),
        ("Hash=4", "is no search option"),
        ("NullMove", "not an option such as"),
    ):
        done = run("arena", "--first", words)
        assert done.exit_code == 2
        assert reason in done.output


def test_qperft_counts():
    """q-perft prints its counts, for people and for programs; a bad depth is refused."""
    found = run_json("-m", "quiesce", "qperft", "startpos", "2", "--json")
    assert found["regular_nodes"] == 21
    assert found["quiescence_nodes"] >= 400
    assert "share of q-nodes" in run_python("-m", "quiesce", "qperft", "1").stdout
    assert run_python("-m", "quiesce", "qperft", "startpos").returncode == 2


def test_eval_for_people_and_programs(tmp_path):
    """A table of groups or weights that sums to the total; the same as JSON; bad weights are explained."""
    text = run("eval", "--weights", "fitted", *KIWIPETE.split())
    assert text.exit_code == 0, text.output
    for word in ("material", "mobility", "danger", "pawns for White"):
        assert word in text.output
    assert "knight_mobility[" in run("eval", "--terms", KIWIPETE).output
    facts = json.loads(run("eval", "--json", "--terms", KIWIPETE).output)
    for rows in (facts["groups"], facts["terms"]):
        assert [sum(row["total"][part] for row in rows) for part in (0, 1)] == facts["total"]
    assert facts["fen"] == KIWIPETE
    broken = tmp_path / "weights.json"
    broken.write_text('{"weights": {"material": []}}', encoding="utf-8")
    refused = run("eval", "--weights", str(broken), "startpos")
    assert refused.exit_code == 2
    assert "material needs 5 weights, has 0" in refused.output
    assert "in check" in run("eval", "4k3/8/8/8/8/8/4r3/4K3", "w", "-", "-").output


def test_eval_by_a_network():
    """The board with what each piece is worth; the same as JSON."""
    text = run("eval", KIWIPETE)
    assert text.exit_code == 0, text.output
    assert text.output.splitlines()[0].split() == ["r", ".", ".", ".", "k", ".", ".", "r"]
    assert "pawns for White" in text.output
    facts = json.loads(run("eval", "--json", KIWIPETE).output)
    assert facts["fen"] == KIWIPETE
    assert facts["pieces"]["f3"][0] == "Q"
    assert facts["pieces"]["f3"][1] > 300 > -300 > facts["pieces"]["e7"][1]
    assert len(facts["pieces"]) == 30
