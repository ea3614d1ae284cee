"""The race network, `models/race.network`: its file, and the numbers that kernels read.

It estimates how many rolls a side needs; `scripts/learn_races.py` trained it, and
`gammon.eval.race` uses it. Its inputs are a side's checkers on its 24 points, in float32. Every
sum is taken in a fixed order, and no product is fused with a sum, so all processors give the
same bits:

1. sums [128]: bias; a row for the points 1 to 3, chosen by the checkers on each of them, up to
   four; the same for the points 4 to 6; then, from point 1 on, a row for each point from 7 on
   that has checkers and each lower point that has more than four, chosen by their number;
2. sums [64]: bias, then the row of each of the 128 sums that is positive, times it, in order;
3. logits [2, 32]: the same from the 64 sums. They are logarithms to the base 2 of the chances of
   the last checker, then of the first one;
4. chances: `power_of_two` of each logit less the largest of its 32, times 1 / their sum. For the
   sum, numbers k and 16 + k are added, of the 16 sums those at k and 8 + k, and the 8 sums from
   k = 0 on.

After its own numbers the block has the tables of `gammon.eval.race_tables`; `BLOCK` has the
offsets of all.
"""

from functools import cache
from math import e, log2, prod
from typing import NamedTuple

import numpy as np

from gammon.compiled.records import Float32Matrix, Float32Vector, Int8Matrix
from gammon.eval.array_cache import LearnedFile
from gammon.eval.bearoff import ROLLS_KEPT
from gammon.eval.race_tables import N_FEW, OUTER, build_back, build_few
from gammon.rules.board import CHECKERS
from gammon.rules.home import HOME, N_TWO_SIDED

#: Inputs per point in the file.
UNITS = 6
#: The home points are seen in two groups of three, each as one input out of many. A group
#: distinguishes up to four checkers per point.
GROUPS, GROUP = 2, 3
TOLD_APART = 4
#: Row step within a group per checker on each of its points, and the number of rows of a group.
STEP = np.array([1, TOLD_APART + 1, (TOLD_APART + 1) ** 2], np.int64)
N_GROUP = (TOLD_APART + 1) ** GROUP
#: Numbers of rolls that are distinguished; the last one stands for more.
BINS = ROLLS_KEPT
#: Units of the layers.
H1, H2 = 128, 64
#: Number of inputs in training.
SEEN = OUTER * UNITS + GROUPS * N_GROUP
#: Shapes of the weights and biases, in the order of the file: a unit's weights are contiguous.
SHAPES = (H1, SEEN), (H1,), (H2, H1), (H2,), (2 * BINS, H2), (2 * BINS,)
#: Numbers in the file; their checksum follows (`gammon.eval.array_cache`).
N_LEARNED = sum(prod(shape) for shape in SHAPES)
#: The network that ships with gammon.
NETWORK = LearnedFile("race.network", N_LEARNED, "the network of races")


class RaceOffsets(NamedTuple):
    """Offsets in the block, in numbers of float32."""

    #: [24, 15, H1]: by point, and by the checkers on it less 1; for a home point, only the effect
    #: of the checkers beyond the fourth
    steps: int
    home: int  #: [2, 125, H1]: by group of home points; the lowest point's checkers vary fastest
    bias1: int  #: [H1]
    weight2: int  #: [H1, H2]
    bias2: int  #: [H2]
    weight3: int  #: [H2, 64]
    bias3: int  #: [64]
    back: int  #: [924, 32]: see `gammon.eval.race_tables`
    few: int  #: [2925, 32]: see `gammon.eval.race_tables`
    end: int


_SIZES = (
    OUTER * CHECKERS * H1, GROUPS * N_GROUP * H1, H1, H1 * H2, H2, 2 * BINS * H2, 2 * BINS,
    N_TWO_SIDED * BINS, N_FEW * BINS,
)  # fmt: skip
BLOCK = RaceOffsets(*np.cumsum([0, *_SIZES]).tolist())


def units_of(sides: Int8Matrix) -> Float32Matrix:
    """Return the training inputs [N, 394], float32, for sides int8 [N, 24].

    Each point has six inputs: whether it has at least 1, 2, ... 5 checkers, and a third of the
    checkers beyond five. Then each group of home points has 125 inputs, one of which is 1.
    """
    steps = [sides >= k for k in range(1, UNITS)]
    by_point = np.stack([*steps, np.maximum(sides - (UNITS - 1), 0) / 3], axis=2)
    few = np.minimum(sides[:, :HOME], TOLD_APART).reshape(len(sides), GROUPS, GROUP)
    which = (few @ STEP)[:, :, None] == np.arange(N_GROUP)
    every = by_point.reshape(len(sides), -1), which.reshape(len(sides), -1)
    return np.concatenate(every, axis=1).astype(np.float32)


@cache
def race_block() -> Float32Vector:
    """Return the block of the shipped network.

    Raises:
        ModelError: the file is missing or damaged.
    """
    return block_of(NETWORK.numbers())


def block_of(flat: Float32Vector) -> Float32Vector:
    """Return the block of a network.

    Args:
        flat: the weights and biases of the three layers, one after the other; a unit's weights
            are contiguous.
    """
    places = np.cumsum([prod(shape) for shape in SHAPES])[:-1]
    one, bias1, two, bias2, three, bias3 = (
        part.reshape(shape) for part, shape in zip(np.split(flat, places), SHAPES, strict=True)
    )
    weights = one.T[: OUTER * UNITS].reshape(OUTER, UNITS, H1)
    steps = np.zeros((OUTER, CHECKERS + 1, H1), np.float32)
    for count in range(1, CHECKERS + 1):
        alone = np.zeros((1, OUTER), np.int8)
        alone[0, 0] = count
        for unit, value in enumerate(units_of(alone)[0, :UNITS]):
            steps[:, count] += value * weights[:, unit]
    home = one.T[OUTER * UNITS :].reshape(GROUPS, N_GROUP, H1).copy()
    for row in range(N_GROUP):
        for k in range(GROUP):
            home[:, row] += steps[k:HOME:GROUP, row // STEP[k] % (TOLD_APART + 1)]
    steps[:HOME] -= steps[:HOME, TOLD_APART : TOLD_APART + 1]
    base = np.float32(log2(e))
    layers = bias1, two.T, bias2, three.T * base, bias3 * base
    parts = steps[:, 1:], home, *layers, build_back(), build_few()
    return np.concatenate([part.ravel() for part in parts])
