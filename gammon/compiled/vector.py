"""Vectors in kernels (SIMD): one instruction computes several numbers at once.

A *vector* is a value like a number: `load` reads one from an array, operators work on it lane
by lane, and `store` writes it to an array. Its *lanes* have one type. Their number is 8, 16 or
32, a constant in the program. This adds 16 counts to 16 others:

    counts = load(board, 0, 16)                # int8 [16], from board[0] on
    store(row, 0, counts + load(change, 0, 16))

A *mask* is a vector of truth values, the result of a comparison. `select` chooses lanes by a
mask, and `bits` packs it into one integer as a set:

    blots = bits(counts == 1)                  # bit k is lane k
    most = select(counts < 3, counts, 3)       # a plain number counts for all 16 lanes

The functions are in this module, and `gammon.compiled.jit.vector` lists the operators. Numbers
wrap around as in numpy. In an operation with a plain number, the number is the right operand,
and a lane must be able to hold it; a numpy number has the type of the lanes. A shift is by fewer
bits than a lane has. No lane of float32 is nan.

**Two forms of each function.** With the compiler off, a vector is a numpy array of the same
length. The operators are then numpy's own, and each function here is its own Python *twin*,
written with numpy. The compiler ignores these bodies. It emits the LLVM instructions that
`gammon.compiled.jit.vector` defines for the function. In LLVM, the layer between numba and the
processor, a vector is a type, and most instructions take vectors as well as numbers. They are
independent of the processor: LLVM translates each to one of its instructions, or several. Both
forms give the same bits on every processor; `tests/engine/compiled/test_vector.py` compares them.

**To add a function**, write its twin here with a docstring, and in `gammon.compiled.jit.vector`

    compiled(twin, kind, written)

`kind` takes the numba types of the arguments, and returns the signature of the call, or None
if the function does not take such arguments. `written` takes an `ir.IRBuilder` of llvmlite, that
signature and the arguments' values, and returns the value of the result. The builder's methods
are the instructions in https://llvm.org/docs/LangRef.html: `add`, `icmp_signed`,
`shuffle_vector`. Some instructions are functions, such as `llvm.ctpop`, which counts the ones
of a number; `called` calls them. No name may begin with `llvm.x86`, which other processors lack.

**To see the code**, set `NUMBA_DUMP_ASSEMBLY=1`: numba prints the instructions of each kernel
that it compiles. Set `GAMMON_KERNELS` to "numba" and `GAMMON_CACHE` to an empty folder, so that
it compiles all. On x86, vectors of 16, 32 and 64 bytes are in registers `xmm`, `ymm` and `zmm`.
If the code moves them to the stack and back (`(%rsp)`), the loop uses too many at once.

Never write `v += u`: with the compiler off, this would change the array under its other names.

**Rows of a matrix.** A loop over rows handles eight rows at a time, one in each lane. It loads
their columns, computes in lanes of float64, and writes a number for each row:

    for first in range(0, n, EIGHT):
        sums = as_float64(column(rows, first, n, 0)) + as_float64(column(rows, first, n, 1))
        store_some(out, first, as_rounded(sums), n - first)

If fewer than eight rows are left, the remaining lanes repeat the last row.
"""

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from gammon.compiled import kinds

#: A vector, and a mask, as Python sees them.
Lanes = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

#: Annotations for arguments of kernels.
Int8x16 = Annotated[Lanes, kinds.Vector(kinds.INT8, 16)]
Int16x16 = Annotated[Lanes, kinds.Vector(kinds.INT16, 16)]
Float32x16 = Annotated[Lanes, kinds.Vector(kinds.FLOAT32, 16)]
UInt32x16 = Annotated[Lanes, kinds.Vector(kinds.UINT32, 16)]


def load(numbers: Lanes, at: int | np.uint64, lanes: int) -> Lanes:
    """Return a vector of consecutive numbers of an array.

    Args:
        numbers: [N], contiguous.
        at: the first index, at most N - `lanes`.
        lanes: how many numbers: a constant.
    """
    return numbers[int(at) : int(at) + lanes].copy()


def store(numbers: Lanes, at: int | np.uint64, v: Lanes) -> None:
    """Write a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: the index for the first lane.
        v: the vector.
    """
    numbers[int(at) : int(at) + len(v)] = v


def filled(number: Any, lanes: int) -> Lanes:
    """Return a vector with one number in all lanes.

    Args:
        number: of the type of a lane, such as `np.uint32(1)`.
        lanes: the number of lanes: a constant.
    """
    return np.full(lanes, number)


def select(mask: Mask, a: Lanes | int, b: Lanes | float | np.float32) -> Lanes:
    """Return the lanes of a where the mask is true, and the lanes of b elsewhere.

    Args:
        mask: truth values.
        a: a vector.
        b: a vector of its type, or a plain number.
    """
    return np.where(mask, a, b)


