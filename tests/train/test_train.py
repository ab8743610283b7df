"""Training: it learns, it goes on exactly where it was stopped, and rounding changes little."""

import json
from dataclasses import replace

import numpy as np
import pytest

from quiesce.board.game import Game
from quiesce.eval.features import OTHER_PERSPECTIVE, king_bucket_map
from quiesce.eval.netfile import FEATURE_LIMIT, Size, read_network, write_network
from quiesce.eval.samples import (
    FEATURES,
    NO_FEATURE,
    SAMPLE,
    UNKNOWN,
    WIN,
    as_game,
    block_bytes,
    features,
    header_bytes,
    open_samples,
    pack_positions,
    plain_features,
)
from quiesce.train.reading import PADDING, ReadSpec, rows_of
from quiesce.train.settings import Settings, TrainError
from quiesce.train.weights import BUCKET_WEIGHTS, OUTPUT_CLIP, UNITS, whole_of
from tests.oracles import randomplay

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'quiesce[train]'")

from quiesce.train import data, export, torchtraining  # noqa: E402  (they need PyTorch)
from quiesce.train.__main__ import main as command  # noqa: E402
from quiesce.train.job import train  # noqa: E402
from quiesce.train.model import (  # noqa: E402
    Model,
    multiplied,
    own_king_squares,
    summed,
)

pytestmark = pytest.mark.slow

POSITIONS, GAMES = 24_000, 300
WORTH = np.array([100, 300, 320, 500, 900, 0])
KING, SIDES, SQUARES = 5, 2, 64


def toy_rows(count=POSITIONS, seed=3):
    """Random pieces on random squares, labelled by their material alone."""
    draw = np.random.default_rng(seed)
    squares = draw.random((count, SQUARES)).argsort(axis=1)[:, :20]
    kinds = draw.choice(KING, (count, 20), p=[0.5, 0.15, 0.15, 0.15, 0.05])
    sides = draw.integers(0, SIDES, (count, 20))
    kinds[:, :2], sides[:, :2] = KING, [0, 1]
    pieces = draw.integers(4, 21, count)
    is_there = np.arange(20) < pieces[:, None]
    stm = np.full((count, 32), PADDING, np.int16)
    stm[:, :20] = np.where(is_there, (sides * 6 + kinds) * SQUARES + squares, PADDING)
    score = (np.where(sides == 0, 1, -1) * WORTH[kinds] * is_there).sum(axis=1) // 5
    result = 1 + np.sign(score) * (np.abs(score) > 60)
    columns = (stm, score.astype(np.int16), result.astype(np.uint8))
    return data.Rows(*(torch.from_numpy(column) for column in columns))


@pytest.fixture(scope="module")
def split():
    """The toy set, split."""
    return data.Split(toy_rows(), toy_rows(1_200, seed=4), GAMES, {"0" * 64: "toy"})


def asked(tmp_path, **changes):
    """A short training."""
    settings = Settings((), tmp_path / "net.qnet", width=32, epochs=6, batch=512, rate=5e-3, device="cpu")
    return replace(settings, **changes)


def trained(settings, split, log=lambda _: None):
    """A training from its start to its end."""
    state = torchtraining.start_training(settings, "cpu")
    torchtraining.fit(state, split, settings, log)
    return state


@pytest.mark.parametrize(("output_buckets", "king_buckets"), [(1, 1), (8, 1), (8, 4)])
def test_it_learns_material(tmp_path, split, output_buckets, king_buckets):
    """From positions labelled by material it learns to predict them, far better than a constant does; in whole
    numbers, too.
    """
    settings = asked(tmp_path, output_buckets=output_buckets, king_buckets=king_buckets)
    state = trained(settings, split)
    bar = torchtraining.constant_loss(split, settings, "cpu")
    assert state.history[-1]["held_out_loss"] < bar / 10
    network = export.checked(state.model.reals(), data.asked(state.model, split.held_out), {"a": 1})
    found = network.header["rounding"]
    assert found["mean"] <= export.MEAN_BOUND
    assert found["greatest_near"] <= export.GREATEST_BOUND
    print(f"constant {bar:.5f}, learnt {state.history[-1]}, rounding {found}")


