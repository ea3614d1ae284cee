"""The functions of `gammon.compiled.vector_layers` in compiled code."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature

from gammon.compiled.jit.vector_type import Vector, compiled, llvm_type, place_of, shuffled
from gammon.compiled.vector_layers import store_columns, store_transposed, upper_products


def _upper_products(builder: Any, call: Any, v: Any, u: Any) -> Any:
    # LLVM knows this form: on many processors, one instruction does all of it.
    lanes = call.args[0].lanes
    wide = llvm_type(Vector(types.int32, lanes))
    products = builder.mul(builder.zext(v, wide), builder.zext(u, wide))
    upper = builder.lshr(products, ir.Constant(wide, [16] * lanes))
    return builder.trunc(upper, llvm_type(call.return_type))


compiled(
    upper_products,
    lambda v, u: signature(v, v, u) if v == u and v.dtype == types.int16 else None,
    _upper_products,
)


def _columns_kind(numbers: Any, at: Any, v: Any) -> Any:
    if numbers != types.Array(v.dtype, 1, "C"):
        return None
    return signature(types.none, numbers, types.intp, v)


def _store_columns(builder: Any, call: Any, numbers: Any, at: Any, v: Any) -> None:
    kind = call.args[2]
    size = kind.lanes // 4
    rows = shuffled(
        builder, v, [k + size * quarter for k in range(size) for quarter in range(4)]
    )
    for k in range(size):
        row = shuffled(builder, rows, [*range(4 * k, 4 * k + 4)])
        place = builder.add(at, ir.Constant(at.type, 16 * k))
        to = place_of(builder, Vector(kind.dtype, 4), numbers, place)
        builder.store(row, to, align=kind.dtype.bitwidth // 8)


compiled(store_columns, _columns_kind, _store_columns)


def _transposed_kind(matrix: Any, out: Any, at: Any, stride: Any) -> Any:
    if matrix != types.Array(types.int8, 1, "C") or out != matrix:
        return None
    return signature(types.none, matrix, out, types.intp, types.intp)


def _store_transposed(
    builder: Any, call: Any, matrix: Any, out: Any, at: Any, stride: Any
) -> None:
    kind = Vector(types.int8, 32)
    rows = [
        builder.load(place_of(builder, kind, matrix, ir.Constant(at.type, 32 * k)), align=1)
        for k in range(16)
    ]
    # A row and the one eight behind it become two: first ones, second ones ... of both. Done
    # four times, that transposes both halves.
    orders = [
        [
            lane + half + k + 32 * second
            for half in (0, 16)
            for k in range(8)
            for second in (0, 1)
        ]
        for lane in (0, 8)
    ]
    places = [ir.Constant(ir.VectorType(ir.IntType(32), 32), order) for order in orders]
    for _ in range(4):
        rows = [
            builder.shuffle_vector(rows[k], rows[k + 8], order)
            for k in range(8)
            for order in places
        ]
    for column, row in enumerate(rows):
        place = builder.add(at, builder.mul(stride, ir.Constant(at.type, column)))
        builder.store(row, place_of(builder, kind, out, place), align=1)


compiled(store_transposed, _transposed_kind, _store_transposed)
