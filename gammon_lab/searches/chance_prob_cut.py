"""ChanceProbCut: Star2 that cuts a chance node where a shallower search predicts a cutoff.

M. Schadd, M. Winands and J. Uiterwijk, "ChanceProbCut: forward pruning in chance nodes" (CIG 2009), after
M. Buro's ProbCut: values of searches to different depths are strongly correlated. A regression on
positions of the game gives, for each depth, the line and the standard deviation of the error:

    value(d) = offset + slope * value(d - 2) + error

A node whose predicted value is beyond its window by `threshold` standard deviations is cut. We have read
the paper's abstract and introduction only; the details are ours. A prediction of depth 2 needs no search,
since it is from the static value.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.compiled.kernel import kernel
from gammon.search import TreeSearch
from gammon.search.algorithms import Algorithm
from gammon.search.evaluation import leaf_value, leaf_values
from gammon.search.game import NOT_OVER, Rows, State
from gammon.search.picker import begin_outcomes, bring_next, pick_probes, pick_replies, remember_reply
from gammon.search.problem import Problem
from gammon.search.star import SLACK, edge, star
from gammon.search.stats import PROBE_CUTS, PROBES, SEARCH_CUTS, STOPPED, TABLE_HITS, begin_node
from gammon.search.table import UNKNOWN, keep, look_up, zobrist
from gammon.search.workspace import Workspace

#: Indices of the parameters: the threshold, then three numbers for each depth from 2 on.
_THRESHOLD, _FIRST = 0, 1
#: Values that differ by less are equal but for rounding.
_EQUAL = 1e-9


class Prediction(NamedTuple):
    """The regression of the values of a depth on the values two plies less deep.

    Attributes:
        slope, offset: of the line. With a slope of 0 or less, as of equal values, it predicts nothing.
        sigma: the standard deviation of the error.
        correlation: of both values.
    """

    slope: float
    offset: float
    sigma: float
    correlation: float


def predictions(search: TreeSearch, states: Rows, depth: int) -> list[Prediction]:
    """Return the regressions for depths 2, 4, ... up to `depth`.

    Args:
        search: an exact search.
        states: int8 [N, W], at least three positions before a roll, none of them finished.
        depth: plies, even.
    """
    values = [[search.value(state, d).value for state in states] for d in range(0, depth + 1, 2)]
    lines = []
    for shallow, deep in pairwise(values):
        slope, offset, correlation = 0.0, float(np.mean(deep)), 0.0
        if min(np.ptp(shallow), np.ptp(deep)) > _EQUAL:
            slope, offset = np.polyfit(shallow, deep, 1).tolist()
            correlation = float(np.corrcoef(shallow, deep)[0, 1])
        errors = np.array(deep) - offset - slope * np.array(shallow)
        sigma = float(np.sqrt((errors**2).sum() / (len(errors) - 2)))
        lines.append(Prediction(slope, offset, sigma, correlation))
    return lines


def chance_prob_cut(lines: Sequence[Prediction], threshold: float) -> Algorithm:
    """Return the algorithm.

    Args:
        lines: the regressions for depths 2, 4, ...; chance nodes above the last of them are searched
            without predictions.
        threshold: standard deviations by which a prediction must be beyond the window; with inf, the
            values are exact.

    Raises:
        SettingError: the threshold is below 0, or the slope of a line is not above 0.
    """
    if not threshold >= 0.0 or not all(line.slope > 0.0 for line in lines):
        raise SettingError(
            f"ChanceProbCut, t = {shown(threshold)}, {shown(lines)}: expected rising lines, t >= 0"
        )
    numbers = [number for line in lines for number in line[:3]]
    return Algorithm(
        f"ChanceProbCut, t = {threshold:g}", chance_prob_cut_value, probes=1,
        parameters=(threshold, *numbers), exact=False, cuts=True,
    )  # fmt: skip


@kernel(inner=True)
def _node(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node, or a bound, as `star` does."""
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)
    level = depth // 2
    if alpha <= low:
        alpha = -np.inf
    if beta >= high:
        beta = np.inf
    # Step 1. Predict: the shallower value whose prediction lies `threshold` sigmas beyond the window.
    threshold, at = problem.parameters[_THRESHOLD], _FIRST + 3 * (level - 1)
    windowed = alpha > -np.inf or beta < np.inf
    if windowed and threshold < np.inf and at < problem.parameters.shape[0]:
        slope, offset = problem.parameters[at], problem.parameters[at + 1]
        away = threshold * problem.parameters[at + 2]
        lower, upper = (alpha - away - offset) / slope, (beta + away - offset) / slope
        shallow = static
        if depth > 2:
            shallow = _node(problem, work, state, static, stake, depth - 2, lower, upper, low, high)
        if work.stats[STOPPED] != 0:
            return 0.0
        known = shallow < np.inf  # a search may begin here without a static value
        if known and (shallow <= lower or shallow >= upper):
            work.stats[SEARCH_CUTS] += 1
            return alpha if shallow <= lower else beta
    # Step 2. The lowest chance nodes are those of Star2.
    if depth == 2:
        return star(problem, work, state, static, stake, bool(0), 2, alpha, beta, low, high)
    tabled = work.table.depth.shape[0] > 0
    key = np.uint64(0)
    if tabled:
        key = zobrist(work.table, state, stake)
        stored = look_up(work.table, key, depth, alpha, beta, bool(0))
        if stored != UNKNOWN:
            work.stats[TABLE_HITS] += 1
            return stored
    if not begin_node(work.stats):
        return 0.0
    outcomes = begin_outcomes(problem, work, state, stake, level, low, high)
    low, high = work.limits[level, 0], work.limits[level, 1]
    slack = SLACK * (high - low)
    sequence, chance, bound = work.sequence[level], work.chance[level], work.bound[level]
    rows, values, ties = work.rows[level - 1], work.values[level - 1], work.ties[level - 1]
    # Step 3. Probe a good reply to each outcome: `ahead` is the sum of P_i W_i with the W_i in `bound`.
    ahead: float = low
    if problem.probes > 0 and beta < np.inf:
        work.stats[PROBES] += 1
        for i in sequence[:outcomes]:
            n = pick_probes(problem, work, state, stake, key, depth, i)
            if tabled:  # the table's reply has no static value yet
                leaf_values(problem, work, state, rows, n, stake, values)
            enough = min(edge(beta - slack, 0.0, ahead - chance[i] * low, chance[i]), high)
            for j in range(n):
                value = -_node(
                    problem, work, rows[j], np.float64(values[j]), -stake, depth - 2,
                    -enough, -bound[i], -high, -low,
                )  # fmt: skip
                if work.stats[STOPPED] != 0:
                    return 0.0
                ahead += chance[i] * (max(bound[i], value) - bound[i])
                bound[i] = max(bound[i], value)
            if ahead >= beta - slack:
                work.stats[PROBE_CUTS] += 1
                if tabled:
                    keep(work.table, key, depth, alpha, beta, max(beta, ahead))
                return max(beta, ahead)
    # Step 4. Search the outcomes one by one until the value must be outside the window.
    seen: float = 0.0
    rest: float = 1.0
    for i in sequence[:outcomes]:
        p = chance[i]
        rest -= p
        ahead -= p * bound[i]
        lower = edge(alpha + slack, seen, high * rest, p)
        upper = edge(beta - slack, seen, ahead, p)
        enough = min(upper, high)
        n, placed = pick_replies(problem, work, state, stake, key, depth, i)
        best, best_row = -np.inf, 0
        for j in range(n):
            bring_next(problem, rows, values, ties, depth, j, n, placed)
            value = -_node(
                problem, work, rows[j], np.float64(values[j]), -stake, depth - 2,
                -enough, -max(lower, best), -high, -low,
            )  # fmt: skip
            if work.stats[STOPPED] != 0:
                return 0.0
            if value > best:
                best, best_row = value, j
                if best >= enough:
                    break
        remember_reply(problem, work, key, depth, i, rows[best_row])
        seen += p * best
        if best <= lower or best >= upper:
            work.stats[SEARCH_CUTS] += 1
            seen = min(alpha, seen + high * rest) if best <= lower else max(beta, seen + ahead)
            break
    if tabled:
        keep(work.table, key, depth, alpha, beta, seen)
    return seen


@kernel()
def chance_prob_cut_value(
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
    """Return the value of a chance node, see `NodeValue`."""
    return _node(problem, work, state, static, stake, depth, alpha, beta, low, high)
