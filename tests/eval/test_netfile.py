"""The network's file: what is written is read again, anything else is refused; and what a network says by hand."""

import hashlib
import json
import random
import zlib

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.eval.netfile import (
    BIAS_LIMIT,
    DIGEST_BYTES,
    FEATURE_LIMIT,
    FRAME,
    LARGEST_FILE,
    MAGIC,
    OUTPUT_LIMIT,
    QA,
    QB,
    SCALE,
    SUM_LIMIT,
    VERSION,
    Network,
    NetworkError,
    king_bucket_map,
    king_buckets_of,
    network_bytes,
    output_bucket,
    read_network,
    reference_eval,
    truncated_division,
    write_network,
)
from quiesce.eval.samples import FEATURES, MOST_PIECES, NO_FEATURE

ARRAYS = ("feature_weights", "feature_bias", "output_weights", "output_bias")


def drawn(width=32, buckets=1, king_buckets=1, seed=1, header=None):
    """A network of random weights."""
    draw = np.random.default_rng(seed)
    return Network(
        draw.integers(-120, 121, (king_buckets, FEATURES, width), np.int16),
        draw.integers(-200, 201, width, np.int16),
        draw.integers(-40, 41, (buckets, 2 * width), np.int16),
        draw.integers(-9_000, 9_001, buckets, np.int32),
        header or {},
    )


def resigned(data):
    """A file's bytes with a checksum that is right again."""
    body = bytes(data[:-DIGEST_BYTES])
    return body + hashlib.sha256(body).digest()


def reheaded(data, **changes):
    """A file's bytes with another header, the checksum right."""
    _, version, length = FRAME.unpack_from(data)
    header = json.loads(data[FRAME.size : FRAME.size + length]) | changes
    text = json.dumps(header).encode()
    return resigned(FRAME.pack(MAGIC, version, len(text)) + text + data[FRAME.size + length :])


def features_of(board):
    """Features of both sides, by python-chess: the oracle of numbering."""
    rows = []
    for view in (board.turn, not board.turn):
        found = [
            ((piece.color != view) * 6 + piece.piece_type - 1) * 64 + (square if view else square ^ 56)
            for square, piece in board.piece_map().items()
        ]
        rows.append(found + [NO_FEATURE] * (MOST_PIECES - len(found)))
    return np.array(rows[:1]), np.array(rows[1:]), np.array([len(board.piece_map())])


def positions(count, seed=5):
    """Positions of random games."""
    draw = random.Random(seed)
    board = chess.Board()
    for _ in range(count):
        if board.is_game_over() or board.ply() > 150:
            board = chess.Board()
        board.push(draw.choice(list(board.legal_moves)))
        yield board


@pytest.mark.parametrize("size", [(16, 1, 1), (32, 8, 2), (256, 1, 4), (1024, 1, 1)])
def test_what_is_written_is_read(tmp_path, size):
    """A network comes back as it was, header and all, from a file of less than 2 MB."""
    network = drawn(*size, header={"positions": 5, "generation": 2})
    path = tmp_path / "a.qnet"
    write_network(path, network)
    assert path.stat().st_size < LARGEST_FILE
    assert [item.name for item in tmp_path.iterdir()] == ["a.qnet"]
    again = read_network(path)
    assert again.size == size
    assert (again.header["positions"], again.header["generation"]) == (5, 2)
    assert (again.header["qa"], again.header["qb"], again.header["scale"]) == (QA, QB, SCALE)
    for name in ARRAYS:
        assert np.array_equal(getattr(again, name), getattr(network, name))
        assert getattr(again, name).dtype == getattr(network, name).dtype
    assert network_bytes(again) == path.read_bytes()


def test_a_cut_file_is_refused():
    """Cut anywhere, also within its first bytes, a file is refused; so is one with something behind."""
    data = network_bytes(drawn())
    for end in [*range(FRAME.size + 5), *range(50, len(data), 977), len(data) - 1]:
        with pytest.raises(NetworkError):
            read_network(data[:end])
    with pytest.raises(NetworkError):
        read_network(data + b"\0")


