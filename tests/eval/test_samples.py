"""Samples: 32 bytes that say what they should, inputs as a slow version finds them, files that damage cannot pass."""

import random
import time
import tracemalloc
import zlib

import chess
import numpy as np
import pytest

from quiesce.board import fen as board_fen
from quiesce.board import types
from quiesce.board.fen import read_fen
from quiesce.board.position import POSITION
from quiesce.eval import samples as module
from quiesce.eval.samples import (
    FEATURES,
    FIRST_OF_GAME,
    HEAD,
    MOST_ROWS,
    NO_FEATURE,
    SAMPLE,
    SamplesError,
    as_game,
    block_bytes,
    features,
    fens,
    framed,
    header_bytes,
    is_held_out,
    open_samples,
    pack_positions,
    unpack_positions,
)

FACTS = {"kind": "test", "seed": 3}


def random_fens(count, seed):
    """FENs met in random games of python-chess, without rights, which samples do not keep."""
    choice, found = random.Random(seed), []
    while len(found) < count:
        board = chess.Board()
        for _ in range(choice.randint(0, 120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(choice.choice(moves))
        turn = "wb"[board.turn == chess.BLACK]
        found.append(f"{board.board_fen()} {turn} - - {board.halfmove_clock} {board.fullmove_number}")
    return found


def positions_of(texts):
    """An array of positions."""
    positions = np.zeros(len(texts), POSITION)
    for row, text in enumerate(texts):
        positions[row] = read_fen(text)[0]
    return positions


def some_samples(count, seed):
    """Samples with made-up scores and results."""
    chance = np.random.default_rng(seed)
    scores, results = chance.integers(-3000, 3000, count), chance.integers(0, 3, count)
    return pack_positions(positions_of(random_fens(count, seed)), scores, results)


def slow_inputs(board, perspective):
    """Inputs of one perspective, piece by piece, from python-chess."""
    found = set()
    for square, piece in board.piece_map().items():
        seen = square if perspective == chess.WHITE else chess.square_mirror(square)
        if chess.square_file(board.king(perspective)) > 3:
            seen = chess.square(7 - chess.square_file(seen), chess.square_rank(seen))
        is_enemy = piece.color != perspective
        found.add((is_enemy * 6 + piece.piece_type - 1) * 64 + seen)
    return found


def test_a_sample_has_32_bytes():
    """No more, and none between the fields."""
    assert SAMPLE.itemsize == 32
    assert sum(kind.itemsize for kind, *_ in SAMPLE.fields.values()) == 32


def test_the_words_are_the_board_s():
    """What is said again here is what the board says."""
    assert (module.NO_PIECE, module.PIECES, module.SQUARES) == (types.NO_PIECE, types.PIECES, types.SQUARES)
    assert (module.PIECE_LETTERS, module.SIDE) == (board_fen.PIECE_LETTERS, board_fen.SIDE)
    assert module.MOST_PIECES == 2 * board_fen.MOST_PIECES


def test_positions_come_back():
    """Board, turn, clock and move number, as python-chess has them; score and result as given."""
    texts = [chess.STARTING_FEN.replace("KQkq", "-"), "8/8/8/8/8/8/8/k1K5 b - - 100 300", *random_fens(300, 1)]
    scores, results = np.arange(len(texts)) * 10 - 1500, np.arange(len(texts)) % 3
    samples = pack_positions(positions_of(texts), scores, results)
    for text, again, board in zip(texts, fens(samples), unpack_positions(samples), strict=True):
        assert again == text
        wanted, found = chess.Board(text), chess.Board(again)
        assert (found.piece_map(), found.turn) == (wanted.piece_map(), wanted.turn)
        assert {square: board_fen.PIECE_LETTERS[piece] for square, piece in enumerate(board) if piece != 12} == {
            square: piece.symbol() for square, piece in wanted.piece_map().items()
        }
    assert (samples["score"] == scores).all()
    assert (samples["result"] == results).all()


def test_too_many_men_are_refused():
    """33 pieces do not fit into 32 places."""
    positions = positions_of([chess.STARTING_FEN])
    positions["board"][0, 30] = 0
    with pytest.raises(SamplesError, match="32 pieces"):
        pack_positions(positions, [0], [1])


def test_inputs_are_those_of_a_slow_version():
    """Both perspectives: own pieces first, ranks turned round for Black, files for a king on e to h; each once."""
    texts = random_fens(300, 2)
    mover, other = features(pack_positions(positions_of(texts), 0, 1))
    assert mover.shape == other.shape == (300, 32)
    for text, *rows in zip(texts, mover, other, strict=True):
        board = chess.Board(text)
        for row, perspective in zip(rows, (board.turn, not board.turn), strict=True):
            inputs = row[row != NO_FEATURE]
            assert len(inputs) == len(board.piece_map())
            assert set(inputs.tolist()) == slow_inputs(board, perspective)
            assert (row[len(inputs) :] == NO_FEATURE).all()
    assert max(mover.max(), other.max()) < FEATURES


def test_a_mirrored_position_has_the_same_inputs():
    """What White sees and what Black sees of the mirror image is one."""
    boards = [chess.Board(text) for text in random_fens(50, 3)]
    mirrored = [board.mirror().fen() for board in boards]
    one = features(pack_positions(positions_of([board.fen() for board in boards]), 0, 1))
    two = features(pack_positions(positions_of(mirrored), 0, 1))
    for left, right in zip(one, two, strict=True):
        assert (np.sort(left, axis=1) == np.sort(right, axis=1)).all()


def test_inputs_are_found_fast():
    """A million positions in seconds: here a fifth of it, with room for a busy machine."""
    samples = np.tile(some_samples(200, 4), 1000)
    started = time.process_time()
    features(samples)
    assert time.process_time() - started < 3


def test_games_are_marked():
    """The first of each game, and one lot for all of a game, drawn by what is in it; splits never divide a game."""
    games = [as_game(some_samples(10, seed)) for seed in range(40)]
    samples = np.concatenate(games)
    numbers = np.repeat(np.arange(40), 10)
    assert (np.cumsum(samples["flags"] & FIRST_OF_GAME > 0) - 1 == numbers).all()
    assert all(len(set(game["split_bucket"].tolist())) == 1 for game in games)
    assert len(set(samples["split_bucket"].tolist())) > 25
    held = is_held_out(samples, 0.25)
    assert set(numbers[held]).isdisjoint(numbers[~held])
    assert 0 < held.sum() < len(samples) / 2
    mixed = np.random.default_rng(1).permutation(len(samples))
    assert (is_held_out(samples[mixed], 0.25) == held[mixed]).all()


@pytest.fixture
def small(tmp_path):
    """A file of three blocks, the samples of each, and where each ends."""
    parts = [as_game(some_samples(count, count)) for count in (3, 1, 2)]
    path, ends = tmp_path / "small.samples", []
    text = header_bytes(FACTS)
    ends.append(len(text))
    for number, part in enumerate(parts):
        text += block_bytes(number, part, seen=10)
        ends.append(len(text))
    path.write_bytes(text)
    return path, parts, ends


def test_a_file_comes_back(small):
    """Facts, blocks and samples."""
    path, parts, ends = small
    found = open_samples(path)
    assert (found.facts, found.is_cut, found.end, len(found)) == (FACTS, False, ends[-1], 6)
    assert [(block.number, block.rows, block.seen) for block in found.blocks] == [(0, 3, 10), (1, 1, 10), (2, 2, 10)]
    assert [part.tobytes() for part in found] == [part.tobytes() for part in parts]
    assert found.read().tobytes() == b"".join(part.tobytes() for part in parts)
    assert not found.is_shuffled
    path.write_bytes(header_bytes(FACTS | {"shuffled": True}))
    assert open_samples(path).is_shuffled


def test_a_file_cut_anywhere_reads_up_to_its_last_whole_block(small):
    """At every byte; a header that is not whole is an error."""
    path, parts, ends = small
    text = path.read_bytes()
    for length in range(len(text) + 1):
        path.write_bytes(text[:length])
        if length < ends[0]:
            with pytest.raises(SamplesError, match=r"no file of samples|cut short"):
                open_samples(path)
            continue
        found = open_samples(path)
        whole = sum(end <= length for end in ends) - 1
        assert [part.tobytes() for part in found] == [part.tobytes() for part in parts[:whole]]
        assert (found.end, found.is_cut) == (ends[whole], length != ends[whole])


def test_any_changed_byte_is_noticed(small):
    """Wherever it is, whatever it becomes."""
    path, _, _ = small
    text, choice = path.read_bytes(), random.Random(1)
    for place in range(len(text)):
        changed = bytearray(text)
        changed[place] ^= choice.randint(1, 255)
        path.write_bytes(changed)
        with pytest.raises(SamplesError, match=r"small\.samples: "):
            open_samples(path).read()


def test_what_does_not_fit_is_told(small, tmp_path):
    """Rows that are not there, bytes that are not zlib's, other formats, folders, foreign and missing files."""
    path, _, ends = small
    header = path.read_bytes()[: ends[0]]
    for payload, words in ((zlib.compress(bytes(32)), "32 bytes for 2 rows"), (b"nonsense", "block 0")):
        path.write_bytes(header + framed(0, 2, 0, payload))
        with pytest.raises(SamplesError, match=words):
            open_samples(path).read()
    path.write_bytes(header[:8] + b"\x09" + header[9:])
    with pytest.raises(SamplesError, match="format 9"):
        open_samples(path)
    path.write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(SamplesError, match="no file of samples"):
        open_samples(path)
    for other in (tmp_path, tmp_path / "none"):
        with pytest.raises(SamplesError, match=other.name):
            open_samples(other)


def test_a_block_is_not_unpacked_beyond_its_rows(small):
    """Sixty megabytes of zeros behind a head that says two rows are refused before they are there."""
    path, _, ends = small
    header = path.read_bytes()[: ends[0]]
    bomb = zlib.compress(bytes(60_000_000), 9)
    path.write_bytes(header + framed(0, 2, 0, bomb))
    found = open_samples(path)
    tracemalloc.start()
    try:
        with pytest.raises(SamplesError, match="holds more than 64 bytes for 2 rows"):
            found.read()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(bomb) < most < 1_000_000
    path.write_bytes(header + framed(0, MOST_ROWS + 1, 0, bomb))
    with pytest.raises(SamplesError, match=f"says {MOST_ROWS + 1} rows"):
        open_samples(path)
    with pytest.raises(SamplesError, match="do not fit into a block"):
        block_bytes(0, np.zeros(MOST_ROWS + 1, SAMPLE))


def test_a_block_must_end_where_its_rows_do(small):
    """All rows may be there and the stream cut all the same, checksum and all: it is refused."""
    path, parts, ends = small
    whole = zlib.compress(parts[0].view(np.uint8).reshape(-1, SAMPLE.itemsize).T.tobytes())
    path.write_bytes(path.read_bytes()[: ends[0]] + framed(0, len(parts[0]), 0, whole[:-4]))
    with pytest.raises(SamplesError, match="cut short within"):
        open_samples(path).read()


def test_an_empty_file_has_no_samples(tmp_path):
    """A header alone is a file; nothing has inputs of its own shape."""
    path = tmp_path / "empty.samples"
    path.write_bytes(header_bytes(FACTS))
    samples = open_samples(path).read()
    assert len(samples) == 0
    assert features(samples)[0].shape == (0, 32)
    assert HEAD.size == 24
    assert not (samples["flags"] & FIRST_OF_GAME).any()
