"""Vectors in kernels: several numbers that one instruction computes side by side.

A *vector* is a value, as a number is: `load` takes one out of an array, operators make others
of it lane by lane, and `store` puts one into an array. Its *lanes* have one type, an integer
or float32, and there are 16 of them, or 32, as the program says. A kernel adds 16 counts to 16
others so:

    counts = load(board, 0, 16)                # int8 [16], from board[0] on
    store(row, 0, counts + load(change, 0, 16))

A *mask* is a vector of truth values, which comparisons make. `select` picks by it, and `bits`
makes it a set in one number:

    blots = bits(counts == 1)                  # bit k tells of lane k
    most = select(counts < 3, counts, 3)       # a plain number stands for 16 of them

There are the functions of this module, and the operators that `gammon.compiled.vector_type`
lists. Numbers wrap around as those of numpy do. A plain number stands behind the vector, and
must be one that a lane can hold; of numpy's, it has the type of the lanes. A shift is by fewer
bits than a lane has. No lane of float32 holds what is not a number.

**Two forms of each.** With the compiler off, a vector is a numpy array of as many numbers. So
the operators are numpy's own, and each function here is its own *twin*: its body says in numpy
what it does. The compiler never looks at that body. It writes what stands behind the function
under `compiled`: an instruction of LLVM, which stands between numba and the processor. There, a
vector is a type of its own, and most instructions take one wherever they take a number. They
name no processor: LLVM makes of them what the processor at hand has, one instruction for 16
lanes or several. Both forms give the same bits, on every processor;
`tests/compiled/test_vector.py` holds them together.

**To add a function**, write its twin with a docstring, and behind it

    compiled(twin, kind, written)

`kind` takes the numba types of the arguments, and returns the signature of the call, or None
if the function is not for such arguments. `written` takes an `ir.IRBuilder` of llvmlite, that
signature and the arguments' values, and returns the value of the result. The builder's methods
are the instructions that https://llvm.org/docs/LangRef.html lists: `add`, `icmp_signed`,
`shuffle_vector`. Some are functions there, such as `llvm.ctpop` for the ones of a number;
`called` calls them. No name may begin with `llvm.x86`: other processors have no such thing.

**To see the code**, ask the kernel: `successors.inspect_asm(successors.signatures[0])`. It must
have been compiled in this process, so let `GAMMON_CACHE` name an empty folder. On x86, vectors
of 16, 32 and 64 bytes are in registers `xmm`, `ymm` and `zmm`. If the code moves them to the
stack and back (`(%rsp)`), the loop holds too many at once.

Never write `v += u`: with the compiler off, it would change the array that other names have.
"""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature

from gammon.compiled.vector_type import (
    Vector,
    alike,
    called,
    compiled,
    llvm_type,
    place_of,
    same,
    shuffled,
    spread,
)

__all__ = [
    "Float32x16", "Int8x16", "Int16x32", "Int32x16", "UInt32x16", "as_float32", "as_int16",
    "as_int32", "bits", "bits_of_floats", "compressed", "filled", "floats_of_bits", "halves",
    "joined", "length", "load", "lowest", "number_of", "ones", "reverse", "select", "store",
    "sums_of_pairs",
]  # fmt: skip

#: A vector, and a mask, as Python sees them.
Lanes = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
#: As arguments of kernels are annotated.
Int8x16 = Annotated[Lanes, Vector(types.int8, 16)]
Int16x32 = Annotated[Lanes, Vector(types.int16, 32)]
Int32x16 = Annotated[Lanes, Vector(types.int32, 16)]
Float32x16 = Annotated[Lanes, Vector(types.float32, 16)]
UInt32x16 = Annotated[Lanes, Vector(types.uint32, 16)]


def load(numbers: Lanes, at: int | np.uint64, lanes: int) -> Lanes:
    """Return a vector of an array's numbers, from one place on.

    Args:
        numbers: [N], contiguous.
        at: the place, N - `lanes` at most.
        lanes: how many numbers, as the program says: a constant.
    """
    return numbers[int(at) : int(at) + lanes].copy()


def _lie_side_by_side(numbers: Any) -> bool:
    return isinstance(numbers, types.Array) and (numbers.ndim, numbers.layout) == (1, "C")


def _load_kind(numbers: Any, at: Any, lanes: Any) -> Any:
    # Without the number of lanes, numba asks once more with it.
    if not _lie_side_by_side(numbers) or not isinstance(lanes, types.IntegerLiteral):
        return None
    return signature(Vector(numbers.dtype, lanes.literal_value), numbers, types.intp, lanes)