@given(st.data())
def test_a_flipped_bit_is_seen(data):
    """Whichever bit is turned over, the file is refused."""
    whole = bytearray(network_bytes(drawn(16)))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(NetworkError):
        read_network(bytes(whole))


def test_foreign_files_are_refused_with_the_reason(tmp_path):
    """Another magic, version, size or architecture is named, though the checksum is right."""
    data = network_bytes(drawn())
    cases = (
        (b"", "not a network"),
        (resigned(b"STOCKFSH" + data[8:]), "not a network"),
        (resigned(data[:8] + bytes([VERSION + 1]) + data[9:]), f"version {VERSION + 1}"),
        (reheaded(data, width=48), "size its header says"),
        (reheaded(data, width=33), "a width of 33"),
        (reheaded(data, width=True), "a width of True"),
        (reheaded(data, width=10**9), "a width of 1000000000"),
        (reheaded(data, buckets=3), "3 output buckets"),
        (reheaded(data, zones=3), "3 king buckets"),
        (reheaded(data, zones=2), "size its header says"),
        (reheaded(data, activation="crelu"), "activation is 'crelu'"),
        (reheaded(data, qa=127), "qa is 127"),
        (reheaded(data, inputs=None), "inputs is None"),
    )
    for bad, reason in cases:
        with pytest.raises(NetworkError, match=reason):
            read_network(bad)
    with pytest.raises(NetworkError, match="No such file"):
        read_network(tmp_path / "none.qnet")
    large = tmp_path / "large.qnet"
    large.write_bytes(bytes(LARGEST_FILE + 1))
    with pytest.raises(NetworkError, match=r"large\.qnet: larger than"):
        read_network(large)


def repacked(data, change):
    """A file whose packed arrays were changed, and its checksum with them."""
    start = FRAME.size + FRAME.unpack_from(data)[2]
    body = data[:start] + change(data[start:-DIGEST_BYTES])
    return body + hashlib.sha256(body).digest()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda packed: b"nonsense" + packed, "cannot be unpacked"),
        (lambda packed: packed[:-9], "size its header says"),
        (lambda packed: packed + b"\0", "size its header says"),
        (lambda packed: zlib.compress(zlib.decompress(packed) + b"\0"), "size its header says"),
        (lambda _: zlib.compress(bytes(50_000_000)), "size its header says"),
    ],
)
def test_arrays_packed_wrongly_are_refused(change, reason):
    """What is no packing, or unpacks to less or more than the header promises, is refused; no more is unpacked."""
    with pytest.raises(NetworkError, match=reason):
        read_network(repacked(network_bytes(drawn()), change))


@pytest.mark.parametrize("text", [b"[]", b"{", b"\xff\xfe", b"3", b"[" * 200_000], ids=len)
def test_a_header_that_is_no_object_is_refused(text):
    """Whatever stands where the header should, the reason is told."""
    body = FRAME.pack(MAGIC, VERSION, len(text)) + text
    with pytest.raises(NetworkError, match="header"):
        read_network(body + hashlib.sha256(body).digest())


def test_weights_that_could_overflow_are_refused():
    """The largest weights are taken, one more is not; the bounds are those of int16 and int32."""
    assert MOST_PIECES * FEATURE_LIMIT + BIAS_LIMIT == 2**15 - 1
    assert QA * OUTPUT_LIMIT < 2**15
    assert SUM_LIMIT * QA * QA < 2**31
    for name, limit in (
        ("feature_weights", FEATURE_LIMIT),
        ("feature_bias", BIAS_LIMIT),
        ("output_weights", OUTPUT_LIMIT),
    ):
        for sign in (1, -1):
            parts = {part: getattr(drawn(), part).copy() for part in ARRAYS}
            parts[name].flat[3] = sign * limit
            Network(**parts)
            parts[name].flat[3] = sign * (limit + 1)
            with pytest.raises(NetworkError, match=name):
                Network(**parts)
    wide = {part: getattr(drawn(512), part).copy() for part in ARRAYS}
    wide["output_weights"][:] = 100
    with pytest.raises(NetworkError, match="the sum could overflow"):
        Network(**wide)
    wide["output_weights"][:, ::2] = -100
    Network(**wide)


