"""A SimpleEngine in all that its users see: members, types, errors, options, and how it is started and ended."""

import inspect
import pickle
import subprocess
import sys
import textwrap
import threading
import time

import chess
import chess.engine
import pytest
from chess.engine import EngineError, EngineTerminatedError, Limit, SimpleAnalysisResult, SimpleEngine

import quiesce
from quiesce.api.starting import names_quiesce
from quiesce.engine.options import OPTIONS
from tests.conftest import shared

FEW = Limit(nodes=500)
KQK = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    """One engine for tests that leave it as it was."""
    with quiesce.Engine({"Hash": 1}) as made:
        yield made


def public(owner):
    """Names of what users of a class may call or read."""
    return {name for name in dir(owner) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(quiesce.Engine, SimpleEngine), (quiesce.Analysis, SimpleAnalysisResult)],
    ids=["engine", "analysis"],
)
def test_nothing_is_inherited(ours, theirs):
    """Every public member, and every special method that theirs defines, is our own: theirs would need a pipe."""
    special = {name for name in vars(theirs) if name.startswith("__") and callable(getattr(theirs, name))}
    for name in public(theirs) | special:
        assert name in vars(ours), name
    assert issubclass(ours, theirs)


def test_fields_are_there(engine):
    """What their constructor sets can be read, but for the protocol, which says why there is none."""
    assert engine.transport.get_pid() > 0
    assert engine.timeout == 10.0
    assert not engine.returncode.done()
    assert not engine.shutdown_event.is_set()
    with pytest.raises(AttributeError, match="AsyncEngine"):
        engine.protocol  # noqa: B018
    with pytest.raises(EngineError):
        engine.communicate(lambda protocol: protocol)


@pytest.mark.parametrize("name", sorted(public(SimpleEngine) - {"id", "options"}))
def test_calls_take_what_theirs_take(name):
    """Whatever may be given to theirs may be given to ours, by the same name or place."""
    theirs, ours = (inspect.signature(getattr(of, name)).parameters for of in (SimpleEngine, quiesce.Engine))
    assert {word: given.kind for word, given in theirs.items()} == {word: ours[word].kind for word in theirs}


def test_options_are_those_of_uci(engine):
    """All that UCI declares is there, in any case, described as python-chess reads it from the protocol."""
    assert {name.lower() for name in engine.options} == set(OPTIONS)
    assert engine.options["uci_CHESS960"].name == "UCI_Chess960"
    for option in engine.options.values():
        if option.type != "button":
            assert option.parse(option.default) == option.default
    engine.configure({name: option.default for name, option in engine.options.items() if not option.is_managed()})
    engine.configure({"UCI_Chess960": False, "UCI_ShowWDL": True, "UCI_AnalyseMode": None, "uci_opponent": "none"})
    for managed in ("MultiPV", "ponder"):
        with pytest.raises(EngineError, match="cannot be configured"):
            engine.configure({managed: 1})


def test_book_and_tables_are_used(engine):
    """`play` plays from the book and says so; tables give scores to play and analysis; broken ones change nothing."""
    book = {"OwnBook": True, "Book File": str(shared("books/gnuchess_small.bin"))}
    played = engine.play(chess.Board(), FEW, options=book)
    assert played.info == {"string": "a move of the book"}
    assert played.move in chess.Board().legal_moves
    assert "score" in engine.analyse(chess.Board(), FEW, options=book)
    assert "score" in engine.play(chess.Board(), FEW, options=book | {"UCI_AnalyseMode": True}).info
    assert "score" in engine.play(chess.Board(), FEW, options=book, root_moves=[chess.Move.from_uci("a2a3")]).info
    tables = {"SyzygyPath": str(shared("syzygy"))}
    for info in (
        engine.play(KQK, FEW, options=tables).info,
        engine.analyse(KQK, FEW, options=tables),
        next(engine.analysis(KQK, FEW, options=tables)),
    ):
        assert info["tbhits"] > 0
        assert info["score"].relative.score(mate_score=100_000) > 19_000
    assert engine.analyse(KQK, FEW)["tbhits"] == 0
    for broken in ({"SyzygyPath": "/no/such"}, {"OwnBook": True, "Book File": "/no/such.bin"}):
        with pytest.raises(EngineError, match="/no/such"):
            engine.configure(broken)
    assert engine._values["SyzygyPath"] == ""


