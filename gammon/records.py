"""The types of compiled code, each written once: as annotations.

An array of a kernel is annotated with one of the names below, which tell people and mypy
its dtype and the compiler its layout. A record is a NamedTuple of such annotations. From
them follow the numba types of records and the signatures of kernels, so that neither is
written a second time, and no two lists can disagree.
"""

from functools import cache
from inspect import isclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
from numba import types

__all__ = [
    "BoolMatrix", "BoolVector", "Float32Matrix", "Float32Stack", "Float32Vector",
    "Float64Matrix", "Float64Vector", "Int8Matrix", "Int8Stack", "Int8Vector", "Int64Matrix",
    "Int64Vector", "UInt64Matrix", "UInt64Vector", "numba_type", "signature_of",
]  # fmt: skip

# A vector has one axis, a matrix two, a stack three; all are contiguous.
Int8Vector = Annotated[npt.NDArray[np.int8], types.int8[::1]]
Int8Matrix = Annotated[npt.NDArray[np.int8], types.int8[:, ::1]]
Int8Stack = Annotated[npt.NDArray[np.int8], types.int8[:, :, ::1]]
Int64Vector = Annotated[npt.NDArray[np.int64], types.int64[::1]]
Int64Matrix = Annotated[npt.NDArray[np.int64], types.int64[:, ::1]]
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
        return types.Tuple([numba_type(part) for part in get_args(annotation)])  # type: ignore[no-untyped-call]
    if isclass(annotation) and hasattr(annotation, "_fields"):
        hints = get_type_hints(annotation, include_extras=True)
        fields = [numba_type(hints[name]) for name in annotation._fields]
        several = len(set(fields)) > 1
        if several:
            return types.NamedTuple(fields, annotation)  # type: ignore[no-untyped-call]
        return types.NamedUniTuple(fields[0], len(fields), annotation)  # type: ignore[no-untyped-call]
    if getattr(annotation, "_is_protocol", False):
        return types.FunctionType(signature_of(annotation.__call__))
    raise TypeError(f"{annotation!r} has no numba type: see gammon.records")


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