def bits(mask: Mask) -> int:
    """Return a mask as an integer: bit k is 1 where lane k is true."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def lowest(places: int) -> int:
    """Return the index of the lowest 1 of an integer that is not 0."""
    return int(places & -places).bit_length() - 1


def number_of(places: np.uint64) -> np.uint64:
    """Return the number of ones in an integer."""
    return np.uint64(int(places).bit_count())


def reverse(v: Lanes) -> Lanes:
    """Return the lanes in reverse order."""
    return v[::-1].copy()


def joined(v: Lanes, u: Lanes) -> Lanes:
    """Return one vector of the lanes of two."""
    return np.concatenate([v, u])


def compressed(v: Lanes, mask: Mask) -> Lanes:
    """Return the lanes where a mask is true, moved to the front; the other lanes are 0.

    With AVX-512 this is one instruction for lanes of 32 bits. Narrower lanes are moved one by
    one in code for a whole level of processors.

    Args:
        v: integers.
        mask: with the same number of lanes.
    """
    packed = np.zeros_like(v)
    packed[: np.count_nonzero(mask)] = v[mask]
    return packed


def ones(v: Lanes) -> Lanes:
    """Return the number of ones in each unsigned lane."""
    return np.bitwise_count(v).astype(v.dtype)


def length(v: Lanes) -> Lanes:
    """Return the bit length of each unsigned lane: the bits up to its highest 1; 0 for 0.

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
    """Return the halves of each lane of int32 as two lanes of int16, in memory order."""
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
    """Return whether the target processor has 32 vector registers of 64 bytes.

    Other processors have a quarter of that. How much a loop handles at a time may depend on it,
    never a result. The branch that is not taken is not in the compiled code.
    """
    return False


def upper_products(v: Lanes, u: Lanes) -> Lanes:
    """Return the upper 16 bits of the products of lanes; `v * u` has the lower ones.

    Args:
        v: int16; the bits are read as unsigned numbers.
        u: as `v`.
    """
    products = v.astype(np.uint16).astype(np.uint32) * u.astype(np.uint16)
    return (products >> 16).astype(np.int16)


def store_columns(numbers: Lanes, at: int, v: Lanes) -> None:
    """Write the quarters of a vector as four columns of a matrix that has 16 columns.

    Args:
        numbers: [16 N], contiguous, of the type of the lanes: the matrix, row after row.
        at: the index for the first lane. The first lanes of the other quarters go beside it,
            and all second lanes into the next row.
        v: the vector.
    """
    for k, row in enumerate(v.reshape(4, -1).T):
        numbers[at + 16 * k : at + 16 * k + 4] = row


def store_transposed(matrix: Lanes, out: Lanes, at: int, stride: int) -> None:
    """Write the columns of a matrix of bytes one after the other, at a stride.

    Args:
        matrix: int8 [16, 2, 16], flat.
        out: int8 [>= at + 15 stride + 32]: [2, 16] for each of the sixteen columns.
        at: the index for the first column.
        stride: bytes from one column to the next.
    """
    halves = matrix[:512].reshape(16, 2, 16)
    for column in range(16):
        out[at + stride * column : at + stride * column + 32] = halves[:, :, column].T.ravel()


#: The rows handled at a time.
EIGHT = 8

#: Annotations for arguments of kernels.
Float32x8 = Annotated[Lanes, kinds.Vector(kinds.FLOAT32, EIGHT)]
Float64x8 = Annotated[Lanes, kinds.Vector(kinds.FLOAT64, EIGHT)]
Mask8 = Annotated[Mask, kinds.Vector(kinds.BOOLEAN, EIGHT)]


def column(rows: Lanes, first: int, n: int, k: int, width: int) -> Lanes:
    """Return the k-th number of each of eight rows.

    Args:
        rows: [>= n, K], contiguous.
        first: the index of the first row, less than n.
        n: the number of rows; beyond the end, the last row is repeated.
        k: the column.
        width: K.
    """
    numbers: Lanes = rows[np.minimum(np.arange(first, first + EIGHT), n - 1), k]
    return numbers


def store_some(numbers: Lanes, at: int, v: Lanes, count: int) -> None:
    """Write the first lanes of a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: the index for the first lane.
        v: the vector.
        count: how many lanes, at least 1; if it is greater than their number, all of them.
    """
    count = min(count, len(v))
    numbers[at : at + count] = v[:count]


def as_float64(v: Lanes) -> Lanes:
    """Return lanes of float32 as float64."""
    return v.astype(np.float64)


def as_rounded(v: Lanes) -> Lanes:
    """Return lanes of float64 as the nearest float32."""
    return v.astype(np.float32)
