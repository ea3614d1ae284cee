"""The numba type of vectors, their operators, and how the compiler is told of a function.

`gammon.compiled.vector` says what a vector is, and how to add a function.
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

#: A constant in the code that is compiled: whether the processor has wide vectors.
WIDE = "gammon_wide"


def is_wide() -> bool:
    """Tell whether the processor that this process compiles for has wide vectors."""
    return "+avx512bw" in cpu_target.target_context.codegen().magic_tuple()[-1]


def is_x86() -> bool:
    """Tell whether it compiles for a processor of x86."""
    triple: str = cpu_target.target_context.codegen().magic_tuple()[0]
    return triple.startswith(("x86", "i686"))


_FLOATS = {types.float32: ir.FloatType(), types.float64: ir.DoubleType()}


class Vector(types.Type):
    """The numba type of vectors.

    Args:
        dtype: the numba type of a lane: an integer, `types.float32`, `types.float64`, or
            `types.boolean` for masks.
        lanes: how many there are.
    """

    def __init__(self, dtype: Any, lanes: int) -> None:
        self.dtype = dtype
        self.lanes = lanes
        self.signed = dtype in types.signed_domain
        super().__init__(f"vector({dtype}, {lanes})")


def llvm_type(kind: Vector) -> Any:
    """Return the type that LLVM has for a vector."""
    if kind.dtype in _FLOATS:
        return ir.VectorType(_FLOATS[kind.dtype], kind.lanes)
    lane = ir.IntType(1 if kind.dtype == types.boolean else kind.dtype.bitwidth)
    return ir.VectorType(lane, kind.lanes)


@register_model(Vector)
class _Model(models.PrimitiveModel):
    """A vector is one of LLVM's, in registers and in memory."""

    def __init__(self, manager: Any, kind: Vector) -> None:
        super().__init__(manager, kind, llvm_type(kind))


def compiled(
    function: Any, kind: Callable[..., Any], written: Callable[..., Any], *cases: tuple[Any, ...]
) -> None:
    """Tell the compiler what a function or an operator becomes.

    Args:
        function: what kernels call.
        kind: takes the numba types of the arguments, and returns the signature of the call, or
            None if the function is not for such arguments.
        written: takes an `ir.IRBuilder`, that signature and the arguments' values, of an array
            the pointer to its first number; returns the value of the result, or None.
        cases: the types of arguments for which this holds; unless given, any.
    """

    def lowered(context: Any, builder: Any, call: Any, values: Any) -> Any:
        plain = [
            context.make_array(given)(context, builder, value).data
            if isinstance(given, types.Array)
            else value
            for given, value in zip(call.args, values, strict=True)
        ]
        result = written(builder, call, *plain)
        return context.get_dummy_value() if result is None else result

    type_callable(function)(lambda context: kind)
    several = len(inspect.signature(kind).parameters)
    for case in cases or [(types.Any,) * several]:
        lower_builtin(function, *case)(lowered)


def spread(builder: Any, kind: Vector, value: Any) -> Any:
    """Return a vector with a plain number in all lanes; a vector as it is."""
    if isinstance(value.type, ir.VectorType):
        return value
    first = builder.insert_element(
        ir.Constant(llvm_type(kind), ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
    )
    return shuffled(builder, first, [0] * kind.lanes)


def shuffled(builder: Any, value: Any, order: list[int]) -> Any:
    """Return the vector of the lanes of another one that a list names."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), order)
    return builder.shuffle_vector(value, value, places)


def called(builder: Any, name: str, kind: Vector, *values: Any) -> Any:
    """Call a function of LLVM that makes a vector, by its name without the type of that."""
    made = llvm_type(kind)
    exact = f"{name}.v{kind.lanes}i{made.element.width}"
    function = ir.FunctionType(made, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, exact), values)


def replaceable(builder: Any, name: str, made: Any, body: Callable[..., Any], *values: Any) -> Any:
    """Call a function of ours, of which a variant of the library may have one of its own.

    Args:
        builder: writes the call.
        name: of the function.
        made: the type of its result.
        body: takes a builder and the arguments, and returns the result.
        values: the arguments.
    """
    function = builder.module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(made, [value.type for value in values])
        function = ir.Function(builder.module, kind, name)
        function.linkage = "linkonce_odr"
        function.attributes.add("alwaysinline")
        inside = ir.IRBuilder(function.append_basic_block())
        inside.ret(body(inside, *function.args))
    return builder.call(function, values)


def place_of(builder: Any, kind: Vector, numbers: Any, at: Any) -> Any:
    """Return the pointer to a vector of an array's numbers."""
    return builder.bitcast(builder.gep(numbers, [at]), llvm_type(kind).as_pointer())


#: By operator the builder's methods for integers with a sign, without one, and for floats; None
#: where there is none. Nothing is fused, and nothing done in another order.
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
    """Return the type of two vectors, or of a vector and a plain number behind it, or None."""
    if not isinstance(a, Vector):
        return None
    number = types.Float if a.dtype in _FLOATS else types.Integer
    with_number = isinstance(b, number) and a.dtype != types.boolean
    return a if a == b or with_number else None


def _of_two(result: Callable[[Vector], Vector | None]) -> Callable[..., Any]:
    def kind(a: Any, b: Any) -> Any:
        vector = alike(a, b)
        made = vector and result(vector)
        return made and signature(made, vector, vector if a == b else vector.dtype)

    return kind


def _mask_of(kind: Vector) -> Vector:
    return Vector(types.boolean, kind.lanes)


def _method(methods: tuple[str | None, ...], kind: Vector) -> str | None:
    return methods[2 if kind.dtype in _FLOATS else 0 if kind.signed else 1]


def _result_of(methods: tuple[str | None, ...]) -> Callable[[Vector], Vector | None]:
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
        if kind.dtype in _FLOATS:  # no lane holds what is not a number
            compare = builder.fcmp_ordered
        return compare(sign, a, spread(builder, kind, b))

    return written


def same(v: Any) -> Any:
    """Return the signature of what makes a vector of one of the same type; else None."""
    return signature(v, v) if isinstance(v, Vector) else None


_CASES = (Vector, Vector), (Vector, types.Integer), (Vector, types.Float)
for _operator, _methods in _OPERATORS.items():
    compiled(_operator, _of_two(_result_of(_methods)), _operation(_methods), *_CASES)
for _operator, _sign in _COMPARISONS.items():
    compiled(_operator, _of_two(_mask_of), _comparison(_sign), *_CASES)
compiled(operator.neg, same, lambda builder, call, v: builder.neg(v), (Vector,))
compiled(operator.invert, same, lambda builder, call, v: builder.not_(v), (Vector,))
