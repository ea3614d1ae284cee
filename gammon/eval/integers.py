"""A network as one flat vector of integers, laid out for the compiled inference.

`pack` makes it of the float network's tensors, and proves that nothing in it can wrap.
`gammon.eval.integer_network` defines what it says of a position, to the last bit: every CPU
gives the same chances, from any parent and in any order.

The first layer. Each of its sums has a scale of its own: so large that in every position the
sum fits into 16 bits. The shares of the counts are rounded as totals, by place and count; the
rows are the differences of these, so that they add up to the same integers on every path. The
share of the checkers borne off (`own.off.1`) follows from the counts: it is part of those
totals. A row of `gammon.eval.numbers` is multiplied by its number, and so is what rounding the
row has lost: nearly all of the error comes from there. So what is lost at the number's mean is
given back to the bias, and the scale is one at which little is lost. Rows add up modulo 2^16.

The second layer. The product of a unit's two rectified sums f and g is (f g + 2^14) >> 15, of
16 bits. Each unit of the second layer has a scale of its own, too: so large that its weights
fit into 16 bits and its sums, in every position, into 32. They add up modulo 2^32.

The last layer is in float32. Its weights have the scales of the second layer divided out. They
give logarithms to the base 2.

A packed network is a vector of float32, as all evaluators' weights are. It begins with its
`Header`, in numbers. Then come its parts. Every block of a part begins at 64 bytes, and its
bits are those of

    steps    int16 [26, 30, 2 H1]     by board index: what raises its count from c to c + 1,
                                      from -15 on; H1 first factors, then H1 second ones
    numbers  int16 [Q, 2 H1]          what 1 more of a number adds, in the order of `NUMBERS`
    bias1    int16 [2 H1]             the sums of an empty board whose numbers are 0
    weight2  int16 [H1 / 2, H2, 2]    by pair of products, by unit: the weights of both
    bias2    int32 [H2]
    weight3  float32 [6, H2]
    bias3    float32 [6]

and last the four tables of `gammon.eval.bearoff`, if it has them, and the blocks of
`gammon.eval.race` and of `gammon.eval.cube_network`. Behind each row of `steps`
and of `numbers` 64 bytes lie free (`ROW_GAP`). Units of the first layer that change nothing
are left out: their products are always 0, or all their weights are. Then H1 is made a multiple
of 64, the same in all parts, and H2 a multiple of 16; the units that are added have weights of
0 alone, so that they stay 0. `unpack` shows the blocks of a vector as arrays.

How far the sums can go, over all positions. The first layer adds up, of each place, a total
that depends on its count, and a few numbers (`gammon.eval.numbers`) with their weights. A side
has 15 checkers at most, so the most that its places can add is that of a knapsack:
`most_of_side` finds it, place by place. To this come the bias, the other side's most, and each
number at its own most or at 0, as its weight asks.

This is a bound, not always a position: the two sides' checkers may share a point in it, and the
numbers do not ask where the checkers stand. Where a part of the network judges one plan alone
(`gammon.eval.plan`), the places that are empty in this plan are left out.

Only whole sums need to stay within their bounds. Sums of integers wrap around modulo 2^16 or
2^32; so, if a sum lies within the range, it is right whatever its terms and the sums on the way
were, in any order and from any parent. Products of a number and a weight may wrap as well.
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
from gammon.eval.features import POINT_UNITS, off_column, point_column
from gammon.eval.numbers import NUMBERS, weights_of
from gammon.eval.plan import NOT_OWN, OWN
from gammon.eval.weights import FACTORS, Weights, check_weights, parts_of
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR
from gammon.rules.outcome import N_RESULTS

#: Sums, int64 where they are those of integers, and float64 before they are rounded.
Sums = npt.NDArray[Any]

_BACK = 7  # places where a side's checkers are back: the opponent's home, and the bar


def most_of_side(totals: Sums) -> Sums:
    """Return the most [S] that up to 15 checkers add to each sum.

    Args:
        totals: [P, 16, S], what 0 to 15 checkers of a place add; the first are 0.
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
    """Return the indexes of the board where a side's checkers may stand.

    Args:
        opponent: whose.
        plan: the plan of the positions; None if they are of any.
    """
    if opponent:
        return list(range(_BACK if plan == OWN else THEIR_BAR, SIZE - 1))
    return list(range(1, SIZE - _BACK if plan == NOT_OWN else OWN_BAR + 1))


