"""Monte Carlo tree search with chance nodes, and an evaluator at the leaves.

The tree grows by visits. A visit goes down from the root, opens one chance node, and updates the values
on its way back:

* A **chance node** is the state after a decision (an afterstate); its static value comes with those of its
  siblings, in one call of the evaluator. Progressive widening (A. Couetoux and others, "Continuous upper
  confidence trees", 2011): after v visits it has `widen * v**power` outcomes open, or all. They open in a
  random order, likely ones first on average. A visit that opens none goes on to the open outcome that
  has had the fewest visits for its chance. The value is the mean over the open outcomes by their chances.
* A **decision** opens with all its successors. A visit goes on to the successor of the largest
  Q + explore * prior * sqrt(visits) / (1 + its visits): PUCT of D. Silver and others, "Mastering the
  game of Go without human knowledge" (2017). Q is the successor's value, at first the static value; the
  prior is the softmax of the static values. The value is the mean of Q by visits.

`depth` is a horizon: chance nodes there keep their static values. With all outcomes open and a flat prior
(a high `softness`), values tend to those of expectimax to that depth as visits grow. A best reply of tiny
prior is not visited in any practical number of visits, and the values stay wrong. The only random numbers
are hashes of a seed.

The record `mcts` is an algorithm like any other: each chance node that is asked for has a tree of its
own. `decide_by_visits` grows one tree from a decision.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import number, whole
from gammon.base.errors import SearchError
from gammon.compiled.hashing import mix, unit
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, Float64Vector, Int8Matrix, Int64Vector, trusted
from gammon.search import Decision, Stats, TreeSearch
from gammon.search.algorithms import Algorithm
from gammon.search.candidates import EXACT
from gammon.search.checks import check_decision, check_depth, checked_states
from gammon.search.evaluation import leaf_value, leaf_values
from gammon.search.game import NOT_OVER, State
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.stats import STOPPED, begin_node
from gammon.search.workspace import Workspace
from gammon_lab.searches.sparse_sampling import MOST_SEED

#: Indices of the parameters.
_N_PARAMETERS = 6
_VISITS, _WIDEN, _POWER, _EXPLORE, _SOFTNESS, _SEED = range(_N_PARAMETERS)
#: Rows of a tree for each outcome that a visit may open, on average.
_ROOM = 64
#: The lowest temperature, against a division by 0.
_COLDEST = 1e-9
#: Indices of `Tree.used`.
_NODES, _DECISIONS = 0, 1


@trusted
class Tree(NamedTuple):
    """Chance nodes, at most C, and decisions, at most D, each in the order in which it came up.

    The outcomes of a chance node lie one after the other, and so do the successors of a decision. A
    value is to the player on roll, or to the player who decides.

    Attributes:
        rows: int8 [C, W], the states of chance nodes.
        static: float32 [C], their static values.
        value: float64 [C].
        visits: int64 [C].
        prior: float64 [C], among the siblings.
        outcomes: int64 [C], the first of their decisions; -1 before the first visit.
        many: int64 [C], how many decisions there are.
        opened: int64 [C], how many of them are open.
        outcome: int64 [D], the outcome before the decision.
        chance: float64 [D].
        successors: int64 [D], the first of their chance nodes.
        size: int64 [D], how many there are.
        decided: float64 [D], the decisions' values.
        passed: int64 [D], the decisions' visits.
        used: int64 [2], chance nodes and decisions in use.
    """

    rows: Int8Matrix
    static: Float32Vector
    value: Float64Vector
    visits: Int64Vector
    prior: Float64Vector
    outcomes: Int64Vector
    many: Int64Vector
    opened: Int64Vector
    outcome: Int64Vector
    chance: Float64Vector
    successors: Int64Vector
    size: Int64Vector
    decided: Float64Vector
    passed: Int64Vector
    used: Int64Vector


@kernel(inline=True)
def _new_tree(problem: Problem, width: int) -> Tree:
    """Return an empty tree, with room for the visits of the problem's parameters."""
    n, most = problem.max_outcomes, problem.max_successors
    nodes = 1 + n * most + int(problem.parameters[_VISITS]) * n * min(most, _ROOM)
    decisions = (int(problem.parameters[_VISITS]) + 2) * n
    return Tree(
        np.empty((nodes, width), np.int8), np.empty(nodes, np.float32), np.empty(nodes, np.float64),
        np.empty(nodes, np.int64), np.empty(nodes, np.float64), np.empty(nodes, np.int64),
        np.empty(nodes, np.int64), np.empty(nodes, np.int64), np.empty(decisions, np.int64),
        np.empty(decisions, np.float64), np.empty(decisions, np.int64), np.empty(decisions, np.int64),
        np.empty(decisions, np.float64), np.empty(decisions, np.int64), np.zeros(2, np.int64),
    )  # fmt: skip


