"""The door to Numba: instructions, the warm-up, the cache between processes, and both other builds."""

import json
import os
import shutil
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce import cachekey
from quiesce.board.game import Game
from quiesce.board.makemove import make_move
from quiesce.board.position import POSITION
from quiesce.board.types import MOVE_LIST
from quiesce.jit import copy_record, is_compiled, kernel, load_atomic, lsb, now_ns, popcount, warm_up
from quiesce.jit.entries import ENTRIES, kernel_modules
from quiesce.records import Field, new, record

from .conftest import TESTS, run_json, run_python

FLAGS = record(Field("stop", ("i8", (1,)), "a flag another thread may set"))
PERFT_SCRIPT = """
import importlib, json
from quiesce.jit import is_compiled, warm_up
kernels = importlib.import_module("quiesce.jit.compile")
for name in kernels.kernel_modules():
    importlib.import_module(name)
kernels.ENTRIES[:] = [item for item in kernels.ENTRIES if item.name.startswith("board.")]  # the rest takes a minute
was_compiled, told = is_compiled(), []
warm_up(lambda done, total, what: told.append(what))
from quiesce.board.game import Game
from quiesce.board.counter import Counter
with Counter() as counter:
    print(json.dumps([was_compiled, counter.count(Game().position, 4), any("waiting" in what for what in told)]))
"""
LEAVES = 197_281


@kernel
def _popcount(bits):
    return popcount(bits)


@kernel
def _lsb(bits):
    return lsb(bits)


@kernel
def _copy(target, source):
    copy_record(target, source)


@kernel
def _load(flags):
    return load_atomic(flags.stop)


@kernel
def _clock():
    return now_ns()


@given(st.integers(0, 2**64 - 1))
def test_bit_instructions_mean_what_python_says(bits):
    """Compiled and plain forms agree with each other and with arithmetic."""
    value = np.uint64(bits)
    assert int(_popcount(value)) == int(popcount(value)) == sum(bits >> place & 1 for place in range(64))
    if bits:
        assert int(_lsb(value)) == int(lsb(value)) == (bits & -bits).bit_length() - 1


def test_records_are_copied_whole():
    """Compiled and plain copies move every byte that has a name."""
    source = Game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 7").position
    for copy in (_copy, copy_record):
        target = new(POSITION)
        copy(target, source)
        assert target == source


def test_flag_and_clock():
    """A flag is read, and the clock is the one Python reads."""
    flags = new(FLAGS)
    assert _load(flags) == load_atomic(flags.stop) == 0
    flags.stop[0] = 7
    assert _load(flags) == load_atomic(flags.stop) == 7
    before, inside, after = time.monotonic_ns(), int(_clock()), time.monotonic_ns()
    assert before <= inside <= after


def test_copy_refuses_other_records():
    """Records of two types are never copied into each other."""
    with pytest.raises(Exception, match="copy_record"):
        _copy(new(POSITION), new(MOVE_LIST))


def test_warm_up_tells_its_progress():
    """Each entry that is not rare is announced in order, then the end."""
    told, count = [], sum(not item.is_lazy for item in ENTRIES)
    warm_up(lambda done, total, what: told.append((done, total, what)))
    assert [done for done, _, _ in told] == list(range(count + 1))
    assert told[-1] == (count, count, "ready")
    assert "board.makemove.make_move" in {what for _, _, what in told}
    assert is_compiled()


def test_every_kernel_module_is_warmed():
    """Modules are found by their first word."""
    assert "quiesce.board.movegen" in kernel_modules()
    assert "quiesce.board.fen" not in kernel_modules()


def test_entries_never_compile_again(t):
    """An entry called with other number types converts them: one signature for good."""
    game = Game()
    move = game.legal_moves()[0]
    child = new(POSITION)
    for form in (int, np.uint16, np.int32, np.uint64):
        make_move(t, game.position, child, form(move))
    usual = [item for item in ENTRIES if not item.is_lazy]
    assert [len(item.function.signatures) for item in usual] == [1] * len(usual)
    with pytest.raises(TypeError):
        make_move(t, game.position, new(MOVE_LIST), move)


LAZY_SCRIPT = """
import importlib, json
from concurrent.futures import ThreadPoolExecutor
from quiesce.board.game import Game
kernels = importlib.import_module("quiesce.jit.compile")
from quiesce.jit import entry
from quiesce.board.position import POSITION

@entry(POSITION, lazy=True)
def turn_of(pos):
    return pos.turn

kernels.kernel_modules = lambda: []
kernels.ENTRIES[:] = [item for item in kernels.ENTRIES if item.name.endswith(("make_null", "turn_of"))]
kernels.warm_up()
lazy = kernels.ENTRIES[-1]
before = [len(item.function.signatures) for item in kernels.ENTRIES], kernels.is_kept(lazy)
boards = [Game().position, Game("4k3/8/8/8/8/8/8/4K3 b - - 0 1").position] * 8
with ThreadPoolExecutor(16) as pool:
    answers = list(pool.map(lambda board: int(turn_of(board)), boards))
print(json.dumps([*before, answers, len(lazy.function.signatures), kernels.is_kept(lazy), turn_of.__name__]))
"""