def reach_of_first(totals: Sums, weights: Sums, bias: Sums, plan: int | None) -> tuple[Sums, Sums]:
    """Return bounds of S sums over all positions: the least [S] and the most [S].

    Args:
        totals: [26, 31, S], what the counts -15..15 of each place add; those of 0 are 0.
        weights: [Q, S], those of the numbers, the first of `NUMBERS`.
        bias: [S].
        plan: the plan of the positions; None if they are of any.
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
    """Return bounds of the sums of the second layer: the least [H2] and the most [H2].

    Args:
        weights: [H2, H1].
        bias: [H2].
        most: [H1], the most of each product; the least is 0.
    """
    # In order, so that the sums of floats are the same on every CPU.
    above, below = (np.cumsum(np.maximum(sign * weights, 0) * most, axis=1)[:, -1] for sign in (1, -1))
    return bias - below, bias + above


def check_reach(least: Sums, most: Sums, bits: int, layer: str) -> None:
    """Raise a ModelError unless sums stay within the range of an integer.

    Args:
        least: the lower bounds of the sums.
        most: their upper bounds.
        bits: of the integer.
        layer: whose sums they are, for the message.
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
    """The numbers that a packed network begins with: its sizes, and where things lie.

    Places are counted in float32; those within a part from its beginning, where `steps` lies.
    """

    #: H1 and H2, units of the first and of the second layer.
    h1: int
    h2: int
    #: Q, how many of `gammon.eval.numbers` it sees.
    numbers: int
    #: Place of the bearoff tables in the vector; 0 without them.
    tables: int
    #: Place of the block of races (`gammon.eval.race`); 0 without it.
    races: int
    #: How many parts there are.
    parts: int
    #: Room that each part takes.
    part_size: int
    #: Places of the other blocks of a part.
    numbers_at: int
    bias1_at: int
    weight2_at: int
    bias2_at: int
    weight3_at: int
    bias3_at: int
    #: 32 bits of a checksum of all that follows, in two numbers: kept sums tell by them whose
    #: they are.
    mark_high: int
    mark_low: int
    #: Place of the block of the cube (`gammon.eval.cube_network`); 0 without it.
    cube: int


class Part(NamedTuple):
    """The blocks of a part in their order; the docstring of this module has their shapes."""

    steps: npt.NDArray[np.int16]
    numbers: npt.NDArray[np.int16]
    bias1: npt.NDArray[np.int16]
    weight2: npt.NDArray[np.int16]
    bias2: npt.NDArray[np.int32]
    weight3: npt.NDArray[np.float32]
    bias3: npt.NDArray[np.float32]


#: Where each number of the header stands.
SLOT = Header(*range(len(Header._fields)))
#: Numbers of float32 to a line.
_LINE = LINE // 4
#: Room of the header: the first part begins there.
HEADER = _LINE
#: Counts of a point go from -15 to 15.
STEPS = 2 * CHECKERS
#: Bits of a product of two sums that are left out.
PRODUCT_BITS = 15
_MULTIPLE1, _MULTIPLE2 = 64, 16
#: Numbers that are left free behind a row of the first layer: a line. Without it, of 1,024
#: units the same ones in all rows would share a few places of the processor's first cache.
ROW_GAP = 32
_LARGEST1, _LARGEST2 = 2**15 - 1, 2**31 - 1
#: How often a sum of the first layer is rounded at most: the totals of 30 checkers, each on a
#: place of its own, the bias, and a weight for each 1 of every number.
_ROUNDED = 2 * CHECKERS + 1 + sum(number.most for number in NUMBERS)
#: Scales that are tried, as shares of the largest.
_SHARES = np.linspace(1.0, 0.8, 64)
#: Mean square of what the totals of a dozen or so places lose by rounding.
_LOST_BY_TOTALS = 15 / 12


