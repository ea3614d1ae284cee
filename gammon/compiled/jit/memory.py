"""The functions of `gammon.compiled.memory` in compiled code."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import signature
from numba.extending import register_model

from gammon.compiled.jit.vector import compiled
from gammon.compiled.memory import deref, fetch_add, load_acquire, pin, store_release


class Ref(types.Type):
    """The numba type of a reference to a record.

    Args:
        record: the numba type of the record.
    """

    def __init__(self, record: Any) -> None:
        self.record = record
        super().__init__(name=f"Ref({record})")


@register_model(Ref)
class _Model(models.PrimitiveModel):
    """A reference is the address of a record."""

    def __init__(self, manager: Any, kind: Ref) -> None:
        super().__init__(manager, kind, manager[kind.record].get_value_type().as_pointer())


def _pin(builder: Any, call: Any, record: Any) -> Any:
    ref = cgutils.alloca_once(builder, record.type)
    builder.store(record, ref)
    return ref


compiled(pin, lambda record: signature(Ref(record), record), _pin, (types.BaseNamedTuple,))


def _parts_of(kind: Any) -> list[Any]:
    """Return the types of the parts of a structure or an array; an empty list for other types."""
    if isinstance(kind, ir.ArrayType):
        return [kind.element] * kind.count
    return list(getattr(kind, "elements", []))


def _read(builder: Any, ref: Any, kind: Any) -> Any:
    """Return the value at a reference, loaded number by number.

    LLVM removes the loads of numbers that the kernel does not use.
    """
    parts = _parts_of(kind)
    if not parts:
        return builder.load(ref)
    record = ir.Constant(kind, ir.Undefined)
    for k, part in enumerate(parts):
        value = _read(builder, cgutils.gep_inbounds(builder, ref, 0, k), part)
        record = builder.insert_value(record, value, k)
    return record


compiled(
    deref,
    lambda ref: signature(ref.record, ref) if isinstance(ref, Ref) else None,
    lambda builder, call, ref: _read(builder, ref, ref.type.pointee),
    (Ref,),
)


#: The bytes of a number.
_BYTES = 8


def _load_acquire(builder: Any, call: Any, numbers: Any, at: Any) -> Any:
    return builder.load_atomic(builder.gep(numbers, [at]), "acquire", _BYTES)


def _store_release(builder: Any, call: Any, numbers: Any, at: Any, value: Any) -> None:
    builder.store_atomic(value, builder.gep(numbers, [at]), "release", _BYTES)


def _fetch_add(builder: Any, call: Any, numbers: Any, at: Any, value: Any) -> Any:
    return builder.atomic_rmw("add", builder.gep(numbers, [at]), value, "acq_rel")


compiled(load_acquire, lambda numbers, at: signature(types.int64, numbers, types.intp), _load_acquire)


compiled(
    store_release,
    lambda numbers, at, value: signature(types.none, numbers, types.intp, types.int64),
    _store_release,
)


compiled(
    fetch_add, lambda numbers, at, value: signature(types.int64, numbers, types.intp, types.int64), _fetch_add
)
