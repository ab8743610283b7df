"""The Numba trainer: its inputs, its gradients, and that it does what PyTorch does."""

import numpy as np
import pytest

from quiesce.eval.features import FEATURE_INDEX, king_bucket_map
from quiesce.eval.netfile import FEATURE_LIMIT, QA, QB, SCALE, Size, reference_eval
from quiesce.eval.samples import FEATURES, MOST_PIECES, NO_FEATURE, UNKNOWN, features
from quiesce.train.kernels import read_features
from quiesce.train.learner import Learner
from quiesce.train.loss import targets_of
from quiesce.train.settings import Settings
from quiesce.train.weights import BUCKET_WEIGHTS, whole_of
from tests.train.toys import toy_games

SIZES = [Size(16, 1, 1), Size(32, 8, 1), Size(16, 8, 4)]
SETTINGS = Settings((), None, wdl_lambda=0.7)


@pytest.fixture(scope="module")
def some():
    """Two hundred positions."""
    return toy_games(5)


@pytest.fixture
def learner_of():
    """Learners, whose threads end with the test."""
    made = []

    def make(size, threads=2, seed=1):
        made.append(Learner(size, seed, threads))
        return made[-1]

    yield make
    for learner in made:
        learner.close()


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_inputs_are_those_of_the_samples(some, king_buckets):
    """The kernel's rows of weights are the features of samples.py, in the zone of each side's king."""
    inputs, piece_count = np.zeros(len(some) * 2 * MOST_PIECES, np.int16), np.zeros(len(some), np.int64)
    read_features(some, FEATURE_INDEX.ravel(), king_bucket_map(king_buckets), inputs, piece_count)
    found = inputs.reshape(-1, 2, MOST_PIECES)
    for number, side in enumerate(features(some)):
        for row, wanted, count in zip(found[:, number], side, piece_count, strict=True):
            kings = [man - 5 * 64 for man in wanted if 5 * 64 <= man < 6 * 64]
            zone = int(king_bucket_map(king_buckets)[kings[0]])
            assert (row[:count] == wanted[wanted != NO_FEATURE] + zone * FEATURES).all()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_it_says_what_its_file_will_say(learner_of, some, size):
    """Outputs are those of the network in whole numbers, within the divisions that are cut there."""
    learner = learner_of(size)
    learner.weights["feature_bias"][:] = np.random.default_rng(2).normal(0, 0.3, size.width)
    learner.load(learner.state(), 0)
    network = whole_of(learner.reals(), {})
    stm, nstm = features(some)
    wanted = reference_eval(network, stm, nstm, np.bitwise_count(some["occupancy"]).astype(np.int64))
    assert np.abs(learner.predicted(some) * SCALE - wanted).max() < 1.1


def test_samples_may_be_taken_from_others(learner_of, some):
    """Every second position of an array is seen as it would be by itself."""
    learner = learner_of(SIZES[2])
    assert (learner.predicted(some[::2]) == learner.predicted(some)[::2]).all()
    assert learner.learn(some[::2], SETTINGS, 1e-3) > 0


def plain_loss(real, some, settings):
    """Mean loss of positions by weights of the file's shapes in units of one, in double precision, with no kernel."""
    king_buckets, output_buckets = len(real["feature_weights"]), len(real["output_bias"])
    rows = np.vstack(
        [real["feature_weights"].reshape(king_buckets * FEATURES, -1), np.zeros_like(real["feature_bias"])]
    )
    sums = []
    for side in features(some):
        kings = np.where((side >= 320) & (side < 384), side - 320, 0).max(axis=1)
        zone = king_bucket_map(king_buckets)[kings].astype(int)
        sums.append(rows[np.where(side == NO_FEATURE, -1, side + FEATURES * zone[:, None])].sum(axis=1))
    x = np.clip(np.hstack([side + real["feature_bias"] for side in sums]), 0, 1) ** 2
    piece_count = np.bitwise_count(some["occupancy"]).astype(int)
    bucket = (piece_count - 2) // 4 if output_buckets > 1 else piece_count * 0
    output = (x * real["output_weights"][bucket]).sum(axis=1) + real["output_bias"][bucket]
    predicted = 1 / (1 + np.exp(-output * SCALE / settings.sigmoid_scale))
    return (np.abs(predicted - targets_of(some, settings)) ** settings.power).mean()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_gradients_agree_with_finite_differences(learner_of, some, size):
    """Of each array the largest gradients are what the loss changes by, computed apart in double precision."""
    learner = learner_of(size)
    units = {"feature_weights": QA, "feature_bias": QA, "output_weights": QB, "output_bias": QA * QB}
    whole = {name: np.rint(value * units[name]).astype(float) / units[name] for name, value in learner.reals().items()}
    assert learner.loss(some, SETTINGS) == pytest.approx(plain_loss(whole, some, SETTINGS), rel=1e-5)
    for name, gradient in learner.gradients(some, SETTINGS).items():
        for place in np.argsort(-np.abs(gradient).reshape(-1))[:4]:
            losses = []
            for step in (1e-5, -1e-5):
                changed = {key: value.copy() for key, value in whole.items()}
                changed[name].reshape(-1)[place] += step
                losses.append(plain_loss(changed, some, SETTINGS))
            assert gradient.reshape(-1)[place] == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=5e-3, abs=1e-9), (
                name
            )


