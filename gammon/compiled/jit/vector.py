"""The functions of `gammon.compiled.vector` in compiled code.

That module says how to add one.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature

from gammon.compiled.jit.vector_type import (
    WIDE,
    Vector,
    alike,
    called,
    compiled,
    is_wide,
    is_x86,
    llvm_type,
    place_of,
    replaceable,
    same,
    shuffled,
    spread,
)
from gammon.compiled.vector import (
    EIGHT,
    as_float32,
    as_float64,
    as_int8,
    as_int16,
    as_int32,
    as_rounded,
    bits,
    bits_of_floats,
    column,
    compressed,
    filled,
    floats_of_bits,
    halves,
    joined,
    length,
    load,
    lowest,
    number_of,
    ones,
    reverse,
    select,
    store,
    store_columns,
    store_some,
    store_transposed,
    sums_of_pairs,
    total,
    upper_products,
    wide,
)


def _lie_side_by_side(numbers: Any) -> bool:
    return isinstance(numbers, types.Array) and (numbers.ndim, numbers.layout) == (1, "C")


def _load_kind(numbers: Any, at: Any, lanes: Any) -> Any:
    # Without the number of lanes, numba asks once more with it.
    if not _lie_side_by_side(numbers) or not isinstance(lanes, types.IntegerLiteral):
        return None
    return signature(Vector(numbers.dtype, lanes.literal_value), numbers, types.intp, lanes)


def _load(builder: Any, call: Any, numbers: Any, at: Any, lanes: Any) -> Any:
    kind = call.return_type
    # Nothing is said of where the array begins, but that its numbers are whole.
    size = kind.dtype.bitwidth // 8
    return builder.load(place_of(builder, kind, numbers, at), align=size)


compiled(load, _load_kind, _load)


def _store_kind(numbers: Any, at: Any, v: Any) -> Any:
    if not _lie_side_by_side(numbers) or numbers.dtype != v.dtype:
        return None
    return signature(types.none, numbers, types.intp, v)


def _store(builder: Any, call: Any, numbers: Any, at: Any, v: Any) -> None:
    kind = call.args[2]
    builder.store(v, place_of(builder, kind, numbers, at), align=kind.dtype.bitwidth // 8)


compiled(store, _store_kind, _store)


def _filled_kind(number: Any, lanes: Any) -> Any:
    if not isinstance(lanes, types.IntegerLiteral):
        return None
    return signature(Vector(number, lanes.literal_value), number, lanes)


compiled(filled, _filled_kind, lambda builder, call, v, lanes: spread(builder, call.return_type, v))


def _select_kind(mask: Any, a: Any, b: Any) -> Any:
    kind = alike(a, b)
    return kind and signature(kind, mask, kind, kind if a == b else kind.dtype)


compiled(
    select,
    _select_kind,
    lambda builder, call, mask, a, b: builder.select(mask, a, spread(builder, call.return_type, b)),
)


def _bits(builder: Any, call: Any, mask: Any) -> Any:
    lanes, word = call.args[0].lanes, ir.IntType(64)

    def body(inside: Any, mask: Any) -> Any:
        return inside.zext(inside.bitcast(mask, ir.IntType(lanes)), word)

    return replaceable(builder, f"gammon_bits_{lanes}", word, body, mask)


compiled(bits, lambda mask: signature(types.int64, mask), _bits)


def _lowest(builder: Any, call: Any, places: Any) -> Any:
    # The last argument says that no number is 0.
    return builder.cttz(places, ir.Constant(ir.IntType(1), 1))


compiled(lowest, lambda places: signature(types.int64, types.int64), _lowest)


compiled(
    number_of,
    lambda places: signature(types.uint64, types.uint64),
    lambda builder, call, places: builder.ctpop(places),
)


compiled(reverse, same, lambda builder, call, v: shuffled(builder, v, [*reversed(range(call.args[0].lanes))]))


def _joined_kind(v: Any, u: Any) -> Any:
    return signature(Vector(v.dtype, 2 * v.lanes), v, u) if v == u else None


def _joined(builder: Any, call: Any, v: Any, u: Any) -> Any:
    lanes = range(call.return_type.lanes)
    places = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), [*lanes])
    return builder.shuffle_vector(v, u, places)


compiled(joined, _joined_kind, _joined)


def _compressed(builder: Any, call: Any, v: Any, mask: Any) -> Any:
    zeros = ir.Constant(v.type, None)
    return called(builder, "llvm.experimental.vector.compress", call.args[0], v, mask, zeros)


compiled(compressed, lambda v, mask: signature(v, v, mask), _compressed)


compiled(ones, same, lambda builder, call, v: called(builder, "llvm.ctpop", call.args[0], v))


def _length(builder: Any, call: Any, v: Any) -> Any:
    kind = call.args[0]

    def each(number: int) -> Any:
        return ir.Constant(llvm_type(kind), [number] * kind.lanes)

    # The last argument says that lanes of 0 have an answer: their width.
    zeros = called(builder, "llvm.ctlz", kind, v, ir.Constant(ir.IntType(1), 0))
    counted = builder.sub(each(kind.dtype.bitwidth), zeros)
    if kind.dtype.bitwidth != 32 or not is_x86():
        return counted
    # On x86 only wide vectors have an instruction for it; the others would look each half of a
    # byte up. The exponent of a float tells it, too. Each 1 right below another one goes, so
    # that no float is rounded up to the next exponent.
    apart = builder.and_(v, builder.not_(builder.lshr(v, each(1))))
    floats = builder.sitofp(apart, llvm_type(Vector(types.float32, kind.lanes)))
    exponent = builder.lshr(builder.bitcast(floats, v.type), each(23))
    lengths = builder.sub(exponent, each(126))
    lengths = builder.select(builder.icmp_signed(">", lengths, each(0)), lengths, each(0))
    return builder.select(_wide(builder, call), counted, lengths)


compiled(length, same, _length)


def _as_int16(builder: Any, call: Any, v: Any) -> Any:
    change = builder.sext if call.args[0].dtype == types.int8 else builder.trunc
    return change(v, llvm_type(call.return_type))


compiled(as_int16, lambda v: signature(Vector(types.int16, v.lanes), v), _as_int16)


compiled(
    as_int8,
    lambda v: signature(Vector(types.int8, v.lanes), v),
    lambda builder, call, v: builder.trunc(v, llvm_type(call.return_type)),
)


compiled(
    as_int32,
    lambda v: signature(Vector(types.int32, v.lanes), v) if v.signed else None,
    lambda builder, call, v: builder.sext(v, llvm_type(call.return_type)),
)


compiled(
    as_float32,
    lambda v: signature(Vector(types.float32, v.lanes), v) if v.signed else None,
    lambda builder, call, v: builder.sitofp(v, llvm_type(call.return_type)),
)


def _seen_as(lane: Any, kind: Any, share: int) -> Callable[[Any], Any]:
    """Return what finds the signature of seeing the bits of lanes as those of other ones."""
    return lambda v: signature(Vector(kind, v.lanes * share), v) if v.dtype == lane else None


def _same_bits(builder: Any, call: Any, v: Any) -> Any:
    return builder.bitcast(v, llvm_type(call.return_type))


compiled(halves, _seen_as(types.int32, types.int16, 2), _same_bits)


compiled(bits_of_floats, _seen_as(types.float32, types.int32, 1), _same_bits)


compiled(floats_of_bits, _seen_as(types.int32, types.float32, 1), _same_bits)


def _pairs_kind(v: Any, u: Any) -> Any:
    if v != u or v.dtype != types.int16:
        return None
    return signature(Vector(types.int32, v.lanes // 2), v, u)


def _sums_of_pairs(builder: Any, call: Any, v: Any, u: Any) -> Any:
    # LLVM knows this form: on most processors, one instruction does all of it.
    lanes = call.args[0].lanes
    wide = llvm_type(Vector(types.int32, lanes))

    def body(inside: Any, v: Any, u: Any) -> Any:
        products = inside.mul(inside.sext(v, wide), inside.sext(u, wide))
        even, odd = (shuffled(inside, products, [*range(k, lanes, 2)]) for k in range(2))
        return inside.add(even, odd)

    made = llvm_type(call.return_type)
    return replaceable(builder, f"gammon_sums_of_pairs_{lanes}", made, body, v, u)


compiled(sums_of_pairs, _pairs_kind, _sums_of_pairs)


def _total(builder: Any, call: Any, v: Any) -> Any:
    word = ir.IntType(32)
    name = f"llvm.vector.reduce.add.v{call.args[0].lanes}i32"
    function = ir.FunctionType(word, [v.type])
    found = builder.call(cgutils.get_or_insert_function(builder.module, function, name), [v])
    return builder.sext(found, ir.IntType(64))


compiled(total, lambda v: signature(types.int64, v) if v.dtype == types.int32 else None, _total)


def _wide(builder: Any, call: Any) -> Any:
    # A constant, so that the library may have another one for each of its variants.
    byte = ir.IntType(8)
    found = builder.module.globals.get(WIDE)
    if found is None:
        found = ir.GlobalVariable(builder.module, byte, WIDE)
        found.linkage, found.global_constant = "linkonce_odr", True
        found.initializer = ir.Constant(byte, int(is_wide()))
    return builder.trunc(builder.load(found), ir.IntType(1))


compiled(wide, lambda: signature(types.boolean), _wide)


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
    rows = shuffled(builder, v, [k + size * quarter for k in range(size) for quarter in range(4)])
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


def _store_transposed(builder: Any, call: Any, matrix: Any, out: Any, at: Any, stride: Any) -> None:
    kind = Vector(types.int8, 32)
    rows = [
        builder.load(place_of(builder, kind, matrix, ir.Constant(at.type, 32 * k)), align=1)
        for k in range(16)
    ]
    # A row and the one eight behind it become two: first ones, second ones ... of both. Done
    # four times, that transposes both halves.
    orders = [
        [lane + half + k + 32 * second for half in (0, 16) for k in range(8) for second in (0, 1)]
        for lane in (0, 8)
    ]
    places = [ir.Constant(ir.VectorType(ir.IntType(32), 32), order) for order in orders]
    for _ in range(4):
        rows = [builder.shuffle_vector(rows[k], rows[k + 8], order) for k in range(8) for order in places]
    for k, row in enumerate(rows):
        place = builder.add(at, builder.mul(stride, ir.Constant(at.type, k)))
        builder.store(row, place_of(builder, kind, out, place), align=1)


compiled(store_transposed, _transposed_kind, _store_transposed)


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
    builder.call(cgutils.get_or_insert_function(builder.module, store, name), [v, to, size, mask])


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
