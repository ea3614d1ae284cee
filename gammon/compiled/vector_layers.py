"""Vector functions for the layers of the network, beside those of `gammon.compiled.vector`."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature

from gammon.compiled.vector import Lanes
from gammon.compiled.vector_type import Vector, compiled, llvm_type, place_of, shuffled

__all__ = ["store_columns", "upper_products"]


def upper_products(v: Lanes, u: Lanes) -> Lanes:
    """Return the upper 16 bits of the products of lanes; v u has the lower ones.

    Args:
        v: int16, whose bits are taken as numbers without a sign.
        u: as `v`.
    """
    products = v.astype(np.uint16).astype(np.uint32) * u.astype(np.uint16)
    return (products >> 16).astype(np.int16)


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


def store_columns(numbers: Lanes, at: int, v: Lanes) -> None:
    """Write the quarters of a vector as four columns of a matrix that has 16 columns.

    Args:
        numbers: [16 N], contiguous, of the type of the lanes: the matrix, row after row.
        at: where the first lane goes. The first lanes of the other quarters go beside it, and
            all second lanes into the next row.
        v: the vector.
    """
    for k, row in enumerate(v.reshape(4, -1).T):
        numbers[at + 16 * k : at + 16 * k + 4] = row


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