def test_going_on_is_exact(tmp_path, split):
    """Stopped after an epoch and taken up again, a training ends with the very weights it would have had."""
    settings = asked(tmp_path, epochs=3)
    whole = trained(settings, split)

    def stop(line):
        if line.startswith("epoch 2/3: "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(settings, split, stop)
    state = torchtraining.resume_training(settings.kept_at, settings, "cpu", split.digests)
    assert state.epoch == 2
    torchtraining.fit(state, split, settings, lambda _: None)
    for name, value in whole.model.state().items():
        assert torch.equal(value, state.model.state()[name]), name
    losses = [[entry["held_out_loss"] for entry in each.history] for each in (whole, state)]
    assert losses[0] == losses[1]


def test_another_training_is_not_taken_up(tmp_path, split):
    """A checkpoint of other settings, of other data, or of no training at all is refused with the reason."""
    settings = asked(tmp_path, epochs=1)
    trained(settings, split)
    for changes, digests, reason in (
        ({"rate": 1e-4}, split.digests, "begun with rate 0.005"),
        ({}, {"1" * 64: "toy"}, "other data"),
        ({"checkpoint": tmp_path / "none"}, split.digests, "No such file"),
    ):
        changed = replace(settings, **changes)
        with pytest.raises(TrainError, match=reason):
            torchtraining.resume_training(changed.kept_at, changed, "cpu", digests)
    whole = settings.kept_at.read_bytes()
    settings.kept_at.write_bytes(whole[:-1])
    with pytest.raises(TrainError, match="cut short"):
        torchtraining.resume_training(settings.kept_at, settings, "cpu", split.digests)
    settings.kept_at.write_bytes(b"nonsense")
    with pytest.raises(TrainError, match="not a checkpoint"):
        torchtraining.resume_training(settings.kept_at, settings, "cpu", split.digests)


def toy_game(rows):
    """The samples of a game: the toy's first rows with White to move, the rest with Black."""
    samples = np.zeros(len(rows), SAMPLE)
    for number, row in enumerate(rows.stm.numpy()):
        black = number % 2
        pieces = {}
        for feature in row[row != PADDING].tolist():
            side, kind, square = feature // 384, feature // 64 % 6, feature % 64
            pieces[square ^ 56 * black] = 2 * kind + (side ^ black)
        codes = [pieces[square] for square in sorted(pieces)] + [0] * (32 - len(pieces))
        samples["occupancy"][number] = sum(1 << square for square in pieces)
        samples["codes"][number] = [low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True)]
        samples["flags"][number] = black
    samples["score"], samples["result"] = rows.score.numpy(), rows.result.numpy()
    return as_game(samples)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two files of 100 toy games each."""
    folder = tmp_path_factory.mktemp("toy")
    paths = [folder / "a.samples", folder / "b.samples"]
    for seed, path in enumerate(paths):
        rows = toy_rows(4_000, seed)
        games = [toy_game(rows.pick(torch.arange(at, at + 40))) for at in range(0, 4_000, 40)]
        blocks = [block_bytes(number, np.concatenate(games[at : at + 25])) for number, at in enumerate((0, 25, 50, 75))]
        path.write_bytes(header_bytes({"toy": seed}) + b"".join(blocks))
    return paths


def test_samples_are_loaded_whole_and_split_by_game(files):
    """Each position is there once, with the features and labels its sample has; no game is torn apart."""
    learnt, held_out, games = data.load(files, ReadSpec(0.2), lambda _: None)
    assert games == 200
    assert len(learnt) + len(held_out) == 8_000
    assert len(learnt) % 40 == len(held_out) % 40 == 0
    assert 0.1 < len(held_out) / 8_000 < 0.3
    want = torch.cat([toy_rows(4_000, seed).stm.sort(dim=1).values for seed in range(2)])
    have = torch.cat([learnt.stm, held_out.stm]).sort(dim=1).values
    assert sorted(have.tolist()) == sorted(want.tolist())


def test_the_other_side_is_one_look_up_away(files):
    """The other side's features, looked up in the mover's, are those that samples.py works out."""
    for samples in open_samples(files[0]):
        stm, nstm = (np.where(side < 0, PADDING, side) for side in plain_features(samples))
        assert np.array_equal(OTHER_PERSPECTIVE[stm], nstm)


def test_the_whole_command(files, tmp_path, capsys, monkeypatch):
    """From files to a network that reads, says how it came to be, and predicts; then again from a checkpoint."""
    out = tmp_path / "net.qnet"
    words = [*map(str, files), "--out", str(out), "--json", "--trainer", "torch", "--epochs", "4", "--width", "32"]
    words += ["--batch", "256", "--rate", "0.005", "--held-out", "0.1"]
    monkeypatch.setattr("sys.argv", ["train", *words])
    assert command() == 0
    header = json.loads(capsys.readouterr().out)
    network = read_network(out)
    assert network.header["command"] == header["command"]
    assert (header["games"], header["generation"], len(header["data"]), network.size.width) == (200, 1, 2, 32)
    assert header["held_out_loss"] < header["constant_loss"] / 2
    first = network.feature_weights
    monkeypatch.setattr("sys.argv", ["train", *words, "--resume"])
    assert command() == 0
    assert np.array_equal(read_network(out).feature_weights, first)
    monkeypatch.setattr("sys.argv", ["train", *words, "--resume", "--seed", "2"])
    assert command() == 1
    assert "begun with seed 1, not 2" in capsys.readouterr().err


def test_files_that_are_none_are_refused(tmp_path, capsys, monkeypatch):
    """What is no file of samples is told so, without a traceback."""
    (tmp_path / "a").write_bytes(b"nonsense")
    for name in ("a", "b"):
        monkeypatch.setattr("sys.argv", ["train", str(tmp_path / name), "--out", str(tmp_path / "net")])
        assert command() == 1
        assert capsys.readouterr().err.startswith("Error: ")


def test_an_epoch_has_each_position_once():
    """Batches are a shuffle of all positions, the same for the same seed."""
    rows = toy_rows(1_000)
    marked = data.Rows(rows.stm, torch.arange(1_000, dtype=torch.int16), rows.result)

    def order(seed):
        return [number for batch in data.batches(marked, seed, 96, "cpu") for number in batch.score.tolist()]

    assert sorted(order(1)) == list(range(1_000))
    assert order(1) == order(1) != order(2)
    assert order(None) == list(range(1_000))


@pytest.mark.parametrize("king_buckets", [1, 2, 4])
def test_both_forms_of_the_transformer_agree(king_buckets):
    """A CPU's sum of rows is a GPU's product of matrices, by the weights of each row's king bucket."""
    draw = torch.Generator().manual_seed(1)
    weights, side = torch.randn(king_buckets, FEATURES, 32, generator=draw), toy_rows(200).stm.int()
    table = torch.from_numpy(king_bucket_map(king_buckets)).long()
    found = table[own_king_squares(side)]
    assert found.unique().tolist() == list(range(king_buckets))
    assert torch.allclose(summed(side, weights, found), multiplied(side, weights, found), atol=1e-4)
    for row, bucket in zip(side[:20], found, strict=False):
        (king,) = [int(feature) - KING * SQUARES for feature in row if feature // SQUARES == KING]
        assert bucket == table[king]
        alone = weights[bucket, row[row != PADDING].long()].sum(dim=0)
        assert torch.allclose(summed(row[None], weights, bucket[None])[0], alone, atol=1e-4)


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_weights_are_clipped(king_buckets):
    """Whatever a step does, weights stay within what whole numbers hold, those of a king bucket with what all share."""
    model = Model(Size(16, 1, king_buckets), 1)
    with torch.no_grad():
        for value in model.weights.values():
            value.add_(torch.randn(value.shape)).mul_(1e6)
    model.clip()
    weights = torch.round(model.real("feature_weights") * UNITS["feature_weights"])
    assert weights.abs().max() == FEATURE_LIMIT
    assert model.real("output_weights").abs().max() <= OUTPUT_CLIP


def test_no_network_of_a_wrong_size_is_begun(tmp_path):
    """A size that there is not is refused before anything is read."""
    for words, reason in (
        ({"width": 17}, "a width of 17"),
        ({"king_buckets": 3}, "3 king buckets"),
        ({"output_buckets": 2}, "2 output buckets"),
    ):
        with pytest.raises(TrainError, match=reason):
            train(Settings((tmp_path / "missing",), tmp_path / "net.qnet", device="cpu", **words), lambda _: None)


def test_a_file_that_says_something_else_is_refused(split, monkeypatch):
    """A network whose whole numbers do not say what was learnt is not written."""
    model, faithful = Model(Size(32, 1), 1), export.whole_of
    asked = data.asked(model, split.held_out)
    export.checked(model.reals(), asked, {})

    def careless(reals, header):
        network = faithful(reals, header)
        return replace(network, output_bias=network.output_bias + 500)

    monkeypatch.setattr(export, "whole_of", careless)
    with pytest.raises(TrainError, match="rounding moves values"):
        export.checked(model.reals(), asked, {})


def test_weights_are_rounded_where_they_are_used():
    """A change too small for the file changes no output, yet it is learnt from."""
    model, batch = Model(Size(32, 1), 1), next(data.batches(toy_rows(64), None, 64, "cpu"))
    before = model(batch.stm, batch.nstm, batch.piece_count)
    with torch.no_grad():
        for name, value in model.weights.items():
            value.copy_(torch.round(value * UNITS[name]) / UNITS[name] + 0.2 / UNITS[name])
    after = model(batch.stm, batch.nstm, batch.piece_count)
    assert torch.allclose(before, after, atol=1e-5)
    after.sum().backward()
    assert model.weights["feature_weights"].grad.abs().sum() > 0


def test_mirrors_are_those_of_the_samples():
    """PyTorch's inputs of both sides are those that NumPy gives for the same positions."""
    boards = list(randomplay.boards(seed=41, count=120))
    positions = np.array([Game(board.fen()).position for board in boards if not board.chess960])
    samples = pack_positions(positions, 0, 1)
    rows = data.Rows(*(torch.from_numpy(column) for column in rows_of(samples)))
    batch = next(data.batches(rows, None, len(rows), "cpu"))
    for side, wanted in zip((batch.stm, batch.nstm), features(samples), strict=True):
        assert (np.where(side.numpy() == PADDING, NO_FEATURE, side.numpy()) == wanted).all()


def test_a_result_that_nobody_knows_is_not_learnt():
    """Where it is UNKNOWN the score alone is the target; elsewhere both are blended."""
    settings = Settings((), None, wdl_lambda=0.5)
    score, result = torch.tensor([100, 100], dtype=torch.int16), torch.tensor([UNKNOWN, WIN], dtype=torch.uint8)
    nothing = torch.zeros(2, 32, dtype=torch.int32)
    chance = torch.sigmoid(torch.tensor(100 / settings.sigmoid_scale))
    found = torchtraining.target_of(data.Batch(nothing, nothing, nothing[:, 0], score, result), settings)
    assert torch.allclose(found, torch.stack([chance, (chance + 1) / 2]))


def test_a_training_may_begin_with_a_network(files, tmp_path):
    """With no step worth the name, what comes out is what went in; another size is refused."""
    model = Model(Size(32, 1), 5)
    write_network(tmp_path / "first.qnet", whole_of(model.reals(), {}))
    words = {
        "data": tuple(files),
        "out": tmp_path / "next.qnet",
        "start": tmp_path / "first.qnet",
        "trainer": "torch",
        "output_buckets": 1,
    }
    train(Settings(**words, width=32, epochs=1, rate=1e-9), lambda _: None)
    first, last = (read_network(tmp_path / name).feature_weights for name in ("first.qnet", "next.qnet"))
    assert np.abs(first - last).max() <= 1
    with pytest.raises(TrainError, match="32 wide with 1 outputs; this one is 16 wide"):
        train(Settings(**words, width=16, epochs=1), lambda _: None)


@pytest.mark.parametrize(("first", "then"), [((32, 1), (64, 1)), ((32, 8), (64, 8)), ((32, 8), (32, 8, 4))])
def test_a_larger_network_begins_where_a_smaller_one_was(files, first, then):
    """What it has more has no say at first: the same outputs, with more neurons or zones; and from its own file."""
    small, large = Model(Size(*first), 5), Model(Size(*then), 6)
    small.take(whole_of(small.reals(), {}))
    large.take(whole_of(small.reals(), {}))
    rows, _, _ = data.load([files[0]], ReadSpec(0.1), lambda _: None)
    batch = next(data.batches(rows, 1, 256, "cpu"))
    inputs = (batch.stm, batch.nstm, batch.piece_count)
    again = Model(Size(*then), 7)
    again.take(whole_of(large.reals(), {}))
    with torch.no_grad():
        assert torch.allclose(small(*inputs), large(*inputs), atol=1e-6)
        assert torch.allclose(small(*inputs), again(*inputs), atol=1e-6)


def test_king_buckets_of_a_file_are_taken_over_each_for_itself():
    """A training that begins with a network of zones has all of them as they were."""
    model = Model(Size(16, 1, 4), 5)
    with torch.no_grad():
        model.weights[BUCKET_WEIGHTS].normal_(std=0.02)
    network, again = whole_of(model.reals(), {}), Model(Size(16, 1, 4), 6)
    again.take(network)
    assert np.array_equal(whole_of(again.reals(), {}).feature_weights, network.feature_weights)
