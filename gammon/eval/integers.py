"""A network as one flat vector of integers, laid out for the compiled inference.

`pack` makes it from the float network's tensors, and proves that no sum in it can overflow.
`gammon.eval.integer_network` defines the network's output to the last bit: every CPU gives the
same chances, from any parent and in any order.

The first layer. Each sum has its own scale, so large that the sum just fits into 16 bits in
every position. The contributions of the counts are rounded as totals, by place and count; the
rows are differences of these totals, so they add up to the same integers on every path. The
contribution of the checkers borne off (`own.off.1`) follows from the counts, so it is included
in the totals. The row of a number (`gammon.eval.features`) is multiplied by the number, and so is
the row's rounding error, which causes nearly all of the total error. So the error at the
number's mean is added to the bias, and the scale is chosen so that little is lost. Rows add up
modulo 2^16.

The second layer. The product of a unit's two rectified sums f and g is (f g + 2^14) >> 15, in 16
bits. Each unit of the second layer has its own scale, too, so large that its weights fit into 16
bits and its sums, in every position, into 32. They add up modulo 2^32.

The last layer is in float32. Its weights include the inverse scales of the second layer. Its
outputs are logarithms to the base 2.

A packed network is a vector of float32, as all evaluators' weights are. It begins with its
`Header`, as numbers. Then come its parts. Every block of a part begins at a multiple of 64 bytes
and holds, bit by bit,

    steps    int16 [26, 30, 2 H1]     by board index: the change as the count goes from c to
                                      c + 1, from -15 on; H1 first factors, then H1 second ones
    numbers  int16 [Q, 2 H1]          the change per 1 of a number, in the order of `NUMBERS`
    bias1    int16 [2 H1]             the sums of an empty board whose numbers are 0
    weight2  int16 [H1 / 2, H2, 2]    by pair of products, by unit: the weights of both
    bias2    int32 [H2]
    weight3  float32 [6, H2]
    bias3    float32 [6]

and finally the four tables of `gammon.eval.bearoff`, if any, and the blocks of
`gammon.eval.race` and `gammon.eval.cube_network`. After each row of `steps` and of `numbers`
64 bytes are unused (`ROW_GAP`). Units of the first layer that change nothing are left out: their
products are always 0, or all their weights are. Then H1 is padded to a multiple of 64, the same
in all parts, and H2 to a multiple of 16; the added units have only weights of 0, so they stay 0.
`unpack` returns the blocks of a vector as arrays.

How the sums are bounded over all positions. The first layer adds, for each place, a total that
depends on its count, and a few numbers (`gammon.eval.features`) times their weights. A side has at
most 15 checkers, so the maximum over its places is a knapsack problem, which `most_of_side`
solves place by place. To this are added the bias, the other side's maximum, and each number at
its maximum or at 0, depending on the sign of its weight.

This is a bound that no position need reach: the two sides' checkers may share a point in it, and
the numbers ignore where the checkers stand. For a part of the network that judges only one plan
(`gammon.eval.plan`), the places that are empty in this plan are left out.

Only final sums need to stay within their bounds. Sums of integers wrap around modulo 2^16 or
2^32; so a sum within the range is right whatever its terms and intermediate sums were, in any
order and from any parent. Products of a number and a weight may wrap as well.
"""

from collections.abc import Iterator
from math import e, log2, prod
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError
from gammon.compiled.memory import LINE, aligned_zeros
from gammon.compiled.records import Float32Vector, Float64Matrix, Float64Vector
from gammon.eval.features import NUMBERS, POINT_UNITS, off_column, point_column, weights_of
from gammon.eval.model_file import FACTORS, Weights, check_weights, parts_of
from gammon.eval.plan import NOT_OWN, OWN
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR
from gammon.rules.outcome import N_RESULTS

#: Sums: int64 for integers, float64 before rounding.
Sums = npt.NDArray[Any]

_BACK = 7  # places in which a side's checkers are back: the opponent's home and the bar


def most_of_side(totals: Sums) -> Sums:
    """Return the maximum [S] that up to 15 checkers add to each sum.

    Args:
        totals: [P, 16, S], the contributions of 0 to 15 checkers on a place; 0 for no checker.
    """
    most = np.zeros(totals.shape[1:], totals.dtype)  # by the checkers so far, at most
    for place in totals:
        before = most.copy()
        for count in range(1, CHECKERS + 1):
            rest = before[: CHECKERS + 1 - count]
            np.maximum(most[count:], rest + place[count], out=most[count:])
    result: Sums = most[-1]
    return result


