"""Fitting the evaluation: the model is the evaluation, its gradient is right, known answers are found, runs resume."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.cli import cli
from quiesce.eval.evaluate import explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.samples import INTERIOR, LOSS, SAMPLE, UNKNOWN, WIN, SamplesError, is_black
from quiesce.eval.terms import OFFSETS, TERM_COUNT
from quiesce.eval.weights import hand_table, read_table
from quiesce.lab import fit as fit_module
from quiesce.lab.datagen import DataPlan, grow_file
from quiesce.lab.fit import Order, fit, load_dataset, save_dataset
from quiesce.lab.fitdata import (
    Dataset,
    FitError,
    games_in,
    gather,
    positions_of,
    rights_at_home,
    samples_of_pgn,
    worth_fitting,
)
from quiesce.lab.texel import IS_DANGER, IS_FITTED, SLOPE, Descent, Model, as_table, flat
from quiesce.records import new
from quiesce.work.store import Store
from tests.lab.datamade import HerePool

PLAN = DataPlan(seed=3, nodes=200, weights="fitted", chunk_positions=60)
MOVES = """1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O
9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2"""
PGN = """[Event "A"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0

[Event "unfinished"]
[Result "*"]

1. d4 *

[Event "with a null move"]
[Result "0-1"]

1. e4 -- 2. d4 e5 3. Nf3 Nc6 4. Bb5 a6 0-1

[Event "another game"]
[Variant "Atomic"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-1
"""


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    """States kept at every step."""
    monkeypatch.setattr(fit_module, "KEEP_EVERY", 1)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of a few games."""
    path, _ = grow_file(tmp_path_factory.mktemp("games"), PLAN, 240, HerePool())
    return [path]


@pytest.fixture(scope="module")
def data(games):
    """The positions of those games."""
    return gather(games)


def test_the_model_is_the_evaluation(games, data):
    """What is fitted gives every position the number the search would use, but for rounding."""
    model, trace, evaluator, row = Model(data), new(EVAL_TRACE), new_evaluator("hand"), 0
    values = model.evaluate(flat(hand_table()))
    for game in games_in(games):
        for position in positions_of(worth_fitting(game)):
            value = int(explain_eval(tables(), evaluator, position, trace))
            assert abs(values[row] - (-value if int(position.turn) else value)) < 3
            row += 1
    assert row == len(data) == len(values) > 100


def test_the_gradient_is_the_slope(data):
    """Changing a weight a little changes the loss as the gradient says, linear terms and danger alike."""
    model, weights = Model(data), flat(hand_table()) + 0.5
    _, slope = model.gradient(weights)
    counted = np.flatnonzero(np.asarray((data.white + data.black).sum(0)).ravel())
    for index in (*counted[::37], *np.flatnonzero(IS_DANGER)):
        for part in (0, 1):
            step = np.zeros_like(weights)
            step[index, part] = 0.01
            seen = (model.loss(weights + step) - model.loss(weights - step)) / 0.02
            assert slope[index, part] == pytest.approx(seen, abs=1e-8, rel=1e-3)


def toy_data(answer, count=40_000):
    """Positions of three terms with known weights, their results drawn as those weights predict."""
    choice = np.random.default_rng(1)
    counts = np.zeros((count, TERM_COUNT), np.float32)
    for index in answer:
        counts[:, index] = choice.integers(-3, 4, count)
    phase = choice.random(count).astype(np.float32)
    value = sum(counts[:, index] * (pair[0] * phase + pair[1] * (1 - phase)) for index, pair in answer.items())
    result = (choice.random(count) < 1 / (1 + np.exp(-SLOPE * value))).astype(np.float32)
    rows, nothing = sparse.csr_matrix(counts), sparse.csr_matrix(counts.shape, dtype=np.float32)
    return Dataset(rows, nothing, phase, np.ones_like(phase), result, np.arange(count, dtype=np.int32), "toy")


def test_a_known_answer_is_found():
    """From other weights the descent comes to those that made the results, and leaves the rest alone."""
    answer = {OFFSETS["tempo"]: (60, -40), OFFSETS["doubled"]: (-30, -90), OFFSETS["bishop_pair"]: (25, 140)}
    start = flat(hand_table())
    descent, model = Descent(start.copy(), start, decay=0.0), Model(toy_data(answer))
    for step in range(400):
        descent.rate = 2.0 if step < 300 else 0.3
        descent.descend(model)
    for index, pair in answer.items():
        assert descent.weights[index] == pytest.approx(pair, abs=8)
    others = [index for index in range(TERM_COUNT) if index not in answer]
    assert np.allclose(descent.weights[others], start[others])


def test_hand_values_stay_where_fitting_cannot_reach(data):
    """Terms marked so keep their weights, and danger has no ending part."""
    start = flat(hand_table())
    descent = Descent(start.copy(), start)
    for _ in range(5):
        descent.descend(Model(data))
    assert (descent.weights[~IS_FITTED] == start[~IS_FITTED]).all()
    assert (descent.weights[IS_DANGER, 1] == 0).all()
    assert flat(as_table(start)).tolist() == start.tolist()


def test_what_teaches_nothing_is_left_out():
    """Positions that were not played on, from inside a search, of the first plies, or decided; the rest stays."""
    samples = np.zeros(6, SAMPLE)
    samples["ply"], samples["score"], samples["result"] = 20, 100, WIN
    samples["result"][1], samples["flags"][2], samples["ply"][3], samples["score"][4] = UNKNOWN, INTERIOR, 5, -1_201
    assert (worth_fitting(samples) == samples[[0, 5]]).all()


def test_results_are_white_s(tmp_path):
    """A game that White won counts 1 in each position, whoever moves; one that Black won counts 0."""
    for result, expected in (("1-0", 1.0), ("0-1", 0.0), ("1/2-1/2", 0.5)):
        path = tmp_path / "a.pgn"
        path.write_text(f'[Result "{result}"]\n\n{MOVES} {result}\n', encoding="utf-8")
        found = gather([path]).result
        assert len(found) >= 2
        assert (found == expected).all()


@pytest.mark.parametrize(
    ("fen", "rights"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq"),
        ("r3k1nr/8/8/8/8/8/8/R4K1R", "kq"),
        ("4k3/8/8/8/8/8/8/1R2K2R", "K"),
        ("8/k7/8/8/8/8/8/K6R", "-"),
    ],
)
def test_kings_and_rooks_at_home_may_castle(fen, rights):
    """Samples do not keep castling rights: what stands at home is taken to have them."""
    assert rights_at_home(np.asarray(Game(f"{fen} w - - 0 1").position.board)) == rights


def test_pgn_is_read_with_care(tmp_path):
    """Games without a result, with null moves or of other rules are passed over."""
    path = tmp_path / "a.pgn"
    path.write_text(PGN, encoding="utf-8")
    [read] = samples_of_pgn(path)
    assert 5 < len(read) <= 16
    assert set(read["result"][is_black(read)]) == {LOSS}
    assert set(read["result"][~is_black(read)]) == {WIN}


def test_nothing_quiet_is_an_error(tmp_path):
    """Games that end at once teach nothing, and that is said."""
    path = tmp_path / "short.pgn"
    path.write_text('[Result "1-0"]\n\n1. e4 1-0\n', encoding="utf-8")
    with pytest.raises(FitError, match="no quiet position"):
        gather([path])


def test_files_that_are_none_are_named(tmp_path):
    """What is neither PGN nor samples is told by name."""
    path = tmp_path / "x.games.npz"
    path.write_bytes(b"PK" + bytes(100))
    with pytest.raises(SamplesError, match=r"x\.games\.npz"):
        gather([path])


def test_datasets_are_kept(tmp_path, data):
    """Written and read again they are the same."""
    save_dataset(tmp_path / "data.npz", data)
    again = load_dataset(tmp_path / "data.npz")
    assert (again.white != data.white).nnz == 0
    assert (again.black != data.black).nnz == 0
    assert (again.result == data.result).all()
    assert again.digest == data.digest


def test_a_stopped_fit_goes_on(tmp_path, games):
    """Stopped at any moment and started again, it ends where it would have ended."""
    more, whole, stopped = tuple(games), tmp_path / "whole", tmp_path / "stopped"
    expected = fit(Order(whole, PLAN, 0, more, 12), lambda *_: None)

    def stop(what, done, _total):
        if "fitting" in what and done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(Order(stopped, PLAN, 0, more, 12), stop)
    found = fit(Order(stopped, PLAN, 0, more, 12), lambda *_: None)
    assert found["weights"] == expected["weights"]
    assert read_table(stopped / "fitted.json") == expected["weights"]
    assert found["record"]["held_out_loss"] == expected["record"]["held_out_loss"]


def test_the_command(tmp_path, games):
    """It plays, reads other files and PGN, writes weights with their record; nothing to learn from is an error."""
    pgn = tmp_path / "a.pgn"
    pgn.write_text(PGN, encoding="utf-8")
    words = [
        "tune",
        "eval",
        str(tmp_path / "run"),
        "--games",
        "2",
        "--nodes",
        "150",
        "--concurrency",
        "1",
        "--steps",
        "3",
        "--json",
    ]
    words += ["--store", str(tmp_path / "lab.sqlite"), "--more", str(games[0]), "--more", str(pgn)]
    done = [CliRunner().invoke(cli, words) for _ in range(2)][-1]
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)["record"]
    assert len(record["files"]) == 3
    assert record["games"] >= 3
    assert set(record["held_out_before"]) == {"hand", "squares", "shipped"}
    assert read_table(tmp_path / "run" / "fitted.json")
    with Store(tmp_path / "lab.sqlite") as store:
        (run,) = store.runs()
        (kept,) = run.items().values()
    assert (run.kind, run.config["plan"], run.config["steps"]) == ("fit", record["plan"], 3)
    assert run.config["files"] == record["files"]
    assert kept["held_out_loss"] == record["held_out_loss"]
    assert read_table(Path(kept["file"]))
    empty = CliRunner().invoke(cli, ["tune", "eval", str(tmp_path / "none"), "--positions", "0"])
    assert empty.exit_code != 0
    assert "there are no games" in empty.output
    wrong = CliRunner().invoke(cli, ["tune", "eval", str(tmp_path / "none"), "--player", "nobody"])
    assert wrong.exit_code != 0
    assert "no file of weights" in wrong.output
