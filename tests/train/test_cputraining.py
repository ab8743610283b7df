"""Training on cores: from files to a network, taken up exactly, in bounded memory, each game once."""

import json
from dataclasses import replace

import numpy as np
import pytest

from quiesce.eval.netfile import read_network, write_network
from quiesce.eval.samples import FIRST_OF_GAME, SamplesError, is_held_out
from quiesce.eval.tdlambda import td_lambda_scores
from quiesce.jit import COMPILED
from quiesce.train import cputraining
from quiesce.train.__main__ import main as command
from quiesce.train.job import train, trainer_of
from quiesce.train.settings import NUMBA, TORCH, Settings, TrainError
from quiesce.train.stream import Stream
from quiesce.train.weights import whole_of
from tests.conftest import run_python
from tests.train.toys import toy_file, toy_games

compiled_only = pytest.mark.skipif(not COMPILED, reason="thousands of positions are too many without the compiler")


@pytest.fixture(scope="module")
def games():
    """Two hundred games of forty positions."""
    return toy_games(200)


@pytest.fixture
def files(games, tmp_path):
    """Two files of a hundred games each."""
    return toy_file(tmp_path / "a", games[:4_000]), toy_file(tmp_path / "b", games[4_000:])


def asked(files, tmp_path, **changes):
    """A short training."""
    settings = Settings(
        tuple(files), tmp_path / "net.qnet", width=32, epochs=6, batch=256, rate=5e-3, held_out=0.1, trainer=NUMBA,
        threads=2, window=1_500,
    )  # fmt: skip
    return replace(settings, **changes)


def silent(_line):
    """Nobody listens."""


def rows_of(samples):
    """Each sample as bytes, sorted."""
    return sorted(row.tobytes() for row in samples)


