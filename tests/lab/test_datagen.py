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
from click.testing import CliRunner

from quiesce.board.bridge import to_chess_move
from quiesce.board.fen import write_fen
from quiesce.board.game import Game
from quiesce.cli import cli
from quiesce.eval.foresight import foreseen
from quiesce.eval.samples import (
    DRAW,
    FIRST_OF_GAME,
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
from quiesce.lab import datafiles
from quiesce.lab.arena import Seat
from quiesce.lab.crew import LocalCrew
from quiesce.lab.datagen import (
    BARE_SCORE,
    DRAWN_TAIL,
    LARGEST_SCORE,
    DatagenError,
    DataPlan,
    grow_file,
    missing_chunks,
    path_of,
    play_chunk,
    replayed,
    samples_of,
)
from quiesce.lab.dataopenings import (
    LARGEST_OPENING,
    Prober,
    ends,
    openings,
    openings_of,
    order_of_ends,
    positions_along,
)
from quiesce.lab.files import only_one
from quiesce.search.settings import params

PLAN = DataPlan(seed=7, nodes=150, chunk_positions=60)
CHUNKS = 4
POSITIONS = CHUNKS * PLAN.chunk_positions


DRAWISH = ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "4k3/r7/8/8/8/8/7R/4K3 b - - 0 1")
"""Positions that nobody can win."""


class HereCrew:
    """Does tasks in this process, in an order a seed decides; stops after a number of them."""

    def __init__(self, seed=0, stop_after=None):
        self.order, self.left, self.done = random.Random(seed), stop_after, []

    def do(self, work, tasks):
        """Results in a mixed order."""
        tasks = list(tasks)
        self.order.shuffle(tasks)
        for key, task in tasks:
            if self.left == len(self.done):
                raise KeyboardInterrupt
            self.done.append(key)
            yield key, work(task)


def blocks_of(path):
    """Blocks of a file by number: plies and samples, whatever the order."""
    file = open_samples(path)
    assert not file.is_cut
    return {block.number: (block.seen, samples.tobytes()) for block, samples in zip(file.blocks, file, strict=True)}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The plan's file, played without interruption."""
    path, progress = grow_file(tmp_path_factory.mktemp("made"), PLAN, POSITIONS, HereCrew())
    assert progress.chunks == progress.wanted == CHUNKS
    assert progress.positions == progress.played == len(open_samples(path)) >= POSITIONS
    assert progress.speed > 0
    return path


@pytest.fixture(scope="module")
def games():
    """Some games as the arena plays them: opening, moves, scores, result."""
    seat, found = Seat({}, {}, PLAN.nodes), []
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


def test_any_crew_makes_the_same_set(made, tmp_path):
    """Two processes, or another order; only the order of the blocks may differ."""
    with LocalCrew(2) as crew:
        path, _ = grow_file(tmp_path, PLAN, POSITIONS, crew)
    assert path.name == made.name
    assert blocks_of(path) == blocks_of(made)


def test_a_stopped_run_goes_on(made, tmp_path):
    """Nothing is played twice; a wish for more adds to the file, a wish for less changes nothing."""
    with pytest.raises(KeyboardInterrupt):
        grow_file(tmp_path, PLAN, POSITIONS, HereCrew(5, 2))
    path, rest = path_of(tmp_path, PLAN), HereCrew(6)
    half = blocks_of(path)
    assert len(half) == 2
    grow_file(tmp_path, PLAN, POSITIONS, rest)
    assert len(rest.done) == 2
    assert blocks_of(path) == blocks_of(made)
    nothing = HereCrew()
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
    rest = HereCrew(1)
    grow_file(tmp_path, PLAN, max(POSITIONS, 60 * len(left.blocks)), rest)
    assert set(rest.done).isdisjoint(str(block.number) for block in left.blocks)
    found = blocks_of(path)
    assert {number: found[number] for number in range(CHUNKS)} == blocks_of(made)


