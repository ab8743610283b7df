"""Shell. What the machine's own instructions are to LLVM: the compiled form of each function of `intrinsics.py`."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from quiesce.jit import intrinsics

I32, I64 = ir.IntType(32), ir.IntType(64)
WORD_BYTES = 8


def lowers(function: Any) -> Callable[[Any], Any]:
    """In compiled code, replace a Python function by the decorated intrinsic of the same arguments."""

    def replace(described: Any) -> Any:
        made = intrinsic(described)
        bodies = {
            0: lambda: lambda: made(),  # noqa: PLW0108  (Numba compiles the lambda)
            1: lambda a: lambda a: made(a),  # noqa: PLW0108
            2: lambda a, b: lambda a, b: made(a, b),  # noqa: PLW0108
        }
        overload(function, strict=False)(bodies[function.__code__.co_argcount])
        return made

    return replace


@lowers(intrinsics.popcount)
def _popcount(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), lower


@lowers(intrinsics.lsb)
def _lsb(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), lower


@lowers(intrinsics.msb)
def _msb(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.uint64(types.uint64), lower


@lowers(intrinsics.square_root)
def _square_root(typing_context: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # the C library's function, which `math.sqrt` means, is not there for an object that stands alone
        return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [ir.FloatType()]), args)

    return types.float32(types.float32), lower


@lowers(intrinsics.copy_record)
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


@lowers(intrinsics.load_atomic)
def _load_atomic(typing_context: Any, flags: Any) -> Any:
    if not (isinstance(flags, types.Array) and flags.dtype == types.int64):
        return None

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.load_atomic(array.data, "monotonic", WORD_BYTES)

    return types.int64(flags), lower


@lowers(intrinsics.peek)
def _peek(typing_context: Any, address: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.inttoptr(args[0], I64.as_pointer()), "monotonic", WORD_BYTES)

    return types.uint64(types.uint64), lower


@lowers(intrinsics.poke)
def _poke(typing_context: Any, address: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], I64.as_pointer())
        builder.store_atomic(args[1], pointer, "monotonic", WORD_BYTES)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), lower


@lowers(intrinsics.prefetch)
def _prefetch(typing_context: Any, address: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, I32, I32, I32])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        read, keep, data = (ir.Constant(I32, number) for number in (0, 3, 1))
        builder.call(fetch, [builder.inttoptr(args[0], pointer), read, keep, data])
        return context.get_dummy_value()

    return types.void(types.uint64), lower


@lowers(intrinsics.now_ns)
def _now_ns(typing_context: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if intrinsics.CLOCK_ID is None:
            return ir.Constant(I64, 0)
        timespec = ir.LiteralStructType([I64, I64])
        kind = ir.FunctionType(I32, [I32, timespec.as_pointer()])
        clock = builder.module.globals.get("clock_gettime") or ir.Function(builder.module, kind, "clock_gettime")
        slot = builder.alloca(timespec)
        builder.call(clock, [ir.Constant(I32, intrinsics.CLOCK_ID), slot])
        seconds, rest = (builder.load(builder.gep(slot, [I32(0), I32(part)])) for part in (0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(I64, 1_000_000_000)), rest)

    return types.int64(), lower
