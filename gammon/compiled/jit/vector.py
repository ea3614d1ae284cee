"""The numba type of vectors, and the functions of `gammon.compiled.vector` in compiled code.

The docstring of that module explains how to add a function.
"""

import inspect
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, models, register_model, type_callable

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

#: The name of a constant in the compiled code: whether the processor has wide vectors.
WIDE = "gammon_wide"


def is_wide() -> bool:
    """Return whether the target processor of this process has wide vectors."""
    return "+avx512bw" in cpu_target.target_context.codegen().magic_tuple()[-1]


def is_x86() -> bool:
    """Return whether the target processor is x86."""
    triple: str = cpu_target.target_context.codegen().magic_tuple()[0]
    return triple.startswith(("x86", "i686"))


_FLOATS = {types.float32: ir.FloatType(), types.float64: ir.DoubleType()}


class VectorType(types.Type):
    """The numba type of vectors.

    Args:
        dtype: the numba type of a lane: an integer, `types.float32`, `types.float64`, or
            `types.boolean` for masks.
        lanes: the number of lanes.
    """

    def __init__(self, dtype: Any, lanes: int) -> None:
        self.dtype = dtype
        self.lanes = lanes
        self.signed = dtype in types.signed_domain
        super().__init__(f"vector({dtype}, {lanes})")


def llvm_type(kind: VectorType) -> Any:
    """Return the LLVM type of a vector."""
    if kind.dtype in _FLOATS:
        return ir.VectorType(_FLOATS[kind.dtype], kind.lanes)
    lane = ir.IntType(1 if kind.dtype == types.boolean else kind.dtype.bitwidth)
    return ir.VectorType(lane, kind.lanes)


@register_model(VectorType)
class _Model(models.PrimitiveModel):
    """A vector is an LLVM vector, in registers and in memory."""

    def __init__(self, manager: Any, kind: VectorType) -> None:
        super().__init__(manager, kind, llvm_type(kind))


def compiled(
    function: Any, kind: Callable[..., Any], written: Callable[..., Any], *cases: tuple[Any, ...]
) -> None:
    """Define the compiled form of a function or an operator.

    Args:
        function: the function that kernels call.
        kind: takes the numba types of the arguments, and returns the signature of the call, or
            None if the function does not take such arguments.
        written: takes an `ir.IRBuilder`, that signature and the arguments' values (for an array,
            the pointer to its first number); returns the value of the result, or None.
        cases: the types of arguments that this form is for; by default, all.
    """

    def lowered(context: Any, builder: Any, call: Any, values: Any) -> Any:
        plain = [
            context.make_array(argument)(context, builder, value).data
            if isinstance(argument, types.Array)
            else value
            for argument, value in zip(call.args, values, strict=True)
        ]
        result = written(builder, call, *plain)
        return context.get_dummy_value() if result is None else result

    type_callable(function)(lambda context: kind)
    arity = len(inspect.signature(kind).parameters)
    for case in cases or [(types.Any,) * arity]:
        lower_builtin(function, *case)(lowered)