CREW = """
import sys
from pathlib import Path
from quiesce.lab.crew import LocalCrew
from quiesce.lab.datagen import DataPlan, grow_file
if __name__ == "__main__":
    with LocalCrew(2) as crew:
        grow_file(Path(sys.argv[1]), DataPlan(**__import__("json").loads(sys.argv[2])), 10**6, crew)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.timeout(1800)
def test_no_kill_loses_a_whole_block(made, tmp_path, kills):
    """Killed over and over with all its processes, at any moment: the blocks that were whole stay, byte for byte."""
    told = json.dumps({"seed": PLAN.seed, "nodes": PLAN.nodes, "chunk_positions": PLAN.chunk_positions})
    path, folder, draw = path_of(tmp_path / "data", PLAN), tmp_path / "data", random.Random(kills)
    (script := tmp_path / "crew.py").write_text(CREW, encoding="utf-8")
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
        grow_file(tmp_path, replace(PLAN, seed=9), POSITIONS, HereCrew())
    path.write_bytes(b"something else")
    with pytest.raises(SamplesError, match="no file of samples"):
        grow_file(tmp_path, replace(PLAN, seed=9), POSITIONS, HereCrew())
    with only_one(path, AssertionError()), pytest.raises(DatagenError, match="another process"):
        grow_file(tmp_path, replace(PLAN, seed=9), POSITIONS, HereCrew())
    for plan in (replace(PLAN, random_plies=(5, 2)), replace(PLAN, weights="none"), replace(PLAN, options={"No": 1})):
        with pytest.raises(DatagenError):
            grow_file(tmp_path, plan, POSITIONS, HereCrew())


def test_nothing_is_added_to_a_damaged_file(made, tmp_path):
    """A byte that changed in a block: the same command says so each time, and leaves the file as it is."""
    path = path_of(tmp_path, PLAN)
    data = bytearray(made.read_bytes())
    data[open_samples(made).blocks[1].offset + 20] ^= 1
    path.write_bytes(data)
    for positions in (POSITIONS, 2 * POSITIONS):
        with pytest.raises(SamplesError, match=r"block \d+ at byte \d+ is damaged \(CRC\); nothing is added to it"):
            grow_file(tmp_path, PLAN, positions, HereCrew())
    assert path.read_bytes() == data


def test_openings_are_varied_and_fair():
    """Out of check, neither side far ahead, hardly two alike."""
    source = openings(random.Random(1), PLAN)
    found = [next(source) for _ in range(30)]
    assert len({write_fen(position) for position in found}) > 25
    assert len({int(position.fullmove) for position in found}) > 5
    prober = Prober(params(PLAN.options), PLAN.weights)
    for position in found:
        assert not chess.Board(write_fen(position)).is_check()
        assert abs(prober.score(position)) <= LARGEST_OPENING


def test_ends_of_a_book_are_not_taken_twice(tmp_path):
    """Every end of every line comes once, whatever chunk it is in, before any comes again; it is level, and decided."""
    book = tmp_path / "book.epd"
    boards = [chess.Board("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1") for _ in range(8)]
    for file, board in enumerate(boards):
        board.set_piece_at(chess.square(file, 2), chess.Piece.from_symbol("N"))
    fens = [board.fen() for board in boards]
    book.write_text("\n".join(fens), encoding="utf-8")
    plan = replace(
        PLAN, openings="ends", book=str(book), random_plies=(0, 0), largest_opening=3_000, chunk_positions=60
    )
    assert sorted(order_of_ends(plan.book, plan.seed)) == list(range(8))
    assert order_of_ends(plan.book, plan.seed) != order_of_ends(plan.book, 8)
    found = [[write_fen(opening) for opening in islice(openings_of(plan, chunk), 4)] for chunk in range(3)]
    assert sorted(found[0] + found[1]) == sorted(fens)
    assert set(found[2]).isdisjoint(fens)  # all were there: a random move makes another of each
    assert found == [[write_fen(opening) for opening in islice(openings_of(plan, chunk), 4)] for chunk in range(3)]


def test_ends_of_lines_are_calm():
    """At most so far ahead as the plan says, from the last position of a line."""
    plan = replace(PLAN, openings="ends", random_plies=(0, 0), largest_opening=60, chunk_positions=1_000)
    prober = Prober(params(plan.options), plan.weights)
    known = {write_fen(positions_along(number)[-1]) for number in range(1_986)}
    for position in islice(ends(random.Random(1), plan, 0), 10):
        assert write_fen(position) in known
        assert abs(prober.score(position)) <= 60


def test_openings_decide_the_plan(tmp_path):
    """Another source, book or score is another file; a source or book that there is not is refused."""
    (tmp_path / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", encoding="utf-8")
    plans = [PLAN, replace(PLAN, openings="ends"), replace(PLAN, largest_opening=60)]
    plans.append(replace(PLAN, book=str(tmp_path / "book.epd")))
    assert len({path_of(tmp_path, plan) for plan in plans}) == 4
    for plan in (replace(PLAN, openings="none"), replace(PLAN, book="none.epd")):
        with pytest.raises(DatagenError, match="none"):
            plan.checked()


def walked(opening, moves, scores):
    """A game by python-chess: the board before each move, the move, and the mover's score."""
    board = chess.Board(write_fen(opening))
    for move, score in zip(moves, scores, strict=True):
        played = to_chess_move(int(move))
        yield board, played, int(score)
        board.push(played)


