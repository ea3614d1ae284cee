"""The answers of a search: for decisions, for chance nodes, and for doubles."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.search.candidates import EXACT
from gammon.search.game import Rows
from gammon.search.leaves import Leaves
from gammon.search.stats import Stats

#: Values that differ by less count as equal: sums over outcomes are rounded.
_EQUAL = 1e-6


class Decision(NamedTuple):
    """The n successors of a decision, and their values.

    Attributes:
        rows: int8 [n, W], each seen from the opponent, who is then on roll.
        values: float64 [n], to the player who decides.
        kind: int8 [n]: EXACT, BOUND (the value is a proven upper bound) or STATIC (the
            filter left the successor out).
        order: int64 [n], best first: `rows[order[0]]` is the best successor. The values of the
            first `top` are exact, and static ones come last.
        leaves: the principal leaves of the first `top` of `order`, in that order, with
            signs for the player who decides; empty unless they were kept.
        stats: the work of the search.
        depth: plies searched; less than requested only if a limit ended the search.
    """

    rows: Rows
    values: npt.NDArray[np.float64]
    kind: npt.NDArray[np.int8]
    order: npt.NDArray[np.int64]
    leaves: tuple[Leaves, ...]
    stats: Stats
    depth: int

    @property
    def exact(self) -> npt.NDArray[np.bool_]:
        """Where values are exact, bool [n]."""
        return np.asarray(self.kind == EXACT)


class Ranking(NamedTuple):
    """The K successors of N decisions at depth 1, the best of each decision first.

    Attributes:
        rows: int8 [K, W], each seen from the opponent, who is then on roll.
        values: float64 [K], to the players who decide.
        offsets: int64 [N + 1]: decision i has the rows `slice(offsets[i], offsets[i + 1])`.
    """

    rows: Rows
    values: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.int64]


class Value(NamedTuple):
    """The result of a search of a chance node.

    Attributes:
        value: to the player on roll. At or below the window's lower end: an upper bound. At
            or above its upper end: a lower bound. In between: exact.
        stats: the work of the search.
        depth: plies searched; less than requested only if a limit ended the search.
        leaves: the principal leaves, if they were requested, the value is exact, and there
            are at most `workspace.MAX_LEAVES`; else None.
    """

    value: float
    stats: Stats
    depth: int
    leaves: Leaves | None


class Values(NamedTuple):
    """The results of searches of N chance nodes.

    Attributes:
        values: float64 [N], to the players on roll.
        leaves: the principal leaves of all nodes, one node after the other.
        offsets: int64 [N + 1]: node i has the leaves `slice(offsets[i], offsets[i + 1])`.
    """

    values: npt.NDArray[np.float64]
    leaves: Leaves
    offsets: npt.NDArray[np.int64]


class Cube(NamedTuple):
    """The values of the cube actions of a player on roll who may double.

    Attributes:
        no_double: the value of rolling now.
        double_take: the value of a double that is taken, multiplied by `Doubled.factor` but not
            by `Doubled.beaver`. None if the player may not double.
        double_pass: what the player gets if the opponent passes. None if he may not double.
        stats: the work of the search for both values.
        depth: plies searched, the same for both values; less than requested only if a limit
            ended the search.
        leaves: the principal leaves of rolling now, if they were requested and there are at
            most `workspace.MAX_LEAVES`; else None.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    stats: Stats
    depth: int
    leaves: Leaves | None


class Cubes(NamedTuple):
    """The values of N decisions in which the player may double; see `Cube`.

    Attributes:
        no_double: float64 [N], the values of rolling now.
        double_take: float64 [N], the values of a double that is taken.
        double_pass: what the player gets if the opponent passes.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: float

    @property
    def takes(self) -> npt.NDArray[np.bool_]:
        """Where the opponent's correct answer to a double is a take, bool [N]."""
        return np.asarray(self.double_take < self.double_pass)

    @property
    def doubles(self) -> npt.NDArray[np.bool_]:
        """Where a double is correct, bool [N].

        It is correct if rolling is worth less. It is also correct if rolling is worth as much
        as a pass, and a pass is the correct answer: the opponent may err.
        """
        double = np.minimum(self.double_take, self.double_pass)
        certain = ~self.takes & (self.no_double <= self.double_pass + _EQUAL)
        return (double > self.no_double) | certain
