"""Algorithms: the record of an algorithm, the table of built-in ones, and kernels that run one.

An algorithm is two things: a kernel that returns the value of a chance node, and a record of what
the kernel can do. A search passes the kernel on as a function pointer. So the kernels above it are
compiled once, an algorithm is compiled or loaded only when it is used, and a program may bring
its own, as docs/extending.md does.

Plain `expectimax` is here, too. It defines the value, and tests compare the other algorithms
with it:

    value(s, 0)  = the static value of s
    value(s, 2k) = sum over outcomes i of P_i * max over successors t of -turn(t, 2k - 2)

and a finished game has its payoff at any depth. Values are to the player on roll, who changes
with every decision; hence the minus. `turn` is the value before the turn. If the player may
double, it is

    turn(s, d) = max(value(s, d), min(factor * value(s doubled, d), cash))

where beavers add a third term to the minimum (see `game.Doubled`); otherwise turn(s, d) is
value(s, d).
"""

from typing import NamedTuple, Protocol

import numpy as np

from gammon.base.errors import SearchError
from gammon.compiled.kernel import checked, kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Matrix, Int8Stack, Int64Vector, trusted
from gammon.search.bounded import bounded
from gammon.search.evaluation import leaf_value, leaf_values, open_node
from gammon.search.game import NOT_OVER, State, taken_value
from gammon.search.leaves import copy_state
from gammon.search.picker import keep_best
from gammon.search.problem import Problem
from gammon.search.star import star
from gammon.search.stats import begin_node
from gammon.search.workspace import Workspace, begin_anew


class NodeValue(Protocol):
    """The kernel of an algorithm.

    The arguments are as for `star`. An algorithm that does not use the window returns the exact
    value for any alpha and beta.
    """

    def __call__(
        self, problem: Problem, work: Workspace, state: State, static: float, stake: int,
        on_turn: bool, depth: int, alpha: float, beta: float, low: float, high: float, /,
    ) -> float:  # fmt: skip
        """Return the value of a chance node to the player on roll."""


class Algorithm(NamedTuple):
    """A way to find the value of a chance node.

    Attributes:
        name: the name in options and messages.
        value: the kernel that returns the value of a chance node; see `NodeValue`.
        probes: `Problem.probes`, how many successors a probe visits; None for
            `Options.probes`.
        parameters: the algorithm's own numbers, passed to `value` in `Problem.parameters`.
        below: the numbers in place of `parameters` for a search that begins with a decision, where
            the opponent is on roll at the first chance node; None for `parameters`.
        exact: its values are those of `expectimax`, so principal leaves fit them.
        cuts: it uses beta: a value of at least beta may be only a lower bound. So the best
            candidates of a decision cut the searches of the others short.
        keeps_leaves: it leaves principal leaves in the workspace, as `star` does. For an exact
            algorithm that does not, a second search by Star1 collects them.
        divides: a decision may be divided into tasks (see `tasks`). For these the algorithm
            must treat an alpha of inf as `star` does, and use alpha, too.
        doubles: it supports games with doubles.
        filters: it applies `Problem.filter`.
        bounded: its values are held within widths, as `bounded` defines them.
    """

    name: str
    value: NodeValue
    probes: int | None = 0
    parameters: tuple[float, ...] = ()
    below: tuple[float, ...] | None = None
    exact: bool = True
    cuts: bool = False
    keeps_leaves: bool = False
    divides: bool = False
    doubles: bool = False
    filters: bool = False
    bounded: bool = False


@trusted
class Search(NamedTuple):
    """A problem and its algorithm, as the kernels above the algorithms take them.

    Attributes:
        problem: the game, the evaluators and the settings.
        value: the algorithm's kernel.
        cuts: see `Algorithm`.
        keeps_leaves: see `Algorithm`.
        divides: whether decisions are divided into tasks: the algorithm supports it, and the
            option `divide` is on.
    """

    problem: Problem
    value: NodeValue
    cuts: bool
    keeps_leaves: bool
    divides: bool


