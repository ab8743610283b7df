"""Kernels called from one object: arguments are checked, statuses are heeded, the search is the same, node for node."""

import ctypes
import json

import numpy as np
import pytest

from quiesce.board.position import POSITION
from quiesce.board.types import MOVE_LIST
from quiesce.jit import native
from quiesce.jit.entries import Entry, Many
from quiesce.lab.searchbench import run_bench
from quiesce.records import new
from tests.conftest import run_json, run_python

DEPTH = 7
SOME = (POSITION, Many("u2"), "i8", "u1")
"""Arguments of every kind."""
SOME_IN_C = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint8)
"""The same, as C takes them."""


class Stub:
    """Stands for a loaded object: one function, and the word for its result."""

    def __init__(self, function, result):
        self.function, self.result = function, result

    def entry(self, _item):
        """Address and result."""
        return ctypes.cast(self.function, ctypes.c_void_p).value, self.result


@pytest.fixture
def calling(monkeypatch):
    """Makes an entry of declared arguments that calls a Python function as if it were machine code."""

    def make(arguments, c_types, answer, result="i8"):
        def plain():
            """What the entry is for."""

        function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(ctypes.c_int64), *c_types)(answer)
        monkeypatch.setattr(native, "kernels", lambda: Stub(function, result))
        return native.caller_of(Entry(plain, arguments))

    return make


def test_records_arrays_and_numbers_arrive(calling):
    """A record as its address, an array as address and length, numbers of any type as themselves."""
    heard = []

    def answer(result, *values):
        heard.append(values)
        result[0] = -5
        return 0

    call = calling(SOME, SOME_IN_C, answer)
    stack, array = np.zeros(3, POSITION), np.zeros(7, np.uint16)
    assert call(stack[2], array[2:5], np.int16(-3), True) == -5
    assert heard == [(stack.ctypes.data + 2 * POSITION.itemsize, array.ctypes.data + 4, 3, -3, 1)]
    assert call.__doc__ == "What the entry is for."


def read_only():
    """An array that nobody may write."""
    array = np.zeros(4, np.uint16)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("place", "wrong", "why"),
    [
        (0, new(MOVE_LIST), "a record of"),
        (0, np.zeros(1, POSITION), "a record of"),
        (0, None, "not NoneType"),
        (0, 17, "not int"),
        (1, np.zeros(4, np.int16), "array of u2"),
        (1, np.zeros((2, 2), np.uint16), "2-dimensional"),
        (1, np.zeros(8, np.uint16)[::2], "one after the other"),
        (1, np.zeros(9, np.uint8)[1:].view(np.uint16), "one after the other"),
        (1, read_only(), "can be written"),
        (1, b"ab", "not bytes"),
        (2, 1.5, "integer"),
        (2, 1 << 63, "is not from"),
        (3, -1, "is not from 0 to 255"),
        (3, "1", "integer"),
    ],
)
def test_what_does_not_fit_is_refused(calling, place, wrong, why):
    """A wrong argument is a TypeError that names it, and nothing is called."""
    call = calling(SOME, SOME_IN_C, lambda *_: pytest.fail("called"))
    arguments = [new(POSITION), np.zeros(4, np.uint16), 0, 0]
    arguments[place] = wrong
    with pytest.raises(TypeError, match=rf"argument {place + 1} of .*plain: .*{why}"):
        call(*arguments)


def test_the_number_of_arguments_is_checked(calling):
    """One too few, one too many."""
    call = calling(("i8",), (ctypes.c_int64,), lambda *_: pytest.fail("called"))
    for arguments in ((), (1, 2)):
        with pytest.raises(TypeError, match="takes 1 arguments, not"):
            call(*arguments)


def test_a_status_raises(calling):
    """What a kernel raises is not lost."""
    call = calling(("i8",), (ctypes.c_int64,), lambda *_: 3)
    with pytest.raises(native.KernelError, match="plain ended with status 3"):
        call(1)


def test_an_array_only_read_may_be_read_only(calling):
    """As declared."""
    call = calling((Many("u2", is_read=True),), (ctypes.c_void_p, ctypes.c_int64), lambda *_: 0, native.NOTHING)
    assert call(read_only()) is None


def test_addresses_are_numpys():
    """The glance into an object finds what NumPy tells: of whole arrays, of slices, of records in records."""
    stack = np.zeros(5, POSITION)
    for address in (native.array_address, native.told_address):
        assert [address(array) for array in (stack, stack[3:])] == [stack.ctypes.data, stack[3:].ctypes.data]
    for address in (native.record_address, native.told_address):
        assert address(stack[3]) == stack.ctypes.data + 3 * POSITION.itemsize


@pytest.fixture(scope="module")
def normal():
    """The environment of a normal start, its object compiled once and kept."""
    environment = {"QUIESCE_OPEN": "", "QUIESCE_JIT": "", "QUIESCE_DEBUG": "", "QUIESCE_TRACE": ""}
    done = run_python("-c", "from quiesce.jit import warm_up; warm_up()", **environment)
    assert done.returncode == 0, done.stderr
    return environment


BENCH = f"import json; from quiesce.lab.searchbench import run_bench; print(json.dumps(run_bench({DEPTH}).counters))"


@pytest.mark.timeout(600)
def test_the_object_searches_as_numba_does(normal):
    """Every counter of the bench is the same in one object and in kernels that Numba compiles one by one."""
    assert run_json("-c", BENCH, **normal) == run_bench(DEPTH).counters


NO_PICKLE = """
import json, pickle, sys
def refuse(*_, **__):
    raise RuntimeError("something was unpickled")
pickle.load = pickle.loads = pickle.Unpickler = refuse
sys.addaudithook(lambda event, _: refuse() if event.startswith(("pickle.", "marshal.loads.code")) else None)
import chess, quiesce, quiesce.batch as batch
with quiesce.Engine() as engine:
    played = engine.play(chess.Board(), chess.engine.Limit(depth=6)).move
rows = batch.from_fens([chess.STARTING_FEN])
answers = [quiesce.perft(chess.Board(), 4), int(batch.legal_counts(rows)[0]), quiesce.see(chess.Board(), "e2e4")]
print(json.dumps([played in chess.Board().legal_moves, *answers, sorted({"numba"} & set(sys.modules))]))
"""


@pytest.mark.timeout(600)
def test_nothing_is_unpickled(normal):
    """Search, perft, exchanges and batches of a normal start load no pickle, and no Numba."""
    assert run_json("-c", NO_PICKLE, **normal) == [True, 197_281, 20, 0, []]


WRONG = """
import json
from quiesce.board.game import Game
from quiesce.board.makemove import make_move
from quiesce.board.tables import tables
from quiesce.board.types import MOVE_LIST
from quiesce.records import new
game = Game()
try:
    make_move(tables(), game.position, new(MOVE_LIST), 1)
except TypeError as error:
    print(json.dumps(str(error)))
"""


@pytest.mark.timeout(600)
def test_a_wrong_record_is_a_clear_error(normal):
    """Where the address alone would be a crash."""
    assert "argument 3 of board.makemove.make_move: a record of" in run_json("-c", WRONG, **normal)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_numba_can_be_asked_for(tmp_path):
    """QUIESCE_JIT=1 compiles one by one, searches the same nodes, and says so."""
    asked = {"QUIESCE_OPEN": "", "QUIESCE_JIT": "1", "QUIESCE_CACHE_DIR": str(tmp_path)}
    done = run_python("-c", BENCH, timeout=800, **asked)
    assert json.loads(done.stdout) == run_bench(DEPTH).counters
    assert "by Numba one by one" in run_python("-m", "quiesce", "--version", **asked).stdout
