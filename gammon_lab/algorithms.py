"""Two algorithms of E. Melko and B. Nagy for games of chance, in a form that `gammon.search` takes.

They come from "Optimal strategy in games with chance nodes" (2007). Give such a record in place of
the name of a built-in algorithm: `search.TreeSearch(game, leaf, GAMMA)`.

**Gamma pruning.** A successor of a decision is a chance node. Once a better successor is known, the
evaluation of this one can end as soon as its outcomes so far, with the best imaginable values for
the outcomes to come, are not enough. Gamma-A does this at the decisions of the player who is on roll
at the root, gamma-B at the opponent's decisions. As printed, the algorithms use the bound of the
outcome just evaluated as the value of the successor (`v` is updated inside the inner loop). Here the
value changes only after all its outcomes.

Unlike Star1, gamma pruning passes no window down. A decision knows only its own best successor, so
there are no deep cutoffs, and outcomes have no windows: every value is exact unless the node itself
is cut off. With both sides, gamma pruning cuts nothing that Star1 does not cut when Star1 takes the
outcomes in the same order.

**Chance that takes sides.** Both players play on, but chance favours the opponent (the minimal
guaranteed value, algorithm 7) or the player (the maximal possible value). Together with the expected
value, these values distinguish a safe choice from a gamble.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.algorithms import ALGORITHMS as BUILT_IN
from gammon.search.algorithms import Algorithm
from gammon.search.evaluation import leaf_value, leaf_values, open_node
from gammon.search.game import NOT_OVER, State
from gammon.search.picker import bring_next
from gammon.search.problem import Problem
from gammon.search.stats import SEARCH_CUTS, STOPPED, begin_node
from gammon.search.workspace import Workspace

#: The players at whose decisions gamma pruning prunes, or whose side chance takes.
ROLLER, OPPONENT, BOTH = 1, 2, 3


@kernel(inline=True)
def _opponents(sides: int) -> int:
    """Return the same sides, seen from a node with the other player on roll."""
    return sides if sides == BOTH else ROLLER + OPPONENT - sides


@kernel(inner=True, allocates=True)
def _gamma(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    sides: int,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node to the player on roll, or a bound of at least beta.

    `sides` is ROLLER, OPPONENT or BOTH: the players whose decisions prune. From beta on, the value
    may be a bound; beta is inf if the decision above does not prune.
    """
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)

    if not begin_node(work.stats):
        return 0.0
    limits, chance, rows, values = open_node(problem, state, stake, low, high)
    low, high = limits[0], limits[1]
    theirs = _opponents(sides)
    ties = np.zeros_like(values)
    seen: float = 0.0
    rest: float = 1.0
    for i in range(problem.outcomes(state, problem.params, chance)):
        if chance[i] == 0.0:
            continue
        n = problem.successors(state, i, problem.params, rows)
        leaf_values(problem, work, state, rows, n, stake, values)
        best = -np.inf
        for j in range(n):
            bring_next(problem, rows, values, ties, depth, j, n, 0)
            static = np.float64(values[j])
            bar = -best if sides & ROLLER else np.inf
            value = -_gamma(problem, work, rows[j], static, -stake, depth - 2, theirs, bar, -high, -low)
            if work.stats[STOPPED] != 0:
                return 0.0
            best = max(best, value)
        seen += chance[i] * best
        rest -= chance[i]
        if rest > 0.0 and seen + rest * low >= beta:
            work.stats[SEARCH_CUTS] += 1
            # Rounding must not carry the bound back below beta.
            return max(beta, seen + rest * low)
    return seen


@kernel()
def gamma(
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
    """Return the value of a chance node by gamma pruning; its window has no lower end."""
    sides = int(problem.parameters[0])
    return _gamma(problem, work, state, static, stake, depth, sides, beta, low, high)


@kernel(inner=True, allocates=True)
def _biased(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    side: int,
    low: float,
    high: float,
) -> float:
    """Return the value to the player on roll if chance always takes one side.

    `side` is the favoured player: ROLLER, the player on roll, or OPPONENT.
    """
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)

    if not begin_node(work.stats):
        return 0.0
    limits, chance, rows, values = open_node(problem, state, stake, low, high)
    low, high = limits[0], limits[1]
    good, theirs = side == ROLLER, _opponents(side)
    wanted = -np.inf if good else np.inf
    for i in range(problem.outcomes(state, problem.params, chance)):
        if chance[i] == 0.0:
            continue
        n = problem.successors(state, i, problem.params, rows)
        if depth == 2:
            leaf_values(problem, work, state, rows, n, stake, values)
        best = -np.inf
        for j in range(n):
            static = np.float64(values[j])
            value = -_biased(problem, work, rows[j], static, -stake, depth - 2, theirs, -high, -low)
            if work.stats[STOPPED] != 0:
                return 0.0
            best = max(best, value)
        wanted = max(wanted, best) if good else min(wanted, best)
    return wanted


@kernel()
def biased(
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
    """Return the value of a chance node if chance takes a side; the window is ignored."""
    side = int(problem.parameters[0])
    return _biased(problem, work, state, static, stake, depth, side, low, high)


#: Gamma pruning at the decisions of both sides, or of one. Where a search begins with a
#: decision, the opponent is on roll in the chance nodes below it.
GAMMA = Algorithm("gamma", gamma, parameters=(BOTH,), cuts=True)
GAMMA_A = Algorithm("gamma-a", gamma, parameters=(ROLLER,), below=(OPPONENT,), cuts=True)
GAMMA_B = Algorithm("gamma-b", gamma, parameters=(OPPONENT,), below=(ROLLER,))
GUARANTEED = Algorithm("guaranteed", biased, parameters=(OPPONENT,), below=(ROLLER,), exact=False)
POSSIBLE = Algorithm("possible", biased, parameters=(ROLLER,), below=(OPPONENT,), exact=False)
_OWN = GAMMA, GAMMA_A, GAMMA_B, GUARANTEED, POSSIBLE
#: The built-in algorithms and these, by name.
ALGORITHMS = BUILT_IN | {algorithm.name: algorithm for algorithm in _OWN}
