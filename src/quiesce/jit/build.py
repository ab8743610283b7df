"""Shell. Compiles all entries of a build into one object: LLVM code a function at a time, machine code of the whole.

Numba by itself optimises each function with all it calls, and makes machine code of each: work for nothing where a few
of them are called from outside. Here its front end hands over plain LLVM code; that is linked once, told that nobody
else can call what is inside (a fifth of the speed of a search), and optimised once for each processor asked for.
"""

import hashlib
import importlib
import platform
import re
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Self

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import codegen
from numba.core import ir as numba_ir
from numba.core.llvm_bindings import create_pass_builder
from numba.core.registry import cpu_target

from quiesce import cachekey
from quiesce.jit import compile as live
from quiesce.jit import library
from quiesce.jit.entries import ENTRIES, Entry, Many, Report, kernel_modules
from quiesce.jit.native import FORMATS, NOTHING, NUMBERS

POINTER, WORD, STATUS = ir.PointerType(ir.IntType(8)), ir.IntType(64), ir.IntType(32)
NO_VALUE = -2
"""Numba's status of a function that returns nothing where it might have returned something: no trouble."""
UNRESOLVED = re.compile(
    r'^@"?\.numba\.unresolved\$([^"\s]+)"? = external (?:local_unnamed_addr )?global ptr.*$', re.MULTILINE
)
"""A cell through which Numba lets a function call itself, filled when it runs."""
COUNTING = re.compile(
    r"^(?:declare|define)[^\n]*@(NRT_\w+)\(([^\n]*?)\)[^\n{]*(?:\{\n.*?^\})?$", re.MULTILINE | re.DOTALL
)
"""Numba's counting of references, declared or defined."""
OUTSIDE = {"clock_gettime", "memcpy", "memset", "memmove"}
"""What an object may need of the system: all of it is in every C library."""
SYSTEM = OUTSIDE | {"_fltused"}
"""What LLVM may ask for by name after the last optimisation: it keeps its name."""
CLOCK_CALL = re.compile(r"(@clock_gettime\(i32 )\d+")
"""A look at the clock, and the number of the clock on the system that compiles."""
CLOCKS = {"linux": 1, "darwin": 6}
"""Number of the monotonic clock in the C library of each system that has one."""
BROUGHT = """
@_fltused = global i32 0

define i32 @clock_gettime(i32 %clock, ptr %slot) {
  store i64 0, ptr %slot
  %rest = getelementptr i8, ptr %slot, i64 8
  store i64 0, ptr %rest
  ret i32 0
}

define ptr @memset(ptr %target, i32 %value, i64 %length) #0 {
  %byte = trunc i32 %value to i8
  br label %check
check:
  %place = phi i64 [ 0, %0 ], [ %next, %fill ]
  %is_over = icmp eq i64 %place, %length
  br i1 %is_over, label %end, label %fill
fill:
  %here = getelementptr i8, ptr %target, i64 %place
  store i8 %byte, ptr %here
  %next = add i64 %place, 1
  br label %check
end:
  ret ptr %target
}

define ptr @memcpy(ptr noalias %target, ptr noalias %source, i64 %length) #0 {
  br label %check
check:
  %place = phi i64 [ 0, %0 ], [ %next, %copy ]
  %is_over = icmp eq i64 %place, %length
  br i1 %is_over, label %end, label %copy
copy:
  %from = getelementptr i8, ptr %source, i64 %place
  %byte = load i8, ptr %from
  %here = getelementptr i8, ptr %target, i64 %place
  store i8 %byte, ptr %here
  %next = add i64 %place, 1
  br label %check
end:
  ret ptr %target
}

attributes #0 = { "no-builtins" noinline }
"""
"""What an object for Windows brings along, where no C library is sure to be: memory functions, a mark that numbers are
used, and a clock that stands still, as kernels have it there (`intrinsics.CLOCK_ID`)."""
RELEASE = cachekey.OBJECT_BUILDS[0]
TRAINING = "quiesce.train."
"""Kernels of which no tree of quiescence knows."""
OPTIMISING, WRITING = "optimising as a whole", "writing machine code"


