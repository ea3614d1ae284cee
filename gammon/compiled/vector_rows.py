"""Vector functions for the rows of a matrix: eight at a time, a lane of each vector for one.

A loop over rows takes its columns out of them, computes with these in lanes of float64, and
writes a number for each row:

    for first in range(0, n, EIGHT):
        sums = as_float64(column(rows, first, n, 0)) + as_float64(column(rows, first, n, 1))
        store_some(out, first, as_rounded(sums), n - first)

Where fewer than eight rows are left, the last one stands in the lanes of those that are not.
"""

from typing import Annotated, Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature

from gammon.compiled.vector import Lanes, Mask
from gammon.compiled.vector_type import Vector, compiled, llvm_type, place_of, spread

__all__ = [
    "EIGHT", "Float32x8", "Float64x8", "Mask8", "as_float64", "as_rounded", "column",
    "store_some",
]  # fmt: skip

#: The rows that are taken at a time.
EIGHT = 8
#: As arguments of kernels are annotated.
Float32x8 = Annotated[Lanes, Vector(types.float32, EIGHT)]
Float64x8 = Annotated[Lanes, Vector(types.float64, EIGHT)]
Mask8 = Annotated[Mask, Vector(types.boolean, EIGHT)]


def column(rows: Lanes, first: int, n: int, k: int, width: int) -> Lanes:
    """Return the k-th number of eight rows from the first-th on.

    Args:
        rows: [>= n, K], contiguous.
        first: of the rows, less than n.
        n: how many rows there are; the last one stands for those behind it.
        k: the column.
        width: K.
    """
    found: Lanes = rows[np.minimum(np.arange(first, first + EIGHT), n - 1), k]
    return found


def _column_kind(rows: Any, first: Any, n: Any, k: Any, width: Any) -> Any:
    if not isinstance(rows, types.Array) or (rows.ndim, rows.layout) != (2, "C"):
        return None
    return signature(Vector(rows.dtype, EIGHT), rows, *[types.intp] * 4)


def _column(builder: Any, call: Any, rows: Any, first: Any, n: Any, k: Any, width: Any) -> Any:
    kind = call.return_type
    found = ir.Constant(llvm_type(kind), ir.Undefined)
    last = builder.sub(n, ir.Constant(n.type, 1))
    for lane in range(EIGHT):
        row = builder.add(first, ir.Constant(first.type, lane))
        row = builder.select(builder.icmp_signed("<", row, last), row, last)
        number = builder.load(builder.gep(rows, [builder.add(builder.mul(row, width), k)]))
        found = builder.insert_element(found, number, ir.Constant(ir.IntType(32), lane))
    return found


compiled(column, _column_kind, _column)


def store_some(numbers: Lanes, at: int, v: Lanes, count: int) -> None:
    """Write the first lanes of a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: where the first lane goes.
        v: the vector.
        count: how many lanes, at least 1; all of them where it is more than there are.
    """
    count = min(count, len(v))
    numbers[at : at + count] = v[:count]


def _some_kind(numbers: Any, at: Any, v: Any, count: Any) -> Any:
    if not isinstance(v, Vector) or numbers != types.Array(v.dtype, 1, "C"):
        return None
    return signature(types.none, numbers, types.intp, v, types.intp)


def _store_some(builder: Any, call: Any, numbers: Any, at: Any, v: Any, count: Any) -> None:
    kind = call.args[2]
    to = place_of(builder, kind, numbers, at)
    places = Vector(types.intp, kind.lanes)
    lanes = ir.Constant(llvm_type(places), [*range(kind.lanes)])
    mask = builder.icmp_signed("<", lanes, spread(builder, places, count))
    size = ir.Constant(ir.IntType(32), kind.dtype.bitwidth // 8)
    name = f"llvm.masked.store.v{kind.lanes}f{kind.dtype.bitwidth}.p0"
    store = ir.FunctionType(ir.VoidType(), [v.type, to.type, size.type, mask.type])
    builder.call(
        cgutils.get_or_insert_function(builder.module, store, name), [v, to, size, mask]
    )


compiled(store_some, _some_kind, _store_some)


def as_float64(v: Lanes) -> Lanes:
    """Return lanes of float32 as float64."""
    return v.astype(np.float64)


def _changed(lane: Any, into: Any) -> Any:
    """Return what finds the signature of a change of lanes."""
    return lambda v: signature(Vector(into, v.lanes), v) if v.dtype == lane else None


compiled(
    as_float64,
    _changed(types.float32, types.float64),
    lambda builder, call, v: builder.fpext(v, llvm_type(call.return_type)),
)


def as_rounded(v: Lanes) -> Lanes:
    """Return lanes of float64 as the nearest float32."""
    return v.astype(np.float32)


compiled(
    as_rounded,
    _changed(types.float64, types.float32),
    lambda builder, call, v: builder.fptrunc(v, llvm_type(call.return_type)),
)
