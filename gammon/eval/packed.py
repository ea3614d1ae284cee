"""A network as one flat vector, laid out for the compiled inference.

Every feature of the counts depends on one count. The first layer is then a bias, and a
sum of rows: one for each checker, by the point it stands on, whose it is and how many
stand there already; and one for each checker borne off. A move takes a few rows away and
adds a few.

A unit of the first layer is a product of two such sums. A row has one word for each of the
H1 units: what it adds to the first factor in the lower half, and to the second in the upper
one, as bfloat16. That is the upper half of a float32, so that a shift or a mask takes it
out; and half the memory is read. Values change by .001 points (root of the mean square, leaf
network), which is nothing beside their error; `rounded` says what network it is then.

A packed network begins with the sizes H1, H2 and T (18, or 0 without tactics), the
place of the bearoff tables (0 without them), how many parts there are, and how much room
each takes; then come, for each part,
    points   [26, 30, H1]   by board index: what raises its count from c to c + 1, from -15 on
    offs     [2, 15, H1]    by side (0: on roll): what one more checker off adds
    tactics  [T, H1]
    bias1    [2, H1]        of an empty board: all checkers are off
    weight2  [H2, H1], bias2 [H2]
    weight3  [8, H2],  bias3 [8]    the last two rows are 0: four are computed at a time
and at last
    tables   see `gammon.eval.bearoff`
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from gammon.eval.features import N_COUNTS, OFF_UNITS, POINT_UNITS, off_column, point_column
from gammon.rules.board import CHECKERS, SIZE

__all__ = ["HEADER", "OUTPUTS", "STEPS", "Floats", "Weights", "pack", "parts_of", "rounded"]

Floats = npt.NDArray[np.float32]
#: A network's tensors by name, as PyTorch orders and names them.
Weights = Mapping[str, npt.NDArray[np.float32]]

#: Numbers to a cache line.
_LINE = 16
HEADER = _LINE
#: Counts of a point go from -15 to 15.
STEPS = 2 * CHECKERS
OUTPUTS = 8
#: The two sums that a unit of the first layer multiplies.
_FACTORS = ("hidden1", "gate")


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
    parts: dict[int, dict[str, npt.NDArray[np.float32]]] = {}
    for name, value in weights.items():
        _, part, inner = name.split(".", 2)
        parts.setdefault(int(part), {})[inner] = value
    return [parts[k] for k in sorted(parts)]


def rounded(weights: Weights) -> Weights:
    """Return a network whose first layers a packed one holds as they are.

    What the counts 0, 1, 2, 3 and 4 of a point differ by is rounded, and what the first
    and each further checker borne off adds, and the weights of tactics.
    """
    result = dict(weights)
    offs = off_column(False)
    for name in weights:
        if name.split(".")[-2] not in _FACTORS or not name.endswith("weight"):
            continue
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


def pack(weights: Weights, tables: Floats | None = None) -> Floats:
    """Return a network's tensors as the flat vector that the kernels of `nnue` read.

    Args:
        weights: of each part, from `parts.0.` on, `hidden1.weight` and `gate.weight`
            [H1, 204 or 222], `hidden1.bias` and `gate.bias` [H1], `hidden2.weight` [H2, H1],
            `hidden2.bias` [H2], `output.weight` [6, H2], `output.bias` [6]; H2 a multiple of 4.
        tables: of bearoff, flat; they replace the network where all checkers are at home.
    """
    parts = parts_of(rounded(weights))
    flat = [_packed_part(part) for part in parts]
    h1, inputs = parts[0]["hidden1.weight"].shape
    header = np.zeros(HEADER, np.float32)
    header[:3] = h1, len(parts[0]["hidden2.bias"]), inputs - N_COUNTS
    header[4:6] = len(flat), flat[0].size
    if tables is not None:
        header[3] = HEADER + len(flat) * flat[0].size
        flat.append(tables)
    return _aligned(np.concatenate([header, *flat]))


def _packed_part(weights: Weights) -> Floats:
    """Return the tensors of a part as one vector, which ends with a cache line."""
    factors = [np.asarray(weights[f"{name}.weight"], np.float32) for name in _FACTORS]
    first = np.concatenate(factors).T  # [204 + T, 2 H1]
    tactical = first[N_COUNTS:]
    points = np.zeros((SIZE, STEPS + 1, first.shape[1]), np.float32)
    units = POINT_UNITS.shape[1]
    for index in range(SIZE):
        for opponent in (False, True):
            if index == (25 if opponent else 0):
                continue  # nobody's checker stands on the other side's bar
            column = point_column(index, opponent)
            rows = POINT_UNITS @ first[column : column + units]  # by count 0..15
            points[index, 15 :: -1 if opponent else 1] += rows
    offs = np.stack(
        [OFF_UNITS @ first[c : c + OFF_UNITS.shape[1]] for c in map(off_column, (False, True))]
    )
    missing = OUTPUTS - weights["output.bias"].shape[0]
    bias1 = np.concatenate([weights[f"{name}.bias"] for name in _FACTORS])
    bias1 = bias1 + points[:, 15].sum(0) + offs[:, -1].sum(0)
    tables_of_rows = (np.diff(points, axis=1), np.diff(offs, axis=1), tactical)
    parts = [*map(_paired, tables_of_rows), bias1]
    parts += [weights["hidden2.weight"], weights["hidden2.bias"]]
    parts += [np.pad(weights["output.weight"], ((0, missing), (0, 0)))]
    parts += [np.pad(weights["output.bias"], (0, missing))]
    flat = np.concatenate([np.asarray(part, np.float32).ravel() for part in parts])
    return np.pad(flat, (0, -flat.size % _LINE))


def _aligned(vector: Floats) -> Floats:
    """Return a copy that begins at a cache line, so that no row of it straddles two."""
    room = np.zeros(vector.size + _LINE, np.float32)
    first = -(room.ctypes.data // room.itemsize) % _LINE
    copy = room[first : first + vector.size]
    copy[:] = vector
    return copy