@dataclass(frozen=True, slots=True)
class Target:
    """A processor and system to compile for."""

    triple: str
    cpu: str
    features: str
    machine: str
    is_linked: bool = True
    """Does a linker make a library of it, or does llvmlite load it as it is?"""

    @classmethod
    def of_this_machine(cls) -> Self:
        """This very processor."""
        name, features = cachekey.cpu()
        return cls(llvm.get_process_triple(), name, features, library.machine(), is_linked=False)

    @property
    def system(self) -> str:
        """The system, as Python calls it."""
        return self.machine.partition("-")[0]

    def generator(self) -> Any:
        """LLVM's maker of machine code for it; raises RuntimeError if LLVM cannot.

        A linked library has near calls; llvmlite promises no near memory, so there calls go through a register.
        """
        found = llvm.Target.from_triple(self.triple)
        model = "small" if self.is_linked else "jitdefault"
        return found.create_target_machine(cpu=self.cpu, features=self.features, opt=3, reloc="pic", codemodel=model)

    def complete(self, text: str) -> Any:
        """A module of LLVM code for it, with all that its system does not have."""
        clock = CLOCKS.get(self.system, 0)
        whole = llvm.parse_assembly(CLOCK_CALL.sub(rf"\g<1>{clock}", text))
        whole.triple = self.triple
        if self.system not in CLOCKS:
            brought = llvm.parse_assembly(BROUGHT)
            brought.triple = self.triple
            whole.link_in(brought)
        return whole


class Part(codegen.JITCodeLibrary):
    """One function's LLVM code, left as Numba wrote it."""

    def finalize(self) -> None:
        """Neither link nor optimise."""
        self._raise_if_finalized()
        self._finalized = True

    def add_llvm_module(self, module: Any) -> None:
        """Take the code as it is."""
        self._final_module.link_in(module)

    def get_pointer_to_function(self, name: str) -> int:
        """Nothing can be called yet."""
        return 0


class FrontEnd(codegen.JITCPUCodegen):
    """Numba's generator of code, stopped before any is generated."""

    _library_class = Part

    def set_env(self, env_name: str, env: Any) -> None:
        """No function needs its Python environment."""

    def _add_module(self, module: Any) -> None:
        """No engine takes it."""


def told_shortly(record: Any) -> str:
    """A record's type in a few words, and always the same ones for it."""
    return f"Record of {record.size} bytes, {len(record.fields)} fields"


PLAIN = {str, int, float, bool, type(None), numba_ir.Loc}
"""What holds no variable of a function, and is most of what is looked at."""


def variables_in(statement: Any, value: Any) -> list[Any]:
    """Variables anywhere in a part of a statement, as Numba's own `_rec_list_vars` finds them."""
    kind = type(value)
    if kind in PLAIN:
        return []
    if kind is numba_ir.Var:
        return [value]
    if isinstance(value, numba_ir.Inst):
        found: list[Any] = value.list_vars()
        return found
    if isinstance(value, list | tuple | dict):
        parts = value.values() if isinstance(value, dict) else value
        return [variable for part in parts for variable in variables_in(statement, part)]
    return []


def quicken() -> None:
    """Spare Numba an eighth of its time in a process that compiles and does nothing else.

    At each of its passes it would write out the types it works on, all fields of all records, which nothing reads.
    """
    types.Record.__repr__ = told_shortly
    numba_ir.Inst._rec_list_vars = variables_in


