"""The algorithms behind one signature: the value of a chance node.

A search hands its algorithm down as a pointer. So the kernels above are compiled once, and an
algorithm is compiled, or loaded, where somebody asks for it.
"""

from typing import NamedTuple, Protocol

from gammon.compiled.kernel import argument, kernel
from gammon.compiled.records import declared
from gammon.search.biased import biased
from gammon.search.expectimax import expectimax
from gammon.search.game import State
from gammon.search.gamma import gamma
from gammon.search.problem import BIASED, EXPECTIMAX, GAMMA, STAR, Problem
from gammon.search.star import star
from gammon.search.workspace import Workspace

__all__ = ["NodeValue", "Search", "search_of"]


class NodeValue(Protocol):
    """An algorithm: the arguments and the result are those of `star`."""

    def __call__(
        self, problem: Problem, work: Workspace, state: State, static: float, stake: int,
        on_turn: bool, depth: int, alpha: float, beta: float, low: float, high: float, /,
    ) -> float:  # fmt: skip
        """Return the value of a chance node to the player on roll."""


@declared
class Search(NamedTuple):
    """A problem and its algorithm, as the kernels above the algorithms take them.

    Attributes:
        problem: what is searched, and how.
        value: its algorithm.
    """

    problem: Problem
    value: NodeValue


@kernel(inner=True)
def _expectimax(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value by `expectimax`, whatever the window."""
    return expectimax(problem, work, state, static, stake, on_turn, depth, low, high)


@kernel(inner=True)
def _gamma(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value by `gamma`, for which a window has no lower end."""
    return gamma(problem, work, state, static, stake, depth, problem.sides, beta, low, high)


@kernel(inner=True)
def _biased(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value by `biased`, whatever the window."""
    return biased(problem, work, state, static, stake, depth, problem.sides, low, high)


_VALUES: dict[int, NodeValue] = {
    STAR: star, EXPECTIMAX: _expectimax, GAMMA: _gamma, BIASED: _biased
}  # fmt: skip


def search_of(problem: Problem) -> Search:
    """Return a problem with the algorithm that it asks for."""
    return argument(Search(problem, _VALUES[problem.algorithm]))
