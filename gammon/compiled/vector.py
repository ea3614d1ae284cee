"""Vectors in kernels: several numbers that one instruction computes side by side.

A *vector* is a value, as a number is: `load` takes one out of an array, operators make others
of it lane by lane, and `store` puts one into an array. Its *lanes* have one type, and there are
8, 16 or 32 of them, as the program says. A kernel adds 16 counts to 16 others so:

    counts = load(board, 0, 16)                # int8 [16], from board[0] on
    store(row, 0, counts + load(change, 0, 16))

A *mask* is a vector of truth values, which comparisons make. `select` picks by it, and `bits`
makes it a set in one number:

    blots = bits(counts == 1)                  # bit k tells of lane k
    most = select(counts < 3, counts, 3)       # a plain number stands for 16 of them

There are the functions of this module, and the operators that
`gammon.compiled.jit.vector` lists. Numbers wrap around as those of numpy do. A plain
number stands behind the vector, and must be one that a lane can hold; of numpy's, it has the
type of the lanes. A shift is by fewer bits than a lane has. No lane of float32 holds what is
not a number.

**Two forms of each.** With the compiler off, a vector is a numpy array of as many numbers. So
the operators are numpy's own, and each function here is its own *twin*: its body says in numpy
what it does. The compiler never looks at that body. It writes what `gammon.compiled.jit.vector`
says of the function: an instruction of LLVM, which stands between numba and the processor.
There, a vector is a type of its own, and most instructions take one wherever they take a
number. They name no processor: LLVM makes of them what the processor at hand has, one
instruction for 16 lanes or several. Both forms give the same bits, on every processor;
`tests/engine/compiled/test_vector.py` holds them together.

**To add a function**, write its twin here with a docstring, and in `gammon.compiled.jit.vector`

    compiled(twin, kind, written)

`kind` takes the numba types of the arguments, and returns the signature of the call, or None
if the function is not for such arguments. `written` takes an `ir.IRBuilder` of llvmlite, that
signature and the arguments' values, and returns the value of the result. The builder's methods
are the instructions that https://llvm.org/docs/LangRef.html lists: `add`, `icmp_signed`,
`shuffle_vector`. Some are functions there, such as `llvm.ctpop` for the ones of a number;
`called` calls them. No name may begin with `llvm.x86`: other processors have no such thing.

**To see the code**, set `NUMBA_DUMP_ASSEMBLY=1`: numba prints the instructions of each kernel
that it compiles. So let `GAMMON_KERNELS` be "numba", and `GAMMON_CACHE` name an empty folder.
On x86, vectors of 16, 32 and 64 bytes are in registers `xmm`, `ymm` and `zmm`. If the code
moves them to the stack and back (`(%rsp)`), the loop holds too many at once.

Never write `v += u`: with the compiler off, it would change the array that other names have.

**Rows of a matrix.** A loop over rows takes eight of them at a time, a lane of each vector for
one. It takes their columns, computes with these in lanes of float64, and writes a number for
each row:

    for first in range(0, n, EIGHT):
        sums = as_float64(column(rows, first, n, 0)) + as_float64(column(rows, first, n, 1))
        store_some(out, first, as_rounded(sums), n - first)

Where fewer than eight rows are left, the last one stands in the lanes of those that are not.
"""

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from gammon.compiled import kinds

#: A vector, and a mask, as Python sees them.
Lanes = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: As arguments of kernels are annotated.
Int8x16 = Annotated[Lanes, kinds.Vector(kinds.INT8, 16)]
Int16x16 = Annotated[Lanes, kinds.Vector(kinds.INT16, 16)]
Float32x16 = Annotated[Lanes, kinds.Vector(kinds.FLOAT32, 16)]
UInt32x16 = Annotated[Lanes, kinds.Vector(kinds.UINT32, 16)]


def load(numbers: Lanes, at: int | np.uint64, lanes: int) -> Lanes:
    """Return a vector of an array's numbers, from one place on.

    Args:
        numbers: [N], contiguous.
        at: the place, N - `lanes` at most.
        lanes: how many numbers, as the program says: a constant.
    """
    return numbers[int(at) : int(at) + lanes].copy()


def store(numbers: Lanes, at: int | np.uint64, v: Lanes) -> None:
    """Write a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: where the first lane goes.
        v: the vector.
    """
    numbers[int(at) : int(at) + len(v)] = v


def filled(number: Any, lanes: int) -> Lanes:
    """Return a vector with one number in all lanes.

    Args:
        number: of the type of a lane, such as `np.uint32(1)`.
        lanes: how many there are: a constant.
    """
    return np.full(lanes, number)


def select(mask: Mask, a: Lanes | int, b: Lanes | float | np.float32) -> Lanes:
    """Return the lanes of a where the mask holds, and those of b elsewhere.

    Args:
        mask: truth values.
        a: a vector.
        b: a vector of its type, or a plain number.
    """
    return np.where(mask, a, b)


