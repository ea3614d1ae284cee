"""The functions of `gammon.compiled.vector_rows` in compiled code."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature

from gammon.compiled.jit.vector_type import Vector, compiled, llvm_type, place_of, spread
from gammon.compiled.vector_rows import EIGHT, as_float64, as_rounded, column, store_some


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


def _changed(lane: Any, into: Any) -> Any:
    """Return what finds the signature of a change of lanes."""
    return lambda v: signature(Vector(into, v.lanes), v) if v.dtype == lane else None


compiled(
    as_float64,
    _changed(types.float32, types.float64),
    lambda builder, call, v: builder.fpext(v, llvm_type(call.return_type)),
)


compiled(
    as_rounded,
    _changed(types.float64, types.float32),
    lambda builder, call, v: builder.fptrunc(v, llvm_type(call.return_type)),
)
