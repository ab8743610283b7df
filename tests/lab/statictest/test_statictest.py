"""The static test: which positions, what judges are asked and kept, figures, and that nothing learns from them."""

import ast
import io
import json
import re
import sys

import chess
import chess.pgn
import numpy as np
import pytest
from click.testing import CliRunner

from quiesce.cachekey import PACKAGE, imported_files
from quiesce.cli.static import static
from quiesce.eval.features import FEATURES
from quiesce.eval.netfile import Network, write_network
from quiesce.eval.network import BUILT_IN
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.statictest import judging
from quiesce.lab.statictest.comparing import JUDGE_SCALE, chances, compare, fitted_scale
from quiesce.lab.statictest.positions import StaticFile, StaticFileError, kinds_of, phase_of, picked, read_static
from tests.conftest import shared

PGN = """[Event "one"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. dxe5 dxe5
12. Qe2 Bb7 13. Nbd2 Nc5 14. Bc2 Nfd7 15. Nf1 Nb6 1-0

"""
ENGINE = """
import sys
board = ""
for line in sys.stdin:
    words = line.split()
    with open(LOG, "a") as log:
        log.write(line)
    if words[:1] == ["uci"]:
        print("id name Oracle 3\\noption name Deep type check default true\\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        board = " ".join(words[2:])
    elif words[:1] == ["eval"]:
        print("Final evaluation       +0.50 (white side) [with scaled NNUE, hybrid, ...]", flush=True)
    elif words[:1] == ["go"]:
        score = "mate 3" if board.startswith("7k") else "cp 37"
        print(f"info depth 9 score {score} nodes 1000 pv a1a2\\nbestmove a1a2", flush=True)
    elif words[:1] == ["quit"]:
        break
"""
FENS = [
    "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 30",
    "7k/8/5K2/8/8/8/8/6R1 w - - 0 60",
    "6k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 30",
]


@pytest.fixture
def oracle(tmp_path):
    """An engine that says 37 centipawns or a mate, and what it heard."""
    program, log = tmp_path / "oracle.py", tmp_path / "heard"
    program.write_text(f"LOG = {str(log)!r}\n{ENGINE}", encoding="utf-8")
    return f"{sys.executable} {program}", log


@pytest.fixture
def small(tmp_path):
    """A file of three positions."""
    StaticFile("by hand", FENS, [0, 1, 1]).write(tmp_path / "small.json")
    return tmp_path / "small.json"


def test_positions_are_quiet_and_picked_by_the_seed(tmp_path):
    """Out of check, the last move took nothing, not from the first plies; the same seed picks the same."""
    (tmp_path / "games.pgn").write_text(PGN, encoding="utf-8")
    found = picked(tmp_path / "games.pgn", 8, seed=1)
    assert found.fens == picked(tmp_path / "games.pgn", 8, seed=1).fens
    assert found.fens != picked(tmp_path / "games.pgn", 8, seed=2).fens
    assert len(set(found.fens)) == 8
    board, quiet = chess.Board(), set()
    for move in chess.pgn.read_game(io.StringIO(PGN)).mainline_moves():
        is_capture = board.is_capture(move)
        board.push(move)
        if not is_capture and not board.is_check() and board.ply() >= 12:
            quiet.add(board.fen())
    assert set(found.fens) < quiet
    with pytest.raises(StaticFileError, match="not 500"):
        picked(tmp_path / "games.pgn", 500, seed=1)


def test_a_file_comes_back_as_it_was(tmp_path, small):
    """Positions, games and judgements; what is no such file is refused with the reason."""
    file = read_static(small)
    assert (file.fens, file.games, file.source) == (FENS, [0, 1, 1], "by hand")
    for text, reason in (("{}", "format 1"), ("nonsense", "no file of the static test"), (None, "No such file")):
        path = tmp_path / "other.json"
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
        with pytest.raises(StaticFileError, match=reason):
            read_static(path)


