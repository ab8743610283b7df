"""The arena: fair, deterministic, with errors as published."""

import pytest

from quiesce.lab.arena import Arena, openings, read_openings
from quiesce.lab.elo import strength
from quiesce.search.params import all_off


def test_published_elo():
    """Elo and error of a pentanomial are those two other tools give."""
    found = strength([34, 54, 63, 64, 75])
    assert found.elo == pytest.approx(55.58, abs=0.05)
    assert found.error == pytest.approx(27.65, abs=0.3)
    assert strength([0, 0, 10, 0, 0]).elo == 0
    assert strength([0] * 5).superiority == 0.5


def test_equal_sides_share_every_pair():
    """The same settings on both sides lose with one colour what they win with the other."""
    tally = Arena({}, {}, nodes=300).run(6, seed=3)
    assert tally.pentanomial == [0, 0, 6, 0, 0]
    assert tally.games == 12


def test_the_same_however_many_threads():
    """Seed and settings decide the games."""
    results = [Arena({}, {"NullMove": 0}, 400, threads).run(8, seed=5).pentanomial for threads in (1, 2)]
    assert results[0] == results[1]


def test_the_stronger_side_wins():
    """Everything on beats everything off."""
    tally = Arena({}, all_off(), nodes=1_000).run(12, seed=1)
    assert tally.strength.elo > 100


def test_openings(tmp_path):
    """Openings come from a file in an order the seed decides, or from random moves; bad files are named."""
    path = tmp_path / "book.epd"
    path.write_text('# a book\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/R3K3 w Q - id "two";\n')
    assert len(read_openings(path)) == 2
    first, second = ([int(next(source).key) for _ in range(6)] for source in (openings(None, 1), openings(None, 1)))
    assert first == second
    assert len(set(first)) == 6
    path.write_text("nonsense\n")
    with pytest.raises(ValueError, match=":1: FEN has 1 fields"):
        read_openings(path)


def test_an_interrupt_keeps_what_was_counted():
    """Ctrl-C in the middle: the pairs finished before it are returned, and no game runs on."""

    def interrupt(tally):
        if tally.games >= 4:
            raise KeyboardInterrupt

    tally = Arena({}, {}, nodes=200, threads=1).run(1_000, seed=2, on_pair=interrupt)
    assert tally.games == 4