def test_arrays_that_do_not_belong_together_are_refused():
    """Shapes and types are checked when a network is made."""
    parts = {part: getattr(drawn(), part) for part in ARRAYS}
    with pytest.raises(NetworkError, match="feature_weights"):
        Network(**parts | {"feature_weights": parts["feature_weights"][:, :-1]})
    with pytest.raises(NetworkError, match="output_bias"):
        Network(**parts | {"output_bias": parts["output_bias"].astype(np.int64)})


def empty(width=16, buckets=1):
    """A network of zeros, and its arrays to fill."""
    return {
        "feature_weights": np.zeros((1, FEATURES, width), np.int16),
        "feature_bias": np.zeros(width, np.int16),
        "output_weights": np.zeros((buckets, 2 * width), np.int16),
        "output_bias": np.zeros(buckets, np.int32),
    }


def value_of(parts, stm, nstm, piece_count=2):
    """Points of one position with few features."""
    rows = [np.array([[*side, *[NO_FEATURE] * (MOST_PIECES - len(side))]]) for side in (stm, nstm)]
    return int(reference_eval(Network(**parts), *rows, np.array([piece_count]))[0])


def test_values_by_hand():
    """Small networks, computed on paper."""
    parts = empty()
    parts["output_bias"][0] = QA * QB
    assert value_of(parts, [0], [1]) == SCALE
    parts = empty()
    parts["feature_bias"][0] = 100
    parts["feature_weights"][0, 7, 0], parts["feature_weights"][0, 9, 0] = 50, -400
    parts["output_weights"][0, 0] = 64
    # x = 150: 150 * 150 * 64 = 1,440,000; / 255 = 5,647; * 400 / 32,640 = 69.2
    assert value_of(parts, [7], [9]) == 69
    # the mover's x is clipped at 0, the other's weight is 0
    assert value_of(parts, [9], [7]) == 0
    parts["output_weights"][0, 16] = -64
    # other side's x = 150, mover's clipped: -1,440,000 / 255 = -5,647; cut towards zero both times
    assert value_of(parts, [9], [7]) == -69
    parts["feature_weights"][0, 7, 0] = 505
    # x = 255: 64 * 255 = 16,320, half of one
    assert value_of(parts, [7], [9]) == SCALE // 2


def test_divisions_are_cut_towards_zero():
    """As C divides, not as Python does."""
    found = truncated_division(np.array([7, -7, 255, -255, -254, 0]), 255)
    assert found.tolist() == [0, 0, 1, -1, 0, 0]
    assert truncated_division(np.array([-7]), 2).tolist() == [-3]


