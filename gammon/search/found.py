"""The answers of a search: of decisions, of chance nodes, and about doubles."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.search.candidates import EXACT
from gammon.search.game import Rows
from gammon.search.leaves import Leaves
from gammon.search.stats import Stats

#: Values that differ by less are equal: sums over outcomes are rounded.
_EQUAL = 1e-6


class Decision(NamedTuple):
    """The n successors of a decision, and what a search found out about them.

    Attributes:
        rows: int8 [n, W], each seen from the opponent, who is then on roll.
        values: float64 [n], to the player who decides.
        kind: int8 [n]: EXACT, BOUND (the value is a proven upper bound) or STATIC (the
            filter left the successor out).
        order: int64 [n], best first: `rows[order[0]]` is the best successor. The first
            `top` are exact, and static ones come last.
        leaves: the principal leaves of the first `top` of `order`, in that order, with
            signs for the player who decides; empty unless they were kept.
        stats: the work that it took.
        depth: plies searched; less than was asked for only where a limit ended the search.
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
    """The successors of N decisions of depth 1, K in all, those of each best first.

    Attributes:
        rows: int8 [K, W], each seen from the opponent, who is then on roll.
        values: float64 [K], to the players who decide.
        offsets: int64 [N + 1]: decision i has `slice(offsets[i], offsets[i + 1])` of them.
    """

    rows: Rows
    values: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.int64]


class Value(NamedTuple):
    """The result of a search of a chance node.

    Attributes:
        value: to the player on roll. At most the window's lower end: an upper bound. At
            least its upper end: a lower bound. In between: exact.
        stats: the work that it took.
        depth: plies searched; less than was asked for only where a limit ended the search.
        leaves: the principal leaves, where they were asked for, the value is exact, and
            they are not more than `workspace.MAX_LEAVES`.
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
        offsets: int64 [N + 1]: those of node i are `slice(offsets[i], offsets[i + 1])`.
    """

    values: npt.NDArray[np.float64]
    leaves: Leaves
    offsets: npt.NDArray[np.int64]


class Cube(NamedTuple):
    """The values of the actions of a player who is on roll and may double.

    Attributes:
        no_double: of rolling now.
        double_take: of a double that is taken, multiplied by the factor of the double, but not
            by that of a beaver. None where the player may not double.
        double_pass: what the player gets if the opponent passes, or None.
        stats: the work that both values took.
        depth: plies searched, the same for both; less than was asked for only where a limit
            ended the search.
        leaves: the principal leaves of rolling now, where they were asked for and are not
            more than `workspace.MAX_LEAVES`.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    stats: Stats
    depth: int
    leaves: Leaves | None


class Cubes(NamedTuple):
    """The values of N decisions about a double that may be made; see `Cube`.

    Attributes:
        no_double: float64 [N], of rolling now.
        double_take: float64 [N], of a double that is taken.
        double_pass: what the player gets if the opponent passes.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: float

    @property
    def takes(self) -> npt.NDArray[np.bool_]:
        """Where the opponent's right answer to a double is to take it, bool [N]."""
        return np.asarray(self.double_take < self.double_pass)

    @property
    def doubles(self) -> npt.NDArray[np.bool_]:
        """Where a double is right, bool [N].

        It is where rolling is worth less, and where it is worth as much as a pass that is the
        right answer: the opponent may err.
        """
        worth = np.minimum(self.double_take, self.double_pass)
        certain = ~self.takes & (self.no_double <= self.double_pass + _EQUAL)
        return (worth > self.no_double) | certain
