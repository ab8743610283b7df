"""Files of positions: shuffled, merged, listed, checked and shown."""

import json

import numpy as np

from quiesce.eval.samples import (
    DRAW,
    FIRST_OF_GAME,
    LOSS,
    WIN,
    block_bytes,
    fens,
    open_samples,
)
from quiesce.eval.tdlambda import td_lambda_scores
from quiesce.lab import datafiles
from tests.lab.datamade import CHUNKS, PLAN, run


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
    wanted["score"] = td_lambda_scores(wanted, 0.5, 180.0)
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
    assert "is an input file" in run("data", "shuffle", made, "--out", made).output


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
        ("codes", 255, "no kind"),
        ("flags", 0, "begin with a game"),
    ):
        samples = open_samples(made).read()
        samples[field] = value
        path.write_bytes(text[: open_samples(made).blocks[0].offset - 24] + block_bytes(0, samples))
        assert words in run("data", "check", path).output
