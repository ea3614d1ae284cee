"""How far the sums of a network can go, over all positions: the proofs of its integers.

The first layer adds up, of each place, a total that depends on its count, and a few numbers
(`gammon.eval.numbers`) with their weights. A side has 15 checkers at most, so the most that its
places can add is that of a knapsack: `most_of_side` finds it, place by place. To this come
the bias, the other side's most, and each number at its own most or at 0, as its weight asks.

This is a bound, not always a position: the two sides' checkers may share a point in it, and the
numbers do not ask where the checkers stand. Where a part of the network judges one plan alone
(`gammon.eval.plan`), the places that are empty in this plan are left out.

Only whole sums need to stay within their bounds. Sums of integers wrap around modulo 2^16 or
2^32; so, if a sum lies within the range, it is right whatever its terms and the sums on the way
were, in any order and from any parent. Products of a number and a weight may wrap as well.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError
from gammon.eval.numbers import NUMBERS
from gammon.eval.plan import NOT_OWN, OWN
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR

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


def reach_of_first(
    totals: Sums, weights: Sums, bias: Sums, plan: int | None
) -> tuple[Sums, Sums]:
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
    above, below = (
        np.cumsum(np.maximum(sign * weights, 0) * most, axis=1)[:, -1] for sign in (1, -1)
    )
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