def test_an_epoch_has_each_position_once(files, games, tmp_path):
    """In equal batches, whatever the window, in an order of its own; those held out are never among them."""
    orders = []
    for window, epoch in ((1, 0), (1_500, 0), (1_500, 0), (1_500, 1), (100_000, 0)):
        settings = asked(files, tmp_path, window=window)
        stream = Stream(settings)
        survey = stream.survey(silent)
        batches = list(stream.batches(epoch))
        assert len(batches) == stream.steps_of(stream.positions(epoch)) == survey.learnt // 256
        assert {len(batch) - survey.learnt // len(batches) for batch in batches} <= {0, 1}
        learnt = np.concatenate(batches)
        is_out = is_held_out(games, settings.held_out)
        assert rows_of(learnt) == rows_of(games[~is_out])
        assert rows_of(survey.held_out) == rows_of(games[is_out])
        orders.append(learnt.tobytes())
    assert orders[1] == orders[2]
    assert len(set(orders)) == 4


def test_files_are_mixed_by_shares(files, games, tmp_path):
    """One file whole, of the other half the blocks in each epoch, others the next time; or all twice; or none."""
    for share, times in (("0.5", {0.5}), ("2", {2}), ("0", {0}), ("1.5", {1.5})):
        settings = asked(files, tmp_path, mix=f"b={share}")
        stream, is_out = Stream(settings), is_held_out(games, settings.held_out)
        stream.survey(silent)
        a, b = rows_of(games[:4_000][~is_out[:4_000]]), set(rows_of(games[4_000:][~is_out[4_000:]]))
        seen = []
        for epoch in range(30):
            found = rows_of(np.concatenate([np.zeros(0, games.dtype), *stream.batches(epoch)]))
            assert len(found) == stream.positions(epoch)
            assert [row for row in found if row not in b] == a
            seen.append(len(found) - len(a))
        assert sum(seen) / 30 / len(b) == pytest.approx(times.pop(), abs=0.1)
    for mix in ("c=1", "b", "b=x", "b=-1"):
        with pytest.raises(TrainError, match="NAME=SHARE"):
            asked(files, tmp_path, mix=mix).shares()


def test_what_came_later_is_known_before_positions_are_mixed(files, games, tmp_path):
    """Scores of an epoch are those that each game gives by itself."""
    settings = asked(files, tmp_path, td_lambda=0.7)
    stream = Stream(settings)
    survey = stream.survey(silent)
    wanted = games.copy()
    wanted["score"] = td_lambda_scores(games, 0.7, settings.sigmoid_scale)
    assert (wanted["score"] != games["score"]).any()
    assert rows_of(np.concatenate([*stream.batches(0), survey.held_out])) == rows_of(wanted)


def test_a_repeated_game_is_learnt_from_once(games, tmp_path):
    """In the same file, in the same block or in another file: what is there again is left out, and told."""
    again = np.concatenate([games[:800], games[40:80], games[400:440]])
    paths = toy_file(tmp_path / "a", again, 440), toy_file(tmp_path / "b", games[760:1_200])
    log = []
    stream = Stream(asked(paths, tmp_path))
    survey = stream.survey(log.append)
    assert (survey.games, survey.repeated) == (30, 3)
    assert rows_of(np.concatenate([*stream.batches(0), survey.held_out])) == rows_of(games[:1_200])
    assert "3 of 33 games repeat earlier ones: they are left out" in log


def test_shuffled_files_say_what_they_know(games, tmp_path):
    """They are learnt from as they are; asked to look ahead, only those whose scores have it in them already."""
    torn = games[:800].copy()
    torn["flags"] &= 255 - FIRST_OF_GAME
    plain = toy_file(tmp_path / "plain", torn, shuffled=True, games=20)
    knowing = toy_file(tmp_path / "knowing", torn, shuffled=True, games=20, foresight=0.5, win_scale=200.0)
    stream = Stream(asked([plain], tmp_path))
    assert rows_of(np.concatenate([stream.survey(silent).held_out, *stream.batches(0)])) == rows_of(torn)
    stream = Stream(asked([knowing], tmp_path, td_lambda=0.5))
    assert rows_of(np.concatenate([stream.survey(silent).held_out, *stream.batches(0)])) == rows_of(torn)
    for path, td_lambda, words in ((plain, 0.5, "shuffle that with --td-lambda 0.5"), (knowing, 0.0, "already")):
        with pytest.raises(SamplesError, match=words):
            Stream(asked([path], tmp_path, td_lambda=td_lambda))


@compiled_only
@pytest.mark.parametrize(("output_buckets", "king_buckets"), [(1, 1), (8, 4)])
def test_it_learns_material(files, tmp_path, output_buckets, king_buckets):
    """It learns to predict positions labelled by material, and the file says so in whole numbers."""
    header = train(asked(files, tmp_path, output_buckets=output_buckets, king_buckets=king_buckets, epochs=12), silent)
    assert header["held_out_loss"] < header["constant_loss"] / 3
    assert header["rounding"]["mean"] <= 1.0
    assert header["history"][-1]["loss"] < header["history"][0]["loss"] / 2
    assert (header["games"], header["trainer"], header["threads"]) == (200, NUMBA, 2)


@compiled_only
def test_going_on_is_exact(files, tmp_path):
    """Stopped after an epoch and taken up again, a training ends with the very file it would have had."""
    settings = asked(files, tmp_path, epochs=3, king_buckets=4, td_lambda=0.5, hold=0.2)
    whole = train(settings, silent)

    def stop(line):
        if line.startswith("epoch 2/3: "):
            raise KeyboardInterrupt

    resumed = replace(settings, out=tmp_path / "again.qnet")
    with pytest.raises(KeyboardInterrupt):
        train(resumed, stop)
    assert not resumed.out.exists()
    header = train(replace(resumed, resume=True, threads=0), silent)
    for name in ("feature_weights", "feature_bias", "output_weights", "output_bias"):
        first, last = (getattr(read_network(path), name) for path in (settings.out, resumed.out))
        assert np.array_equal(first, last), name
    assert header["held_out_loss"] == whole["held_out_loss"]
    with pytest.raises(TrainError, match="begun with 2 threads, not 1"):
        train(replace(resumed, resume=True, threads=1), silent)


@compiled_only
def test_another_training_is_not_taken_up(files, tmp_path):
    """A checkpoint of other settings, of other data, of PyTorch or of nothing is refused with the reason."""
    settings = asked(files, tmp_path, epochs=1, resume=True)
    train(replace(settings, resume=False), silent)
    for changes, reason in (
        ({"rate": 1e-4}, "begun with rate 0.005"),
        ({"data": files[:1]}, "other data"),
        ({"checkpoint": tmp_path / "none"}, "No such file"),
    ):
        with pytest.raises(TrainError, match=reason):
            train(replace(settings, **changes), silent)
    kept = settings.kept_at.read_bytes()
    for data, reason in ((kept[:-1], "cut short"), (b"QUIESCE training 2\n" + kept, "version and trainer")):
        settings.kept_at.write_bytes(data)
        with pytest.raises(TrainError, match=reason):
            train(settings, silent)


@compiled_only
def test_a_training_may_begin_with_a_network(files, tmp_path):
    """With no step worth the name, what comes out is what went in, in a wider network and with king buckets too."""
    first = cputraining.start_training(asked(files, tmp_path)).learner
    write_network(tmp_path / "first.qnet", whole_of(first.reals(), {}))
    first.close()
    settings = asked(files, tmp_path, start=tmp_path / "first.qnet", epochs=1, rate=1e-9, width=64, king_buckets=4)
    train(settings, silent)
    one, two = (read_network(path).feature_weights for path in (settings.start, settings.out))
    assert np.abs(two[:, :, :32] - one).max() <= 1
    with pytest.raises(TrainError, match="32 wide with 8 outputs; this one is 16 wide"):
        train(replace(settings, width=16), silent)


@compiled_only
def test_the_whole_command(files, tmp_path, capsys, monkeypatch):
    """From files to a network that reads and says how it came to be, without PyTorch; progress says the time left."""
    out = tmp_path / "net.qnet"
    words = [*map(str, files), "--out", str(out), "--json", "--trainer", "numba", "--epochs", "2", "--width", "32"]
    monkeypatch.setattr(cputraining, "TELL_SECONDS", 0.0)
    monkeypatch.setattr("sys.argv", ["train", *words, "--batch", "256", "--held-out", "0.1"])
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    assert command() == 0
    log = capsys.readouterr()
    header = json.loads(log.out)
    assert read_network(out).header["command"] == header["command"]
    assert "positions/s, 0:0" in log.err
    assert " left" in log.err


def test_the_trainer_suits_the_machine(tmp_path):
    """Numba on the processor, PyTorch where a GPU is named; nonsense is refused."""
    settings = asked((), tmp_path)
    assert trainer_of(replace(settings, trainer="auto", device="cpu")) == NUMBA
    assert trainer_of(replace(settings, trainer="auto", device="cuda:1")) == TORCH
    with pytest.raises(TrainError, match="not on cuda"):
        trainer_of(replace(settings, device="cuda"))


def test_without_a_compiler_there_is_pytorch():
    """Where Numba is missing, and nothing is compiled ahead, PyTorch is chosen; nothing fails on the way there."""
    script = (
        "import sys; sys.modules['numba'] = None\n"
        "from quiesce.train.job import trainer_of\nfrom quiesce.train.settings import Settings\n"
        "print(trainer_of(Settings((), None, device='cpu')))"
    )
    done = run_python("-c", script)
    assert done.stdout.strip() == TORCH, done.stderr


def test_rates_fall_and_stay_low():
    """From the first rate along a cosine to the last, which the held share at the end keeps."""
    settings = Settings((), None, rate=1e-3, last_rate=1e-3, hold=0.2)
    assert settings.rate_at(0) == pytest.approx(1e-3)
    assert settings.rate_at(0.4) == pytest.approx(0.5e-3, rel=2e-3)
    assert settings.rate_at(0.8) == settings.rate_at(0.99) == pytest.approx(1e-6)
