"""The types of compiled code, each written once: as annotations.

An array argument of a kernel is annotated with one of the names below: people and mypy read its
dtype there, the compiler its layout. A record is a NamedTuple of such annotations. The kinds of
records and the signatures of kernels follow from the annotations, so nothing is written twice.
"""

from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from gammon.compiled import kinds

R = TypeVar("R", bound=type)

# A vector has one axis, a matrix two, a stack three; all are contiguous.
Int8Vector = Annotated[npt.NDArray[np.int8], kinds.Array(kinds.INT8, 1)]
Int8Matrix = Annotated[npt.NDArray[np.int8], kinds.Array(kinds.INT8, 2)]
Int8Stack = Annotated[npt.NDArray[np.int8], kinds.Array(kinds.INT8, 3)]
Int16Vector = Annotated[npt.NDArray[np.int16], kinds.Array(kinds.INT16, 1)]
Int16Matrix = Annotated[npt.NDArray[np.int16], kinds.Array(kinds.INT16, 2)]
Int16Stack = Annotated[npt.NDArray[np.int16], kinds.Array(kinds.INT16, 3)]
Int32Vector = Annotated[npt.NDArray[np.int32], kinds.Array(kinds.INT32, 1)]
Int64Vector = Annotated[npt.NDArray[np.int64], kinds.Array(kinds.INT64, 1)]
Int64Matrix = Annotated[npt.NDArray[np.int64], kinds.Array(kinds.INT64, 2)]
Int64Stack = Annotated[npt.NDArray[np.int64], kinds.Array(kinds.INT64, 3)]
UInt32Vector = Annotated[npt.NDArray[np.uint32], kinds.Array(kinds.UINT32, 1)]
UInt64Vector = Annotated[npt.NDArray[np.uint64], kinds.Array(kinds.UINT64, 1)]
UInt64Matrix = Annotated[npt.NDArray[np.uint64], kinds.Array(kinds.UINT64, 2)]
Float32Vector = Annotated[npt.NDArray[np.float32], kinds.Array(kinds.FLOAT32, 1)]
Float32Matrix = Annotated[npt.NDArray[np.float32], kinds.Array(kinds.FLOAT32, 2)]
Float32Stack = Annotated[npt.NDArray[np.float32], kinds.Array(kinds.FLOAT32, 3)]
Float64Vector = Annotated[npt.NDArray[np.float64], kinds.Array(kinds.FLOAT64, 1)]
Float64Matrix = Annotated[npt.NDArray[np.float64], kinds.Array(kinds.FLOAT64, 2)]
Float64Stack = Annotated[npt.NDArray[np.float64], kinds.Array(kinds.FLOAT64, 3)]
BoolVector = Annotated[npt.NDArray[np.bool_], kinds.Array(kinds.BOOLEAN, 1)]
BoolMatrix = Annotated[npt.NDArray[np.bool_], kinds.Array(kinds.BOOLEAN, 2)]

_SCALARS = {
    int: kinds.INT64, float: kinds.FLOAT64, bool: kinds.BOOLEAN, type(None): kinds.VOID,
    np.uint64: kinds.UINT64, np.uint32: kinds.UINT32, np.float32: kinds.FLOAT32,
}  # fmt: skip


@cache
def kind_of(annotation: Any) -> kinds.Kind:
    """Return the kind of values with an annotation.

    Args:
        annotation: a scalar type, one of the array types above, a NamedTuple of annotated
            fields, a tuple of annotations, or a Protocol with an annotated `__call__`, which
            means a kernel of that signature.

    Raises:
        TypeError: the annotation is something else.
    """
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if get_origin(annotation) is Annotated:
        kind: kinds.Kind = annotation.__metadata__[0]
        return kind
    if get_origin(annotation) is tuple:
        return kinds.Record(tuple(kind_of(part) for part in get_args(annotation)))
    if hasattr(annotation, "_fields"):
        parts = tuple(kind_of(hint) for hint in annotations_of(annotation).values())
        return kinds.Record(parts, annotation)
    if getattr(annotation, "_is_protocol", False):
        return kinds.Function(signature_of(annotation.__call__))
    raise TypeError(f"{annotation!r} is of no kind: see gammon.compiled.records")


@cache
def annotations_of(record: Any) -> dict[str, Any]:
    """Return the annotations of a record's fields, in order."""
    hints = get_type_hints(record, include_extras=True)
    return {name: hints[name] for name in record._fields}


class Trusted:
    """A record whose fields are trusted to have their annotated types; see `trusted`.

    Instances may carry extra attributes, such as a cached form of the record for calls. A
    copy, also one sent to another process, does not have them.
    """

    def __reduce__(self) -> Any:
        """Pickle only the fields."""
        return type(self), tuple(self)  # type: ignore[arg-type]


def trusted(record: R) -> R:
    """Mark a record class as trusted: calls do not check the types of its fields.

    Without this class decorator, each call of a kernel checks every field of a record, which is
    slow for records with many fields. Code that creates a trusted record must get them right.
    """
    copied = {name: getattr(record, name) for name in ("__doc__", "__module__", "__qualname__")}
    subclass: Any = type(record.__name__, (Trusted, record), copied)
    return subclass  # type: ignore[no-any-return]


def signature_of(function: Any) -> kinds.Signature:
    """Return the signature of a function, by its annotations.

    Raises:
        TypeError: an argument or the result has no annotation, or one that has no kind.
    """
    hints = get_type_hints(function, include_extras=True)
    code = function.__code__
    names = [name for name in code.co_varnames[: code.co_argcount] if name != "self"]
    missing = [name for name in (*names, "return") if name not in hints]
    if missing:
        raise TypeError(f"{function.__qualname__}: no annotation of {', '.join(missing)}")
    return kinds.Signature(kind_of(hints["return"]), tuple(kind_of(hints[name]) for name in names))