def places(opponent: bool, plan: int | None) -> list[int]:
    """Return the board indexes where a side's checkers may stand.

    Args:
        opponent: whether it is the opponent's side.
        plan: the plan of the positions; None for any position.
    """
    if opponent:
        return list(range(_BACK if plan == OWN else THEIR_BAR, SIZE - 1))
    return list(range(1, SIZE - _BACK if plan == NOT_OWN else OWN_BAR + 1))


def reach_of_first(totals: Sums, weights: Sums, bias: Sums, plan: int | None) -> tuple[Sums, Sums]:
    """Return bounds of S sums over all positions: the minimum [S] and the maximum [S].

    Args:
        totals: [26, 31, S], the contributions of the counts -15..15 of each place; 0 for 0.
        weights: [Q, S], the weights of the numbers, the first of `NUMBERS`.
        bias: [S].
        plan: the plan of the positions; None for any position.
    """

    def terms(sign: int) -> Iterator[Sums]:
        yield sign * bias
        for opponent in (False, True):
            counts = totals[places(opponent, plan)]
            counts = counts[:, CHECKERS::-1] if opponent else counts[:, CHECKERS:]
            yield most_of_side(sign * counts)
        for number, weight in zip(NUMBERS, weights, strict=False):
            yield number.most * np.maximum(sign * weight, 0)

    most, least = (np.cumsum(list(terms(sign)), axis=0)[-1] for sign in (1, -1))
    return -least, most


def reach_of_second(weights: Sums, bias: Sums, most: Sums) -> tuple[Sums, Sums]:
    """Return bounds of the sums of the second layer: the minimum [H2] and the maximum [H2].

    Args:
        weights: [H2, H1].
        bias: [H2].
        most: [H1], the maximum of each product; the minimum is 0.
    """
    # Summed in a fixed order, so that the float sums are the same on every CPU.
    above, below = (np.cumsum(np.maximum(sign * weights, 0) * most, axis=1)[:, -1] for sign in (1, -1))
    return bias - below, bias + above


def check_reach(least: Sums, most: Sums, bits: int, layer: str) -> None:
    """Raise a ModelError unless sums stay within the range of an integer.

    Args:
        least: lower bounds of the sums.
        most: upper bounds of the sums.
        bits: bits of the integer.
        layer: name of the layer, for the message.
    """
    largest = 2 ** (bits - 1) - 1
    farthest = max(int(most.max()), int(-least.min()))
    if farthest > largest:
        raise ModelError(
            f"{layer}: a sum can get as far as {farthest:,} from 0; expected no more than "
            f"{largest:,}, which {bits} bits hold"
        )


K = TypeVar("K", bound=np.generic)
Integers = npt.NDArray[np.int64]


class Header(NamedTuple):
    """The numbers at the start of a packed network: its sizes, and the offsets of its blocks.

    Offsets are in float32; within a part they count from its beginning, where `steps` lies.
    """

    #: H1 and H2, units of the first and of the second layer.
    h1: int
    h2: int
    #: Q, how many of `gammon.eval.features` the network uses.
    numbers: int
    #: Offset of the bearoff tables in the vector; 0 without them.
    tables: int
    #: Offset of the race block (`gammon.eval.race`); 0 without it.
    races: int
    #: Number of parts.
    parts: int
    #: Size of each part.
    part_size: int
    #: Offsets of the other blocks of a part.
    numbers_at: int
    bias1_at: int
    weight2_at: int
    bias2_at: int
    weight3_at: int
    bias3_at: int
    #: 32 bits of a checksum of all that follows, in two numbers. They identify the network to
    #: which cached sums belong.
    mark_high: int
    mark_low: int
    #: Offset of the cube block (`gammon.eval.cube_network`); 0 without it.
    cube: int


class Part(NamedTuple):
    """The blocks of a part in order; the docstring of this module has their shapes."""

    steps: npt.NDArray[np.int16]
    numbers: npt.NDArray[np.int16]
    bias1: npt.NDArray[np.int16]
    weight2: npt.NDArray[np.int16]
    bias2: npt.NDArray[np.int32]
    weight3: npt.NDArray[np.float32]
    bias3: npt.NDArray[np.float32]