def spread(builder: Any, kind: VectorType, value: Any) -> Any:
    """Return a vector with a plain number in all lanes; return a vector unchanged."""
    if isinstance(value.type, ir.VectorType):
        return value
    first = builder.insert_element(
        ir.Constant(llvm_type(kind), ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
    )
    return shuffled(builder, first, [0] * kind.lanes)


def shuffled(builder: Any, value: Any, order: list[int]) -> Any:
    """Return a vector of lanes of another one, chosen by a list of indices."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), order)
    return builder.shuffle_vector(value, value, places)


def called(builder: Any, name: str, kind: VectorType, *values: Any) -> Any:
    """Call an LLVM function that returns a vector, by its name without the suffix of the type."""
    result = llvm_type(kind)
    exact = f"{name}.v{kind.lanes}i{result.element.width}"
    function = ir.FunctionType(result, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, exact), values)


def replaceable(builder: Any, name: str, result: Any, body: Callable[..., Any], *values: Any) -> Any:
    """Call a function of gammon that a variant of the library may replace by its own version.

    Args:
        builder: writes the call.
        name: the name of the function.
        result: the type of the result.
        body: takes a builder and the arguments, and returns the result.
        values: the arguments.
    """
    function = builder.module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(result, [value.type for value in values])
        function = ir.Function(builder.module, kind, name)
        function.linkage = "linkonce_odr"
        function.attributes.add("alwaysinline")
        inside = ir.IRBuilder(function.append_basic_block())
        inside.ret(body(inside, *function.args))
    return builder.call(function, values)


def place_of(builder: Any, kind: VectorType, numbers: Any, at: Any) -> Any:
    """Return the pointer to a vector of an array's numbers."""
    return builder.bitcast(builder.gep(numbers, [at]), llvm_type(kind).as_pointer())


#: For each operator, the builder's methods for signed integers, unsigned integers and floats;
#: None where there is none. Operations are neither fused nor reordered.
_OPERATORS: dict[Any, tuple[str | None, str | None, str | None]] = {
    operator.add: ("add", "add", "fadd"),
    operator.sub: ("sub", "sub", "fsub"),
    operator.mul: ("mul", "mul", "fmul"),
    operator.truediv: (None, None, "fdiv"),
    operator.and_: ("and_", "and_", None),
    operator.or_: ("or_", "or_", None),
    operator.lshift: ("shl", "shl", None),
    operator.rshift: ("ashr", "lshr", None),
}
_COMPARISONS = {operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.gt: ">"}


def alike(a: Any, b: Any) -> Any:
    """Return the common type of two vectors, or of a vector and a plain number; or None."""
    if not isinstance(a, VectorType):
        return None
    number = types.Float if a.dtype in _FLOATS else types.Integer
    with_number = isinstance(b, number) and a.dtype != types.boolean
    return a if a == b or with_number else None


def _of_two(result: Callable[[VectorType], VectorType | None]) -> Callable[..., Any]:
    def kind(a: Any, b: Any) -> Any:
        vector = alike(a, b)
        returned = vector and result(vector)
        return returned and signature(returned, vector, vector if a == b else vector.dtype)

    return kind


def _mask_of(kind: VectorType) -> VectorType:
    return VectorType(types.boolean, kind.lanes)


def _method(methods: tuple[str | None, ...], kind: VectorType) -> str | None:
    return methods[2 if kind.dtype in _FLOATS else 0 if kind.signed else 1]


def _result_of(methods: tuple[str | None, ...]) -> Callable[[VectorType], VectorType | None]:
    return lambda kind: kind if _method(methods, kind) else None


def _operation(methods: tuple[str | None, ...]) -> Callable[..., Any]:
    def written(builder: Any, call: Any, a: Any, b: Any) -> Any:
        kind = call.args[0]
        return getattr(builder, str(_method(methods, kind)))(a, spread(builder, kind, b))

    return written


def _comparison(sign: str) -> Callable[..., Any]:
    def written(builder: Any, call: Any, a: Any, b: Any) -> Any:
        kind = call.args[0]
        compare = builder.icmp_signed if kind.signed else builder.icmp_unsigned
        if kind.dtype in _FLOATS:  # no lane is nan
            compare = builder.fcmp_ordered
        return compare(sign, a, spread(builder, kind, b))

    return written


def same(v: Any) -> Any:
    """Return the signature of a function from a vector to a vector of the same type, or None."""
    return signature(v, v) if isinstance(v, VectorType) else None


_CASES = (VectorType, VectorType), (VectorType, types.Integer), (VectorType, types.Float)
for _operator, _methods in _OPERATORS.items():
    compiled(_operator, _of_two(_result_of(_methods)), _operation(_methods), *_CASES)
for _operator, _sign in _COMPARISONS.items():
    compiled(_operator, _of_two(_mask_of), _comparison(_sign), *_CASES)
compiled(operator.neg, same, lambda builder, call, v: builder.neg(v), (VectorType,))
compiled(operator.invert, same, lambda builder, call, v: builder.not_(v), (VectorType,))


def _lie_side_by_side(numbers: Any) -> bool:
    return isinstance(numbers, types.Array) and (numbers.ndim, numbers.layout) == (1, "C")


def _load_kind(numbers: Any, at: Any, lanes: Any) -> Any:
    # At first numba omits the literal value of `lanes`; after None it tries again with it.
    if not _lie_side_by_side(numbers) or not isinstance(lanes, types.IntegerLiteral):
        return None
    return signature(VectorType(numbers.dtype, lanes.literal_value), numbers, types.intp, lanes)


def _load(builder: Any, call: Any, numbers: Any, at: Any, lanes: Any) -> Any:
    kind = call.return_type
    # The array may begin anywhere that is aligned for one of its numbers.
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
    return signature(VectorType(number, lanes.literal_value), number, lanes)


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
    # The last argument declares that no number is 0.
    return builder.cttz(places, ir.Constant(ir.IntType(1), 1))


compiled(lowest, lambda places: signature(types.int64, types.int64), _lowest)


compiled(
    number_of,
    lambda places: signature(types.uint64, types.uint64),
    lambda builder, call, places: builder.ctpop(places),
)


compiled(reverse, same, lambda builder, call, v: shuffled(builder, v, [*reversed(range(call.args[0].lanes))]))


def _joined_kind(v: Any, u: Any) -> Any:
    return signature(VectorType(v.dtype, 2 * v.lanes), v, u) if v == u else None


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

    def constant(number: int) -> Any:
        return ir.Constant(llvm_type(kind), [number] * kind.lanes)

    # The last argument defines the result for lanes of 0: their width.
    zeros = called(builder, "llvm.ctlz", kind, v, ir.Constant(ir.IntType(1), 0))
    counted = builder.sub(constant(kind.dtype.bitwidth), zeros)
    if kind.dtype.bitwidth != 32 or not is_x86():
        return counted
    # On x86 only wide vectors have an instruction for this; others would use a table of half
    # bytes. The exponent of a float gives the length, too. Each 1 right below another 1 is
    # cleared, so that no float is rounded up to the next exponent.
    apart = builder.and_(v, builder.not_(builder.lshr(v, constant(1))))
    floats = builder.sitofp(apart, llvm_type(VectorType(types.float32, kind.lanes)))
    exponent = builder.lshr(builder.bitcast(floats, v.type), constant(23))
    lengths = builder.sub(exponent, constant(126))
    lengths = builder.select(builder.icmp_signed(">", lengths, constant(0)), lengths, constant(0))
    return builder.select(_wide(builder, call), counted, lengths)


compiled(length, same, _length)


def _as_int16(builder: Any, call: Any, v: Any) -> Any:
    change = builder.sext if call.args[0].dtype == types.int8 else builder.trunc
    return change(v, llvm_type(call.return_type))


compiled(as_int16, lambda v: signature(VectorType(types.int16, v.lanes), v), _as_int16)


compiled(
    as_int8,
    lambda v: signature(VectorType(types.int8, v.lanes), v),
    lambda builder, call, v: builder.trunc(v, llvm_type(call.return_type)),
)


compiled(
    as_int32,
    lambda v: signature(VectorType(types.int32, v.lanes), v) if v.signed else None,
    lambda builder, call, v: builder.sext(v, llvm_type(call.return_type)),
)


compiled(
    as_float32,
    lambda v: signature(VectorType(types.float32, v.lanes), v) if v.signed else None,
    lambda builder, call, v: builder.sitofp(v, llvm_type(call.return_type)),
)


def _bitcast_kind(lane: Any, kind: Any, share: int) -> Callable[[Any], Any]:
    """Return the signature function of a reinterpretation of lanes as `share` lanes each."""
    return lambda v: signature(VectorType(kind, v.lanes * share), v) if v.dtype == lane else None


def _same_bits(builder: Any, call: Any, v: Any) -> Any:
    return builder.bitcast(v, llvm_type(call.return_type))


compiled(halves, _bitcast_kind(types.int32, types.int16, 2), _same_bits)


compiled(bits_of_floats, _bitcast_kind(types.float32, types.int32, 1), _same_bits)


compiled(floats_of_bits, _bitcast_kind(types.int32, types.float32, 1), _same_bits)


def _pairs_kind(v: Any, u: Any) -> Any:
    if v != u or v.dtype != types.int16:
        return None
    return signature(VectorType(types.int32, v.lanes // 2), v, u)


def _sums_of_pairs(builder: Any, call: Any, v: Any, u: Any) -> Any:
    # LLVM recognizes this pattern: on most processors, one instruction does all of it.
    lanes = call.args[0].lanes
    wide = llvm_type(VectorType(types.int32, lanes))

    def body(inside: Any, v: Any, u: Any) -> Any:
        products = inside.mul(inside.sext(v, wide), inside.sext(u, wide))
        even, odd = (shuffled(inside, products, [*range(k, lanes, 2)]) for k in range(2))
        return inside.add(even, odd)

    result = llvm_type(call.return_type)
    return replaceable(builder, f"gammon_sums_of_pairs_{lanes}", result, body, v, u)


compiled(sums_of_pairs, _pairs_kind, _sums_of_pairs)


def _total(builder: Any, call: Any, v: Any) -> Any:
    word = ir.IntType(32)
    name = f"llvm.vector.reduce.add.v{call.args[0].lanes}i32"
    function = ir.FunctionType(word, [v.type])
    reduced = builder.call(cgutils.get_or_insert_function(builder.module, function, name), [v])
    return builder.sext(reduced, ir.IntType(64))


compiled(total, lambda v: signature(types.int64, v) if v.dtype == types.int32 else None, _total)


def _wide(builder: Any, call: Any) -> Any:
    # A constant, so that each variant of the library can have its own value.
    byte = ir.IntType(8)
    flag = builder.module.globals.get(WIDE)
    if flag is None:
        flag = ir.GlobalVariable(builder.module, byte, WIDE)
        flag.linkage, flag.global_constant = "linkonce_odr", True
        flag.initializer = ir.Constant(byte, int(is_wide()))
    return builder.trunc(builder.load(flag), ir.IntType(1))


compiled(wide, lambda: signature(types.boolean), _wide)


def _upper_products(builder: Any, call: Any, v: Any, u: Any) -> Any:
    # LLVM recognizes this pattern: on many processors, one instruction does all of it.
    lanes = call.args[0].lanes
    wide = llvm_type(VectorType(types.int32, lanes))
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
        to = place_of(builder, VectorType(kind.dtype, 4), numbers, place)
        builder.store(row, to, align=kind.dtype.bitwidth // 8)


compiled(store_columns, _columns_kind, _store_columns)


def _transposed_kind(matrix: Any, out: Any, at: Any, stride: Any) -> Any:
    if matrix != types.Array(types.int8, 1, "C") or out != matrix:
        return None
    return signature(types.none, matrix, out, types.intp, types.intp)


def _store_transposed(builder: Any, call: Any, matrix: Any, out: Any, at: Any, stride: Any) -> None:
    kind = VectorType(types.int8, 32)
    rows = [
        builder.load(place_of(builder, kind, matrix, ir.Constant(at.type, 32 * k)), align=1)
        for k in range(16)
    ]
    # Interleave each row with the row eight after it, lane by lane, within each half. Four such
    # steps transpose both halves.
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
    return signature(VectorType(rows.dtype, EIGHT), rows, *[types.intp] * 4)


def _column(builder: Any, call: Any, rows: Any, first: Any, n: Any, k: Any, width: Any) -> Any:
    kind = call.return_type
    vector = ir.Constant(llvm_type(kind), ir.Undefined)
    last = builder.sub(n, ir.Constant(n.type, 1))
    for lane in range(EIGHT):
        row = builder.add(first, ir.Constant(first.type, lane))
        row = builder.select(builder.icmp_signed("<", row, last), row, last)
        number = builder.load(builder.gep(rows, [builder.add(builder.mul(row, width), k)]))
        vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
    return vector


compiled(column, _column_kind, _column)


def _some_kind(numbers: Any, at: Any, v: Any, count: Any) -> Any:
    if not isinstance(v, VectorType) or numbers != types.Array(v.dtype, 1, "C"):
        return None
    return signature(types.none, numbers, types.intp, v, types.intp)


def _store_some(builder: Any, call: Any, numbers: Any, at: Any, v: Any, count: Any) -> None:
    kind = call.args[2]
    to = place_of(builder, kind, numbers, at)
    places = VectorType(types.intp, kind.lanes)
    lanes = ir.Constant(llvm_type(places), [*range(kind.lanes)])
    mask = builder.icmp_signed("<", lanes, spread(builder, places, count))
    size = ir.Constant(ir.IntType(32), kind.dtype.bitwidth // 8)
    name = f"llvm.masked.store.v{kind.lanes}f{kind.dtype.bitwidth}.p0"
    store = ir.FunctionType(ir.VoidType(), [v.type, to.type, size.type, mask.type])
    builder.call(cgutils.get_or_insert_function(builder.module, store, name), [v, to, size, mask])


compiled(store_some, _some_kind, _store_some)


def _conversion_kind(lane: Any, into: Any) -> Any:
    """Return the signature function of a conversion of lanes."""
    return lambda v: signature(VectorType(into, v.lanes), v) if v.dtype == lane else None


compiled(
    as_float64,
    _conversion_kind(types.float32, types.float64),
    lambda builder, call, v: builder.fpext(v, llvm_type(call.return_type)),
)


compiled(
    as_rounded,
    _conversion_kind(types.float64, types.float32),
    lambda builder, call, v: builder.fptrunc(v, llvm_type(call.return_type)),
)
