"""The network of the cube, `models/cube.network`: its file, and the numbers that kernels read.

It learned how close the cube is to a live one while there is contact
(`scripts/learn_cube.py`), and `gammon.eval.contact_cube` asks it. It sees the chances of the
six results and 20 counts of the board, `seen_of`. It is in integers, so all processors give
the same bits:

1. sums [16]: bias, then the weight of each of the 26 times its number, in int32;
2. units [16]: the sums above 0 >> `SHIFT`, 32,767 at most;
3. the efficiency, for the cube of the player on roll, a centred one and the opponent's: the
   weights times the units in int32, then as float32 times 2^-20 and the bias, from 0 to 1.

A weight of 1 in the file is `WHOLE` in these integers. Two and two int16 lie in 32 bits.
"""

from functools import cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError
from gammon.compiled.records import Float32Matrix, Float32Vector, Int8Matrix
from gammon.eval.bearoff import N_OWNERS
from gammon.eval.learned_file import LearnedFile
from gammon.rules.board import CHECKERS, OWN_BAR
from gammon.rules.home import HOME
from gammon.rules.outcome import N_RESULTS

#: Units of the hidden layer.
UNITS = 16
#: Levels of counts (1, 2, 3 checkers on a point), parts of the board, and both bars.
LEVELS, PARTS = 3, 3
#: Numbers that it sees, and pairs of them.
SEEN = N_RESULTS + 2 * (LEVELS * PARTS + 1)
PAIRS = SEEN // 2
#: The shapes of its weights and biases, as they lie in the file: a unit's weights side by side.
SHAPES = (UNITS, SEEN), (UNITS,), (N_OWNERS, UNITS), (N_OWNERS,)
N_LEARNED = sum(prod(shape) for shape in SHAPES)
#: The one that ships.
NETWORK = LearnedFile("cube.network", N_LEARNED, "the network of the cube")
#: The integers that a weight or a chance of 1 is, and a checker or a point.
SHIFT = 10
WHOLE = 1 << SHIFT
QUARTER = WHOLE // 4
#: The places of a part of the board, by the points of the side: home, outer boards, and the
#: other side's home.
_ENDS = (1, HOME + 1, 3 * HOME + 1, 4 * HOME + 1)
_MOST = 2**31


class Block(NamedTuple):
    """Where things lie in the block, in numbers of 32 bits."""

    weight1: int  #: int16 [16, 13, 2]: by unit, by pair of what it sees
    bias1: int  #: int32 [16]
    weight2: int  #: int16 [3, 8, 2]: by owner of the cube, by pair of units
    bias2: int  #: float32 [3]
    end: int


_SIZES = (UNITS * PAIRS, UNITS, N_OWNERS * UNITS // 2, 8)
BLOCK = Block(*np.cumsum([0, *_SIZES]).tolist())


def seen_of(rows: Int8Matrix, chances: Float32Matrix) -> npt.NDArray[np.int32]:
    """Return what the network sees of positions, int32 [N, 26].

    Two and two belong together: of the chances neighbours, of the rest a number of the player
    on roll and the opponent's. For 1, 2, 3 checkers, on how many points a side has as many: at
    home, in the outer boards and in the other's home. Last come the checkers on the bar.

    Args:
        rows: int8 [N, 26], each seen from its player on roll.
        chances: float32 [N, 6], losses first.
    """
    own = np.maximum(rows, 0)
    their = np.maximum(-rows[:, ::-1], 0)  # by the opponent's points
    seen = []
    for level in range(1, LEVELS + 1):
        for first, end in pairwise(_ENDS):
            for side in (own, their):
                seen.append((side[:, first:end] >= level).sum(axis=1))
    seen += [own[:, OWN_BAR], their[:, OWN_BAR]]
    of_board = QUARTER * np.stack(seen, axis=1).astype(np.int32)
    return np.concatenate([(chances * np.float32(WHOLE)).astype(np.int32), of_board], axis=1)


@cache
def cube_block() -> Float32Vector:
    """Return the block of the shipped network.

    Raises:
        ModelError: it is not there, or is not what was written.
    """
    return block_of(NETWORK.numbers())


def block_of(flat: Float32Vector) -> Float32Vector:
    """Return the block of a network.

    Args:
        flat: float32 [483], the weights and biases of its two layers, one after the other.

    Raises:
        ModelError: a number does not fit, or a sum could wrap around.
    """
    places = np.cumsum([prod(shape) for shape in SHAPES])[:-1]
    one, bias1, two, bias2 = (
        part.reshape(shape).astype(np.float64)
        for part, shape in zip(np.split(flat, places), SHAPES, strict=True)
    )
    weight1, weight2 = np.rint(WHOLE * one), np.rint(WHOLE * two)
    first = np.rint(WHOLE * WHOLE * bias1)
    most = np.full(SEEN, CHECKERS * QUARTER)
    most[:N_RESULTS] = WHOLE
    reach1 = np.abs(weight1) @ most + np.abs(first)
    reach2 = np.abs(weight2).sum(axis=1) * (2**15 - 1)
    widest = max(np.abs(weight1).max(), np.abs(weight2).max())
    # A comparison with what is no number is false.
    if not (widest < 2**15 and max(reach1.max(), reach2.max()) < _MOST):
        raise ModelError(f"{NETWORK.what}: its numbers are too large")
    block = np.zeros(BLOCK.end, np.float32)
    for at, part, kind in (
        (BLOCK.weight1, weight1, np.int16),
        (BLOCK.bias1, first, np.int32),
        (BLOCK.weight2, weight2, np.int16),
        (BLOCK.bias2, bias2, np.float32),
    ):
        packed = part.astype(kind).ravel().view(np.float32)
        block[at : at + packed.size] = packed
    return block