def short(board):
    """Men and turn, as FENs of samples have them."""
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
        seat, opening = Seat({}, {}, 300), Game(fen).position
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
        seat = Seat({}, {}, 100)
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


def run(*words):
    """Run a command in this process."""
    return CliRunner().invoke(cli, [str(word) for word in words])


def rows_of(path):
    """All rows of a file, sorted, without the mark of a game's first."""
    samples = open_samples(path).read()
    samples["flags"] &= 255 - FIRST_OF_GAME
    return sorted(row.tobytes() for row in samples)


def test_a_shuffle_keeps_every_position(made, tmp_path):
    """The same rows in another order, by the seed, through few or many buckets; the header says that games are torn."""
    texts = set()
    for name, seed, rows in (("a", 1, 20), ("b", 1, 20), ("c", 2, 20), ("d", 1, 10**6)):
        out = tmp_path / "new" / name
        assert datafiles.shuffle([made], out, seed, rows=rows) == len(open_samples(made))
        file = datafiles.check(out)
        assert file.is_shuffled
        assert file.facts["games"] == datafiles.census_of(open_samples(made)).games
        assert rows_of(out) == rows_of(made)
        assert file.read().tobytes() != open_samples(made).read().tobytes()
        texts.add(file.read().tobytes())
    assert len(texts) == 3
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a", "b", "c", "d"]


def test_a_shuffle_looks_ahead_first(made, tmp_path):
    """Scores know what came later before games are torn apart, the header says so, and others do not mix with it."""
    out, torn = tmp_path / "out", tmp_path / "torn"
    assert run("data", "shuffle", made, "--out", out, "--foresight", "0.5", "--win-scale", "180").exit_code == 0
    wanted = open_samples(made).read()
    wanted["score"] = foreseen(wanted, 0.5, 180.0)
    wanted["flags"] &= 255 - FIRST_OF_GAME
    file = datafiles.check(out)
    assert rows_of(out) == sorted(row.tobytes() for row in wanted)
    assert (file.facts["foresight"], file.facts["win_scale"]) == (0.5, 180.0)
    assert run("data", "shuffle", out, out, "--out", torn).exit_code == 0
    assert open_samples(torn).facts["foresight"] == 0.5
    other = tmp_path / "other"
    run("data", "shuffle", made, "--out", other)
    for words in ((out, made), (other, "--foresight", "0.5"), (out, "--foresight", "0.7")):
        assert "more or less of what came later" in run("data", "shuffle", *words, "--out", torn).output


def test_repeated_games_are_counted_and_kept_once(made, tmp_path):
    """In one file or several; `data check` says how many, a shuffle leaves them out."""
    out, both = tmp_path / "out", tmp_path / "both"
    games = int(datafiles.census_of(open_samples(made)).games)
    assert "repeat earlier ones" not in run("data", "check", made).output
    assert f"{games} of {2 * games} games repeat earlier ones" in run("data", "check", made, made).output
    run("data", "merge", made, made, "--out", both)
    assert f"{2 * games} of {3 * games} games repeat earlier ones" in run("data", "check", both, made).output
    assert datafiles.shuffle([made, both], out, 1) == len(open_samples(made))
    assert rows_of(out) == rows_of(made)
    assert open_samples(out).facts["games"] == games


def test_files_are_merged(made, tmp_path):
    """All blocks of both, numbered anew, games whole; shuffled files only with their like."""
    out, torn = tmp_path / "both", tmp_path / "torn"
    assert run("data", "merge", made, made, "--out", out).exit_code == 0
    file = datafiles.check(out)
    assert [block.number for block in file.blocks] == list(range(2 * CHUNKS))
    assert file.read().tobytes() == 2 * open_samples(made).read().tobytes()
    assert run("data", "shuffle", made, "--out", torn).exit_code == 0
    assert "shuffle them all" in run("data", "merge", made, torn, "--out", tmp_path / "no").output
    assert run("data", "merge", torn, torn, "--out", out).exit_code == 0
    assert datafiles.info_of(out)["games"] == 2 * datafiles.info_of(made)["games"]
    assert "one of the files to read" in run("data", "shuffle", made, "--out", made).output


