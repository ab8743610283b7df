"""Shell. The few machine instructions Python has no word for.

Each is a plain Python function that says what it means, and beside it the LLVM code that
compiled kernels use in its place. Shells may call them too.
"""

import ctypes
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

CLOCK_ID = getattr(time, "CLOCK_MONOTONIC", None)
"""The clock that kernels read; None where libc has no such call (Windows): there `now_ns` stands still."""

I32, I64 = ir.IntType(32), ir.IntType(64)
WORD_BYTES = 8


def lowered_to(intrinsic_function: Any) -> Callable[[Any], Any]:
    """In compiled code, replace the decorated Python function by an intrinsic of the same arguments."""

    def replace(function: Any) -> Any:
        count = function.__code__.co_argcount
        bodies = {
            0: lambda: lambda: intrinsic_function(),  # noqa: PLW0108  (Numba compiles the lambda)
            1: lambda a: lambda a: intrinsic_function(a),  # noqa: PLW0108
            2: lambda a, b: lambda a, b: intrinsic_function(a, b),  # noqa: PLW0108
        }
        overload(function, strict=False)(bodies[count])
        return function

    return replace


@intrinsic
def _popcount(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), lower


@lowered_to(_popcount)
def popcount(bits: Any) -> Any:
    """Number of bits set in a 64-bit set."""
    return np.uint64(int(bits).bit_count())


@intrinsic
def _lsb(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), lower


@lowered_to(_lsb)
def lsb(bits: Any) -> Any:
    """Index of the lowest bit of a set that is not empty."""
    value = int(bits)
    return np.uint64((value & -value).bit_length() - 1)


@intrinsic
def _msb(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.uint64(types.uint64), lower


@lowered_to(_msb)
def msb(bits: Any) -> Any:
    """Index of the highest bit of a set that is not empty."""
    return np.uint64(int(bits).bit_length() - 1)


@intrinsic
def _copy_record(typing_context: Any, target: Any, source: Any) -> Any:
    if not (isinstance(target, types.Record) and target == source):
        return None

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        copy = builder.module.declare_intrinsic("llvm.memcpy", [pointer, pointer, I64])
        where = [builder.bitcast(arg, pointer) for arg in args]
        builder.call(copy, [*where, ir.Constant(I64, target.size), ir.Constant(ir.IntType(1), 0)])
        return context.get_dummy_value()

    return types.void(target, source), lower


@lowered_to(_copy_record)
def copy_record(target: Any, source: Any) -> None:
    """Copy all of one record into another of its type."""
    for name in target.dtype.names:
        target[name] = source[name]


@intrinsic
def _load_atomic(typing_context: Any, flags: Any) -> Any:
    if not (isinstance(flags, types.Array) and flags.dtype == types.int64):
        return None

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.load_atomic(array.data, "monotonic", WORD_BYTES)

    return types.int64(flags), lower


@lowered_to(_load_atomic)
def load_atomic(flags: Any) -> Any:
    """First item of an int64 array, read from memory each time: another thread may have set it."""
    return flags[0]


@intrinsic
def _peek(typing_context: Any, address: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.inttoptr(args[0], I64.as_pointer()), "monotonic", WORD_BYTES)

    return types.uint64(types.uint64), lower


@lowered_to(_peek)
def peek(address: Any) -> Any:
    """The 64-bit word at an address, never half of one and half of another."""
    return np.uint64(ctypes.c_uint64.from_address(int(address)).value)


@intrinsic
def _poke(typing_context: Any, address: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], I64.as_pointer())
        builder.store_atomic(args[1], pointer, "monotonic", WORD_BYTES)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), lower


@lowered_to(_poke)
def poke(address: Any, word: Any) -> None:
    """Write a 64-bit word at an address."""
    ctypes.c_uint64.from_address(int(address)).value = int(word)


@intrinsic
def _prefetch(typing_context: Any, address: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, I32, I32, I32])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        read, keep, data = (ir.Constant(I32, number) for number in (0, 3, 1))
        builder.call(fetch, [builder.inttoptr(args[0], pointer), read, keep, data])
        return context.get_dummy_value()

    return types.void(types.uint64), lower


@lowered_to(_prefetch)
def prefetch(address: Any) -> None:
    """Ask the processor to have the memory at an address ready soon."""


@intrinsic
def _now_ns(typing_context: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if CLOCK_ID is None:
            return ir.Constant(I64, 0)
        timespec = ir.LiteralStructType([I64, I64])
        kind = ir.FunctionType(I32, [I32, timespec.as_pointer()])
        clock = builder.module.globals.get("clock_gettime") or ir.Function(builder.module, kind, "clock_gettime")
        slot = builder.alloca(timespec)
        builder.call(clock, [ir.Constant(I32, CLOCK_ID), slot])
        seconds, rest = (builder.load(builder.gep(slot, [I32(0), I32(part)])) for part in (0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(I64, 1_000_000_000)), rest)

    return types.int64(), lower


@lowered_to(_now_ns)
def now_ns() -> Any:
    """Nanoseconds on the clock that kernels read: it never goes back."""
    return np.int64(time.clock_gettime_ns(CLOCK_ID) if CLOCK_ID is not None else 0)