def test_lazy_entries_wait_for_their_first_call(tmp_path):
    """The warm-up leaves them; the first call compiles once, whatever thread asks, with a word; then they load."""
    script = tmp_path / "lazy.py"
    script.write_text(LAZY_SCRIPT, encoding="utf-8")
    for is_kept, words in ((False, 1), (True, 0)):
        done = run_python(str(script), QUIESCE_CACHE_DIR=str(tmp_path / "cache"))
        assert json.loads(done.stdout) == [[1, 0], is_kept, [0, 1] * 8, 1, True, "turn_of"]
        assert done.stderr.count("turn_of, this happens once") == words


@pytest.mark.parametrize("mode", ["0", "1"])
def test_builds_do_not_disturb_each_other(mode, tmp_path):
    """Release after debug and debug after release: right counts, and warm from the second start on."""
    other = "1" if mode == "0" else "0"
    run = partial(run_json, "-c", PERFT_SCRIPT, QUIESCE_CACHE_DIR=str(tmp_path))
    assert [run(QUIESCE_DEBUG=which) for which in (other, mode)] == 2 * [[False, LEAVES, False]]
    assert [run(QUIESCE_DEBUG=which) for which in (other, mode)] == 2 * [[True, LEAVES, False]]


def test_compiler_off_gives_the_same():
    """The same code as plain Python: identical moves, keys, exchanges, draws and counts."""
    script = str(TESTS / "fingerprint.py")
    assert run_json(script, NUMBA_DISABLE_JIT="1") == run_json(script)


def test_debug_build_walks_the_suites():
    """Perft under bounds checks and invariants: nothing is broken, every shallow count is right."""
    for name in ("tricky", "six_shallow", "standard", "chess960_first"):
        suite = str(TESTS / "data" / "perft" / f"{name}.epd")
        done = run_python("-m", "quiesce", "perft", "--suite", suite, "--max-nodes", "3000", QUIESCE_DEBUG="1")
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith(" 0 failed\n")


def test_debug_build_notices():
    """A broken position and an index out of bounds raise in the debug build."""
    script = """
import numpy as np
from quiesce.board.game import Game
from quiesce.board.movegen import add_move
from quiesce.board.types import MOVE_LIST
from quiesce.records import new
game = Game()
game.position.pawn_key ^= np.uint64(1)
try:
    game.push(game.legal_moves()[0])
except AssertionError as error:
    print("noticed:", error)
try:
    add_move(new(MOVE_LIST), np.uint64(256), np.uint64(1))
except IndexError as error:
    print("noticed:", error)
"""
    done = run_python("-c", script, QUIESCE_DEBUG="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("noticed:") == 2


def start(script, cache):
    """A process with a cache of its own."""
    environment = os.environ | {cachekey.CACHE_VARIABLE: str(cache)}
    return subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)  # fmt: skip


def test_two_processes_compile_at_once(tmp_path):
    """One compiles, the other waits; both count right, and the third start is warm."""
    both = [start(PERFT_SCRIPT, tmp_path) for _ in range(2)]
    answers = [process.communicate(timeout=240) for process in both]
    assert sorted(json.loads(out) for out, _ in answers) == [[False, LEAVES, False], [False, LEAVES, True]]
    assert run_json("-c", PERFT_SCRIPT, QUIESCE_CACHE_DIR=str(tmp_path)) == [True, LEAVES, False]


def test_a_full_disk_is_not_taken_for_a_complete_cache(tmp_path):
    """Where nothing can be written the work is done all the same, said once, and not marked as done."""
    resource = pytest.importorskip("resource")
    script = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))\n{PERFT_SCRIPT}"
    assert resource is not None
    done = run_python("-c", script, QUIESCE_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[1] == LEAVES
    assert done.stderr.count("cannot be kept") == 1
    assert not list(tmp_path.glob(f"*/{cachekey.COMPLETE}"))


def test_kernels_of_other_files_are_never_stale(tmp_path):
    """A script with a kernel of its own is compiled anew when it changes."""
    script = tmp_path / "script.py"
    for number in (1, 2):
        script.write_text(f"from quiesce.jit import kernel\n@kernel\ndef f():\n    return {number}\nprint(f())\n")
        assert run_json(str(script), QUIESCE_CACHE_DIR=str(tmp_path / "cache")) == number


@pytest.mark.slow
def test_killed_while_compiling(tmp_path):
    """After SIGKILL at several moments of the compile the next start just finishes the work."""
    for seconds in (1.5, 3.0, 5.0):
        process = start(PERFT_SCRIPT, tmp_path)
        time.sleep(seconds)
        process.kill()
        process.communicate()
    assert run_json("-c", PERFT_SCRIPT, QUIESCE_CACHE_DIR=str(tmp_path))[1] == LEAVES


def test_damaged_cache_is_mended(tmp_path):
    """A cut file in the cache is compiled again, with a warning, and the count is right."""
    folder = cachekey.folder()
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy)
    damaged = [path for path in copy.glob("*.nbc") if "perft" in path.name] + list(copy.glob("game*.nbi"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:100])
    done = run_python("-c", PERFT_SCRIPT, QUIESCE_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[1] == LEAVES
    assert "damaged file" in done.stderr
    assert "damaged file" not in run_python("-c", PERFT_SCRIPT, QUIESCE_CACHE_DIR=str(tmp_path)).stderr