def test_gradients_are_gone_after_a_step(learner_of, some):
    """A step leaves nothing for the next: the same positions give the gradients that a new learner finds."""
    learner, other = learner_of(SIZES[2]), learner_of(SIZES[2])
    learner.learn(some, SETTINGS, 1e-3)
    other.load(learner.state(), 1)
    for name, gradient in learner.gradients(some, SETTINGS).items():
        assert np.array_equal(gradient, other.gradients(some, SETTINGS)[name]), name


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_threads_change_no_more_than_rounding(learner_of, some, size):
    """One thread and three learn the same, and three do so the same way each time."""
    learners = [learner_of(size, threads) for threads in (1, 3, 3)]
    for learner in learners:
        for _ in range(5):
            learner.learn(some, SETTINGS, 1e-3)
    one, three, again = (learner.state() for learner in learners)
    for name in one:
        assert np.allclose(one[name], three[name], atol=1e-4), name
        assert np.array_equal(three[name], again[name]), name


def test_weights_stay_within_what_the_file_holds(learner_of, some):
    """Steps far too large end at the limits, zones with what they share."""
    learner = learner_of(Size(16, 8, 4))
    for _ in range(20):
        learner.learn(some, SETTINGS, 0.5)
    network = whole_of(learner.reals(), {})
    assert np.abs(network.feature_weights).max() == FEATURE_LIMIT
    real = learner.weights["feature_weights"] + learner.weights[BUCKET_WEIGHTS]
    assert np.abs(real * QA).max() < FEATURE_LIMIT + 0.5


def test_a_result_that_nobody_knows_is_not_learnt(some):
    """Where it is UNKNOWN the score alone is the target; elsewhere both are blended."""
    rows = some[:2].copy()
    rows["score"], rows["result"] = 100, [UNKNOWN, 2]
    chance = 1 / (1 + np.exp(-0.5))
    assert targets_of(rows, Settings((), None, wdl_lambda=0.5)) == pytest.approx([chance, (1 + chance) / 2])


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_it_does_what_pytorch_does(learner_of, some, size):
    """From the same weights, the same batches: the same losses, gradients and weights within rounding."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: both trainers are NOT compared")
    from quiesce.train import data, torchtraining  # noqa: PLC0415  (they need PyTorch)
    from quiesce.train.reading import rows_of  # noqa: PLC0415

    learner, settings = (
        learner_of(size),
        Settings(
            (),
            None,
            wdl_lambda=0.7,
            width=size.width,
            output_buckets=size.output_buckets,
            king_buckets=size.king_buckets,
        ),
    )
    state = torchtraining.start_training(settings, "cpu")
    rows = data.Rows(*(torch.from_numpy(column) for column in rows_of(some)))
    batch = next(data.batches(rows, None, len(rows), "cpu"))
    for _ in range(4):
        losses = float(torchtraining.learn(state, batch, settings)), learner.learn(some, settings, settings.rate)
        assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    for name, value in state.model.state().items():
        apart = np.abs(value.numpy() - learner.weights[name])
        assert np.quantile(apart, 0.99) < 1e-6, name
        assert apart.max() < 5e-3, name  # where a gradient is nearly nothing, AdamW follows its sign