def test_info_counts(made):
    """Positions, games, results and scores all sum up; White's results are the movers' turned round for Black."""
    (facts,) = json.loads(run("data", "info", made, "--json").output)["files"]
    samples = open_samples(made).read()
    assert facts["positions"] == len(samples) == sum(facts["scores"]) == sum(facts["mover"].values())
    assert facts["games"] == np.count_nonzero(samples["flags"] & FIRST_OF_GAME)
    white_moves = [fen.split()[1] == "w" for fen in fens(samples)]
    white = [
        result if moves else 2 - result for moves, result in zip(white_moves, samples["result"].tolist(), strict=True)
    ]
    assert list(facts["white"].values()) == [*(white.count(result) for result in (LOSS, DRAW, WIN)), 0]
    assert facts["scores"][0] == np.count_nonzero(samples["score"] <= -1500)
    assert 0.2 < facts["quiet_share"] < 1
    assert facts["header"]["seed"] == PLAN.seed
    shown = run("data", "info", made).output
    assert f"{len(samples):,} positions" in shown
    assert "quiet share" in shown


def test_a_library_is_listed_with_its_plans(made, tmp_path):
    """A line for each file, with its plan, and the sums; shuffled ones are told apart."""
    torn = tmp_path / "torn"
    run("data", "shuffle", made, "--out", torn)
    facts = json.loads(run("data", "library", made, torn, "--json").output)
    positions = len(open_samples(made))
    assert facts["total"]["positions"] == 2 * positions
    assert [file["kind"] for file in facts["files"]] == ["datagen", "shuffle"]
    assert facts["files"][0]["plan"]["nodes"] == PLAN.nodes
    shown = run("data", "library", made, torn).output.splitlines()
    assert "150 nodes, lines, 4..8 random plies, seed 7" in shown[0]
    assert "made of others" in shown[1]
    assert f"{2 * positions:,}  positions in" in shown[2]


def test_view_shows_positions_of_the_file(made):
    """As many as asked for, each one that is there; all of them where more are asked for."""
    kept = set(fens(open_samples(made).read()))
    rows = json.loads(run("data", "view", made, "--count", 7, "--json").output)["positions"]
    assert len(rows) == 7
    assert all(row["fen"] in kept and row["result"] in (0, 1, 2) for row in rows)
    assert len(run("data", "view", made, "--count", 10**6).output.splitlines()) == len(open_samples(made))


def test_check_tells_what_is_wrong(made, tmp_path):
    """Whole, cut, damaged, and impossible."""
    assert "whole: " in run("data", "check", made).output
    path, text = tmp_path / "x.samples", made.read_bytes()
    path.write_bytes(text[:-1])
    done = run("data", "check", path)
    assert done.exit_code == 1
    assert "cut short" in done.output
    path.write_bytes(text[:-1] + bytes([text[-1] ^ 1]))
    assert "CRC" in run("data", "check", path).output
    for field, value, words in (
        ("result", 4, "result"),
        ("occupancy", 1, "king"),
        ("men", 255, "no kind"),
        ("flags", 0, "begin with a game"),
    ):
        samples = open_samples(made).read()
        samples[field] = value
        path.write_bytes(text[: open_samples(made).blocks[0].offset - 24] + block_bytes(0, samples))
        assert words in run("data", "check", path).output


def test_the_command_makes_a_file(tmp_path):
    """One chunk of its usual size, told as JSON; wrong words are usage errors."""
    words = ("--positions", 1, "--nodes", 100, "--random-plies", "2..3", "--concurrency", 1, "--json")
    done = run("datagen", tmp_path, *words)
    assert done.exit_code == 0, done.output
    facts = json.loads(done.output)
    assert facts["positions"] >= 1000
    assert facts["positions_a_second_a_core"] > 0
    assert open_samples(path_of(tmp_path, DataPlan(nodes=100, random_plies=(2, 3)))).facts["random_plies"] == [2, 3]
    for words in (("--random-plies", "many"), ("--random-plies", "5..2"), ("--weights", "none"), ("--option", "No=1")):
        assert run("datagen", tmp_path, *words).exit_code == 2
