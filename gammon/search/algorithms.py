"""Algorithms: what one is, the built-in ones in one table, and kernels that ask one.

An algorithm is a kernel with the value of a chance node, and a record of what that kernel can
do. A search hands the kernel down as a pointer. So the kernels above it are compiled once, and
an algorithm is compiled, or loaded, where somebody asks for it: a program may bring its own, as
docs/adding_an_algorithm.md does.

Plain `expectimax` is here, too. It is the definition of the value, and the search's oracle:

    value(s, 0)  = the static value of s
    value(s, 2k) = sum over outcomes i of P_i * max over successors t of -turn(t, 2k - 2)

and a finished game has its payoff at any depth. Values are to the player on roll, who
changes with every decision; hence the minus. `turn` is the value before the roll, where the
player may double if the game knows doubles. It is the value elsewhere, and else

    turn(s, d) = max(value(s, d), min(factor * value(s doubled, d), cash))

where beavers add a third part to the minimum; see `game.Doubled`.
"""

from typing import NamedTuple, Protocol

import numpy as np

from gammon.base.errors import SearchError
from gammon.compiled.kernel import checked, kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Matrix, Int8Stack, Int64Vector, declared
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

    The arguments are those of `star`. An algorithm that does not look at the window returns
    the value whatever alpha and beta are.
    """

    def __call__(
        self, problem: Problem, work: Workspace, state: State, static: float, stake: int,
        on_turn: bool, depth: int, alpha: float, beta: float, low: float, high: float, /,
    ) -> float:  # fmt: skip
        """Return the value of a chance node to the player on roll."""


class Algorithm(NamedTuple):
    """A way to find the value of a chance node.

    Attributes:
        name: what people call it.
        value: the value of a chance node; see `NodeValue`.
        probes: `Problem.probes`, how many successors a probe looks at; None for as many as
            the options say.
        parameters: numbers of its own, which `value` finds in `Problem.parameters`.
        below: the same numbers where a search begins with a decision, and so the first chance
            node has the opponent on roll; None where they do not differ.
        exact: its values are those of `expectimax`, so that principal leaves belong to them.
        cuts: it looks at beta: a value that is at least beta may be only a lower bound. So the
            best candidates of a decision end the searches of the others sooner.
        keeps_leaves: it leaves principal leaves in the workspace, as `star` does. For an exact
            algorithm that does not, a second search by Star1 finds them.
        divides: a decision may be divided into tasks (see `tasks`). For these it must do with
            an alpha of inf what `star` does, and look at alpha, too.
        doubles: it knows games in which one may double.
        filters: it leaves out the successors that a filter leaves out.
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


@declared
class Search(NamedTuple):
    """A problem and its algorithm, as the kernels above the algorithms take them.

    Attributes:
        problem: what is searched, and how.
        value: the algorithm's.
        cuts: see `Algorithm`.
        keeps_leaves: see `Algorithm`.
        divides: whether decisions are divided into tasks: the algorithm does that, and the
            options ask for it.
    """

    problem: Problem
    value: NodeValue
    cuts: bool
    keeps_leaves: bool
    divides: bool


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
    """Return the value of a chance node to the player on roll, looking at every leaf."""
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
    """Return the value of a chance node to the player on roll, whatever the window."""
    return _expectimax(problem, work, state, static, stake, on_turn, depth, low, high)


STAR1 = Algorithm("star1", star, cuts=True, keeps_leaves=True, divides=True, doubles=True, filters=True)
STAR2 = STAR1._replace(name="star2", probes=1)
_EXPECTIMAX = Algorithm("expectimax", expectimax, doubles=True, filters=True)
_ALL = _EXPECTIMAX, STAR1, STAR2, STAR1._replace(name="star2.5", probes=None)
#: The built-in algorithms, by name: they all find the same value.
ALGORITHMS = {each.name: each for each in _ALL}
#: Two of them by the names that they have in games without chance.
WITHOUT_CHANCE = {
    "minimax": _EXPECTIMAX._replace(name="minimax"),
    "alpha-beta": STAR1._replace(name="alpha-beta"),
}


def search_of(problem: Problem, algorithm: Algorithm = STAR2) -> Search:
    """Return a problem with an algorithm, the one that `checks.problem_of` was given.

    Raises:
        SearchError: the algorithm has no kernel of that signature.
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
    value: float = search.value(
        problem, work, state, np.float64(static[0]), problem.stake, on_turn, depth, alpha, beta,
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
