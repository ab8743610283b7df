"""Objects for other systems than this one: what they bring along, what they need, and that linkers take them."""

import ctypes
import itertools
import json
import shutil
import subprocess

import llvmlite.binding as llvm
import pytest
from numba import from_dtype
from numba.core import compiler, ir

from quiesce.board.position import POSITION
from quiesce.jit import build
from tools import build_native

SYMBOL = "q_tiny"
TINY = f"""
declare i32 @clock_gettime(i32, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i32 @{SYMBOL}(ptr %result, ptr %one, ptr %other, i64 %length) {{
  call void @llvm.memcpy.p0.p0.i64(ptr %one, ptr %other, i64 %length, i1 false)
  %status = call i32 @clock_gettime(i32 99, ptr %result)
  %real = load double, ptr %result
  %more = fadd double %real, 1.0
  store double %more, ptr %result
  ret i32 %status
}}
"""
"""A kernel that asks for all that kernels ask a system for."""


@pytest.fixture(scope="module")
def program():
    """A program of one entry, as Numba's front end would leave it."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    made = build.Program.__new__(build.Program)
    made.text, made.rows, made.build, made.sources = TINY, {"tiny": {"symbol": SYMBOL}}, "release", ""
    made._tell, made._steps = lambda *_: None, 2
    return made


def target_of(name):
    """The first target of a platform."""
    platform = build_native.PLATFORMS[name]
    return build.Target(platform.triple, platform.levels[0], "", platform.machine)


@pytest.mark.parametrize(("name", "clock"), [("x86_64", 1), ("aarch64", 1), ("macos_arm64", 6), ("win_amd64", 0)])
def test_the_clock_is_the_systems(name, clock):
    """The monotonic clock has another number on macOS; on Windows ours is called, which stands still."""
    whole = target_of(name).complete(TINY)
    assert f"@clock_gettime(i32 {clock}," in str(whole)
    assert whole.get_function("clock_gettime").is_declaration == (name != "win_amd64")


@pytest.fixture(scope="module")
def brought():
    """The functions that an object for Windows brings, for this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(build.BROUGHT), machine)
    engine.finalize_object()
    address, size = ctypes.c_void_p, ctypes.c_size_t
    taken = {"memcpy": (address, address, size), "memset": (address, ctypes.c_int, size)}
    functions = {
        name: ctypes.CFUNCTYPE(address, *kinds)(engine.get_function_address(name)) for name, kinds in taken.items()
    }
    yield functions
    del engine


@pytest.mark.parametrize(("start", "length"), list(itertools.product((0, 1, 7), (0, 1, 15, 16, 33, 250))))
def test_memory_functions_do_as_cs_do(brought, start, length):
    """Copied and filled, as many bytes as asked for and none beside."""
    source, target = ctypes.create_string_buffer(bytes(range(256))), ctypes.create_string_buffer(b"." * 300)
    there = ctypes.addressof(target) + start
    assert brought["memcpy"](there, ctypes.addressof(source), length) == there
    assert target.raw[:300] == (b"." * start + bytes(range(length))).ljust(300, b".")
    assert brought["memset"](there, 0x1FF, length) == there
    assert target.raw[:300] == (b"." * start + b"\xff" * length).ljust(300, b".")


def linked(program, name, folder):
    """A library of the program; the test is skipped where no linker is installed."""
    platform = build_native.PLATFORMS[name]
    if not any(map(shutil.which, platform.linkers)):
        pytest.skip(f"no {platform.linkers[0]} (Debian: {platform.package})")
    manifest, image = program.compiled_for(target_of(name))
    library = folder / f"release{platform.ending}"
    build_native.link(image, manifest, library, name)
    assert sorted(path.name for path in folder.iterdir()) == sorted({"release.json", library.name})
    assert json.loads(library.with_suffix(".json").read_text())["library"] == library.name
    return library.read_bytes(), library


def test_a_windows_library_needs_nothing(program, tmp_path):
    """No import at all, the entry exported and nothing else; two links have the same bytes."""
    first, library = linked(program, "win_amd64", tmp_path)
    told = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
    assert "DLL Name" not in told
    table = told.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    assert table.split() == ["[", "1]", SYMBOL]
    assert linked(program, "win_amd64", tmp_path)[0] == first


@pytest.mark.parametrize("name", ["macos_arm64", "macos_x86_64"])
def test_a_macos_library_needs_the_c_library_alone(program, name, tmp_path):
    """The entry, and two functions that every process has; the same bytes twice."""
    first, _ = linked(program, name, tmp_path)
    assert first.startswith(b"\xcf\xfa\xed\xfe")
    for symbol in (SYMBOL, "clock_gettime", "memcpy"):
        assert f"_{symbol}".encode() in first
    assert linked(program, name, tmp_path)[0] == first


def test_what_a_system_does_not_have_is_refused(program):
    """A kernel that calls anything else of the C library never becomes an object."""
    other = build.Program.__new__(build.Program)
    other.__dict__.update(program.__dict__ | {"text": TINY.replace("clock_gettime", "gettimeofday")})
    with pytest.raises(RuntimeError, match="gettimeofday"):
        other.compiled_for(target_of("x86_64"))


def many_kinds(values, first):
    """A function with statements of many kinds."""
    total, pair = first, (first, [first, {"one": first}])
    for value in values:
        if value and pair[0]:
            total += values[value] if value > first else -value
        else:
            print(total, f"{value}")
    return total, pair


def test_variables_are_those_that_numba_finds():
    """In every statement of a function, the same variables in the same order."""
    blocks = compiler.run_frontend(many_kinds).blocks.values()
    statements = [statement for block in blocks for statement in block.body]
    assert len(statements) > 30
    for statement in statements:
        own = ir.Inst._rec_list_vars(statement, statement.__dict__)
        assert build.variables_in(statement, statement.__dict__) == own


def test_a_record_is_told_in_a_line():
    """Numba's own words for a position fill a page."""
    assert build.told_shortly(from_dtype(POSITION)).startswith(f"Record of {POSITION.itemsize} bytes")
