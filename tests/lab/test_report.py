"""The report: every kind of run in one page that says what the lab computes, and survives what a store may hold."""

import html
import json
import math
import random
import re
import sqlite3
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from quiesce.cli import cli
from quiesce.lab.ablation import AblationTerms
from quiesce.lab.elo import strength
from quiesce.lab.report.charts import Bar, Cell, Mark, Series, Strip, bar_chart, heat_map, line_chart, strip_chart
from quiesce.lab.report.kinds import KINDS_OF_POSITIONS, position_kind
from quiesce.lab.report.markup import Html, element
from quiesce.lab.report.markup import html as as_html
from quiesce.lab.report.matches import SAMPLES, decision, read, sampled
from quiesce.lab.report.page import SECTIONS, kept_runs, page
from quiesce.lab.report.scale import Scale, span
from quiesce.lab.report.suites import STEPS, steps_for
from quiesce.lab.searchbench import bench_positions, run_bench
from quiesce.lab.sprt import Sprt
from quiesce.work.store import Store

from .madeupruns import ENDING, NASTY, SPRT, TECHNIQUES, fill, fill_match, game_facts

VOID = {"meta"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A store with runs of every kind."""
    found = tmp_path_factory.mktemp("report") / "lab.sqlite"
    with Store(found) as store:
        fill(store)
    return found


@pytest.fixture(scope="module")
def text(path):
    """The page of that store."""
    with Store(path) as store:
        return page(kept_runs(store))


def run(*words):
    """Run the command in this process."""
    return CliRunner().invoke(cli, ["report", *map(str, words)])


class Nesting(HTMLParser):
    """Checks that what is opened is closed, and notes elements, ids and links."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.links = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        """An element begins."""
        found = dict(attrs)
        assert len(found) == len(attrs)
        self.tags.add(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        """An element ends."""
        assert self.open.pop() == tag


def test_page_is_well_formed(text):
    """Elements nest, ids are unique, links lead to them, and there is nothing that runs."""
    parser = Nesting()
    parser.feed(text)
    assert parser.open == []
    assert len(set(parser.ids)) == len(parser.ids)
    assert {link.removeprefix("#") for link in parser.links} <= set(parser.ids)
    assert {"svg", "table", "details", "nav"} <= parser.tags
    assert not parser.tags & {"script", "img", "link", "iframe", "object"}


def check_drawings(text):
    """Every drawing parses, and no coordinate is lost or endless; returns how many there are."""
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    for drawing in drawings:
        for node in ET.fromstring(drawing).iter():
            for name, value in node.attrib.items():
                assert name == "aria-label" or not re.search(r"nan|inf|None", value)
    return len(drawings)


def test_charts_are_sound_xml(text):
    """Every chart is there, and is what an SVG must be."""
    assert check_drawings(text) == 2 * 3 + 1 + 3 + 2 + 1 + 3 + 2


def test_page_needs_nothing_else(text):
    """No address but places in the page; a viewport for phones; colours for light and dark."""
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_every_section_is_there(text):
    """A section for each kind, an entry for each run, a word on kinds nobody knows."""
    for part in SECTIONS:
        assert f'<section id="{part.kind}">' in text
        assert f'href="#{part.kind}"' in text
    assert "from 11 runs" in text
    assert "Not shown: 1 run of other kinds (seance)." in text


def test_names_are_escaped(text):
    """What users and engines write is text, never markup."""
    assert "<script" not in text
    assert html.escape(NASTY) in text


def test_match_figures_are_the_labs(path, text):
    """Score, Elo, nElo, LOS and LLR are those of elo.py and sprt.py; faults and reasons are counted."""
    with Store(path) as store:
        match_run = kept_runs(store)[0]
        facts = [pair for key, pair in match_run.items().items() if key != "about"]
        match = read(match_run)
    counts, faults = [0] * 5, 0
    for pair in facts:
        counts[sum(game["result"] for game in pair["games"]) + 2] += 1
        faults += sum(bool(game["fault"]) for game in pair["games"])
    found, part = strength(counts), text[text.index('id="run-1"') : text.index('id="run-2"')]
    assert list(match.score.pentanomial) == counts
    assert f"<dd>{found.elo:+.1f} ± {found.error:.1f}</dd>" in part
    assert f"<dd>{found.nelo:+.1f} ± {found.nelo_error:.1f}</dd>" in part
    assert f"<dd>{100 * found.superiority:.1f}\u00a0%</dd>" in part
    assert f"<dt>LLR (-2.94 to 2.94)</dt><dd>{SPRT.llr(counts):.2f}</dd>" in part
    assert all(f">{count:,} ({count / 4:.1f}\u00a0%)</text>" in part for count in counts)
    assert sum(match.score.faults.values()) == faults > 0
    assert match.reasons["fault: time"] == faults
    assert sum(match.reasons.values()) == 800


def test_decision_is_the_first(path):
    """The test ends where a bound was first reached, whatever came after."""
    with Store(path) as store:
        match = read(kept_runs(store)[0])
    loose = Sprt(0, 10, 0.3, 0.3)
    verdicts = [loose.verdict(counts) for counts in match.history]
    first = next(place for place, verdict in enumerate(verdicts) if verdict)
    assert decision(match, loose) == (verdicts[first], first + 1)
    assert decision(match, Sprt(0, 10, 1e-9, 1e-9)) == (0, 400)


@pytest.mark.parametrize("count", [1, 2, SAMPLES - 1, SAMPLES, SAMPLES + 1, 54_321])
def test_sampled_ends_with_all(count):
    """Curves have few points, and the last is the result."""
    found = sampled(count)
    assert found[-1] == count
    assert found[0] >= 1
    assert len(found) <= 2 * SAMPLES + 1


def test_ablation_pools_its_batches(path, text):
    """Elo is that of all batches together; what is undecided is marked so."""
    with Store(path) as store:
        items = next(run for run in kept_runs(store) if run.kind == "ablate").items()
    order = []
    for name in TECHNIQUES:
        batches = [facts["pentanomial"] for key, facts in items.items() if key.startswith(f"{name}/nodes/")]
        found = strength([sum(column) for column in zip(*batches, strict=True)])
        mark = "" if found.is_sure else "(undecided) "
        assert f">{mark}{found.elo:+.1f} ± {found.error:.1f}</td>" in text
        order.append((-strength(items[f"{name}/time/0"]["pentanomial"]).elo, name))
    rows = [text.index(f"<td>{name}</td>") for _, name in sorted(order)]
    assert rows == sorted(rows)


def test_suites_ladder_and_tuning_are_told(text):
    """Counts of suites with a cell for each position, ratings, and the way of parameters."""
    solved = re.search(r"quiesce, 10 s: (\d+) of 300 solved", text)
    assert f">{int(solved[1]) / 3:.1f}\u00a0%</td>" in text
    assert text.count('class="cell') == 300 + 280 + 24
    assert re.search(r"<title>wac.002: e2e4, solved after .*, 10 of 10 points</title>", text)
    assert "<dd>2704 ± 23.6</dd>" in text
    assert "60 iterations, 1,952 games." in text
    found = strength([1, 20, 50, 30, 2])
    assert f"<dd>{found.elo:+.1f} ± {found.error:.1f}</dd></div><div><dt>games of that" in text
    assert "LmrDivisor, from 2.25 to " in text


def test_steps_hold_all_times():
    """Shades reach from well below the slowest solution to no less than it."""
    assert steps_for([0.5, 7.0]) == [0.1, 0.3, 1, 3, 10]
    assert steps_for([]) == [0.01, 0.03, 0.1, 0.3, 1]
    assert steps_for([1e9])[-1] == STEPS[-1]


def test_strange_facts_spoil_only_their_run(tmp_path):
    """A run that cannot be read is named; the others are shown; a run without items says so."""
    with Store(tmp_path / "s.sqlite") as store:
        for kind in (part.kind for part in SECTIONS):
            bad = store.run(kind, f"bad {kind}", {"bad": True})
            bad.add("0", {"games": 7, "id": "x", "rating": "?", "values": 3, "qnodes": "?"})
            bad.add("X/nodes/0", {"games": "?", "pentanomial": 5})
            store.run(kind, f"void {kind}", {})
        fill_match(store, "sound", 3, 0.0, None)
        text = page(kept_runs(store))
    assert text.count("its facts cannot be read") == len(SECTIONS)
    assert "<h3>sound</h3>" in text
    parser = Nesting()
    parser.feed(text)
    assert parser.open == []


def test_one_sided_and_endless_results(tmp_path):
    """All pairs alike, one pair, and an error without end are drawn too."""
    with Store(tmp_path / "s.sqlite") as store:
        for name, pairs in (("one", 1), ("all", 9)):
            fill_match(store, name, pairs, 0.0, SPRT)
        won = store.run("match", "won", {})
        for key in "0123":
            won.add(
                key, {"games": [game_facts(random.Random(1), 1, side) for side in (1, 2)], "thinking": 0, "seconds": 1}
            )
        ladder = store.run("ladder", "l", {})
        ladder.add("a", {"rating": 2000, "games": [0, 0, 3], "elo": 2400.0, "error": math.inf})
        switch = store.run("ablate", "a", {})
        switch.add("A/nodes/0", {"pentanomial": [0, 0, 0, 0, 2]})
        text = page(kept_runs(store))
    assert check_drawings(text) == 9 - 2
    assert text.count("no interval to draw") == 2
    assert "2000" in text
    assert "(undecided)" in text


def test_what_the_lab_does_not_know_is_no_trouble(tmp_path):
    """Errors and ratings that are not known (null), a drawn pair alone, a time control as the lab keeps it."""
    with Store(tmp_path / "s.sqlite") as store:
        ladder = store.run("ladder", "l", {})
        ladder.add("b", {"rating": 1900, "games": [0, 0, 2], "elo": 2400.0, "error": None})
        ladder.add("ours", {"rating": None, "error": None})
        switch = store.run("ablate", "a", AblationTerms().identity())
        switch.add("B/time/0", {"pentanomial": [0, 0, 1, 0, 0], "faults": []})
        text = page(kept_runs(store))
    assert check_drawings(text) == 2
    assert "cannot be read" not in text
    assert "On the clock: 2+0.02" in text


def test_charts_escape_and_shorten():
    """Labels are text; a long one is cut, and told whole when pointed at."""
    long = NASTY + " and much more"
    drawings = (
        bar_chart(long, [Bar(long, 1, "1")], "x"),
        strip_chart(long, [Strip(long, [Mark(1)], "1")], "x", None),
        line_chart(long, [Series(long, [(1, 1)]), Series("b", [(1, 2)])], (long, long)),
        heat_map(long, [Cell("h0", long), None]),
    )
    for drawing in drawings:
        assert "<script" not in drawing
        ET.fromstring(f"<x>{drawing}</x>")
    assert f"<title>{html.escape(long)}</title>" in drawings[0]


def test_markup_is_escaped_once():
    """Text is escaped, markup is not, attributes always are."""
    assert as_html("<") == "&lt;"
    assert as_html(as_html("<")) == "&lt;"
    assert element("a", Html("<b></b>"), "&", href='"', class_=None) == '<a href="&quot;"><b></b>&amp;</a>'


def test_scales():
    """Ends map to ends, what is outside to the edge, and ticks are round and inside."""
    plain, logs = Scale(-3, 7, 0, 100), Scale(0.001, 20, 0, 100, is_log=True)
    assert (plain(-3), plain(7), plain(99), plain(2)) == (0, 100, 100, 50)
    assert plain.ticks() == [-2, 0, 2, 4, 6]
    assert [round(value, 6) for value in logs.ticks()] == [0.001, 0.01, 0.1, 1, 10]
    assert span([math.inf, 5]) == (4.5, 5.5)
    assert span([]) == (0, 1)


def test_kinds_of_positions():
    """Check and loose pieces are sharp; else pieces decide."""
    assert position_kind("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == "opening"
    assert position_kind(ENDING) == "endgame"
    assert position_kind("4k3/8/8/8/7b/8/8/4K3 w - - 0 1") == "sharp"
    assert position_kind("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1") == "sharp"
    assert position_kind("r2q1rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1 w - - 0 1") == "middlegame"
    assert {position_kind(fen) for fen in bench_positions()} == set(KINDS_OF_POSITIONS)


def test_command_writes_the_page(path, tmp_path):
    """The page is written whole; some runs may be picked."""
    out = tmp_path / "new" / "page.html"
    done = run("--store", path, "--out", out, "--run", 1, "--run", 4)
    assert done.exit_code == 0, done.output
    text = out.read_text(encoding="utf-8")
    assert "from 2 runs" in text
    assert 'id="tune"' not in text
    assert [item.name for item in out.parent.iterdir()] == ["page.html"]
    assert run("--store", path, "--out", out, "--run", 99).exit_code == 2


def test_command_lists_runs(path):
    """Ids, kinds, names, starts and items, for people and programs."""
    assert "quiesce-1 - quiesce-2, 8+0.08" in run("--store", path, "--list").output
    runs = json.loads(run("--store", path, "--list", "--json").output)["runs"]
    assert len(runs) == 11
    assert {key: runs[0][key] for key in ("id", "kind", "items")} == {"id": 1, "kind": "match", "items": 401}


def test_no_store_no_page(tmp_path):
    """A store that is missing, empty, damaged or somebody else's is one clear line and code 1; none is made."""
    missing, empty, damaged, foreign = (
        tmp_path / f"{name}.sqlite" for name in ("missing", "empty", "damaged", "foreign")
    )
    Store(empty).close()
    damaged.write_bytes(b"no database at all" * 100)
    with sqlite3.connect(foreign) as base:
        base.execute("CREATE TABLE t (x)")
    base.close()
    for path, words in ((missing, "does not exist"), (empty, "no runs"), (damaged, "no store of the lab"),
                        (foreign, "not one of ours")):  # fmt: skip
        for more in (["--list"], ["--out", tmp_path / "page.html"]):
            done = run("--store", path, *more)
            assert done.exit_code == 1
            assert words in done.output
            assert "Traceback" not in done.output
    assert not missing.exists()
    assert not (tmp_path / "page.html").exists()


def test_damage_inside_is_told(path, tmp_path):
    """A store whose pages or configurations are broken is an error in words."""
    torn = tmp_path / "torn.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    torn.write_bytes(data)
    assert run("--store", torn, "--out", tmp_path / "page.html").exit_code == 1
    with Store(tmp_path / "odd.sqlite") as store:
        store.run("match", "odd", {})
        store.write("UPDATE runs SET config = ?", ("{",))
    done = run("--store", tmp_path / "odd.sqlite", "--list")
    assert done.exit_code == 1
    assert "run 1 is damaged" in done.output


def test_bench_is_kept(tmp_path, monkeypatch):
    """`bench --keep` visits the nodes that bench does, and the report shows it."""
    monkeypatch.setenv("QUIESCE_STORE", str(tmp_path / "lab.sqlite"))
    for _ in range(2):
        done = CliRunner().invoke(cli, ["bench", "--keep", "--depth", "3", "--json"])
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["nodes"] == run_bench(3).nodes
    with Store() as store:
        (kept,) = kept_runs(store)
        items = kept.items()
        text = page([kept])
    assert (len(items), kept.config["depth"]) == (50, 3)
    assert all([one["depth"] for one in facts["depths"]] == [1, 2, 3] for facts in items.values())
    assert sum(facts["nodes"] for facts in items.values()) == run_bench(3).nodes
    assert 'id="bench"' in text