def bits(mask: Mask) -> int:
    """Return the lanes where a mask holds as a set: bit k of the number tells of lane k."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def lowest(places: int) -> int:
    """Return the lowest place of a set as `bits` makes it, which is not empty."""
    return int(places & -places).bit_length() - 1


def number_of(places: np.uint64) -> np.uint64:
    """Return how many places a set has."""
    return np.uint64(int(places).bit_count())


def reverse(v: Lanes) -> Lanes:
    """Return the lanes in the opposite order."""
    return v[::-1].copy()


def joined(v: Lanes, u: Lanes) -> Lanes:
    """Return one vector of the lanes of two."""
    return np.concatenate([v, u])


def compressed(v: Lanes, mask: Mask) -> Lanes:
    """Return the lanes where a mask holds, one after the other, and behind them 0.

    With AVX-512 this is one instruction for lanes of 32 bits. Narrower ones are moved one by
    one, where the level of the processor is all that is known of it.

    Args:
        v: integers.
        mask: of as many lanes.
    """
    found = np.zeros_like(v)
    found[: np.count_nonzero(mask)] = v[mask]
    return found


def ones(v: Lanes) -> Lanes:
    """Return how many bits of each unsigned lane are 1."""
    return np.bitwise_count(v).astype(v.dtype)


def length(v: Lanes) -> Lanes:
    """Return how many bits each unsigned lane has up to its highest 1; 0 of 0.

    Args:
        v: of 16 bits, or of 32 and below 2^31.
    """
    return np.frexp(v.astype(np.float64))[1].astype(v.dtype)


def as_int16(v: Lanes) -> Lanes:
    """Return the lower 16 bits of wider lanes as int16, or lanes of int8 as int16."""
    return v.astype(np.int16)


def as_int8(v: Lanes) -> Lanes:
    """Return the lower 8 bits of wider lanes as int8."""
    return v.astype(np.int8)


def as_int32(v: Lanes) -> Lanes:
    """Return narrower lanes with a sign as int32."""
    return v.astype(np.int32)


def as_float32(v: Lanes) -> Lanes:
    """Return lanes of int32 as the nearest float32."""
    return v.astype(np.float32)


def halves(v: Lanes) -> Lanes:
    """Return the halves of each lane of int32 as two lanes of int16, as they lie in memory."""
    return v.view(np.int16)


def bits_of_floats(v: Lanes) -> Lanes:
    """Return the bits of each lane of float32 as int32."""
    return v.view(np.int32)


def floats_of_bits(v: Lanes) -> Lanes:
    """Return the float32 that has the bits of each lane of int32."""
    return v.view(np.float32)


def sums_of_pairs(v: Lanes, u: Lanes) -> Lanes:
    """Return v[0] u[0] + v[1] u[1], v[2] u[2] + v[3] u[3] ... as int32.

    Args:
        v: int16, with an even number of lanes.
        u: as `v`.
    """
    products = v.astype(np.int32) * u.astype(np.int32)
    return products[::2] + products[1::2]


def total(v: Lanes) -> int:
    """Return the sum of lanes of int32, which int32 can hold."""
    return int(v.sum())


def wide() -> bool:
    """Tell whether the processor that is compiled for has 32 vector registers of 64 bytes.

    Others have a quarter of that room. How much a loop takes at a time may depend on it, never
    a result. The branch that is not taken is no part of the compiled code.
    """
    return False


def upper_products(v: Lanes, u: Lanes) -> Lanes:
    """Return the upper 16 bits of the products of lanes; v u has the lower ones.

    Args:
        v: int16, whose bits are taken as numbers without a sign.
        u: as `v`.
    """
    products = v.astype(np.uint16).astype(np.uint32) * u.astype(np.uint16)
    return (products >> 16).astype(np.int16)


def store_columns(numbers: Lanes, at: int, v: Lanes) -> None:
    """Write the quarters of a vector as four columns of a matrix that has 16 columns.

    Args:
        numbers: [16 N], contiguous, of the type of the lanes: the matrix, row after row.
        at: where the first lane goes. The first lanes of the other quarters go beside it, and
            all second lanes into the next row.
        v: the vector.
    """
    for k, row in enumerate(v.reshape(4, -1).T):
        numbers[at + 16 * k : at + 16 * k + 4] = row


def store_transposed(matrix: Lanes, out: Lanes, at: int, stride: int) -> None:
    """Write the columns of a matrix of bytes one after the other, each with a gap behind it.

    Args:
        matrix: int8 [16, 2, 16], flat.
        out: int8 [>= at + 15 stride + 32]: [2, 16] for each of the sixteen columns.
        at: where the first one goes.
        stride: bytes from one to the next.
    """
    halves = matrix[:512].reshape(16, 2, 16)
    for column in range(16):
        out[at + stride * column : at + stride * column + 32] = halves[:, :, column].T.ravel()


#: The rows that are taken at a time.
EIGHT = 8

#: As arguments of kernels are annotated.
Float32x8 = Annotated[Lanes, kinds.Vector(kinds.FLOAT32, EIGHT)]
Float64x8 = Annotated[Lanes, kinds.Vector(kinds.FLOAT64, EIGHT)]
Mask8 = Annotated[Mask, kinds.Vector(kinds.BOOLEAN, EIGHT)]


def column(rows: Lanes, first: int, n: int, k: int, width: int) -> Lanes:
    """Return the k-th number of eight rows from the first-th on.

    Args:
        rows: [>= n, K], contiguous.
        first: of the rows, less than n.
        n: how many rows there are; the last one stands for those behind it.
        k: the column.
        width: K.
    """
    found: Lanes = rows[np.minimum(np.arange(first, first + EIGHT), n - 1), k]
    return found


def store_some(numbers: Lanes, at: int, v: Lanes, count: int) -> None:
    """Write the first lanes of a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: where the first lane goes.
        v: the vector.
        count: how many lanes, at least 1; all of them where it is more than there are.
    """
    count = min(count, len(v))
    numbers[at : at + count] = v[:count]


def as_float64(v: Lanes) -> Lanes:
    """Return lanes of float32 as float64."""
    return v.astype(np.float64)


def as_rounded(v: Lanes) -> Lanes:
    """Return lanes of float64 as the nearest float32."""
    return v.astype(np.float32)