@kernel(inner=True)
def _add_outcomes(problem: Problem, tree: Tree, node: int, chance: Float64Vector) -> None:
    """List the outcomes of a chance node in the order in which they are to open.

    Args:
        problem: has the game.
        tree: the tree.
        node: the chance node.
        chance: float64 [N], scratch.
    """
    first, many = tree.used[_DECISIONS], 0
    n = problem.outcomes(tree.rows[node], problem.params, chance)
    key = mix(np.uint64(int(problem.parameters[_SEED])) ^ mix(np.uint64(node)))
    left: float = 1.0
    for _ in range(n):
        key = mix(key)
        share = unit(key) * left
        drawn = -1
        for i in range(n):
            if chance[i] > 0.0 and share >= 0.0:
                drawn = i  # the last one with a chance, if rounding leaves a rest
                share -= chance[i]
        if drawn < 0:
            break
        place = first + many
        tree.outcome[place], tree.chance[place], tree.passed[place] = drawn, chance[drawn], 0
        left -= chance[drawn]
        chance[drawn] = 0.0
        many += 1
    tree.outcomes[node], tree.many[node] = first, many
    tree.used[_DECISIONS] += many


@kernel(inner=True)
def _open_outcome(
    problem: Problem, work: Workspace, tree: Tree, node: int, stake: int, low: float, high: float
) -> None:
    """Open the next decision of a chance node: write its successors, and value them statically."""
    decision = tree.outcomes[node] + tree.opened[node]
    first = tree.used[_NODES]
    rows, static = tree.rows[first:], tree.static[first:]
    n = problem.successors(tree.rows[node], tree.outcome[decision], problem.params, rows)
    leaf_values(problem, work, tree.rows[node], rows, n, stake, static)
    best: float = -np.inf
    for child in range(first, first + n):
        payoff: float = problem.terminal(tree.rows[child], -stake, problem.params)
        value = leaf_value(
            problem, work.stats, tree.rows[child], payoff, np.float64(tree.static[child]), -high, -low
        )
        tree.value[child], tree.visits[child], tree.outcomes[child], tree.opened[child] = value, 0, -1, 0
        best = max(best, -value)
    total: float = 0.0
    for child in range(first, first + n):
        tree.prior[child] = math.exp((-tree.value[child] - best) / problem.parameters[_SOFTNESS])
        total += tree.prior[child]
    for child in range(first, first + n):
        tree.prior[child] /= total
    tree.successors[decision], tree.size[decision], tree.decided[decision] = first, n, best
    tree.used[_NODES] += n
    tree.opened[node] += 1


@kernel(inner=True)
def _chosen(tree: Tree, decision: int, explore: float) -> int:
    """Return the successor of a decision to visit next."""
    first = tree.successors[decision]
    most: float = -np.inf
    chosen: int = first
    root = explore * math.sqrt(tree.passed[decision] + 1.0)
    for child in range(first, first + tree.size[decision]):
        bonus = root * tree.prior[child] / (1.0 + tree.visits[child])
        if bonus - tree.value[child] > most:
            most, chosen = bonus - tree.value[child], child
    return chosen


@kernel(inner=True)
def _visit(
    problem: Problem, work: Workspace, tree: Tree, node: int, stake: int, depth: int, low: float, high: float
) -> None:
    """Visit a chance node, `depth` plies above the horizon, and update its value."""
    tree.visits[node] += 1
    if depth == 0 or problem.terminal(tree.rows[node], stake, problem.params) != NOT_OVER:
        return
    if tree.outcomes[node] < 0:
        _add_outcomes(problem, tree, node, work.chance[0])
    parameters = problem.parameters
    wanted = parameters[_WIDEN] * float(tree.visits[node]) ** parameters[_POWER]
    first, opens = tree.outcomes[node], False
    while tree.opened[node] < tree.many[node] and (tree.opened[node] < wanted or tree.opened[node] == 0):
        if not opens and not begin_node(work.stats):
            return
        _open_outcome(problem, work, tree, node, stake, low, high)
        opens = True
    if not opens:
        decision = first
        for other in range(first, first + tree.opened[node]):
            ahead = tree.chance[other] * (1.0 + tree.passed[decision])
            if ahead > tree.chance[decision] * (1.0 + tree.passed[other]):
                decision = other
        child = _chosen(tree, decision, parameters[_EXPLORE])
        _visit(problem, work, tree, child, -stake, depth - 2, -high, -low)
        if work.stats[STOPPED] != 0:
            return
        tree.passed[decision] += 1
        total: float = 0.0
        for child in range(tree.successors[decision], tree.successors[decision] + tree.size[decision]):
            total -= tree.visits[child] * tree.value[child]
        tree.decided[decision] = total / tree.passed[decision]
    mean: float = 0.0
    share: float = 0.0
    for decision in range(first, first + tree.opened[node]):
        mean += tree.chance[decision] * tree.decided[decision]
        share += tree.chance[decision]
    tree.value[node] = mean / share


