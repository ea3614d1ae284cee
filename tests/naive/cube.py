"""The twin of leaves with the network of the cube: plain numpy, one position at a time."""

from collections.abc import Sequence

import numpy as np

from gammon.compiled.records import Float32Matrix, Float32Vector, Int8Matrix
from gammon.eval.cube_network import BLOCK, PAIRS, SHIFT, UNITS, cube_block, seen_of
from gammon.eval.janowski import match_value, money_value, static_value
from gammon.rules.board import Points, has_contact
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms

MOST = 2**15 - 1


def efficiencies(rows: Int8Matrix, chances: Float32Matrix, block: Float32Vector) -> Float32Matrix:
    """The efficiencies for the three owners of the cube, float32 [N, 3], of rows in contact."""
    whole = block.view(np.int32)
    weight1 = whole[BLOCK.weight1 : BLOCK.bias1].view(np.int16).reshape(UNITS, 2 * PAIRS)
    weight2 = whole[BLOCK.weight2 : BLOCK.bias2].view(np.int16).reshape(3, UNITS)
    sums = seen_of(rows, chances) @ weight1.T.astype(np.int64)
    sums += whole[BLOCK.bias1 : BLOCK.weight2]
    units = np.minimum(np.maximum(sums, 0) >> SHIFT, MOST)
    totals = (units @ weight2.T.astype(np.int64)).astype(np.float32)
    found = totals * np.float32(2.0**-20) + block[BLOCK.bias2 : BLOCK.bias2 + 3]
    return np.clip(found, np.float32(0.0), np.float32(1.0))


def leaf_value(points: Points, results: Sequence[float], terms: Terms, table: MatchEquityTable) -> float:
    """The worth of rolling: that of `gammon.eval.janowski.static_value` but in contact."""
    if not has_contact(points):
        return static_value(points, results, terms, table)
    row, chances = np.array([points], np.int8), np.array([results], np.float32)
    of_owner = efficiencies(row, chances, cube_block())[0].tolist()
    efficiency = of_owner[1 - terms.owner]
    if terms.length:
        return match_value(results, terms, efficiency, table)
    value = money_value(results, terms, efficiency)
    if terms.live and terms.owner < 0:  # never more than a centred cube
        value = min(value, money_value(results, Terms(), of_owner[1]))
    return value
