"""Shell. Calls the entries of an object: every argument is checked first, every status after.

A record is told by its address. NumPy keeps it, as its C headers say, in the first word behind the head of an array or
of a scalar; whether that is so here is asked once, and where it is not, NumPy is asked for each.
"""

import ctypes
import functools
import operator
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from quiesce import cachekey
from quiesce.jit import library
from quiesce.jit.entries import ENTRIES, Entry, Many, Report

COMPILED = True
"""What shells call is machine code."""
POINTER = ctypes.c_void_p
COUNT = ctypes.c_int64
NUMBERS = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "i8": ctypes.c_int64,
    "u1": ctypes.c_uint8,
    "u2": ctypes.c_uint16,
    "u4": ctypes.c_uint32,
    "u8": ctypes.c_uint64,
    "f4": ctypes.c_float,
    "f8": ctypes.c_double,
    "bool": ctypes.c_int8,
}
"""How numbers go to C and come back, by the word that a manifest has for them."""
FORMATS = {"i8": "q", "u8": "Q", "f8": "d", "bool": "?"}
"""How `struct` reads the numbers of which a result may have several."""
NOTHING = "nothing"
Convert = Callable[[Any], Any]
Read = Callable[[Any], Any]


class KernelError(RuntimeError):
    """A kernel ended with a status that is not 0: it raised, and what it left behind is not to be trusted."""


def told_address(owner: Any) -> int:
    """Where an array or a record lies, as NumPy tells it; asked for anything but its memory it would copy a record."""
    array = np.frombuffer(owner.data, np.uint8) if isinstance(owner, np.void) else owner
    address: int = array.__array_interface__["data"][0]
    return address


def word_at(place: int) -> Any:
    """A function that reads the word at a byte offset of an object."""
    read = POINTER.from_address
    return lambda owner: read(id(owner) + place).value


HEAD = object.__basicsize__
"""Bytes of what every object begins with."""


def reader_of(sample: Any, place: int) -> Callable[[Any], int]:
    """What tells where objects like a sample lie: a glance, if that is right for the sample."""
    glance: Callable[[Any], int] = word_at(place)
    return glance if glance(sample) == told_address(sample) else told_address


RECORD_SAMPLE = np.zeros(2, [("first", "u8")])
record_address = reader_of(RECORD_SAMPLE[0], HEAD + ctypes.sizeof(ctypes.c_ssize_t))
array_address = reader_of(RECORD_SAMPLE, HEAD)


def record_converter(kind: Any) -> Convert:
    """What turns a record of one type into its address, and refuses any other."""
    scalar = kind.type

    def convert(value: Any) -> int:
        if type(value) is scalar and (value.dtype is kind or value.dtype == kind):
            return record_address(value)
        raise TypeError(f"a record of {kind.itemsize} bytes is needed, not {described(value)}")

    return convert


def number_converter(kind: Any) -> Convert:
    """What turns a whole number into Python's, and refuses one that does not fit."""
    least, most = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    index = operator.index

    def convert(value: Any) -> int:
        number = index(value)
        if least <= number <= most:
            return number
        raise OverflowError(f"{number} is not from {least} to {most}")

    return convert


def real_converter(value: Any) -> float:
    """A real number as a Python float; raises TypeError for anything else."""
    if isinstance(value, float | int | np.floating | np.integer):
        return float(value)
    raise TypeError(f"a real number is needed, not {described(value)}")


def array_converter(declared: Many) -> Convert:
    """What turns an array into its address and length, and refuses one of another type, shape or order."""
    kind = np.dtype(declared.kind)

    def convert(value: Any) -> tuple[int, int]:
        if not isinstance(value, np.ndarray) or value.ndim != 1 or not (value.dtype is kind or value.dtype == kind):
            raise TypeError(f"a one-dimensional array of {kind.str[1:]} is needed, not {described(value)}")
        flags = value.flags
        if not flags.c_contiguous or not flags.aligned:
            raise TypeError("an array whose items lie one after the other is needed")
        if not declared.is_read and not flags.writeable:
            raise TypeError("an array that can be written is needed")
        return array_address(value), len(value)

    return convert


def described(value: Any) -> str:
    """What was handed in, in words."""
    kind = getattr(value, "dtype", None)
    if kind is None:
        return type(value).__name__
    what = f"{value.ndim}-dimensional array" if isinstance(value, np.ndarray) else type(value).__name__
    return f"{what} of {kind.itemsize} bytes an item"


def converter_of(declared: Any) -> Convert:
    """What turns an argument into what C takes."""
    if isinstance(declared, Many):
        return array_converter(declared)
    kind = np.dtype(declared)
    if kind.kind == "f":
        return real_converter
    return number_converter(kind) if kind.fields is None else record_converter(kind)


def c_types(declared: Any) -> list[Any]:
    """An argument as C takes it: an array is an address and a length."""
    if isinstance(declared, Many):
        return [POINTER, COUNT]
    kind = np.dtype(declared)
    return [POINTER] if kind.fields is not None else [NUMBERS[kind.str[1:]]]


