"""A network as one flat vector, laid out for the compiled inference.

The first layer is a bias and a sum of rows. Every feature of the counts depends on one count,
so there is a row for each checker, by the point it stands on, whose it is and how many stand
there already; and one for each checker borne off. A move takes a few rows away and adds a few.

A unit of the first layer is a product of two such sums. A row has one word for each of the
H1 units. Its lower half is what the row adds to the first factor, its upper half what it adds
to the second, both as bfloat16. A bfloat16 is the upper half of a float32, so that a shift or
a mask takes it out, and only half the memory is read. Rounding changes values by .001 points
(root of the mean square, leaf network), which is small beside their error; `rounded` returns
the network that the packed one stands for.

A packed network begins with its `Header`. Then come its parts, each of which has

    points   [26, 30, H1]   by board index: what raises its count from c to c + 1, from -15 on
    offs     [2, 15, H1]    by side (0: on roll): what one more checker off adds
    tactics  [T, H1]        what 1 more of a number of `gammon.eval.tactics` adds
    bias1    [2, H1]        the sums of an empty board, from which all checkers are off
    weight2  [H2, H1], bias2 [H2]
    weight3  [8, H2],  bias3 [8]    the last two rows are 0: four are computed at a time
    seen     [T]            1 for a number that has weights, 0 for one whose row is 0

and last the tables of `gammon.eval.bearoff`, if it has them.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.errors import ModelError
from gammon.eval.features import N_COUNTS, OFF_UNITS, POINT_UNITS, off_column, point_column
from gammon.records import Float32Vector
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR

__all__ = [
    "HEADER", "LARGEST", "MOST_UNITS", "OUTPUTS", "SLOT", "STEPS", "Floats", "Header",
    "Weights", "check_weights", "first_layers", "pack", "parts_of", "rounded",
]  # fmt: skip

#: Numbers of a network, of any shape; a packed one is a vector.
Floats = npt.NDArray[np.float32]
#: A network's tensors by name, as PyTorch orders and names them.
Weights = Mapping[str, Floats]


class Header(NamedTuple):
    """The numbers that a packed network begins with: its sizes, and where things lie.

    Places within a part are counted from its beginning, where `points` lies.
    """

    #: H1, units of the first layer.
    h1: int
    #: H2, units of the second.
    h2: int
    #: T, numbers of `gammon.eval.tactics`; 0 if the network sees none of them.
    tactics: int
    #: Place of the bearoff tables in the vector; 0 without them.
    tables: int
    #: How many parts there are.
    parts: int
    #: Room that each part takes.
    part_size: int
    #: Places of the blocks of a part. `bias2` and `bias3` follow their weights.
    offs_at: int
    tactics_at: int
    bias1_at: int
    weight2_at: int
    weight3_at: int
    seen_at: int


#: Where each number of the header stands.
SLOT = Header(*range(len(Header._fields)))
#: Numbers to a cache line.
_LINE = 16
#: Room of the header: the first part begins there.
HEADER = _LINE
#: Counts of a point go from -15 to 15.
STEPS = 2 * CHECKERS
#: Rows of the last layer: the six results, made a multiple of four.
OUTPUTS = 8
#: No weight is farther from 0; those of a trained network stay below 100. So no sum of any
#: network overflows: a logit is of the order of H1 H2 10^5 LARGEST^4 at most.
LARGEST = 1e6
#: Of a layer. So a float32 of the header holds each place exactly.
MOST_UNITS = 2048
#: The two sums that a unit of the first layer multiplies.
_FACTORS = ("hidden1", "gate")


def check_weights(weights: Weights, source: str) -> None:
    """Check that weights are such that the compiled network can work with them.

    Args:
        weights: tensors by name.
        source: whose they are, for the message.

    Raises:
        ModelError: one is not finite, or farther from 0 than `LARGEST`; or a layer has more
            than `MOST_UNITS` units.
    """
    for name, value in weights.items():
        if name.endswith(".bias") and len(value) > MOST_UNITS:
            raise ModelError(
                f"{source}: {name} has {len(value)} units; expected no more than {MOST_UNITS}"
            )
        wrong = value[~(np.abs(value) <= LARGEST)]
        if wrong.size:
            raise ModelError(
                f"{source}: {name} has a weight of {wrong[0]:g}; expected finite numbers from "
                f"{-LARGEST:g} to {LARGEST:g}"
            )


def _nearest(numbers: npt.ArrayLike) -> Floats:
    """Return the nearest bfloat16 of each number; of two, the even one."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def _paired(rows: Floats) -> Floats:
    """Return rows [..., 2 H1] of first and second factors as words [..., H1]."""
    first, second = np.split(_nearest(rows).view(np.uint32), 2, axis=-1)
    return (first >> 16 | second).view(np.float32)


def parts_of(weights: Weights) -> list[Weights]:
    """Return the tensors of each part of a network, by their names within it."""
    parts: dict[int, dict[str, Floats]] = {}
    for name, value in weights.items():
        _, part, inner = name.split(".", 2)
        parts.setdefault(int(part), {})[inner] = value
    return [parts[k] for k in sorted(parts)]


