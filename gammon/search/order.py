"""The order in which a search looks at outcomes and successors."""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.options import OPTIONS, Options
from gammon.search.table import best_reply
from gammon.search.workspace import WORKSPACE, Workspace

__all__ = ["bring_best", "bring_killer", "bring_reply", "narrow", "set_sequence"]

_INT = types.int64
_ROWS = types.int8[:, ::1]
_VALUES = types.float32[::1]

Rows = npt.NDArray[np.int8]
Values = npt.NDArray[np.float32]


@kernel(types.void(_ROWS, _VALUES, _INT, _INT), inline=True)
def _swap(rows: Rows, values: Values, a: int, b: int) -> None:
    if a == b:
        return
    values[a], values[b] = values[b], values[a]
    for byte in range(rows.shape[1]):
        rows[a, byte], rows[b, byte] = rows[b, byte], rows[a, byte]


@kernel(types.void(_ROWS, _VALUES, _INT, _INT), inner=True)
def bring_best(rows: Rows, values: Values, start: int, n: int) -> None:
    """Swap the best sibling of `start`..n-1, the one worst for the opponent, to `start`."""
    best = start
    for j in range(start + 1, n):
        if values[j] < values[best]:
            best = j
    _swap(rows, values, start, best)


@kernel(_INT(_ROWS, _VALUES, _INT, OPTIONS), inner=True)
def narrow(rows: Rows, values: Values, n: int, options: Options) -> int:
    """Bring the successors that a selective search looks at to the front.

    Returns:
        How many they are: n unless `options` says otherwise.
    """
    if options.replies == 0:
        return n
    for j in range(min(n, options.replies)):
        bring_best(rows, values, j, n)
        if values[j] > values[0] + options.margin:
            return j
    return min(n, options.replies)


@kernel(types.boolean(WORKSPACE, _INT, _INT, _INT), inner=True)
def bring_killer(work: Workspace, level: int, outcome: int, n: int) -> bool:
    """Swap the successor that is most like the killer of this outcome to the front.

    That killer is the best reply in a sibling node: the two nodes differ by one decision
    of the other player, and the two replies that are one and the same move by as much.
    The distance is the sum of the bytes' differences.

    Returns:
        Whether there is a killer.
    """
    if not work.killer_known[level, outcome]:
        return False
    rows = work.rows[level - 1]
    killer = work.killers[level, outcome]
    nearest, least = 0, 1 << 30
    for j in range(n):
        distance = 0
        for byte in range(rows.shape[1]):
            distance += abs(int(rows[j, byte]) - int(killer[byte]))
        if distance < least:
            nearest, least = j, distance
    _swap(rows, work.values[level - 1], 0, nearest)
    return True


@kernel(types.boolean(WORKSPACE, _INT, types.uint64, _INT, _INT), inner=True)
def bring_reply(work: Workspace, level: int, key: np.uint64, outcome: int, n: int) -> bool:
    """Swap the best reply that the table knows to the front; tell whether there is one."""
    rows = work.rows[level - 1]
    known = best_reply(work.table, key, outcome, rows, n)
    if known < 0:
        return False
    _swap(rows, work.values[level - 1], 0, known)
    return True


@kernel(_INT(types.int64[::1], types.float64[::1], _INT, types.boolean), inner=True)
def set_sequence(
    sequence: npt.NDArray[np.int64],
    chance: npt.NDArray[np.float64],
    outcomes: int,
    likely_first: bool,
) -> int:
    """Write the outcomes that are possible at all, and return how many those are."""
    count = 0
    for i in range(outcomes):
        if chance[i] == 0.0:
            continue
        place = count
        while likely_first and place > 0 and chance[sequence[place - 1]] < chance[i]:
            sequence[place] = sequence[place - 1]
            place -= 1
        sequence[place] = i
        count += 1
    return count