def result_of(told: str) -> tuple[Any, Read]:
    """The C type of a result, and what reads it: a number, several of them, or nothing."""
    if told == NOTHING:
        return COUNT, lambda _slot: None
    if told == "bool":
        return NUMBERS[told], lambda slot: bool(slot.value)
    if told in NUMBERS:
        return NUMBERS[told], operator.attrgetter("value")
    form = struct.Struct("@" + "".join(FORMATS[part] for part in told.split(", ")))
    return ctypes.c_char * form.size, form.unpack


_lock = threading.Lock()
_loaded: library.Kernels | None = None


def kernels(report: Report | None = None) -> library.Kernels:
    """The kernels of this process: loaded, compiled first if need be, once, whatever thread asks."""
    global _loaded  # noqa: PLW0603  (one process holds one build)
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = look(report)
    return _loaded


def look(report: Report | None) -> library.Kernels:
    """The wheel's kernels, or those kept here, or new ones."""
    try:
        return library.from_wheel()
    except library.MisfitError as error:
        why = str(error)
    with suppress(library.MisfitError):
        return library.from_cache(why)
    if library.SHIPPED.is_dir():
        sys.stderr.write(f"quiesce: {why}; Numba is needed to compile them here\n")
    from quiesce.jit import making  # noqa: PLC0415  (only who compiles needs it, and what it imports)

    made = making.have_made([cachekey.BUILD], report)
    return library.from_image(*made) if made is not None else library.from_cache(why)


def refuse(item: Entry, arguments: tuple[Any, ...]) -> TypeError:
    """Why these arguments cannot be handed to an entry."""
    name = item.name
    if len(arguments) != len(item.arguments):
        return TypeError(f"{name} takes {len(item.arguments)} arguments, not {len(arguments)}")
    for place, (declared, value) in enumerate(zip(item.arguments, arguments, strict=True), 1):
        try:
            converter_of(declared)(value)
        except (TypeError, OverflowError) as error:
            return TypeError(f"argument {place} of {name}: {error}")
    return TypeError(f"arguments of {name}")


def caller_of(item: Entry) -> Any:
    """An entry as shells call it; the object is looked for at its first call, unless a warm-up was before."""
    convert_all = [converter_of(declared) for declared in item.arguments]
    has_arrays = any(isinstance(declared, Many) for declared in item.arguments)
    count, byref = len(item.arguments), ctypes.byref
    function: Any = None
    slot_type: Any = None
    read: Any = None

    def prepare() -> None:
        nonlocal function, slot_type, read
        address, told = kernels().entry(item)
        slot_type, read = result_of(told)
        taken = [part for declared in item.arguments for part in c_types(declared)]
        function = ctypes.CFUNCTYPE(ctypes.c_int32, POINTER, *taken)(address)

    def call(*arguments: Any) -> Any:
        if function is None:
            prepare()
        try:
            if len(arguments) != count:
                raise TypeError
            values = [convert(value) for convert, value in zip(convert_all, arguments, strict=True)]
        except (TypeError, OverflowError):
            raise refuse(item, arguments) from None
        if has_arrays:
            values = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
        slot = slot_type()
        status = function(byref(slot), *values)
        if status:
            raise KernelError(f"{item.name} ended with status {status}")
        return read(slot)

    functools.update_wrapper(call, item.function)
    call.prepare = prepare  # type: ignore[attr-defined]
    return call


def entry(*arguments: Any, lazy: bool = False) -> Callable[[Any], Any]:
    """Mark a kernel that shells call with arguments of these types; playing never needs a lazy one."""

    def mark(function: Any) -> Any:
        item = Entry(function, arguments, lazy)
        ENTRIES.append(item)
        return caller_of(item)

    return mark


def fastmath_entry(*arguments: Any) -> Callable[[Any], Any]:
    """Mark a lazy entry whose sums of real numbers may be added in any order: the object was compiled so."""
    return entry(*arguments, lazy=True)


def kernel(function: Any) -> Any:
    """Mark a function that is compiled; here it is code inside the object, and Python calls it only by mistake."""
    return function


inlined = kernel


def is_compiled(is_all: bool = False) -> bool:
    """Would a warm-up only have to load? Or, of all builds that people use, is each there?"""
    return all(library.found(build) is not None for build in (cachekey.OBJECT_BUILDS if is_all else [cachekey.BUILD]))


def compile_all(report: Report) -> None:
    """Have every build that people use compiled, this one loaded."""
    missing = [build for build in cachekey.OBJECT_BUILDS if library.found(build) is None]
    if missing:
        from quiesce.jit import making  # noqa: PLC0415  (as above)

        making.have_made(missing, report)
    kernels(report)


def warm_up(report: Report | None = None, wanted: Callable[[str], bool] | None = None) -> None:
    """Load the kernels; compile them first if needed, reporting progress to `report`."""
    kernels(report)
    if report is not None:
        report(1, 1, "ready")