def test_buckets_go_by_men():
    """Eight buckets of four piece counts each, the last of three; one bucket takes all."""
    piece_count = np.arange(2, 33)
    assert output_bucket(piece_count, 8).tolist() == [(count - 2) // 4 for count in range(2, 33)]
    assert set(output_bucket(piece_count, 1).tolist()) == {0}
    parts = empty(buckets=8)
    parts["output_bias"][:] = np.arange(8) * QA * QB
    assert [value_of(parts, [], [], count) for count in (2, 5, 6, 29, 30, 32)] == [
        0,
        0,
        400,
        2400,
        2800,
        2800,
    ]


def buckets_drawn(first, *others):
    """A map of king buckets, rank by rank as White sees its king, drawn by hand: all other ranks are the last."""
    ranks = [first, *others]
    return [int(bucket) for rank in ranks + [ranks[-1]] * (8 - len(ranks)) for bucket in rank]


KING_BUCKET_MAPS = {
    1: buckets_drawn("00000000"),
    2: buckets_drawn("00111100", "00111100", "11111111"),
    4: buckets_drawn("00111100", "00111100", "22222222", "22222222", "33333333"),
    8: buckets_drawn("00111100", "22333322", "44555544", "44555544", "66666666", "66666666", "77777777"),
}


def bucket_seen(board, colour, king_buckets):
    """The bucket of a side's king, by python-chess."""
    king = board.king(colour)
    return KING_BUCKET_MAPS[king_buckets][king if colour else chess.square_mirror(king)]


@pytest.mark.parametrize("king_buckets", [1, 2, 4, 8])
def test_king_buckets_are_where_they_are_drawn(king_buckets):
    """Corners of castled kings, the middle, the next ranks, the far half: alike for both halves of the board."""
    assert king_bucket_map(king_buckets).tolist() == KING_BUCKET_MAPS[king_buckets]
    network = drawn(16, king_buckets=king_buckets)
    for board in positions(60):
        stm, nstm, _ = features_of(board)
        for side, colour in ((stm, board.turn), (nstm, not board.turn)):
            assert king_buckets_of(network, side).tolist() == [bucket_seen(board, colour, king_buckets)], board.fen()


@pytest.mark.parametrize(("buckets", "king_buckets"), [(1, 1), (8, 1), (8, 2), (8, 4)])
def test_the_reference_agrees_with_real_numbers(buckets, king_buckets):
    """In real numbers the same weights give the same value, but for two divisions that are cut."""
    network = drawn(64, buckets, king_buckets)
    real = {name: getattr(network, name).astype(np.float64) for name in ARRAYS}
    for board in positions(60):
        stm, nstm, piece_count = features_of(board)
        bucket = (int(piece_count[0]) - 2) // 4 if buckets > 1 else 0
        sides = [
            real["feature_weights"][bucket_seen(board, colour, king_buckets)][
                [i for i in side[0] if i != NO_FEATURE]
            ].sum(axis=0)
            + real["feature_bias"]
            for side, colour in ((stm, board.turn), (nstm, not board.turn))
        ]
        x = np.clip(np.concatenate(sides) / QA, 0, 1)
        output = x**2 @ real["output_weights"][bucket] / QB + real["output_bias"][bucket] / (QA * QB)
        assert abs(float(output) * SCALE - int(reference_eval(network, stm, nstm, piece_count)[0])) < 1.1


def test_colours_do_not_matter():
    """Colours swapped and the board turned over, the mover sees the same and the value is the same."""
    network = drawn(32, 8)
    for board in positions(60):
        here, there = features_of(board), features_of(board.mirror())
        assert sorted(here[0][0]) == sorted(there[0][0])
        assert reference_eval(network, *here) == reference_eval(network, *there)


def test_passing_swaps_the_halves():
    """A network whose halves weigh against each other gives the other side the same value with the other sign."""
    network = drawn(32)
    weights = network.output_weights.copy()
    weights[:, 32:] = -weights[:, :32]
    fair = Network(network.feature_weights, network.feature_bias, weights, np.zeros(1, np.int32))
    for board in positions(40):
        stm, nstm, piece_count = features_of(board)
        assert reference_eval(fair, stm, nstm, piece_count) == -reference_eval(fair, nstm, stm, piece_count)


def test_many_positions_at_once_are_one_by_one():
    """Rows are looked at in parts; nothing depends on how many there are."""
    network = drawn(16, 8)
    rows = [features_of(board) for board in positions(1_100)]
    stm, nstm, piece_count = (np.concatenate(column) for column in zip(*rows, strict=True))
    together = reference_eval(network, stm, nstm, piece_count)
    assert together.tolist() == [int(reference_eval(network, *row)[0]) for row in rows]
    assert len(reference_eval(network, stm[:0], nstm[:0], piece_count[:0])) == 0
