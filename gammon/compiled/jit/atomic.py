"""The functions of `gammon.compiled.atomic` in compiled code: instructions that are atomic."""

from typing import Any

from numba.core import types
from numba.core.typing.templates import signature

from gammon.compiled.atomic import add, put, seen
from gammon.compiled.jit.vector_type import compiled

#: The bytes of a number.
_BYTES = 8


def _seen(builder: Any, call: Any, numbers: Any, at: Any) -> Any:
    return builder.load_atomic(builder.gep(numbers, [at]), "acquire", _BYTES)


def _put(builder: Any, call: Any, numbers: Any, at: Any, value: Any) -> None:
    builder.store_atomic(value, builder.gep(numbers, [at]), "release", _BYTES)


def _add(builder: Any, call: Any, numbers: Any, at: Any, value: Any) -> Any:
    return builder.atomic_rmw("add", builder.gep(numbers, [at]), value, "acq_rel")


compiled(seen, lambda numbers, at: signature(types.int64, numbers, types.intp), _seen)


compiled(
    put,
    lambda numbers, at, value: signature(types.none, numbers, types.intp, types.int64),
    _put,
)


compiled(
    add,
    lambda numbers, at, value: signature(types.int64, numbers, types.intp, types.int64),
    _add,
)
