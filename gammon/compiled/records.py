"""The types of compiled code, each written once: as annotations.

An array of a kernel is annotated with one of the names below, which tell people and mypy
its dtype and the compiler its layout. A record is a NamedTuple of such annotations. From
them follow the numba types of records and the signatures of kernels, so that neither is
written a second time, and no two lists can disagree.
"""

from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import typeof_impl

from gammon.compiled.pointer import PointerType

__all__ = [
    "BoolMatrix", "BoolVector", "Float32Matrix", "Float32Stack", "Float32Vector",
    "Float64Matrix", "Float64Vector", "Int8Matrix", "Int8Stack", "Int8Vector", "Int16Stack",
    "Int16Vector", "Int32Vector", "Int64Matrix", "Int64Vector", "UInt32Vector", "UInt64Matrix",
    "UInt64Vector", "annotations_of", "declared", "numba_type", "signature_of",
]  # fmt: skip

R = TypeVar("R", bound=type)

# A vector has one axis, a matrix two, a stack three; all are contiguous.
Int8Vector = Annotated[npt.NDArray[np.int8], types.int8[::1]]
Int8Matrix = Annotated[npt.NDArray[np.int8], types.int8[:, ::1]]
Int8Stack = Annotated[npt.NDArray[np.int8], types.int8[:, :, ::1]]
Int16Vector = Annotated[npt.NDArray[np.int16], types.int16[::1]]
Int16Stack = Annotated[npt.NDArray[np.int16], types.int16[:, :, ::1]]
Int32Vector = Annotated[npt.NDArray[np.int32], types.int32[::1]]
Int64Vector = Annotated[npt.NDArray[np.int64], types.int64[::1]]
Int64Matrix = Annotated[npt.NDArray[np.int64], types.int64[:, ::1]]
UInt32Vector = Annotated[npt.NDArray[np.uint32], types.uint32[::1]]
UInt64Vector = Annotated[npt.NDArray[np.uint64], types.uint64[::1]]
UInt64Matrix = Annotated[npt.NDArray[np.uint64], types.uint64[:, ::1]]
Float32Vector = Annotated[npt.NDArray[np.float32], types.float32[::1]]
Float32Matrix = Annotated[npt.NDArray[np.float32], types.float32[:, ::1]]
Float32Stack = Annotated[npt.NDArray[np.float32], types.float32[:, :, ::1]]
Float64Vector = Annotated[npt.NDArray[np.float64], types.float64[::1]]
Float64Matrix = Annotated[npt.NDArray[np.float64], types.float64[:, ::1]]
BoolVector = Annotated[npt.NDArray[np.bool_], types.boolean[::1]]
BoolMatrix = Annotated[npt.NDArray[np.bool_], types.boolean[:, ::1]]

_SCALARS = {
    int: types.int64, float: types.float64, bool: types.boolean, type(None): types.void,
    np.uint64: types.uint64, np.uint32: types.uint32, np.float32: types.float32,
}  # fmt: skip


@cache
def numba_type(annotation: Any) -> Any:
    """Return the numba type of an annotation.

    Args:
        annotation: a scalar type, one of the array types above, a NamedTuple of annotated
            fields, a tuple of annotations, or a Protocol with an annotated `__call__`, which
            stands for a compiled function of that signature.

    Raises:
        TypeError: it is something else.
    """
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if get_origin(annotation) is Annotated:
        return annotation.__metadata__[0]
    if get_origin(annotation) is tuple:
        return types.Tuple([numba_type(part) for part in get_args(annotation)])
    if hasattr(annotation, "_fields"):
        fields = [numba_type(hint) for hint in annotations_of(annotation).values()]
        if len(set(fields)) == 1:  # numba has a type of its own for these
            return types.NamedUniTuple(fields[0], len(fields), annotation)
        return types.NamedTuple(fields, annotation)
    if getattr(annotation, "_is_protocol", False):
        return PointerType(signature_of(annotation.__call__))
    raise TypeError(f"{annotation!r} has no numba type: see gammon.compiled.records")


@cache
def annotations_of(record: Any) -> dict[str, Any]:
    """Return the annotations of a record's fields, in their order."""
    hints = get_type_hints(record, include_extras=True)
    return {name: hints[name] for name in record._fields}


def declared(record: R) -> R:
    """Let numba take the type of a record's values from its annotations (a class decorator).

    Without it, numba looks at every field of every value that is passed to a kernel, which
    takes long where there are functions among them. Who makes such a value must see to it
    that it is what the annotations say.
    """
    typeof_impl.register(record)(lambda value, context: numba_type(record))
    return record


def signature_of(function: Any) -> Any:
    """Return the numba signature that the annotations of a function tell.

    Raises:
        TypeError: an argument or the result has no annotation, or one without a numba type.
    """
    hints = get_type_hints(function, include_extras=True)
    code = function.__code__
    names = [name for name in code.co_varnames[: code.co_argcount] if name != "self"]
    missing = [name for name in (*names, "return") if name not in hints]
    if missing:
        raise TypeError(f"{function.__qualname__}: no annotation of {', '.join(missing)}")
    return numba_type(hints["return"])(*[numba_type(hints[name]) for name in names])
