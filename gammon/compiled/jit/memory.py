"""Records by reference, and the functions of `gammon.compiled.memory`, in compiled code.

A record as an argument is all its numbers, so each call copies them; the records of a search have
hundreds. Kernels that only kernels call take the address of a large record instead
(`compiler.inner_signature`). Nothing else changes: a reference has the record's attributes, and
turns into the record, and a record into a reference, wherever a call needs it. Only a record
that becomes part of a new one must be `copied`.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed, lower_cast, lower_getattr_generic
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AttributeTemplate, infer_getattr, signature
from numba.extending import lower_builtin, register_model, type_callable

from gammon.compiled.jit.vector import compiled
from gammon.compiled.memory import copied, fetch_add, load_acquire, store_release


class Ref(types.Type):
    """The numba type of a reference to a record.

    Args:
        record: the numba type of the record.
    """

    def __init__(self, record: Any) -> None:
        self.record = record
        super().__init__(name=f"Ref({record})")

    def can_convert_to(self, context: Any, wanted: Any) -> Any:
        """Return `Conversion.safe` for the record."""
        return Conversion.safe if wanted == self.record else None

    def can_convert_from(self, context: Any, given: Any) -> Any:
        """Return `Conversion.safe` for the record."""
        return Conversion.safe if given == self.record else None


@register_model(Ref)
class _Model(models.PrimitiveModel):
    """A reference is the address of a record."""

    def __init__(self, manager: Any, kind: Ref) -> None:
        super().__init__(manager, kind, manager[kind.record].get_value_type().as_pointer())


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


def _part_of(ref: Ref, name: str) -> Any:
    """Return the numba type of a part of a record, as its reference gives it."""
    part = ref.record.types[ref.record.fields.index(name)]
    return Ref(part) if isinstance(part, types.BaseNamedTuple) else part


@infer_getattr
class _Parts(AttributeTemplate):
    """The parts of a record can be read through its reference; a record in it is a reference."""

    key = Ref

    def generic_resolve(self, ref: Any, name: str) -> Any:  # type: ignore[override]
        return _part_of(ref, name) if name in ref.record.fields else None


@lower_getattr_generic(Ref)
def _get_part(context: Any, builder: Any, kind: Ref, ref: Any, name: str) -> Any:
    part = cgutils.gep_inbounds(builder, ref, 0, kind.record.fields.index(name))
    if isinstance(_part_of(kind, name), Ref):
        return part
    value = _read(builder, part, part.type.pointee)
    return impl_ret_borrowed(context, builder, _part_of(kind, name), value)


@lower_cast(Ref, types.BaseNamedTuple)
def _to_record(context: Any, builder: Any, given: Ref, wanted: Any, ref: Any) -> Any:
    return impl_ret_borrowed(context, builder, wanted, _read(builder, ref, ref.type.pointee))


@lower_cast(types.BaseNamedTuple, Ref)
def _to_ref(context: Any, builder: Any, given: Any, wanted: Ref, record: Any) -> Any:
    """Return the address of a copy of a record, valid until this kernel returns."""
    ref = cgutils.alloca_once(builder, record.type)
    builder.store(record, ref)
    return ref


@type_callable(copied)
def _copied(context: Any) -> Any:
    return lambda record: record.record if isinstance(record, Ref) else record


@lower_builtin(copied, Ref)
@lower_builtin(copied, types.BaseNamedTuple)
def _copy(context: Any, builder: Any, call: Any, values: Any) -> Any:
    value = context.cast(builder, values[0], call.args[0], call.return_type)
    return (
        value
        if isinstance(call.args[0], Ref)
        else impl_ret_borrowed(context, builder, call.return_type, value)
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
