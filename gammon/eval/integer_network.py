"""The network in integers: its output for a position, defined to the last bit.

This is plain numpy, and slow. Tests compare the compiled network in integers with it. It takes
the same steps for each position alone, so a value cannot depend on a parent, on the order of
successors, or on what was evaluated before.

1. Sums of the first layer: bias, rows by count, rows times numbers, modulo 2^16 (int16).
2. Products: (f g + 2^14) >> 15 of the two sums, each at least 0.
3. Sums of the second layer, modulo 2^32 (int32); at least 0; then as float32.
4. Logits: bias plus weight times sum, unit after unit, each product and each sum rounded to
   float32. No product may be fused with a sum: a CPU without such an instruction would differ.
5. Chances: `power_of_two` of each logit less the largest, times 1 / their sum, which is added
   up from first to last.

The result is the same wherever float32 follows IEEE 754, rounded to nearest.
"""

import numpy as np
import numpy.typing as npt

from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.eval.bearoff import chances
from gammon.eval.equity import count_what_can_come
from gammon.eval.features import numbers_of
from gammon.eval.integers import PRODUCT_BITS, Part, header_of, unpack
from gammon.eval.plan import plan_of
from gammon.eval.power import power_of_two
from gammon.eval.race import SCRATCH, is_race, race_chances
from gammon.rules.board import CHECKERS, SIZE, Rows, has_contact
from gammon.rules.home import at_home
from gammon.rules.outcome import N_RESULTS

_CHUNK = 1 << 12  # positions at a time, to limit memory


def sums_of(rows: Rows, part: Part) -> npt.NDArray[np.int16]:
    """Return the sums of the first layer [N, 2 H1] of positions int8 [N, 26].

    Args:
        rows: each seen from the player on roll.
        part: a part of a packed network.
    """
    sums = np.repeat(part.bias1[None], len(rows), axis=0)
    for index in range(SIZE):
        totals = np.zeros((2 * CHECKERS + 1, sums.shape[1]), np.int16)
        np.cumsum(part.steps[index], axis=0, dtype=np.int16, out=totals[1:])
        totals -= totals[CHECKERS].copy()  # by the count from -15 on; a count of 0 adds nothing
        sums += totals[rows[:, index].astype(np.int64) + CHECKERS]
    for number, row in zip(numbers_of(rows).T, part.numbers, strict=False):
        sums += number[:, None] * row
    return sums


def _results_of_part(rows: Rows, part: Part) -> Float32Matrix:
    """Return the chances of the six results [N, 6] from one part of a network."""
    first, second = np.split(np.maximum(sums_of(rows, part), 0).astype(np.int32), 2, axis=1)
    products = (first * second + (1 << (PRODUCT_BITS - 1))) >> PRODUCT_BITS
    # The sums are whole numbers below 2^53 in any order, so float64 is exact.
    weight2 = part.weight2.transpose(0, 2, 1).reshape(products.shape[1], -1)
    hidden = (products.astype(np.float64) @ weight2.astype(np.float64)).astype(np.int64)
    hidden += part.bias2
    h2 = np.maximum(hidden, 0).astype(np.int32).astype(np.float32)
    logits = np.repeat(part.bias3[None], len(rows), axis=0)
    for unit in range(h2.shape[1]):
        logits = logits + h2[:, unit, None] * part.weight3[:, unit]
    top = logits[:, 0]
    for k in range(1, N_RESULTS):
        top = np.maximum(top, logits[:, k])
    powers = power_of_two(logits - top[:, None])
    total = powers[:, 0]
    for k in range(1, N_RESULTS):
        total = total + powers[:, k]
    result: Float32Matrix = powers * (np.float32(1.0) / total)[:, None]
    return result


def results_of_integers(rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """Return the chances of the six results [N, 6] for any positions int8 [N, 26].

    Args:
        rows: each seen from the player on roll; no game is over.
        packed: a network from `gammon.eval.integers.pack`.

    Returns:
        float32, losses first. If all checkers are at home and the network has the bearoff
        tables, the chances come from them; in a race (`gammon.eval.race`) they come from the
        race block, if it has one. Elsewhere a gammon against a side that has borne off a checker
        counts as a single game.
    """
    rows = np.ascontiguousarray(rows, np.int8).reshape(-1, SIZE)
    parts = unpack(packed)
    plans = np.array([plan_of(row, len(parts)) for row in rows], np.int64)
    out = np.empty((len(rows), N_RESULTS), np.float32)
    for plan, part in enumerate(parts):
        chosen = np.flatnonzero(plans == plan)
        for first in range(0, len(chosen), _CHUNK):
            batch = chosen[first : first + _CHUNK]
            out[batch] = _results_of_part(rows[batch], part)
    count_what_can_come(rows, out)
    write_known(rows, packed, out)
    return out


def write_known(rows: Rows, packed: Float32Vector, out: Float32Matrix) -> None:
    """Overwrite a network's chances in bearoffs and races.

    Args:
        rows: int8 [N, 26].
        packed: a packed network; without bearoff tables and race block nothing changes.
        out: float32 [N, 6], changed.
    """
    at_tables, at_races = header_of(packed).tables, header_of(packed).races
    scratch = np.zeros(SCRATCH, np.float32)
    for row, result in zip(rows, out, strict=True):
        if at_tables > 0 and at_home(row, True) and at_home(row, False):
            chances(row, packed, at_tables, result)
        elif at_races > 0 and not has_contact(tuple(row.tolist())) and is_race(row):
            race_chances(row, packed, at_tables, at_races, False, scratch, result)