def _load(builder: Any, call: Any, numbers: Any, at: Any, lanes: Any) -> Any:
    kind = call.return_type
    # Nothing is said of where the array begins, but that its numbers are whole.
    size = kind.dtype.bitwidth // 8
    return builder.load(place_of(builder, kind, numbers, at), align=size)


compiled(load, _load_kind, _load)


def store(numbers: Lanes, at: int | np.uint64, v: Lanes) -> None:
    """Write a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: where the first lane goes.
        v: the vector.
    """
    numbers[int(at) : int(at) + len(v)] = v


def _store_kind(numbers: Any, at: Any, v: Any) -> Any:
    if not _lie_side_by_side(numbers) or numbers.dtype != v.dtype:
        return None
    return signature(types.none, numbers, types.intp, v)


def _store(builder: Any, call: Any, numbers: Any, at: Any, v: Any) -> None:
    kind = call.args[2]
    builder.store(v, place_of(builder, kind, numbers, at), align=kind.dtype.bitwidth // 8)


compiled(store, _store_kind, _store)


def filled(number: Any, lanes: int) -> Lanes:
    """Return a vector with one number in all lanes.

    Args:
        number: of the type of a lane, such as `np.uint32(1)`.
        lanes: how many there are: a constant.
    """
    return np.full(lanes, number)


def _filled_kind(number: Any, lanes: Any) -> Any:
    if not isinstance(lanes, types.IntegerLiteral):
        return None
    return signature(Vector(number, lanes.literal_value), number, lanes)


compiled(
    filled, _filled_kind, lambda builder, call, v, lanes: spread(builder, call.return_type, v)
)


def select(mask: Mask, a: Lanes | int, b: Lanes | float | np.float32) -> Lanes:
    """Return the lanes of a where the mask holds, and those of b elsewhere.

    Args:
        mask: truth values.
        a: a vector.
        b: a vector of its type, or a plain number.
    """
    return np.where(mask, a, b)


def _select_kind(mask: Any, a: Any, b: Any) -> Any:
    kind = alike(a, b)
    return kind and signature(kind, mask, kind, kind if a == b else kind.dtype)


compiled(
    select,
    _select_kind,
    lambda builder, call, mask, a, b: builder.select(
        mask, a, spread(builder, call.return_type, b)
    ),
)


def bits(mask: Mask) -> int:
    """Return the lanes where a mask holds as a set: bit k of the number tells of lane k."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def _bits(builder: Any, call: Any, mask: Any) -> Any:
    lanes = ir.IntType(call.args[0].lanes)
    return builder.zext(builder.bitcast(mask, lanes), ir.IntType(64))


compiled(bits, lambda mask: signature(types.int64, mask), _bits)


def lowest(places: int) -> int:
    """Return the lowest place of a set as `bits` makes it, which is not empty."""
    return int(places & -places).bit_length() - 1


def _lowest(builder: Any, call: Any, places: Any) -> Any:
    # The last argument says that no number is 0.
    return builder.cttz(places, ir.Constant(ir.IntType(1), 1))


compiled(lowest, lambda places: signature(types.int64, types.int64), _lowest)


def number_of(places: np.uint64) -> np.uint64:
    """Return how many places a set has."""
    return np.uint64(int(places).bit_count())


compiled(
    number_of,
    lambda places: signature(types.uint64, types.uint64),
    lambda builder, call, places: builder.ctpop(places),
)


def reverse(v: Lanes) -> Lanes:
    """Return the lanes in the opposite order."""
    return v[::-1].copy()


compiled(
    reverse,
    same,
    lambda builder, call, v: shuffled(builder, v, [*reversed(range(call.args[0].lanes))]),
)


def joined(v: Lanes, u: Lanes) -> Lanes:
    """Return one vector of the lanes of two."""
    return np.concatenate([v, u])


def _joined_kind(v: Any, u: Any) -> Any:
    return signature(Vector(v.dtype, 2 * v.lanes), v, u) if v == u else None


def _joined(builder: Any, call: Any, v: Any, u: Any) -> Any:
    lanes = range(call.return_type.lanes)
    places = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), [*lanes])
    return builder.shuffle_vector(v, u, places)


compiled(joined, _joined_kind, _joined)


def compressed(v: Lanes, mask: Mask) -> Lanes:
    """Return the lanes where a mask holds, one after the other, and behind them 0.

    Args:
        v: integers.
        mask: of as many lanes.
    """
    found = np.zeros_like(v)
    found[: np.count_nonzero(mask)] = v[mask]
    return found


def _compressed(builder: Any, call: Any, v: Any, mask: Any) -> Any:
    zeros = ir.Constant(v.type, None)
    return called(builder, "llvm.experimental.vector.compress", call.args[0], v, mask, zeros)


compiled(compressed, lambda v, mask: signature(v, v, mask), _compressed)


def ones(v: Lanes) -> Lanes:
    """Return how many bits of each unsigned lane are 1."""
    return np.bitwise_count(v).astype(v.dtype)


compiled(ones, same, lambda builder, call, v: called(builder, "llvm.ctpop", call.args[0], v))


def length(v: Lanes) -> Lanes:
    """Return how many bits each unsigned lane of at most 32 has up to its highest 1; 0 of 0."""
    return np.frexp(v.astype(np.float64))[1].astype(v.dtype)


def _length(builder: Any, call: Any, v: Any) -> Any:
    kind = call.args[0]
    # The last argument says that lanes of 0 have an answer: their width.
    zeros = called(builder, "llvm.ctlz", kind, v, ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(llvm_type(kind), [kind.dtype.bitwidth] * kind.lanes), zeros)


compiled(length, same, _length)


def as_int16(v: Lanes) -> Lanes:
    """Return the lower 16 bits of wider lanes as int16, or lanes of int8 as int16."""
    return v.astype(np.int16)


def _as_int16(builder: Any, call: Any, v: Any) -> Any:
    change = builder.sext if call.args[0].dtype == types.int8 else builder.trunc
    return change(v, llvm_type(call.return_type))


compiled(as_int16, lambda v: signature(Vector(types.int16, v.lanes), v), _as_int16)


def as_int32(v: Lanes) -> Lanes:
    """Return narrower lanes with a sign as int32."""
    return v.astype(np.int32)


compiled(
    as_int32,
    lambda v: signature(Vector(types.int32, v.lanes), v) if v.signed else None,
    lambda builder, call, v: builder.sext(v, llvm_type(call.return_type)),
)


def as_float32(v: Lanes) -> Lanes:
    """Return lanes of int32 as the nearest float32."""
    return v.astype(np.float32)


compiled(
    as_float32,
    lambda v: signature(Vector(types.float32, v.lanes), v) if v.signed else None,
    lambda builder, call, v: builder.sitofp(v, llvm_type(call.return_type)),
)


def _seen_as(lane: Any, kind: Any, share: int) -> Callable[[Any], Any]:
    """Return what finds the signature of seeing the bits of lanes as those of other ones."""
    return lambda v: signature(Vector(kind, v.lanes * share), v) if v.dtype == lane else None


def _same_bits(builder: Any, call: Any, v: Any) -> Any:
    return builder.bitcast(v, llvm_type(call.return_type))


def halves(v: Lanes) -> Lanes:
    """Return the halves of each lane of int32 as two lanes of int16, as they lie in memory."""
    return v.view(np.int16)


compiled(halves, _seen_as(types.int32, types.int16, 2), _same_bits)


def bits_of_floats(v: Lanes) -> Lanes:
    """Return the bits of each lane of float32 as int32."""
    return v.view(np.int32)


compiled(bits_of_floats, _seen_as(types.float32, types.int32, 1), _same_bits)


def floats_of_bits(v: Lanes) -> Lanes:
    """Return the float32 that has the bits of each lane of int32."""
    return v.view(np.float32)


compiled(floats_of_bits, _seen_as(types.int32, types.float32, 1), _same_bits)


def sums_of_pairs(v: Lanes, u: Lanes) -> Lanes:
    """Return v[0] u[0] + v[1] u[1], v[2] u[2] + v[3] u[3] ... as int32.

    Args:
        v: int16, with an even number of lanes.
        u: as `v`.
    """
    products = v.astype(np.int32) * u.astype(np.int32)
    return products[::2] + products[1::2]


def _pairs_kind(v: Any, u: Any) -> Any:
    if v != u or v.dtype != types.int16:
        return None
    return signature(Vector(types.int32, v.lanes // 2), v, u)


def _sums_of_pairs(builder: Any, call: Any, v: Any, u: Any) -> Any:
    # LLVM knows this form: on most processors, one instruction does all of it.
    lanes = call.args[0].lanes
    wide = llvm_type(Vector(types.int32, lanes))
    products = builder.mul(builder.sext(v, wide), builder.sext(u, wide))
    even, odd = (shuffled(builder, products, [*range(k, lanes, 2)]) for k in range(2))
    return builder.add(even, odd)


compiled(sums_of_pairs, _pairs_kind, _sums_of_pairs)
