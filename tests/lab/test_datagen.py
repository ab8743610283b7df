"""Positions from self-play: the same for everybody, quiet, labelled from the mover's side, kept through kills."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from itertools import islice

import chess
import numpy as np
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.fen import write_fen
from quiesce.board.game import Game
from quiesce.engine.selfplay import SelfPlay
from quiesce.eval.samples import (
    DRAW,
    FIRST_OF_GAME,
    INTERIOR,
    LOSS,
    SAMPLE,
    WIN,
    SamplesError,
    block_bytes,
    fens,
    header_bytes,
    is_black,
    open_samples,
)
from quiesce.lab.datagen import (
    BARE_SCORE,
    DEFAULT_INTERIOR,
    DRAWN_TAIL,
    LARGEST_SCORE,
    DatagenError,
    DataPlan,
    grow_file,
    is_new_inside,
    missing_chunks,
    path_of,
    play_chunk,
    replayed,
    samples_of,
)
from quiesce.lab.dataopenings import openings
from quiesce.search.worker import INTERIOR as INTERIOR_NODE
from quiesce.work.files import only_one
from quiesce.work.pool import LocalPool
from tests.lab.datamade import CHUNKS, PLAN, POSITIONS, HerePool, run

DRAWISH = ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "4k3/r7/8/8/8/8/7R/4K3 b - - 0 1")
"""Positions that nobody can win."""


def blocks_of(path):
    """Blocks of a file by number: plies and samples, whatever the order."""
    file = open_samples(path)
    assert not file.is_cut
    return {block.number: (block.seen, samples.tobytes()) for block, samples in zip(file.blocks, file, strict=True)}


@pytest.fixture(scope="module")
def games():
    """Some games as the arena plays them: opening, moves, scores, result."""
    seat, found = SelfPlay({}, {}, PLAN.nodes), []
    starts = [*islice(openings(random.Random(3), PLAN), 12), *(Game(fen).position for fen in DRAWISH)]
    for opening in starts:
        result = seat.play(opening, 0)
        plies = int(seat.game.plies)
        found.append((opening, seat.game.moves[:plies].copy(), seat.game.scores[:plies].copy(), result))
    return found


def test_a_chunk_is_decided_by_plan_and_number(made):
    """Whoever plays it; other seeds and numbers give others."""
    chunk = play_chunk(PLAN, 2)
    assert blocks_of(made)[2][1] == b"".join(game.tobytes() for game in chunk)
    assert sum(map(len, chunk)) >= PLAN.chunk_positions > sum(map(len, chunk[:-1]))
    assert all(game["flags"][0] & FIRST_OF_GAME and not (game["flags"][1:] & FIRST_OF_GAME).any() for game in chunk)
    texts = {blocks_of(made)[number][1] for number in range(CHUNKS)}
    assert len(texts) == CHUNKS
    assert np.concatenate(play_chunk(replace(PLAN, seed=8), 2)).tobytes() not in texts


def test_interior_nodes_stand_behind_their_game():
    """The games are those that are played without them; the nodes know the result of theirs."""
    plan = replace(PLAN, nodes=400)
    plain, mixed = play_chunk(plan, 1), play_chunk(replace(plan, interior=3), 1)
    found = 0
    for whole, game in zip(plain, mixed, strict=False):
        is_inside = game["flags"] & INTERIOR > 0
        own, inside = game[~is_inside], game[is_inside]
        for name in ("occupancy", "codes", "score", "result", "ply"):
            assert (own[name] == whole[name]).all()
        assert (np.flatnonzero(is_inside) >= len(own)).all()
        white = np.where(is_black(game), 2 - game["result"].astype(int), game["result"])
        assert len(set(white.tolist())) == 1
        found += len(inside)
    assert found > 10
    again = play_chunk(replace(plan, interior=3), 1)
    assert b"".join(map(bytes, again)) == b"".join(map(bytes, mixed))


def test_interior_nodes_are_new(games):
    """No position of their game, each once, neither decided nor with a bare king."""
    opening, moves, _, _ = games[0]
    positions = replayed(opening, moves)[0]
    nodes = np.zeros(6, INTERIOR_NODE)
    nodes["position"] = positions[:6]
    nodes["position"]["key"] = [positions["key"][9], 11, 12, 12, 13, 14]
    nodes["score"] = [0, LARGEST_SCORE, 5, 6, -LARGEST_SCORE - 1, 7]
    nodes["position"]["colours"][5] = [1 << 4, 1 << 60]
    assert is_new_inside(positions, nodes).tolist() == [False, True, True, False, False, False]


def test_any_pool_makes_the_same_set(made, tmp_path):
    """Two processes, or another order; only the order of the blocks may differ."""
    with LocalPool(2) as pool:
        path, _ = grow_file(tmp_path, PLAN, POSITIONS, pool)
    assert path.name == made.name
    assert blocks_of(path) == blocks_of(made)


def test_a_stopped_run_goes_on(made, tmp_path):
    """Nothing is played twice; a wish for more adds to the file, a wish for less changes nothing."""
    with pytest.raises(KeyboardInterrupt):
        grow_file(tmp_path, PLAN, POSITIONS, HerePool(5, 2))
    path, rest = path_of(tmp_path, PLAN), HerePool(6)
    half = blocks_of(path)
    assert len(half) == 2
    grow_file(tmp_path, PLAN, POSITIONS, rest)
    assert len(rest.done) == 2
    assert blocks_of(path) == blocks_of(made)
    nothing = HerePool()
    grow_file(tmp_path, PLAN, 1, nothing)
    assert not nothing.done
    assert blocks_of(path) == blocks_of(made)


KILLED = """
import sys
from pathlib import Path
from quiesce.lab.datagen import DataPlan, grow_file
class Here:
    def do(self, work, tasks):
        for key, task in tasks:
            yield key, work(task)
