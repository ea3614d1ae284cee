"""The kinds of values that kernels take and return, as plain data.

A kind says how a value lies in memory, to whoever compiles a kernel or calls one. The
annotations of kernels hold kinds (`gammon.compiled.records`). The compiler has a type of its
own for each (`gammon.compiled.jit.compiler`), and so has C (`gammon.compiled.flat`).
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scalar:
    """A number.

    Attributes:
        name: of its dtype in numpy; of `VOID`, "none".
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
        dtype: of its numbers.
        axes: how many it has.
    """

    dtype: Scalar
    axes: int

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join([':'] * (self.axes - 1) + ['::1'])}]"


@dataclass(frozen=True)
class Vector:
    """Lanes of one type, in a register (`gammon.compiled.vector`).

    Attributes:
        dtype: of a lane.
        lanes: how many there are.
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
        made: the NamedTuple that it is, or None for a plain tuple.
    """

    parts: tuple["Kind", ...]
    made: Any = None

    def __str__(self) -> str:
        name = self.made.__name__ if self.made else ""
        return f"{name}({', '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Place:
    """Where a record lies (`gammon.compiled.memory`).

    Attributes:
        record: its kind.
    """

    record: Record

    def __str__(self) -> str:
        return f"place of {self.record}"


@dataclass(frozen=True)
class Function:
    """A kernel that is handed to another one.

    Attributes:
        signature: its own.
    """

    signature: "Signature"

    def __str__(self) -> str:
        return f"function {self.signature}"


@dataclass(frozen=True)
class Signature:
    """The kinds of what a kernel returns and takes.

    Attributes:
        result: of what it returns.
        arguments: of its arguments.
    """

    result: "Kind"
    arguments: tuple["Kind", ...]

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.arguments))})"


Kind = Scalar | Array | Vector | Record | Place | Function