def test_any_engine_is_made_a_judge_by_one_command(oracle, small):
    """Its scores are kept with its name, options and limit; the same command asks nothing twice."""
    engine, log = oracle
    words = ["judge", str(small), f"{engine}, Deep=false", "--nodes", "1000", "--concurrency", "2"]
    done = CliRunner().invoke(static, words)
    assert done.exit_code == 0, done.output
    assert "Oracle 3, Deep=false, 1000 nodes" in done.output
    found = read_static(small).judgement("Oracle 3")
    assert found.scores == [37, 100_000 - 3, 37]
    assert found.options == {"Deep": "false"}
    heard = log.read_text()
    assert heard.count("setoption name Deep value false") == 2
    assert heard.count("go nodes 1000") == 3
    assert CliRunner().invoke(static, words).exit_code == 0
    assert log.read_text().count("go nodes") == 3
    assert CliRunner().invoke(static, [*words[:4], "2000"]).exit_code == 0
    assert len(read_static(small).judgements) == 2


def test_half_a_judgement_is_gone_on_with(oracle, small):
    """What an interrupted run left open is asked, and no more."""
    engine, log = oracle
    asked, limit = judging.engine_with_options(engine), judging.Limit(nodes=1_000)
    file = read_static(small)
    judging.judged(asked, limit, file).scores[:2] = [5, 6]
    judging.judge_all(asked, limit, file, 1, lambda *_: None)
    assert file.judgement(None).scores == [5, 6, 37]
    assert log.read_text().count("go nodes") == 1


def test_other_engines_static_evaluations_are_for_the_side_to_move(oracle):
    """`eval` is answered for White; an engine that does not answer it is told so."""
    engine, _ = oracle
    assert judging.points_of(engine, FENS).tolist() == [50, 50, -50]
    with pytest.raises(SetUpError, match="answers `eval` 0 times of 3"):
        judging.points_of(f"{sys.executable} -c pass", FENS)


def test_our_evaluations_are_asked_by_name():
    """Network and terms; both see who is better, from the side to move."""
    fens = ["3qk3/8/8/8/8/8/8/4K2R w - - 0 40", "3qk3/8/8/8/8/8/8/4K2R b - - 0 40"]
    for name in ("network", "fitted"):
        first, second = judging.points_of(name, fens)
        assert first < -100 < 100 < second


def test_a_network_of_any_size_is_asked(tmp_path, monkeypatch):
    """One that the engine does not play answers by the slow reference, which says what kernels say of the built-in."""
    draw, fens = np.random.default_rng(1), read_static("masters").fens[:60]
    shapes = (((8, FEATURES, 32), 9), ((32,), 99), ((8, 64), 40))
    arrays = [draw.integers(-most, most, shape).astype(np.int16) for shape, most in shapes]
    write_network(tmp_path / "large.qnet", Network(*arrays, np.zeros(8, np.int32)))
    assert len(set(judging.points_of(str(tmp_path / "large.qnet"), fens).tolist())) > 20
    fast = judging.points_of(str(BUILT_IN), fens)
    monkeypatch.setattr(judging, "is_played", lambda _size: False)
    assert (judging.points_of(str(BUILT_IN), fens) == fast).all()