grow_file(Path(sys.argv[1]), DataPlan(**__import__("json").loads(sys.argv[2])), 10**6, Here())
"""


def test_a_killed_run_goes_on(made, tmp_path):
    """Killed without warning, with half a block written: what is whole counts, the rest is played again."""
    told = json.dumps({"seed": PLAN.seed, "nodes": PLAN.nodes, "chunk_positions": PLAN.chunk_positions})
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path), told])
    path, deadline = path_of(tmp_path, PLAN), time.monotonic() + 120
    while not (path.exists() and open_samples(path).blocks) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    left = open_samples(path)
    with path.open("r+b") as file:
        file.truncate(left.end)
        file.seek(0, 2)
        file.write(block_bytes(99, np.concatenate(play_chunk(PLAN, 0)), 5)[:-7])
    assert open_samples(path).is_cut
    rest = HerePool(1)
    grow_file(tmp_path, PLAN, max(POSITIONS, 60 * len(left.blocks)), rest)
    assert set(rest.done).isdisjoint(str(block.number) for block in left.blocks)
    found = blocks_of(path)
    assert {number: found[number] for number in range(CHUNKS)} == blocks_of(made)


CREW = """
import sys
from pathlib import Path
from quiesce.work.pool import LocalPool
from quiesce.lab.datagen import DataPlan, grow_file
if __name__ == "__main__":
    with LocalPool(2) as pool:
        grow_file(Path(sys.argv[1]), DataPlan(**__import__("json").loads(sys.argv[2])), 10**6, pool)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.timeout(1800)
def test_no_kill_loses_a_whole_block(made, tmp_path, kills):
    """Killed over and over with all its processes, at any moment: the blocks that were whole stay, byte for byte."""
    told = json.dumps({"seed": PLAN.seed, "nodes": PLAN.nodes, "chunk_positions": PLAN.chunk_positions})
    path, folder, draw = path_of(tmp_path / "data", PLAN), tmp_path / "data", random.Random(kills)
    (script := tmp_path / "pool.py").write_text(CREW, encoding="utf-8")
    whole = b""
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, str(script), str(folder), told], start_new_session=True)
        deadline = time.monotonic() + 200
        while not path.exists() or path.stat().st_size <= len(whole) + 2_000:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(draw.random() / 5)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        now = path.read_bytes()[: open_samples(path).end]
        assert now.startswith(whole)
        assert len(now) > len(whole)
        whole = now
    file = open_samples(path)
    numbers = [block.number for block in file.blocks]
    assert len(set(numbers)) == len(numbers) >= kills
    wanted = blocks_of(made)
    for block, samples in zip(file.blocks, file, strict=True):
        if block.number in wanted:
            assert (block.seen, samples.tobytes()) == wanted[block.number]


