"""The kinds of values that kernels take and return, as plain data.

A kind describes the memory layout of a value, both for the compiler of a kernel and for its
callers. The annotations of kernels contain kinds (`gammon.compiled.records`). Each has a type in
the compiler (`gammon.compiled.jit.compiler`) and a form in C (`gammon.compiled.flat`).
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scalar:
    """A number.

    Attributes:
        name: the name of its numpy dtype; "none" for `VOID`.
    """

    name: str

    def __str__(self) -> str:
        return self.name


BOOLEAN, VOID = Scalar("bool"), Scalar("none")
INT8, INT16, INT32, INT64 = (Scalar(f"int{bits}") for bits in (8, 16, 32, 64))
UINT16, UINT32, UINT64 = (Scalar(f"uint{bits}") for bits in (16, 32, 64))
FLOAT32, FLOAT64 = Scalar("float32"), Scalar("float64")


@dataclass(frozen=True)
class Array:
    """A contiguous numpy array.

    Attributes:
        dtype: the type of its numbers.
        axes: the number of axes.
    """

    dtype: Scalar
    axes: int

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join([':'] * (self.axes - 1) + ['::1'])}]"


@dataclass(frozen=True)
class Vector:
    """Lanes of one type, in a register (`gammon.compiled.vector`).

    Attributes:
        dtype: the type of a lane.
        lanes: the number of lanes.
    """

    dtype: Scalar
    lanes: int

    def __str__(self) -> str:
        return f"vector({self.dtype}, {self.lanes})"


@dataclass(frozen=True)
class Record:
    """A tuple.

    Attributes:
        parts: the kinds of its fields.
        made: the class of the NamedTuple, or None for a plain tuple.
    """

    parts: tuple["Kind", ...]
    made: Any = None

    def __str__(self) -> str:
        name = self.made.__name__ if self.made else ""
        return f"{name}({', '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Function:
    """A kernel that is passed to another kernel.

    Attributes:
        signature: the signature of the kernel.
    """

    signature: "Signature"

    def __str__(self) -> str:
        return f"function {self.signature}"


@dataclass(frozen=True)
class Signature:
    """The kinds of a kernel's result and arguments.

    Attributes:
        result: the kind of the result.
        arguments: the kinds of the arguments.
    """

    result: "Kind"
    arguments: tuple["Kind", ...]

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.arguments))})"


Kind = Scalar | Array | Vector | Record | Function