def first_layers(weights: Weights) -> list[str]:
    """Return the names of the tensors [H1, inputs] whose columns are features."""
    ends = tuple(f".{factor}.weight" for factor in _FACTORS)
    return [name for name in weights if name.endswith(ends)]


def rounded(weights: Weights) -> Weights:
    """Return the network whose first layers a packed one holds exactly.

    Three things become bfloat16: what the counts 0, 1, 2, 3 and 4 of a point differ by, what
    the first and each further checker borne off adds, and the weights of tactics.
    """
    result = dict(weights)
    offs = off_column(False)
    for name in first_layers(weights):
        new = np.array(weights[name], np.float32)
        for units, begin, end in ((POINT_UNITS, 0, offs), (OFF_UNITS, offs, N_COUNTS)):
            several = units.shape[1]
            # So many steps from one count to the next decide all the others.
            steps = np.diff(units[: several + 1].astype(float), axis=0)
            for column in range(begin, end, several):
                of_units = new[:, column : column + several]
                of_units[:] = np.linalg.solve(steps, _nearest(steps @ of_units.T)).T
        new[:, N_COUNTS:] = _nearest(new[:, N_COUNTS:])
        result[name] = new
    return result


def pack(weights: Weights, tables: Float32Vector | None = None) -> Float32Vector:
    """Return a network's tensors as the flat vector that the kernels of `nnue` read.

    Args:
        weights: of each part, from `parts.0.` on, `hidden1.weight` and `gate.weight`
            [H1, N_COUNTS or N_FEATURES], `hidden1.bias` and `gate.bias` [H1],
            `hidden2.weight` [H2, H1], `hidden2.bias` [H2], `output.weight` [6, H2],
            `output.bias` [6]; H2 a multiple of 4.
        tables: of bearoff, flat; they replace the network where all checkers are at home.

    Raises:
        ModelError: a weight is not finite or too large, or there are too many units.
    """
    check_weights(weights, "a network")
    parts = [_blocks(part) for part in parts_of(rounded(weights))]
    at, size = {}, 0
    for name, block in parts[0].items():
        at[name] = size
        size += block.size
    padding = -size % _LINE
    size += padding
    header = Header(
        h1=parts[0]["bias1"].size // len(_FACTORS),
        h2=parts[0]["bias2"].size,
        tactics=parts[0]["seen"].size,
        tables=HEADER + len(parts) * size if tables is not None else 0,
        parts=len(parts),
        part_size=size,
        **{name: at[name[:-3]] for name in Header._fields if name.endswith("_at")},
    )
    flat = [np.pad(np.array(header), (0, HEADER - len(header)))]
    for blocks in parts:
        flat += [*(block.ravel() for block in blocks.values()), np.zeros(padding)]
    if tables is not None:
        flat.append(tables)
    return _aligned(np.concatenate(flat, dtype=np.float32))


def _blocks(weights: Weights) -> dict[str, Floats]:
    """Return the blocks of a part by name, in the order in which they are laid out."""
    factors = [np.asarray(weights[f"{name}.weight"], np.float32) for name in _FACTORS]
    first = np.concatenate(factors).T  # [N_COUNTS + T, 2 H1]
    tactical = first[N_COUNTS:]
    points = np.zeros((SIZE, STEPS + 1, first.shape[1]), np.float32)
    units = POINT_UNITS.shape[1]
    for index in range(SIZE):
        for opponent in (False, True):
            if index == (OWN_BAR if opponent else THEIR_BAR):
                continue  # nobody's checker stands on the other side's bar
            column = point_column(index, opponent)
            rows = POINT_UNITS @ first[column : column + units]  # by count 0..15
            points[index, CHECKERS :: -1 if opponent else 1] += rows
    offs = np.stack(
        [OFF_UNITS @ first[c : c + OFF_UNITS.shape[1]] for c in map(off_column, (False, True))]
    )
    bias1 = np.concatenate([weights[f"{name}.bias"] for name in _FACTORS])
    missing = OUTPUTS - len(weights["output.bias"])
    return {
        "points": _paired(np.diff(points, axis=1)),
        "offs": _paired(np.diff(offs, axis=1)),
        "tactics": _paired(tactical),
        "bias1": bias1 + points[:, CHECKERS].sum(0) + offs[:, -1].sum(0),
        "weight2": weights["hidden2.weight"],
        "bias2": weights["hidden2.bias"],
        "weight3": np.pad(weights["output.weight"], ((0, missing), (0, 0))),
        "bias3": np.pad(weights["output.bias"], (0, missing)),
        "seen": tactical.any(axis=1).astype(np.float32),
    }


def _aligned(vector: Float32Vector) -> Float32Vector:
    """Return a copy that begins at a cache line, so that no row of it straddles two."""
    room = np.zeros(vector.size + _LINE, np.float32)
    first = -(room.ctypes.data // room.itemsize) % _LINE
    copy = room[first : first + vector.size]
    copy[:] = vector
    return copy