def pack(
    weights: Weights,
    tables: Float32Vector | None = None,
    race: Float32Vector | None = None,
    cube: Float32Vector | None = None,
) -> Float32Vector:
    """Return a network's tensors as the flat vector of integers that this module describes.

    Args:
        weights: see `gammon.eval.weights`.
        tables: of bearoff, flat; they replace the network where all checkers are at home.
        race: the block of races, which needs these tables; it replaces the network there.
        cube: the block of the cube.

    Raises:
        ModelError: a weight is not finite or too large, there are too many units, or a sum
            could wrap around.
    """
    check_weights(weights, "a network")
    tensors = parts_of(weights)
    plans = range(len(tensors)) if len(tensors) > 1 else [None]
    made = [_part(part, plan) for part, plan in zip(tensors, plans, strict=True)]
    h1 = max(len(part.bias1) // 2 for part in made)
    parts = [_padded(part, h1 + -h1 % _MULTIPLE1) for part in made]
    places = np.cumsum([0, *(_room(*named) for named in parts[0]._asdict().items())]).tolist()
    _, numbers_at, bias1_at, weight2_at, bias2_at, weight3_at, bias3_at, part_size = places
    size = HEADER + len(parts) * part_size
    blocks = {"tables": tables, "races": None if tables is None else race, "cube": cube}
    places_of, end = dict.fromkeys(blocks, 0), size
    for name, block in blocks.items():
        if block is not None:
            places_of[name] = end
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
        **places_of,
    )
    flat = aligned_zeros(end, np.float32)
    for views, part in zip(_blocks(flat, header), parts, strict=True):
        for name in Part._fields:
            getattr(views, name)[:] = getattr(part, name)
    for name, block in blocks.items():
        if block is not None:
            flat[places_of[name] : places_of[name] + block.size] = block
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

    found = []
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
        found.append(part)
    return found