def test_tables_that_break_are_told(engine, monkeypatch):
    """Where tables fail in use the search goes on without, and its info says so, once."""
    engine.configure({"SyzygyPath": str(shared("syzygy"))})
    monkeypatch.setattr(engine._searching.setup.tables, "verdict", lambda _: 1 // 0)
    assert "ZeroDivisionError" in engine.analyse(KQK, FEW)["string"]
    assert "string" not in engine.analyse(KQK, FEW)
    engine.configure({"SyzygyPath": None})


def test_chess960_of_text(engine):
    """UCI_Chess960 says how a position in text castles; a board knows of itself."""
    fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w K - 0 1"
    castling = chess.Move.from_uci("e1h1")
    assert engine.play(fen, FEW, root_moves=[castling], options={"UCI_Chess960": True}).move == castling


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda engine: engine.play("8/8/8/8/8/8/8/8 w - - 0 1", FEW), quiesce.board.fen.FenError),
        (lambda engine: engine.play("e4 e6 e9", FEW), ValueError),
        (lambda engine: engine.configure({"Hsah": 1}), ValueError),
        (lambda engine: engine.configure({"Hash": 1 << 20}), MemoryError),
        (lambda engine: engine.configure({"EvalFile": "/no/such.qnet"}), ValueError),
        (lambda engine: engine.analyse(chess.Board(), Limit()), ValueError),
        (lambda engine: engine.analyse(chess.Board(), FEW, multipv=0), ValueError),
        (lambda engine: engine.analysis(chess.Board(), options={"Ponder": True}), ValueError),
        (lambda engine: engine.qsearch("no board"), ValueError),
        (lambda _: quiesce.Engine(Hash=0), ValueError),
        (lambda _: quiesce.Engine.popen_uci("stockfish"), ValueError),
        (lambda _: quiesce.Engine.popen_xboard("quiesce"), ValueError),
    ],
)
def test_refusals_are_engine_errors_too(engine, ask, kind):
    """What is refused is caught by those who wrote for python-chess and by those who wrote for us, and can be sent."""
    with pytest.raises(kind) as caught:
        ask(engine)
    assert isinstance(caught.value, EngineError)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (type(copied), str(copied)) == (type(caught.value), str(caught.value))


@pytest.mark.parametrize(
    ("command", "is_ours"),
    [
        ("quiesce", True),
        ("/opt/bin/quiesce", True),
        ("C:\\Programs\\Quiesce.EXE", True),
        (["quiesce", "uci"], True),
        (["/usr/bin/python3.12", "-m", "quiesce"], True),
        ([sys.executable, "-m", "quiesce", "uci"], True),
        (["quiesce", "bench"], False),
        ("quiesce uci", False),
        ("stockfish", False),
        (["python", "-m", "http.server"], False),
        ([], False),
    ],
)
def test_commands_that_name_quiesce(command, is_ours):
    """Those start ours, in this process; all others are refused, by whichever way they would be started."""
    assert names_quiesce(command) == is_ours
    if not is_ours:
        with pytest.raises(ValueError, match="does not start Quiesce"):
            quiesce.Engine.popen(chess.engine.UciProtocol, command)


def test_started_and_ended_as_theirs():
    """popen_uci takes what starts processes; quit ends it with returncode 0, and later calls are refused."""
    engine = quiesce.Engine.popen_uci("quiesce", timeout=5, debug=True, setpgrp=True, cwd="/")
    assert isinstance(engine, SimpleEngine)
    assert engine.timeout == 5
    engine.send_opponent_information(opponent=chess.engine.Opponent("Ann", "WIM", 2200, is_engine=False))
    assert engine._values["UCI_Opponent"] == "WIM 2200 human Ann"
    engine.send_opponent_information()
    engine.send_game_result(chess.Board(), chess.WHITE, "time forfeiture")
    engine.quit()
    assert engine.returncode.result(1) == 0
    assert engine.transport.get_returncode() == 0
    for ask in (engine.ping, lambda: engine.send_game_result(chess.Board()), engine.new_game):
        with pytest.raises(EngineTerminatedError):
            ask()


def test_timeout_ends_what_is_late(monkeypatch):
    """A call that takes `timeout` seconds longer than its limit, or than its turn, is ended with TimeoutError."""
    with quiesce.Engine({"Hash": 1}, timeout=0.3) as small:
        begun = small._searching._begun

        def late(*given):
            findings, limits = begun(*given)
            monkeypatch.setattr(findings, "wait", lambda until=None: waited(until))
            return findings, limits

        def waited(until):
            if until is not None:
                time.sleep(max(until - time.monotonic(), 0))
                raise TimeoutError

        with monkeypatch.context() as patch:
            patch.setattr(small._searching, "_begun", late)
            with pytest.raises(TimeoutError):
                small.play(chess.Board(), Limit(time=0.1))
        playing = threading.Thread(target=lambda: small.play(chess.Board(), Limit(time=2)))
        playing.start()
        while not small._core.is_searching:
            time.sleep(0.01)
        with pytest.raises(TimeoutError):
            small.configure({"Hash": 2})
        small.timeout = None
        small.configure({"Hash": 2})
        playing.join()


PROGRAM = """
import chess, chess.engine, quiesce

def judged(engine: chess.engine.SimpleEngine, lines: int | None) -> list[chess.engine.InfoDict]:
    found = engine.analyse(chess.Board(), chess.engine.Limit(depth=1), multipv=lines)
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            print(info.get("score"))
    return found if isinstance(found, list) else [found]

async def awaited(engine: chess.engine.Protocol) -> chess.Move | None:
    with await engine.analysis(chess.Board()) as analysis:
        async for info in analysis:
            print(info.get("depth"))
    return (await engine.play(chess.Board(), chess.engine.Limit(depth=1))).move

async def main() -> None:
    await awaited(quiesce.AsyncEngine())

one: list[chess.engine.InfoDict] = quiesce.Engine().analyse("startpos", chess.engine.Limit(depth=1), multipv=2)
judged(quiesce.Engine(Hash=4), 3)
judged(quiesce.Engine.popen_uci("quiesce"), None)
"""


@pytest.mark.slow
def test_types_agree(tmp_path):
    """mypy, strict, finds nothing in a program whose functions take a SimpleEngine or a Protocol and are given ours."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