def test_an_evaluation_that_says_the_same_has_no_error():
    """In another unit too: the scale is found. Noise gives the error it has, within its interval."""
    draw = np.random.default_rng(1)
    judge = draw.normal(0, 150, 1_200)
    games = (np.arange(1_200) // 4).tolist()
    wanted = chances(judge, JUDGE_SCALE)
    assert fitted_scale(judge * 3, wanted) == pytest.approx(3 * JUDGE_SCALE, rel=1e-3)
    noisy = judge + draw.normal(0, 40, 1_200)
    parts = {"even": np.arange(1_200) % 2 == 0, "none": np.zeros(1_200, bool)}
    same, other = compare({"same": judge * 3, "noisy": noisy}, judge.astype(int).tolist(), games, parts, "noisy")
    assert same.error.value < 2e-3
    assert same.ratio.value < 0.05
    assert other.ratio is None
    assert other.error.low < other.error.value < other.error.high
    assert other.error.value == pytest.approx(np.sqrt(((chances(noisy, other.scale) - wanted) ** 2).mean()), rel=0.01)
    assert list(other.parts) == ["even"]


def test_an_interval_holds_what_it_says():
    """Of a hundred samples from games of which the error is known, the interval covers it in 85 or more."""
    draw, hits = np.random.default_rng(2), 0
    truth = None
    for _ in range(101):
        size = 40_000 if truth is None else 400
        judge = np.repeat(draw.normal(0, 150, size // 4), 4)
        noise = np.repeat(draw.normal(0, 30, size // 4), 4) + draw.normal(0, 30, size)
        (found,) = compare({"a": judge + noise}, judge.astype(int).tolist(), (np.arange(size) // 4).tolist(), {})
        if truth is None:
            truth = found.error.value
        else:
            hits += found.error.low <= truth <= found.error.high
    assert hits >= 85


@pytest.mark.parametrize(
    ("fen", "phase", "kinds"),
    [
        (chess.STARTING_FEN, "opening", ["equal material", "queens"]),
        ("4k3/pppp4/8/8/8/8/PPPPP3/4K3 w - - 0 30", "ending", ["a pawn up", "no queens"]),
        ("r3k3/8/8/8/8/8/P7/1N2B1K1 w - - 0 30", "ending", ["more up", "no queens"]),
        ("2kr4/ppp5/8/8/8/8/PPP5/1B1N2K1 w - - 0 30", "ending", ["imbalance", "no queens", "kings on both wings"]),
    ],
)
def test_kinds_of_position(fen, phase, kinds):
    """By what the board shows."""
    board = chess.Board(fen)
    assert phase_of(board) == phase
    assert kinds_of(board) == kinds


def closure(names):
    """All files of ours that some modules import, and what those import."""
    waiting = [PACKAGE.joinpath(*name.split(".")).with_suffix(".py") for name in names]
    waiting = [
        file for path in waiting for file in ([path] if path.exists() else sorted(path.with_suffix("").rglob("*.py")))
    ]
    found = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imported_files(path)
    return found - {PACKAGE / "__init__.py"}


LEARNING = (
    *("train", "eval", "search"),
    *("lab.datagen", "lab.datafiles", "lab.fit", "lab.fitdata", "lab.texel", "lab.tunesearch"),
    *("cli.train", "cli.datagen", "cli.data", "cli.tune"),
)


def test_nothing_learns_from_judges():
    """No module that makes data, trains or tunes imports the static test, or names its files."""
    files = closure(LEARNING)
    assert PACKAGE / "train" / "stream.py" in files
    assert not [path for path in files if "statictest" in path.parts or path.name == "static.py"]
    for path in files:
        texts = [node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)]
        assert not [text for text in texts if isinstance(text, str) and "judgements" in text], path
    tools = PACKAGE.parent.parent / "tools"
    texts = {path: path.read_text(encoding="utf-8") for path in tools.glob("*.py")}
    judging_tools = [path for path, text in texts.items() if "statictest" in text or "cli.static" in text]
    assert [path.name for path in judging_tools] == ["judge_points.py"]
    assert not [path for path in judging_tools if re.search(r"import.*train|quiesce\.train|datagen", texts[path])]


def test_a_file_of_judgements_is_no_data(small, tmp_path):
    """Given to those who learn it is refused: it is not a file of samples."""
    from quiesce.train.job import train  # noqa: PLC0415
    from quiesce.train.settings import Settings, TrainError  # noqa: PLC0415

    with pytest.raises(TrainError, match="no file of samples"):
        train(Settings((small,), tmp_path / "net.qnet", trainer="numba"), lambda _: None)


def test_masters_are_what_is_compared():
    """The bundled positions are judged in full, and two evaluations are told apart."""
    found = read_static("masters")
    assert len(found.fens) == 2_000
    assert all(score is not None for score in found.judgements[0].scores)
    done = CliRunner().invoke(static, ["compare", "network", "fitted", "--base", "fitted", "--json"])
    assert done.exit_code == 0, done.output
    network, fitted = json.loads(done.output)["results"]
    assert network["rmse"]["value"] < 0.12
    assert network["ratio"]["low"] < network["ratio"]["value"] < network["ratio"]["high"]
    assert fitted["ratio"] is None


def test_masters_are_those_of_their_source():
    """The bundled positions are what the games of the GNU Chess book give."""
    assert picked(shared("games/master500.pgn"), 2_000, seed=1).fens == read_static("masters").fens
