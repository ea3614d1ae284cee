"""The value of a chance node: the algorithms behind one signature, and kernels that ask one.

A search hands its algorithm down as a pointer. So the kernels above are compiled once, and an
algorithm is compiled, or loaded, where somebody asks for it.
"""

from typing import NamedTuple, Protocol

import numpy as np

from gammon.compiled.kernel import checked, kernel
from gammon.compiled.records import (
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Stack,
    Int64Vector,
    declared,
)
from gammon.search.biased import biased
from gammon.search.evaluation import leaf_values
from gammon.search.expectimax import expectimax
from gammon.search.game import State
from gammon.search.gamma import gamma
from gammon.search.leaves import copy_state
from gammon.search.problem import BIASED, EXPECTIMAX, GAMMA, STAR, Problem
from gammon.search.star import star
from gammon.search.workspace import Workspace, begin_anew


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


@kernel()
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


@kernel()
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


@kernel()
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
    return checked(Search(problem, _VALUES[problem.algorithm]))


@kernel(allocates=True)
def value_kernel(
    search: Search,
    work: Workspace,
    state: State,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """Return the value of a chance node to the player on roll, as `star` does."""
    problem = search.problem
    static = np.full(1, np.inf, np.float32)  # unknown, unless it is a leaf
    if depth == 0:
        leaf_values(problem, work, state, state.reshape(1, -1), 1, -problem.stake, static)
        if not on_turn:
            problem.leaf.fold(work.outputs, 1, problem.stake, problem.params, static)
    value: float = search.value(
        problem, work, state, np.float64(static[0]), problem.stake, on_turn, depth,
        alpha, beta, problem.low, problem.high,
    )  # fmt: skip
    return value


@kernel(allocates=True)
def values_kernel(
    search: Search,
    work: Workspace,
    states: Int8Matrix,
    on_turn: bool,
    depth: int,
    values: Float64Vector,
    leaf_rows: Int8Stack,
    leaf_weight: Float64Matrix,
    leaf_count: Int64Vector,
) -> None:
    """Write the values of N chance nodes, each searched as if it were the only one.

    `values` is float64 [N]; the principal leaves of each are left in int8 [N, C, W], float64
    [N, C], with weights as in `Workspace`, and int64 [N].
    """
    level = depth // 2
    for i in range(states.shape[0]):
        begin_anew(work)
        values[i] = value_kernel(search, work, states[i], on_turn, depth, -np.inf, np.inf)
        leaf_count[i] = work.leaf_count[level]
        for m in range(leaf_count[i]):
            copy_state(work.leaf_rows[level, m], leaf_rows[i, m])
            leaf_weight[i, m] = work.leaf_weight[level, m]