def _room(name: str, block: npt.NDArray[Any]) -> int:
    """Return how many float32 a block of a part takes, up to the next 64 bytes."""
    size = block.nbytes
    if name in ("steps", "numbers"):
        size += prod(block.shape[:-1]) * ROW_GAP * block.itemsize
    return -(-size // (4 * _LINE)) * _LINE


def _part(weights: Weights, plan: int | None) -> Part:
    """Return the integers of a part, proven for the positions of a plan (None: for all).

    It has the units that can change anything, and `weight2` is [H2, H1].
    """
    name = "a network" if plan is None else f"part {plan} of a network"
    totals, numbers, bias1, scale1 = _first_layer(weights, plan)
    least, most = reach_of_first(totals, numbers, bias1, plan)
    for layer, low, high in zip(FACTORS, np.split(least, 2), np.split(most, 2), strict=True):
        check_reach(low, high, 16, f"{name}: {layer}")
    half = 1 << (PRODUCT_BITS - 1)
    products = (np.prod(np.maximum(most, 0).reshape(2, -1), axis=0) + half) >> PRODUCT_BITS
    # What 1 of a product is in the float network.
    scale = scale1[0] * scale1[1] / (1 << PRODUCT_BITS)
    weight2, bias2, scale2 = _second_layer(weights, products, scale)
    check_reach(*reach_of_second(weight2, bias2, products), 32, f"{name}: hidden2")
    # Powers of 2 are made of the logits, not of e.
    weight3 = np.asarray(weights["output.weight"], np.float64) * log2(e) / scale2
    bias3 = np.asarray(weights["output.bias"], np.float64) * log2(e)
    kept = weight2.any(axis=0) & (products > 0)
    kept[0] |= not kept.any()
    of_both = np.tile(kept, 2)
    return Part(
        np.diff(totals[..., of_both], axis=1).astype(np.int16),  # modulo 2^16
        numbers[:, of_both].astype(np.int16),
        bias1[of_both].astype(np.int16),
        weight2[:, kept].astype(np.int16),
        bias2.astype(np.int32),
        weight3.astype(np.float32),
        bias3.astype(np.float32),
    )


def _padded(part: Part, h1: int) -> Part:
    """Return a part with units added: `h1` in the first layer, and 16, 32 ... after it.

    Args:
        part: its `weight2` is [H2, H1].
        h1: units of the first layer, a multiple of 2.
    """
    more1 = h1 - len(part.bias1) // 2
    more2 = -len(part.bias2) % _MULTIPLE2

    def wider(sums: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        split = sums.reshape(*sums.shape[:-1], 2, h1 - more1)
        padded = np.pad(split, [(0, 0)] * (split.ndim - 1) + [(0, more1)])
        return padded.reshape(*sums.shape[:-1], 2 * h1)

    weight2 = np.pad(part.weight2, ((0, more2), (0, more1)))
    return Part(
        wider(part.steps),
        wider(part.numbers),
        wider(part.bias1),
        weight2.T.reshape(h1 // 2, 2, -1).transpose(0, 2, 1),
        np.pad(part.bias2, (0, more2)),
        np.pad(part.weight3, ((0, 0), (0, more2))),
        part.bias3,
    )


def _first_layer(weights: Weights, plan: int | None) -> tuple[Integers, Integers, Integers, Float64Matrix]:
    """Return the first layer in integers, which may be wider than 16 bits.

    Args:
        weights: of a part.
        plan: the plan of its positions; None if they are of any.

    Returns:
        The shares of the counts [26, 31, 2 H1], by place and by the count from -15 on; the
        weights of the numbers [Q, 2 H1]; the bias [2 H1]; and the scales [2, H1].
    """
    layers = [np.asarray(weights[f"{name}.weight"], np.float64) for name in FACTORS]
    first = np.concatenate(layers).T
    totals = _totals(first)
    numbers = weights_of(first)
    bias = np.concatenate([np.asarray(weights[f"{name}.bias"], float) for name in FACTORS])
    bias += first[off_column(False)] + first[off_column(True)]  # those of an empty board
    least, most = reach_of_first(totals, numbers, bias, plan)
    largest = np.maximum(most, -least)
    room = _LARGEST1 - 0.5 * _ROUNDED
    scale = _best_scale(numbers, _ratio(room, largest))
    rows = np.rint(numbers * scale)
    mean = np.array([[number.mean] for number in NUMBERS[: len(rows)]])
    lost = np.cumsum(mean * (numbers * scale - rows), axis=0)[-1]
    return (
        np.rint(totals * scale).astype(np.int64),
        rows.astype(np.int64),
        np.rint(bias * scale + lost).astype(np.int64),
        scale.reshape(2, -1),
    )


def _ratio(room: float, largest: Float64Vector) -> Float64Vector:
    """Return the scales at which the largest numbers become so large; 1 for those of 0."""
    return np.divide(room, largest, where=largest > 0, out=np.ones(len(largest)))


def _totals(first: Float64Matrix) -> npt.NDArray[np.float64]:
    """Return what the counts -15..15 of each place add to S sums, [26, 31, S].

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
                # Term by term: a product of matrices is rounded as the CPU likes.
                total = totals[index, CHECKERS + (-count if opponent else count)]
                total -= count * off
                for unit, value in enumerate(POINT_UNITS[count].tolist()):
                    total += value * first[column + unit]
    return totals


def _best_scale(numbers: Float64Matrix, largest: Float64Vector) -> Float64Vector:
    """Return the scale of each sum at which the weights of numbers lose least by rounding.

    Args:
        numbers: [Q, S].
        largest: [S], the scales that must not be exceeded.
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
        weights: of a part.
        most: [H1], the most of each product.
        scale1: [H1], their scales.

    Returns:
        The weights [H2, H1], the bias [H2], and the scales of the sums [H2].
    """
    exact = np.asarray(weights["hidden2.weight"], np.float64) / scale1
    bias = np.asarray(weights["hidden2.bias"], np.float64)
    least, highest = reach_of_second(exact, bias * 0, most.astype(np.float64))
    reach = np.maximum(-least, highest) + np.abs(bias)
    # Each weight, and the bias, is rounded by half of 1 at most.
    room = _LARGEST2 - 0.5 * float(most[exact.any(axis=0)].sum()) - 1
    scale = np.minimum(_ratio(_LARGEST1, np.abs(exact).max(axis=1)), _ratio(room, reach))
    return (np.rint(exact * scale[:, None]).astype(np.int64), np.rint(bias * scale).astype(np.int64), scale)
