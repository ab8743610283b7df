"""Fitting the evaluation: the model is the evaluation, its gradient is right, known answers are found, runs resume."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse

from quiesce.board.tables import tables
from quiesce.cli import cli
from quiesce.eval.evaluate import explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.terms import OFFSETS, TERM_COUNT
from quiesce.eval.weights import hand_table, read_table
from quiesce.lab import fit as fit_module
from quiesce.lab import selfplay
from quiesce.lab.fit import Order, fit, load_dataset, save_dataset
from quiesce.lab.fitdata import Dataset, games_of_pgn, gather, quiet_positions
from quiesce.lab.selfplay import GamesFileError, Plan, Players, chunk_path, play_plan, read_games
from quiesce.lab.texel import IS_DANGER, IS_FITTED, SLOPE, Descent, Model, as_table, flat
from quiesce.records import new
from quiesce.work.store import Store

PLAN = Plan(seed=3, nodes=200)
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
    """Two games to a file, states kept at every step."""
    monkeypatch.setattr(selfplay, "CHUNK_GAMES", 2)
    monkeypatch.setattr(fit_module, "KEEP_EVERY", 1)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Files of a few games."""
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selfplay, "CHUNK_GAMES", 2)
        return play_plan(folder, PLAN, 6, 2)


@pytest.fixture(scope="module")
def data(games):
    """The positions of those games."""
    return gather(games)


def test_the_model_is_the_evaluation(games, data):
    """What is fitted gives every position the number the search would use, but for rounding."""
    model, trace, evaluator, row = Model(data), new(EVAL_TRACE), new_evaluator("hand"), 0
    values = model.evaluate(flat(hand_table()))
    for path in games:
        for game in read_games(path):
            for position in quiet_positions(game):
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
    """Positions of three terms with known weights, their results drawn as those weights foretell."""
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


def test_the_same_plan_gives_the_same_games(tmp_path, games):
    """On one thread or two, now or later."""
    for before, after in zip(games, play_plan(tmp_path, PLAN, 6, 1), strict=True):
        for one, other in zip(read_games(before), read_games(after), strict=True):
            assert (one.opening, one.result) == (other.opening, other.result)
            assert (one.moves == other.moves).all()
            assert (one.scores == other.scores).all()


def test_what_is_there_is_not_played_again(tmp_path):
    """A run that is taken up again plays only what is missing."""
    first = play_plan(tmp_path, PLAN, 2, 1)
    stamp = first[0].stat().st_mtime_ns
    told = []
    both = play_plan(tmp_path, PLAN, 4, 1, lambda done, chunks: told.append((done, chunks)))
    assert first[0].stat().st_mtime_ns == stamp
    assert told == [(2, 2)]
    assert len(list(tmp_path.iterdir())) == 2
    assert both[0] == first[0]


def test_an_interrupt_ends_self_play(tmp_path):
    """What is not begun is not played, what is written is whole."""
    plan = Plan(seed=4, nodes=200)

    def stop(_done, _chunks):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_plan(tmp_path, plan, 4_000, 2, stop)
    kept = sorted(tmp_path.iterdir())
    assert 1 <= len(kept) <= 3
    assert all(len(list(read_games(path))) == 2 for path in kept)


def test_games_under_way_are_broken_off(monkeypatch):
    """After the move that is being thought about; nothing comes of them."""
    has_begun = threading.Event()

    class WatchedPlay(selfplay.SelfPlay):
        """Tells when its game begins."""

        def play(self, opening, white_side):
            has_begun.set()
            return super().play(opening, white_side)

    monkeypatch.setattr(selfplay, "SelfPlay", WatchedPlay)
    players = Players(Plan(seed=4, nodes=20_000))
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(players.play_chunk, 0)
        assert has_begun.wait(60)
        players.stop()
        assert playing.result(timeout=60) == []


@pytest.mark.parametrize("change", [{"nodes": 201}, {"weights": "hand"}, {"seed": 5}])
def test_other_plans_have_other_files(tmp_path, change):
    """Games of one plan are never taken for another's."""
    assert chunk_path(tmp_path, PLAN, 0) != chunk_path(tmp_path, replace(PLAN, **change), 0)


def test_pgn_is_read_with_care(tmp_path):
    """Games without a result, with null moves or of other rules are passed over."""
    path = tmp_path / "a.pgn"
    path.write_text(PGN, encoding="utf-8")
    read = list(games_of_pgn(path))
    assert [(len(game.moves), game.result) for game in read] == [(16, 1)]


def test_nothing_quiet_is_an_error(tmp_path):
    """Games that end at once teach nothing, and that is said."""
    path = tmp_path / "short.pgn"
    path.write_text('[Result "1-0"]\n\n1. e4 1-0\n', encoding="utf-8")
    with pytest.raises(GamesFileError, match="no quiet position"):
        gather([path])


@pytest.mark.parametrize("left", [0, 10, 400])
def test_files_cut_short_are_named(tmp_path, games, left):
    """Half a file is no file of games."""
    path = tmp_path / games[0].name
    path.write_bytes(games[0].read_bytes()[:left])
    with pytest.raises(GamesFileError, match="no file of games"):
        list(read_games(path))


def test_damaged_files_are_named(tmp_path, games):
    """A byte that flipped, or parts that do not fit, are seen."""
    whole = bytearray(games[0].read_bytes())
    path = tmp_path / games[0].name
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(GamesFileError):
        list(read_games(path))


def test_a_kill_leaves_no_half_file(tmp_path, monkeypatch, games):
    """What breaks while writing leaves neither a file nor scraps."""
    monkeypatch.setattr(np, "savez_compressed", lambda *_, **__: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        selfplay.write_games(tmp_path / "x.games.npz", list(read_games(games[0])), PLAN)
    assert not list(tmp_path.iterdir())


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
    words = ["tune", "eval", str(tmp_path / "run"), "--games", "2", "--nodes", "150", "--steps", "3", "--json"]
    words += ["--store", str(tmp_path / "lab.sqlite"), "--more", str(games[0]), "--more", str(pgn)]
    done = [CliRunner().invoke(cli, words) for _ in range(2)][-1]
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)["record"]
    assert len(record["files"]) == 3
    assert 3 <= record["games"] <= 5
    assert set(record["held_out_before"]) == {"hand", "squares", "shipped"}
    assert read_table(tmp_path / "run" / "fitted.json")
    with Store(tmp_path / "lab.sqlite") as store:
        (run,) = store.runs()
        (kept,) = run.items().values()
    assert (run.kind, run.config["plan"], run.config["steps"]) == ("fit", record["plan"], 3)
    assert run.config["files"] == record["files"]
    assert kept["held_out_loss"] == record["held_out_loss"]
    assert read_table(Path(kept["file"]))
    empty = CliRunner().invoke(cli, ["tune", "eval", str(tmp_path / "none"), "--games", "0"])
    assert empty.exit_code != 0
    assert "there are no games" in empty.output
    wrong = CliRunner().invoke(cli, ["tune", "eval", str(tmp_path / "none"), "--player", "nobody"])
    assert wrong.exit_code != 0
    assert "no file of weights" in wrong.output