#: Index of each number in the header.
SLOT = Header(*range(len(Header._fields)))
#: Float32 numbers per cache line.
_LINE = LINE // 4
#: Size of the header; the first part begins there.
HEADER = _LINE
#: Counts of a point go from -15 to 15.
STEPS = 2 * CHECKERS
#: Bits of a product of two sums that are dropped.
PRODUCT_BITS = 15
_MULTIPLE1, _MULTIPLE2 = 64, 16
#: Unused numbers after a row of the first layer: one cache line. Without it, with 1,024 units,
#: the same units of all rows would compete for a few places of the first-level cache.
ROW_GAP = 32
_LARGEST1, _LARGEST2 = 2**15 - 1, 2**31 - 1
#: Largest number of roundings in a sum of the first layer: the totals of 30 checkers, each on
#: its own place, the bias, and one weight per unit of every number.
_ROUNDED = 2 * CHECKERS + 1 + sum(number.most for number in NUMBERS)
#: Scales that are tried, as fractions of the largest.
_SHARES = np.linspace(1.0, 0.8, 64)
#: Mean square of the rounding error of the totals of about a dozen places.
_LOST_BY_TOTALS = 15 / 12


def pack(
    weights: Weights,
    tables: Float32Vector | None = None,
    race: Float32Vector | None = None,
    cube: Float32Vector | None = None,
) -> Float32Vector:
    """Return a network's tensors as the flat vector of integers that this module describes.

    Args:
        weights: see `gammon.eval.model_file`.
        tables: the bearoff tables, flat; they replace the network if all checkers are at home.
        race: the race block, which needs these tables; it replaces the network in races.
        cube: the cube block.

    Raises:
        ModelError: a weight is not finite or too large, there are too many units, or a sum
            could wrap around.
    """
    check_weights(weights, "a network")
    tensors = parts_of(weights)
    plans = range(len(tensors)) if len(tensors) > 1 else [None]
    unpadded = [_part(part, plan) for part, plan in zip(tensors, plans, strict=True)]
    h1 = max(len(part.bias1) // 2 for part in unpadded)
    parts = [_padded(part, h1 + -h1 % _MULTIPLE1) for part in unpadded]
    offsets = np.cumsum([0, *(_size(*item) for item in parts[0]._asdict().items())]).tolist()
    _, numbers_at, bias1_at, weight2_at, bias2_at, weight3_at, bias3_at, part_size = offsets
    size = HEADER + len(parts) * part_size
    blocks = {"tables": tables, "races": None if tables is None else race, "cube": cube}
    offset_of, end = dict.fromkeys(blocks, 0), size
    for name, block in blocks.items():
        if block is not None:
            offset_of[name] = end
            end += -(-block.size // _LINE) * _LINE
    header = Header(
        h1=len(parts[0].bias1) // 2,
        h2=len(parts[0].bias2),
        numbers=len(parts[0].numbers),
        parts=len(parts),
        part_size=part_size,
        numbers_at=numbers_at,
        bias1_at=bias1_at,
        weight2_at=weight2_at,
        bias2_at=bias2_at,
        weight3_at=weight3_at,
        bias3_at=bias3_at,
        mark_high=0,
        mark_low=0,
        **offset_of,
    )
    flat = aligned_zeros(end, np.float32)
    for views, part in zip(_blocks(flat, header), parts, strict=True):
        for name in Part._fields:
            getattr(views, name)[:] = getattr(part, name)
    for name, block in blocks.items():
        if block is not None:
            flat[offset_of[name] : offset_of[name] + block.size] = block
    mark = crc32(flat[HEADER:size].tobytes())
    flat[: len(header)] = header._replace(mark_high=mark >> 16, mark_low=mark & 0xFFFF)
    return flat


def header_of(packed: Float32Vector) -> Header:
    """Return the header of a packed network."""
    return Header(*packed[: len(Header._fields)].astype(int).tolist())


def unpack(packed: Float32Vector) -> list[Part]:
    """Return the blocks of each part of a packed network, as views of it."""
    return _blocks(packed, header_of(packed))


def _blocks(flat: Float32Vector, header: Header) -> list[Part]:
    """Return the blocks of each part of a vector, as views of it."""
    h1, h2 = header.h1, header.h2
    row = 2 * h1 + ROW_GAP

    def block(at: int, kind: type[K], *shape: int) -> npt.NDArray[K]:
        return flat[at:].view(kind)[: prod(shape)].reshape(shape)

    parts = []
    for number in range(header.parts):
        at = HEADER + number * header.part_size
        part = Part(
            steps=block(at, np.int16, SIZE, STEPS, row)[..., :-ROW_GAP],
            numbers=block(at + header.numbers_at, np.int16, header.numbers, row)[:, :-ROW_GAP],
            bias1=block(at + header.bias1_at, np.int16, 2 * h1),
            weight2=block(at + header.weight2_at, np.int16, h1 // 2, h2, 2),
            bias2=block(at + header.bias2_at, np.int32, h2),
            weight3=block(at + header.weight3_at, np.float32, N_RESULTS, h2),
            bias3=block(at + header.bias3_at, np.float32, N_RESULTS),
        )
        parts.append(part)
    return parts


def _size(name: str, block: npt.NDArray[Any]) -> int:
    """Return the size of a part's block in float32, rounded up to 64 bytes."""
    size = block.nbytes
    if name in ("steps", "numbers"):
        size += prod(block.shape[:-1]) * ROW_GAP * block.itemsize
    return -(-size // (4 * _LINE)) * _LINE


def _part(weights: Weights, plan: int | None) -> Part:
    """Return the integers of a part, proven for the positions of a plan (None: for all).

    Units that can change nothing are left out, and `weight2` is [H2, H1].
    """
    name = "a network" if plan is None else f"part {plan} of a network"
    totals, numbers, bias1, scale1 = _first_layer(weights, plan)
    least, most = reach_of_first(totals, numbers, bias1, plan)
    for layer, low, high in zip(FACTORS, np.split(least, 2), np.split(most, 2), strict=True):
        check_reach(low, high, 16, f"{name}: {layer}")
    half = 1 << (PRODUCT_BITS - 1)
    products = (np.prod(np.maximum(most, 0).reshape(2, -1), axis=0) + half) >> PRODUCT_BITS
    # The value of 1 in a product in the float network.
    scale = scale1[0] * scale1[1] / (1 << PRODUCT_BITS)
    weight2, bias2, scale2 = _second_layer(weights, products, scale)
    check_reach(*reach_of_second(weight2, bias2, products), 32, f"{name}: hidden2")
    # The logits become exponents of 2, not of e.
    weight3 = np.asarray(weights["output.weight"], np.float64) * log2(e) / scale2
    bias3 = np.asarray(weights["output.bias"], np.float64) * log2(e)
    used = weight2.any(axis=0) & (products > 0)
    used[0] |= not used.any()
    used_twice = np.tile(used, 2)
    return Part(
        np.diff(totals[..., used_twice], axis=1).astype(np.int16),  # modulo 2^16
        numbers[:, used_twice].astype(np.int16),
        bias1[used_twice].astype(np.int16),
        weight2[:, used].astype(np.int16),
        bias2.astype(np.int32),
        weight3.astype(np.float32),
        bias3.astype(np.float32),
    )


def _padded(part: Part, h1: int) -> Part:
    """Return a part padded to `h1` units in the first layer, and to a multiple of 16 in the second.

    Args:
        part: its `weight2` is [H2, H1].
        h1: units of the first layer, a multiple of 2.
    """
    missing1 = h1 - len(part.bias1) // 2
    missing2 = -len(part.bias2) % _MULTIPLE2

    def wider(sums: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        split = sums.reshape(*sums.shape[:-1], 2, h1 - missing1)
        padded = np.pad(split, [(0, 0)] * (split.ndim - 1) + [(0, missing1)])
        return padded.reshape(*sums.shape[:-1], 2 * h1)

    weight2 = np.pad(part.weight2, ((0, missing2), (0, missing1)))
    return Part(
        wider(part.steps),
        wider(part.numbers),
        wider(part.bias1),
        weight2.T.reshape(h1 // 2, 2, -1).transpose(0, 2, 1),
        np.pad(part.bias2, (0, missing2)),
        np.pad(part.weight3, ((0, 0), (0, missing2))),
        part.bias3,
    )


def _first_layer(weights: Weights, plan: int | None) -> tuple[Integers, Integers, Integers, Float64Matrix]:
    """Return the first layer in integers, before the check that they fit into 16 bits.

    Args:
        weights: the weights of a part.
        plan: the plan of its positions; None for any position.

    Returns:
        The totals of the counts [26, 31, 2 H1], by place and by the count from -15 on; the
        weights of the numbers [Q, 2 H1]; the bias [2 H1]; and the scales [2, H1].
    """
    layers = [np.asarray(weights[f"{name}.weight"], np.float64) for name in FACTORS]
    first = np.concatenate(layers).T
    totals = _totals(first)
    numbers = weights_of(first)
    bias = np.concatenate([np.asarray(weights[f"{name}.bias"], float) for name in FACTORS])
    bias += first[off_column(False)] + first[off_column(True)]  # on an empty board all are off
    least, most = reach_of_first(totals, numbers, bias, plan)
    largest = np.maximum(most, -least)
    limit = _LARGEST1 - 0.5 * _ROUNDED
    scale = _best_scale(numbers, _ratio(limit, largest))
    rows = np.rint(numbers * scale)
    mean = np.array([[number.mean] for number in NUMBERS[: len(rows)]])
    lost = np.cumsum(mean * (numbers * scale - rows), axis=0)[-1]
    return (
        np.rint(totals * scale).astype(np.int64),
        rows.astype(np.int64),
        np.rint(bias * scale + lost).astype(np.int64),
        scale.reshape(2, -1),
    )


def _ratio(limit: float, largest: Float64Vector) -> Float64Vector:
    """Return the scales that raise each largest number to the limit; 1 where the largest is 0."""
    return np.divide(limit, largest, where=largest > 0, out=np.ones(len(largest)))


def _totals(first: Float64Matrix) -> npt.NDArray[np.float64]:
    """Return the contributions of the counts -15..15 of each place to S sums, [26, 31, S].

    Args:
        first: [N_COUNTS or N_FEATURES, S], the weights of the features.
    """
    totals = np.zeros((SIZE, STEPS + 1, first.shape[1]))
    for opponent in (False, True):
        off = first[off_column(opponent)] / CHECKERS
        for index in range(SIZE):
            if index == (OWN_BAR if opponent else THEIR_BAR):
                continue  # nobody's checker stands on the other side's bar
            column = point_column(index, opponent)
            for count in range(1, CHECKERS + 1):
                # Term by term: matrix products are rounded differently by different CPUs.
                total = totals[index, CHECKERS + (-count if opponent else count)]
                total -= count * off
                for unit, value in enumerate(POINT_UNITS[count].tolist()):
                    total += value * first[column + unit]
    return totals


def _best_scale(numbers: Float64Matrix, largest: Float64Vector) -> Float64Vector:
    """Return the scale of each sum at which rounding the weights of the numbers loses least.

    Args:
        numbers: [Q, S], the weights of the numbers.
        largest: [S], upper limits of the scales.
    """
    best = largest
    least = np.full(len(largest), np.inf)
    for share in _SHARES:
        scale = share * largest
        loss = np.full(len(largest), _LOST_BY_TOTALS)
        for number, row in zip(NUMBERS, numbers, strict=False):
            exact = row * scale
            loss += (number.spread * (np.rint(exact) - exact)) ** 2
        loss /= share**2
        best = np.where(loss < least, scale, best)
        least = np.minimum(loss, least)
    return best


def _second_layer(
    weights: Weights, most: Integers, scale1: Float64Vector
) -> tuple[Integers, Integers, Float64Vector]:
    """Return the second layer in integers.

    Args:
        weights: the weights of a part.
        most: [H1], the maximum of each product.
        scale1: [H1], the scales of the products.

    Returns:
        The weights [H2, H1], the bias [H2], and the scales of the sums [H2].
    """
    exact = np.asarray(weights["hidden2.weight"], np.float64) / scale1
    bias = np.asarray(weights["hidden2.bias"], np.float64)
    least, highest = reach_of_second(exact, bias * 0, most.astype(np.float64))
    reach = np.maximum(-least, highest) + np.abs(bias)
    # Rounding changes each weight, and the bias, by at most 1/2.
    limit = _LARGEST2 - 0.5 * float(most[exact.any(axis=0)].sum()) - 1
    scale = np.minimum(_ratio(_LARGEST1, np.abs(exact).max(axis=1)), _ratio(limit, reach))
    return (np.rint(exact * scale[:, None]).astype(np.int64), np.rint(bias * scale).astype(np.int64), scale)
