"""Reviews of many files: which files, what is kept, going on after a stop, and what comes out."""

import json
import random
import subprocess
import sys
import time

import chess.pgn
import pytest

from quiesce.lab.reviews import DAMAGED, REVIEW, FilesError, Order, files_of, review_all, review_one, reviews_in
from quiesce.review.plan import ReviewPlan
from quiesce.work.pool import LocalPool
from quiesce.work.store import Store
from tests.conftest import run_python

GAMES = (
    '[White "Anna"]\n[Black "Bert"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
    '[White "Bert"]\n[Black "Anna"]\n\n1. e4 Ke4 *\n\n'
    '[White "Bert"]\n[Black "Anna"]\n\n1. e4 f6 2. d4 g5 3. Qh5# 1-0\n'
)
PLAN = ReviewPlan(nodes=2_000)


class Here:
    """A pool of one, in this process, that may be stopped."""

    def __init__(self, most=100):
        self.most = most

    def do(self, work, tasks):
        """Do tasks in turn, and no more than told."""
        for key, task in tasks:
            if self.most == 0:
                raise KeyboardInterrupt
            self.most -= 1
            yield key, work(task)


@pytest.fixture
def folder(tmp_path):
    """A folder with two files of games."""
    home = tmp_path / "games" / "old"
    home.mkdir(parents=True)
    (home / "a.pgn").write_text(GAMES)
    (home.parent / "b.pgn").write_text(GAMES.replace("Anna", "Carl"))
    return home.parent


def test_files_and_folders_are_found(folder, tmp_path):
    """All PGN files below a folder in one order, each once; what is not there is named."""
    names = [file.name for file in files_of([str(folder), str(folder / "old"), str(folder / "b.pgn")])]
    assert names == [str(folder / "b.pgn"), str(folder / "old" / "a.pgn")]
    with pytest.raises(FilesError, match="nothing"):
        files_of([str(folder / "nothing.pgn")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(FilesError, match="no PGN file"):
        files_of([str(tmp_path / "empty")])


def test_a_stopped_run_goes_on(folder, tmp_path):
    """What was kept is not done again, and every game comes out once, in order, damaged ones with the reason."""
    order = Order(files_of([str(folder)]), PLAN)
    with Store(tmp_path / "lab.sqlite") as store:
        run = order.run(store)
        with pytest.raises(KeyboardInterrupt):
            review_all(order, run, Here(2))
        assert len(run.keys()) == 2
        pool, heard = Here(), []
        review_all(order, order.run(store), pool, heard.append)
        assert pool.most == 96
        assert len(heard) == 6
        found = list(reviews_in(order, run))
    assert [(place, source.number) for place, source, _ in found] == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]
    assert [DAMAGED in facts for _, _, facts in found] == [False, True, False] * 2
    assert "Ke4" in found[1][2][DAMAGED]


def test_processes_find_the_same(folder, tmp_path):
    """Two processes and this one give the same reviews."""
    order = Order(files_of([str(folder / "b.pgn")]), PLAN)
    with Store(tmp_path / "lab.sqlite") as store, LocalPool(2) as pool:
        run = order.run(store)
        review_all(order, run, pool)
        for _, source, facts in reviews_in(order, run):
            assert facts == review_one({"text": source.text, "plan": PLAN.facts(), "player": ""})


def test_only_a_player_s_moves():
    """A part of the name chooses the side; in games of others nothing is judged."""
    text = GAMES.partition("\n\n[White")[0]
    for player, judged in (("anna", {"w"}), ("BERT", {"b"}), ("Carl", set()), ("", {"w", "b"})):
        facts = review_one({"text": text, "plan": PLAN.facts(), "player": player})[REVIEW]
        assert {move["fen"].split()[1] for move in facts["moves"] if move["judged"]} == judged


def test_the_command(folder, tmp_path):
    """PGN to a file or a folder, JSON to programs, damaged games named, and the files read never written over."""
    store, out = ("--store", str(tmp_path / "lab.sqlite"), "--nodes", "1000"), tmp_path / "out.pgn"
    command = ("-m", "quiesce", "annotate", str(folder))
    done = run_python(*command, *store, "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "b.pgn, game 2" in done.stderr
    with out.open() as file:
        games = iter(lambda: chess.pgn.read_game(file), None)
        assert [game.headers["White"] for game in games] == ["Carl", "Bert", "Anna", "Bert"]
    many = tmp_path / "many"
    assert run_python(*command, *store, "--out", str(many)).returncode == 0
    assert sorted(path.name for path in many.iterdir()) == ["a.pgn", "b.pgn"]
    told = json.loads(run_python(*command, *store, "--json").stdout)
    assert (told["schema"], len(told["games"]), len(told["damaged"])) == (1, 4, 2)
    assert (many / "b.pgn").read_text() + (many / "a.pgn").read_text() == out.read_text()
    refused = run_python(*command, *store, "--out", str(folder / "b.pgn"))
    assert refused.returncode == 2
    assert "is an input file" in refused.stderr


@pytest.mark.timeout(400)
def test_pages_and_exercises(folder, tmp_path):
    """A page a game, an index, and both kinds of exercise files; a second call does nothing anew."""
    store, pages, sheet = tmp_path / "lab.sqlite", tmp_path / "pages", tmp_path / "mine.epd"
    command = ("-m", "quiesce", "annotate", str(folder), "--nodes", "1000", "--store", str(store))
    for _ in range(2):
        done = run_python(*command, "--html", str(pages), "--exercises", str(sheet), "--exercises", f"{sheet}.pgn")
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
    assert len(list(pages.iterdir())) == 5
    assert "game-2-3.html" in (pages / "index.html").read_text()
    assert sheet.exists()
    with Store(store) as opened:
        assert len(opened.runs()) == 1


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_twenty_kills_lose_nothing(tmp_path):
    """A run that is killed again and again comes to what an undisturbed one says, every game once."""
    games = "\n\n".join(
        f'[White "Nr {number}"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7 Kxf7 {number % 7}. '
        "Qf3+ Ke6 8. Nc3 Ncb4 9. a3 Nxc2+ *"
        for number in range(40)
    )
    source, store = tmp_path / "games.pgn", tmp_path / "lab.sqlite"
    source.write_text(games)
    command = [sys.executable, "-m", "quiesce", "annotate", str(source), "--nodes", "5000", "--store", str(store)]
    began = time.monotonic()
    subprocess.run([*command[:-1], str(tmp_path / "other.sqlite"), "--out", str(tmp_path / "a.pgn")], check=True)
    whole = time.monotonic() - began
    draw, kills = random.Random(7), 0
    while kills < 20:
        process = subprocess.Popen([*command, "--out", str(tmp_path / "b.pgn")])
        try:
            process.wait(draw.uniform(0.2, 0.4) * whole)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    done = subprocess.run([*command, "--out", str(tmp_path / "b.pgn")], check=False)
    assert done.returncode == 0
    assert (tmp_path / "b.pgn").read_text() == (tmp_path / "a.pgn").read_text()
    assert (tmp_path / "b.pgn").read_text().count("[White ") == 40
    print(f"{kills} kills, {whole:.1f} s undisturbed")
