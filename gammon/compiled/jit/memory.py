"""The functions of `gammon.compiled.memory` in compiled code."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import signature
from numba.extending import register_model

from gammon.compiled.jit.vector_type import compiled
from gammon.compiled.memory import add, held, hold, put, seen


class Place(types.Type):
    """The numba type of a place.

    Args:
        record: the type of what lies there.
    """

    def __init__(self, record: Any) -> None:
        self.record = record
        super().__init__(name=f"Place({record})")


@register_model(Place)
class _Model(models.PrimitiveModel):
    """A place is the address of a record."""

    def __init__(self, manager: Any, kind: Place) -> None:
        super().__init__(manager, kind, manager[kind.record].get_value_type().as_pointer())


def _hold(builder: Any, call: Any, record: Any) -> Any:
    place = cgutils.alloca_once(builder, record.type)
    builder.store(record, place)
    return place


compiled(hold, lambda record: signature(Place(record), record), _hold, (types.BaseNamedTuple,))


def _parts_of(kind: Any) -> list[Any]:
    """Return the types of the parts of a structure, or of an array; none of another type."""
    if isinstance(kind, ir.ArrayType):
        return [kind.element] * kind.count
    return list(getattr(kind, "elements", []))


def _read(builder: Any, place: Any, kind: Any) -> Any:
    """Return what lies in a place, each number read by itself.

    So a kernel reads only the numbers that it uses.
    """
    parts = _parts_of(kind)
    if not parts:
        return builder.load(place)
    made = ir.Constant(kind, ir.Undefined)
    for k, part in enumerate(parts):
        value = _read(builder, cgutils.gep_inbounds(builder, place, 0, k), part)
        made = builder.insert_value(made, value, k)
    return made


compiled(
    held,
    lambda place: signature(place.record, place) if isinstance(place, Place) else None,
    lambda builder, call, place: _read(builder, place, place.type.pointee),
    (Place,),
)


#: The bytes of a number.
_BYTES = 8


def _seen(builder: Any, call: Any, numbers: Any, at: Any) -> Any:
    return builder.load_atomic(builder.gep(numbers, [at]), "acquire", _BYTES)


def _put(builder: Any, call: Any, numbers: Any, at: Any, value: Any) -> None:
    builder.store_atomic(value, builder.gep(numbers, [at]), "release", _BYTES)


def _add(builder: Any, call: Any, numbers: Any, at: Any, value: Any) -> Any:
    return builder.atomic_rmw("add", builder.gep(numbers, [at]), value, "acq_rel")


compiled(seen, lambda numbers, at: signature(types.int64, numbers, types.intp), _seen)


compiled(put, lambda numbers, at, value: signature(types.none, numbers, types.intp, types.int64), _put)


compiled(add, lambda numbers, at, value: signature(types.int64, numbers, types.intp, types.int64), _add)