@kernel(inner=True)
def _grow(
    problem: Problem, work: Workspace, tree: Tree, stake: int, depth: int, low: float, high: float
) -> None:
    """Visit the root again and again, until the visits or the room for nodes are used up."""
    reserve = problem.max_outcomes * problem.max_successors
    for _ in range(int(problem.parameters[_VISITS])):
        if tree.used[_NODES] + reserve > tree.value.shape[0] or work.stats[STOPPED] != 0:
            break
        _visit(problem, work, tree, 0, stake, depth, low, high)


@kernel(inner=True)
def _begin(tree: Tree, state: State, static: float) -> None:
    """Make a state the root."""
    copy_state(state, tree.rows[0])
    tree.value[0], tree.visits[0], tree.outcomes[0], tree.opened[0] = static, 0, -1, 0
    tree.used[_NODES] = 1


@kernel(allocates=True)
def mcts_value(
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
    """Return the value of a chance node, see `NodeValue`; the window is ignored."""
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)
    tree = _new_tree(problem, state.shape[0])
    _begin(tree, state, static)
    _grow(problem, work, tree, stake, depth, low, high)
    value: float = tree.value[0]
    return value


@kernel(allocates=True)
def _decide(
    problem: Problem,
    work: Workspace,
    state: State,
    outcome: int,
    depth: int,
    rows: Int8Matrix,
    values: Float64Vector,
    visits: Int64Vector,
) -> int:
    """Write the successors of a decision, their values to the player who decides, and their visits."""
    tree = _new_tree(problem, state.shape[0])
    _begin(tree, state, 0.0)
    tree.outcomes[0], tree.many[0], tree.used[_DECISIONS] = 0, 1, 1
    tree.outcome[0], tree.chance[0], tree.passed[0] = outcome, 1.0, 0
    _grow(problem, work, tree, problem.stake, depth + 1, problem.low, problem.high)
    n: int = tree.size[0]
    for j in range(n):
        child = tree.successors[0] + j
        copy_state(tree.rows[child], rows[j])
        values[j], visits[j] = -tree.value[child], tree.visits[child]
    return n


def mcts(
    visits: int,
    widen: float = np.inf,
    power: float = 0.5,
    explore: float = 0.2,
    softness: float = 0.2,
    seed: int = 0,
) -> Algorithm:
    """Return the algorithm. By default, its numbers suit the points of backgammon.

    Args:
        visits: of the root of each tree, 1 or more.
        widen: a chance node has widen * visits**power outcomes open, at least one, or all; inf for all.
        power: see `widen`; 0 or more.
        explore: the weight of the bonus, in units of value, 0 or more.
        softness: the temperature of the softmax, in units of value, above 0.
        seed: of the order in which outcomes open, below 2**53.

    Raises:
        SettingError: an argument is not as described.
    """
    whole("visits", visits, 1)
    whole("seed", seed, 0, MOST_SEED)
    number("softness", softness, "a number above 0", _COLDEST)
    if widen != np.inf:
        number("widen", widen, "a number, 0 or more, or inf", 0.0)
    for name, value in (("power", power), ("explore", explore)):
        number(name, value, "a number, 0 or more", 0.0)
    numbers = (visits, widen, power, explore, softness, seed)
    return Algorithm(f"MCTS, {visits} visits", mcts_value, parameters=numbers, exact=False)


def decide_by_visits(search: TreeSearch, state: npt.ArrayLike, outcome: int, depth: int) -> Decision:
    """Decide by one tree. The best successor is the one with the most visits.

    Unlike the methods of the search, this does not check the game's contract: see `check_game`.

    Args:
        search: with the algorithm `mcts`, without `max_evaluations`.
        state: int8 [W], seen from the player who decides; its game is not over.
        outcome: the outcome of chance.
        depth: the horizon in plies, odd.

    Returns:
        All values are of the tree; `order` is by visits, then by values.

    Raises:
        SearchError: an argument is not as described.
    """
    game = search.game
    if len(search.problem.parameters) != _N_PARAMETERS:
        raise SearchError(f"{search.algorithm} by visits: expected the algorithm of `mcts`")
    if search.max_evaluations is not None:
        raise SearchError(f"max_evaluations {search.max_evaluations} by visits: expected no limit but visits")
    check_depth(depth, 1)
    checked: State = checked_states(game, state, (game.width,))
    check_decision(game, checked, outcome)
    work = Workspace.allocate(search.problem, game.width, 0, False, None)
    rows = np.empty((game.max_successors, game.width), np.int8)
    values, visits = np.empty(len(rows)), np.empty(len(rows), np.int64)
    n = _decide(search.problem, work, checked, outcome, depth, rows, values, visits)
    order = np.lexsort((-values[:n], -visits[:n]))
    kind = np.full(n, EXACT, np.int8)
    return Decision(rows[:n].copy(), values[:n].copy(), kind, order, (), Stats.of(work.stats), depth)