@kernel(inner=True)
def node_value(
    search: Search,
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
    """Return the value of a chance node by the search's algorithm, see `NodeValue`."""
    value: float = search.value(
        search.problem, work, state, static, stake, on_turn, depth, alpha, beta, low, high
    )
    return value


@kernel(inner=True, allocates=True)
def _expectimax(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node to the player on roll; visits every leaf."""
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)

    if on_turn:
        double = problem.offer(stake, problem.params)
        if double.cash != NOT_OVER:
            rolled: float = _expectimax(problem, work, state, static, stake, bool(0), depth, low, high)
            doubled: float = _expectimax(
                problem, work, state, static, double.stake, bool(0), depth, double.low, double.high
            )
            return max(rolled, min(taken_value(double, doubled), double.cash))

    if not begin_node(work.stats):
        return 0.0
    limits, chance, rows, values = open_node(problem, state, stake, low, high)
    low, high = limits[0], limits[1]
    total = 0.0
    for i in range(problem.outcomes(state, problem.params, chance)):
        n = problem.successors(state, i, problem.params, rows)
        if depth == 2 or problem.filter.replies > 0:
            leaf_values(problem, work, state, rows, n, stake, values)
        if depth > 2:
            ties = np.zeros_like(values)
            if problem.leaf.has_tie and problem.filter.replies > 0:
                problem.leaf.tie(rows, work.outputs, n, -stake, problem.params, ties)
            n = keep_best(problem, rows, n, stake, values, ties)
        best = -np.inf
        for j in range(n):
            static = np.float64(values[j])
            value = -_expectimax(problem, work, rows[j], static, -stake, bool(1), depth - 2, -high, -low)
            best = max(best, value)
        total += chance[i] * best
    return total


@kernel()
def expectimax(
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
    """Return the value of a chance node to the player on roll; ignores the window."""
    return _expectimax(problem, work, state, static, stake, on_turn, depth, low, high)


STAR1 = Algorithm("star1", star, cuts=True, keeps_leaves=True, divides=True, doubles=True, filters=True)
STAR2 = STAR1._replace(name="star2", probes=1)
_EXPECTIMAX = Algorithm("expectimax", expectimax, doubles=True, filters=True)
_ALL = _EXPECTIMAX, STAR1, STAR2, STAR1._replace(name="star2.5", probes=None)
#: The built-in algorithms, by name: they all find the same value.
ALGORITHMS = {algorithm.name: algorithm for algorithm in _ALL}
#: Bounded search. Its parameters are k, and the ratios r_2 (depth 4) and r_3 (all greater depths).
BOUNDED = STAR2._replace(
    name="bounded", value=bounded, parameters=(6.0, 0.6, 0.8), exact=False, filters=False, bounded=True
)
#: Two of them under their names in games without chance.
WITHOUT_CHANCE = {
    "minimax": _EXPECTIMAX._replace(name="minimax"),
    "alpha-beta": STAR1._replace(name="alpha-beta"),
}


def search_of(problem: Problem, algorithm: Algorithm = STAR2) -> Search:
    """Join a problem and its algorithm, the same that was given to `checks.problem_of`.

    Raises:
        SearchError: `algorithm.value` is not a kernel of the signature of `NodeValue`.
    """
    divides = algorithm.divides and problem.options.divide
    try:
        return checked(Search(problem, algorithm.value, algorithm.cuts, algorithm.keeps_leaves, divides))
    except TypeError as error:
        raise SearchError(f"algorithm {algorithm.name}: {error}") from None


@kernel(allocates=True)
def value_kernel(
    search: Search, work: Workspace, state: State, on_turn: bool, depth: int, alpha: float, beta: float
) -> float:
    """Return the value of a chance node to the player on roll, as `star` does."""
    problem = search.problem
    static = np.full(1, np.inf, np.float32)  # unknown, unless it is a leaf
    if depth == 0:
        leaf_values(problem, work, state, state.reshape(1, -1), 1, -problem.stake, static)
        if not on_turn:
            problem.leaf.fold(work.outputs, 1, problem.stake, problem.params, static)
    value: float = node_value(
        search, work, state, np.float64(static[0]), problem.stake, on_turn, depth, alpha, beta,
        problem.low, problem.high,
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
    """Write the values of N chance nodes, each independent of the others.

    `values` is float64 [N]. The principal leaves of each node are written into `leaf_rows`,
    int8 [N, C, W], `leaf_weight`, float64 [N, C], with weights as in `Workspace`, and
    `leaf_count`, int64 [N].
    """
    level = depth // 2
    for i in range(states.shape[0]):
        begin_anew(work)
        values[i] = value_kernel(search, work, states[i], on_turn, depth, -np.inf, np.inf)
        leaf_count[i] = work.leaf_count[level]
        for m in range(leaf_count[i]):
            copy_state(work.leaf_rows[level, m], leaf_rows[i, m])
            leaf_weight[i, m] = work.leaf_weight[level, m]