class Program:
    """All entries of a build as LLVM code, from which objects for any processor are made."""

    def __init__(self, build: str, report: Report | None = None) -> None:
        """Have Numba's front end at every entry; `build` must be the one of this process."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self.build, self.sources = build, library.source_digest()
        self._tell = report or (lambda *_: None)
        self._context = cpu_target.target_context
        self._context._internal_codegen = FrontEnd("quiesce")
        quicken()
        live.KEEP = False
        for name in kernel_modules():
            if build == RELEASE or not name.startswith(TRAINING):
                importlib.import_module(name)
        self._steps = len(ENTRIES) + 2
        self.rows: dict[str, dict[str, Any]] = {}
        self._wrappers = ir.Module("quiesce")
        self._parts: dict[Any, None] = {}
        for done, item in enumerate(ENTRIES):
            self._tell(done, self._steps, item.name)
            self._add(item)
        self.text = self._linked()

    def _add(self, item: Entry) -> None:
        """Compile one entry as far as LLVM code, and write the C function around it."""
        signature = live.signature_of(item)
        item.function.compile(signature)
        compiled = item.function.overloads[signature]
        self._collect(compiled.library)
        self._wrap(item, compiled.fndesc)
        self.rows[item.name] = {
            "symbol": item.symbol,
            "arguments": item.kinds,
            "result": result_kind(compiled.fndesc.restype),
        }

    def _collect(self, part: Any) -> None:
        """Note a function's code and that of all it calls."""
        waiting = [part]
        while waiting:
            found = waiting.pop()
            if found not in self._parts:
                self._parts[found] = None
                waiting += found._linking_libraries

    def _wrap(self, item: Entry, described: Any) -> None:
        """Write (result, arguments...) -> status around Numba's function; an array comes as address and length."""
        kind = self._context.call_conv.get_function_type(described.restype, described.argtypes)
        inner = ir.Function(self._wrappers, kind, described.llvm_func_name)
        wanted = list(kind.args[2:])
        taken, place = [kind.args[0]], 0
        for declared in item.arguments:
            is_array = isinstance(declared, Many)
            taken += [POINTER, WORD] if is_array else [wanted[place]]
            place += ARRAY_PARTS if is_array else 1
        outer = ir.Function(self._wrappers, ir.FunctionType(STATUS, taken), item.symbol)
        builder = ir.IRBuilder(outer.append_basic_block())
        raised = builder.alloca(kind.args[1].pointee)
        given, handed = iter(outer.args[1:]), []
        for declared in item.arguments:
            is_array = isinstance(declared, Many)
            handed += array_parts(builder, declared, next(given), next(given)) if is_array else [next(given)]
        handed = [
            builder.bitcast(value, needed) if isinstance(needed, ir.PointerType) else value
            for value, needed in zip(handed, wanted, strict=True)
        ]
        status = builder.call(inner, [outer.args[0], raised, *handed])
        is_nothing = builder.icmp_signed("==", status, ir.Constant(STATUS, NO_VALUE))
        builder.ret(builder.select(is_nothing, ir.Constant(STATUS, 0), status))

    def _linked(self) -> str:
        """All code as one text, complete in itself."""
        self._wrappers.triple = llvm.get_process_triple()
        whole = llvm.parse_assembly(str(self._wrappers))
        for part in self._parts:
            whole.link_in(part._final_module, preserve=True)
        text = UNRESOLVED.sub(r'@".numba.unresolved$\1" = internal constant ptr @\1', str(whole))
        return COUNTING.sub(uncounted, text)

    def compiled_for(self, target: Target) -> tuple[dict[str, Any], bytes]:
        """The object for a processor, and its manifest."""
        self._tell(len(ENTRIES), self._steps, OPTIMISING)
        generator = target.generator()
        whole = target.complete(self.text)
        whole.data_layout = str(generator.target_data)
        whole.verify()
        symbols = {row["symbol"] for row in self.rows.values()}
        for value in (*whole.functions, *whole.global_variables):
            if not value.is_declaration and value.name not in symbols | SYSTEM:
                value.linkage = "internal"
            elif target.system == "win32" and value.name in symbols:
                value.storage_class = "dllexport"
        passes = create_pass_builder(generator, opt=3, loop_vectorize=True, slp_vectorize=True)
        passes.getModulePassManager().run(whole, passes)
        whole.verify()
        needed = {value.name for value in (*whole.functions, *whole.global_variables) if value.is_declaration}
        needed = {name for name in needed if not name.startswith("llvm.")}
        if needed - OUTSIDE:
            raise RuntimeError(f"kernels call what no object may need: {sorted(needed - OUTSIDE)}")
        self._tell(len(ENTRIES) + 1, self._steps, WRITING)
        image: bytes = generator.emit_object(whole)
        self._tell(self._steps, self._steps, "ready")
        return self.manifest(target, image), image

    def manifest(self, target: Target, image: bytes) -> dict[str, Any]:
        """What there is to know of an object."""
        return {
            "format": library.FORMAT,
            "build": self.build,
            "machine": target.machine,
            "processor": target.cpu,
            "sources": self.sources,
            "sha256": hashlib.sha256(image).hexdigest(),
            "made by": {
                "python": platform.python_version(),
                "llvm": ".".join(str(part) for part in llvm.llvm_version_info),
                **{name: version(name) for name in cachekey.COMPILER_STACK},
            },
            "entries": self.rows,
        }


ARRAY_PARTS = 7
"""An array as Numba hands it to a function: two owners, items, bytes an item, address, length, stride."""


def array_parts(builder: Any, declared: Many, address: Any, length: Any) -> list[Any]:
    """An array as Numba hands it to a function, of what C says."""
    nobody, size = ir.Constant(POINTER, None), ir.Constant(WORD, live.item_bytes(declared))
    return [nobody, nobody, length, size, address, length, size]


def uncounted(found: re.Match[str]) -> str:
    """A function that counted references, doing nothing: no kernel owns an array."""
    return f"define internal void @{found[1]}(ptr %0) {{\n  ret void\n}}"


def result_kind(kind: Any) -> str:
    """A result in words; raises TypeError for one that is not called for."""
    if isinstance(kind, types.BaseTuple):
        parts = [result_kind(part) for part in kind]
        if set(parts) <= set(FORMATS):
            return ", ".join(parts)
    if isinstance(kind, types.NoneType):
        return NOTHING
    if isinstance(kind, types.Boolean):
        return "bool"
    if isinstance(kind, types.Integer | types.Float):
        sign = "f" if isinstance(kind, types.Float) else "i" if kind.signed else "u"
        word = f"{sign}{kind.bitwidth // 8}"
        if word in NUMBERS:
            return word
    raise TypeError(f"no entry may return {kind}")
