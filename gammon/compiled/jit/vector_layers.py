"""What the functions of `gammon.compiled.vector_layers` become in compiled code."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature

from gammon.compiled.jit.vector_type import Vector, compiled, llvm_type, place_of, shuffled
from gammon.compiled.vector_layers import store_columns, upper_products


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