def test_a_plan_of_any_size_needs_little_memory(tmp_path):
    """A thousand million positions, ten thousand blocks of them there: nothing is listed but what fits in 30 MB."""
    rows, path = np.zeros(1, SAMPLE), tmp_path / "many"
    path.write_bytes(header_bytes({}) + b"".join(block_bytes(number, rows, 1) for number in range(10_000)))
    tracemalloc.start()
    found = open_samples(path)
    missing = missing_chunks(PLAN, 1_000_000, found)
    assert [key for key, _ in islice(missing, 3)] == ["10000", "10001", "10002"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    assert len(found.blocks) == len(found) == 10_000
    assert found.blocks[-1].number == 9_999
    assert [block.number for block in found.blocks[3:5]] == [3, 4]


def test_a_file_of_another_plan_is_not_added_to(made, tmp_path):
    """Nor is one that somebody else is adding to, or one that is damaged."""
    path = path_of(tmp_path, replace(PLAN, seed=9))
    path.write_bytes(made.read_bytes())
    with pytest.raises(SamplesError, match="another plan"):
        grow_file(tmp_path, replace(PLAN, seed=9), POSITIONS, HerePool())
    path.write_bytes(b"something else")
    with pytest.raises(SamplesError, match="no file of samples"):
        grow_file(tmp_path, replace(PLAN, seed=9), POSITIONS, HerePool())
    with only_one(path, AssertionError()), pytest.raises(DatagenError, match="another process"):
        grow_file(tmp_path, replace(PLAN, seed=9), POSITIONS, HerePool())
    for plan in (replace(PLAN, random_plies=(5, 2)), replace(PLAN, weights="none"), replace(PLAN, options={"No": 1})):
        with pytest.raises(DatagenError):
            grow_file(tmp_path, plan, POSITIONS, HerePool())


def test_nothing_is_added_to_a_damaged_file(made, tmp_path):
    """A byte that changed in a block: the same command says so each time, and leaves the file as it is."""
    path = path_of(tmp_path, PLAN)
    data = bytearray(made.read_bytes())
    data[open_samples(made).blocks[1].offset + 20] ^= 1
    path.write_bytes(data)
    for positions in (POSITIONS, 2 * POSITIONS):
        with pytest.raises(SamplesError, match=r"block \d+ at byte \d+ is damaged \(CRC\); nothing is added to it"):
            grow_file(tmp_path, PLAN, positions, HerePool())
    assert path.read_bytes() == data


def walked(opening, moves, scores):
    """A game by python-chess: the board before each move, the move, and the mover's score."""
    board = chess.Board(write_fen(opening))
    for move, score in zip(moves, scores, strict=True):
        played = to_chess_move(int(move))
        yield board, played, int(score)
        board.push(played)


def short(board):
    """Pieces and turn, as FENs of samples have them."""
    return f"{board.board_fen()} {'wb'[not board.turn]}"


def test_what_is_kept_is_quiet(games):
    """By python-chess: exactly the positions out of check, before a quiet move that was a choice, each once."""
    idle = 0
    for opening, moves, scores, result in games:
        wanted, seen = [], set()
        for ply, (board, move, score) in enumerate(walked(opening, moves, scores)):
            is_new = (key := board._transposition_key()) not in seen
            seen.add(key)
            if board.is_check() or board.is_capture(move) or move.promotion or abs(score) > LARGEST_SCORE:
                continue
            is_idle = result == 0 and score == 0 and ply >= len(moves) - DRAWN_TAIL
            idle += is_idle
            is_bare = any(board.occupied_co[color].bit_count() == 1 for color in chess.COLORS)
            if is_new and board.legal_moves.count() > 1 and not is_idle and not is_bare:
                wanted.append((short(board), board.halfmove_clock, score))
        samples = samples_of(opening, moves, scores, result)
        found = [
            (" ".join(fen.split()[:2]), int(sample["halfmove"]), int(sample["score"]))
            for fen, sample in zip(fens(samples), samples, strict=True)
        ]
        assert found == wanted
    assert idle > 0


def test_zeros_at_the_end_of_a_draw_are_dropped(games):
    """Only there: not before, not in a game that somebody won, and not other scores."""
    opening, moves, scores, _ = games[0]
    end = 2 * (int(opening.fullmove) - 1) + int(opening.turn) + len(moves) - DRAWN_TAIL
    drawn, won = (samples_of(opening, moves, 0 * scores, result)["ply"].tolist() for result in (0, 1))
    assert max(won) >= end
    assert drawn == [ply for ply in won if ply < end]
    assert samples_of(opening, moves, 0 * scores + 1, 0)["ply"].tolist() == won


def test_results_are_the_movers(games):
    """A win of White is one for White's positions and a loss for Black's, and the other way round."""
    seen = set()
    for opening, moves, scores, result in games:
        samples = samples_of(opening, moves, scores, result)
        black = is_black(samples)
        for is_of_black, sign in ((False, 1), (True, -1)):
            expected = {-1: LOSS, 0: DRAW, 1: WIN}[sign * result]
            assert set(samples["result"][black == is_of_black].tolist()) <= {expected}
        seen.add(result)
    assert seen == {-1, 0, 1}


QUEEN_AHEAD = (("3qk3/8/8/8/8/8/PPP5/4K3 w - - 0 1", True), ("4k3/ppp5/8/8/8/8/8/3QK3 b - - 0 1", False))
"""Positions that a side wins, and whether it is Black."""


def test_scores_are_the_movers():
    """A side that is a queen ahead and wins has high scores and WIN when it moves, the other low ones and LOSS."""
    for fen, winner_is_black in QUEEN_AHEAD:
        seat, opening = SelfPlay({}, {}, 300), Game(fen).position
        result = seat.play(opening, 0)
        plies = int(seat.game.plies)
        samples = samples_of(opening, seat.game.moves[:plies].copy(), seat.game.scores[:plies].copy(), result)
        assert result == (-1 if winner_is_black else 1)
        wins = is_black(samples) == winner_is_black
        assert len(samples) > 2
        assert (samples["score"][wins] > 0).all()
        assert (samples["result"][wins] == WIN).all()
        assert (samples["score"][~wins] < 0).all()
        assert (samples["result"][~wins] == LOSS).all()


def test_a_bare_king_is_lost_at_once():
    """With enough against it; in the arena it must be mated, and against nothing it is a draw."""
    for fen, result in (("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", 1), ("r3k3/8/8/8/8/8/8/4K3 w - - 0 1", -1)):
        seat = SelfPlay({}, {}, 100)
        seat.game.bare_score = BARE_SCORE
        assert seat.play(Game(fen).position, 0) == result
        assert int(seat.game.plies) <= 2
        seat.game.bare_score = 0
        seat.play(Game(fen).position, 0)
        assert int(seat.game.plies) > 2


def test_replayed_positions_are_those_before_the_moves(games):
    """As many as moves, the opening first."""
    opening, moves, scores, _ = games[0]
    positions, choices = replayed(opening, moves)
    assert len(positions) == len(choices) == len(moves)
    boards = [
        (board.fen(en_passant="legal"), board.legal_moves.count()) for board, *_ in walked(opening, moves, scores)
    ]
    assert [*zip(map(write_fen, positions), choices.tolist(), strict=True)] == boards


def test_the_command_makes_a_file(tmp_path):
    """One chunk of its usual size, told as JSON; wrong words are usage errors."""
    words = ("--positions", 1, "--nodes", 100, "--random-plies", "2..3", "--concurrency", 1, "--json")
    done = run("datagen", tmp_path, *words)
    assert done.exit_code == 0, done.output
    facts = json.loads(done.output)
    assert facts["positions"] >= 1000
    assert facts["positions_a_second_a_core"] > 0
    plan = DataPlan(nodes=100, random_plies=(2, 3), interior=DEFAULT_INTERIOR)
    assert open_samples(path_of(tmp_path, plan)).facts["random_plies"] == [2, 3]
    for words in (("--random-plies", "many"), ("--random-plies", "5..2"), ("--weights", "none"), ("--option", "No=1")):
        assert run("datagen", tmp_path, *words).exit_code == 2
    for words in (("--interior", 9), ("--interior", 2, "--offshoots", 2)):
        done = run("datagen", tmp_path, *words)
        assert done.exit_code == 2
        assert "interior nodes" in done.output
