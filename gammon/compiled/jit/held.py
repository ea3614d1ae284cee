"""The functions of `gammon.compiled.held` in compiled code: memory of the caller's frame."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import signature
from numba.extending import register_model

from gammon.compiled.held import held, hold
from gammon.compiled.jit.vector_type import compiled


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


compiled(
    hold,
    lambda record: signature(Place(record), record),
    _hold,
    (types.BaseNamedTuple,),
)


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
