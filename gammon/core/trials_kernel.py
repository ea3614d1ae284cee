"""The games of a rollout: one compiled loop, and the choices of its players.

At depth 1 the choices follow from the evaluator's outputs. At a greater depth each choice is a
separate search with empty tables, so it depends only on the position.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Vector,
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Stack,
    Int8Vector,
    Int64Vector,
)
from gammon.core.dice import roll_of_trial
from gammon.core.luck_kernel import LuckBuffers, add_chances, estimated_luck
from gammon.rules.board import SIZE, State
from gammon.rules.home import N_TWO_SIDED, at_home, rank_of
from gammon.rules.outcome import N_RESULTS
from gammon.search.algorithms import Search, node_value
from gammon.search.candidates import Candidates, begin_decision, drop_worst, search_candidates
from gammon.search.evaluation import best_reply, evaluate_leaves, fold_leaves
from gammon.search.game import NOT_OVER, Doubled, taken_value
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.stats import STOPPED
from gammon.search.workspace import TWICE, Workspace, begin_anew

#: The player rolls; or the player doubles, and the opponent takes or passes.
ROLL, TAKE, PASS = range(3)
#: Values that differ by less count as equal: sums over outcomes are rounded.
_EQUAL = 1e-6


@kernel(inner=True)
def best_play(
    search: Search,
    work: Workspace,
    candidates: Candidates,
    limits: Float64Vector,
    state: State,
    outcome: int,
    stake: int,
    depth: int,
) -> int:
    """Return the row in `candidates.rows` of the best successor, seen from the opponent.

    Args:
        search: a search by one of the Stars, with its filter.
        work: buffers for chance nodes of depth - 1.
        candidates: scratch.
        limits: float64 [2], scratch.
        state: int8 [26], seen from the player who decides.
        outcome: the roll.
        stake: the stake of that player.
        depth: plies, odd.
    """
    problem = search.problem
    begin_anew(work)
    limits[0], limits[1] = -np.inf, np.inf
    problem.bounds(state, stake, problem.params, limits)
    low, high = limits[0], limits[1]
    n = begin_decision(problem, work, candidates, state, outcome, stake)
    search_candidates(search, work, candidates, n, 0, 1, stake, low, high)
    if depth > 1 and problem.filter.replies > 0:
        drop_worst(candidates, problem.filter)
    if candidates.progress[1] > 1:
        for below in range(2, depth, 2):
            search_candidates(search, work, candidates, candidates.progress[1], below, 1, stake, low, high)
    return int(candidates.order[0])


@kernel(inner=True)
def _rolled(
    search: Search, work: Workspace, limits: Float64Vector, state: State, stake: int, depth: int
) -> float:
    """Return the value of rolling by a search of `depth` - 1 plies."""
    problem = search.problem
    limits[0], limits[1] = -np.inf, np.inf
    problem.bounds(state, stake, problem.params, limits)
    value: float = node_value(
        search, work, state, 0.0, stake, bool(0), depth - 1, -np.inf, np.inf, limits[0], limits[1]
    )
    return value


@kernel(inner=True)
def cube_action(
    search: Search,
    work: Workspace,
    limits: Float64Vector,
    state: State,
    outputs: Float32Matrix,
    value: Float32Vector,
    stake: int,
    double: Doubled,
    depth: int,
) -> tuple[int, float]:
    """Return the cube action before a roll: ROLL, TAKE or PASS.

    Args:
        search: as for `best_play`.
        work: as for `best_play`.
        limits: as for `best_play`.
        state: int8 [26], seen from the player on roll.
        outputs: float32 [1, K], the evaluator's outputs for the state.
        value: float32 [1], scratch.
        stake: the stake of the player on roll.
        double: the consequences of a double.
        depth: plies, odd.

    Returns:
        The action, and the factor for later values: 1, `double.factor`, or `double.beaver`.
    """
    problem = search.problem
    if double.cash == NOT_OVER:
        return ROLL, 1.0
    if depth > 1:
        begin_anew(work)
        work.replies.marks[TWICE] = int(depth == 3)
        rolled = _rolled(search, work, limits, state, stake, depth)
        if double.ordered and rolled <= 0.0:
            return ROLL, 1.0
        after = _rolled(search, work, limits, state, double.stake, depth)
    else:
        problem.leaf.fold(outputs, 1, stake, problem.params, value)
        rolled = np.float64(value[0])
        problem.leaf.fold(outputs, 1, double.stake, problem.params, value)
        after = np.float64(value[0])
    taken = taken_value(double, after)
    if taken >= double.cash:
        # If rolling is worth as much as a pass, double: the opponent might err.
        return (PASS, 1.0) if rolled <= double.cash + _EQUAL else (ROLL, 1.0)
    if taken > rolled:
        return TAKE, double.beaver if after < 0.0 else double.factor
    return ROLL, 1.0


#: A game of this many turns ends with its static value.
_MOST_TURNS = 4096


class Plan(NamedTuple):
    """How games are played.

    Attributes:
        seed: the seed of the dice.
        depth: plies of a play, odd.
        cube_depth: plies of a cube decision, odd.
        truncate: a game ends after this many turns with its static value; 0 for never.
        doubles_first: whether the player on roll at the start may double.
        exact: whether a game ends where the two-sided bearoff table has its position.
    """

    seed: np.uint64
    depth: int
    cube_depth: int
    truncate: int
    doubles_first: bool
    exact: bool


class GameBuffers(NamedTuple):
    """Memory for one game at a time.

    Attributes:
        state: int8 [26], the position, seen from the player on roll.
        outputs: float32 [1, K], the evaluator's outputs for the position.
        value: float32 [1].
        limits: float64 [2].
        results: float64 [6], the chances of the six results at the end of the game, minus the
            luck in them, to the player on roll at the start.
        luck: memory for the luck of a roll.
        candidates: memory for the candidates of a decision.
    """

    state: Int8Vector
    outputs: Float32Matrix
    value: Float32Vector
    limits: Float64Vector
    results: Float64Vector
    luck: LuckBuffers
    candidates: Candidates

    @classmethod
    def allocate(cls, outputs: int, candidates: Candidates) -> "GameBuffers":
        """Allocate the memory.

        Args:
            outputs: K, the outputs of the evaluator.
            candidates: memory for the candidates of a decision.
        """
        return cls(
            np.zeros(SIZE, np.int8),
            np.zeros((1, outputs), np.float32),
            np.zeros(1, np.float32),
            np.zeros(2),
            np.zeros(N_RESULTS),
            LuckBuffers.allocate(),
            candidates,
        )


class Games(NamedTuple):
    """The results of n trials of C candidates, to the players on roll where they start.

    Attributes:
        values: float64 [C, n], the results minus the luck of the rolls.
        plain: float64 [C, n], the results without that correction.
        chances: float64 [C, 6], the sums of the chances of the six results, minus luck as in
            `values`.
        turns: int64 [C], the total turns of all games.
    """

    values: Float64Matrix
    plain: Float64Matrix
    chances: Float64Matrix
    turns: Int64Vector

    @classmethod
    def allocate(cls, count: int, trials: int) -> "Games":
        """Allocate memory for n trials of C candidates."""
        return cls(
            np.zeros((count, trials)),
            np.zeros((count, trials)),
            np.zeros((count, N_RESULTS)),
            np.zeros(count, np.int64),
        )


@kernel(inner=True)
def _ends_here(plan: Plan, state: State, turn: int) -> bool:
    """Return whether an unfinished game ends here, with the static value of its position."""
    if turn in (plan.truncate, _MOST_TURNS):
        return True
    if not plan.exact or not at_home(state, False) or not at_home(state, True):
        return False
    return rank_of(state, False) < N_TWO_SIDED and rank_of(state, True) < N_TWO_SIDED


@kernel(inner=True)
def _move_to(work: Workspace, buffers: GameBuffers, best: int) -> None:
    """Make a reply in `work` the current position, with its outputs."""
    copy_state(work.rows[0, best], buffers.state)
    for k in range(buffers.outputs.shape[1]):
        buffers.outputs[0, k] = work.outputs[best, k]


@kernel(inner=True)
def _add_results(results: Float64Vector, sign: float, weight: float, out: Float64Vector) -> None:
    """Add weighted numbers of a player's six results to the numbers of the starting player.

    Args:
        results: float64 [6], of the player.
        sign: 1 if the player is the starting player, -1 if the opponent.
        weight: the factor for `results`.
        out: float64 [6], of the starting player.
    """
    for k in range(N_RESULTS):
        out[k] += weight * results[k if sign > 0.0 else N_RESULTS - 1 - k]


@kernel(inner=True)
def _evaluate(problem: Problem, work: Workspace, buffers: GameBuffers) -> None:
    """Write the evaluator's outputs for the current position."""
    evaluate_leaves(problem, work, buffers.state, buffers.state.reshape(1, -1), 1, buffers.outputs)


@kernel(inner=True)
def _play_game(
    search: Search,
    work: Workspace,
    buffers: GameBuffers,
    plan: Plan,
    shuffles: Int8Stack,
    trial: int,
    stake: int,
    scale: float,
) -> tuple[float, float, int]:
    """Play one game from `buffers.state`, which it changes.

    Returns:
        The result and the luck in it, to the player on roll at the start, and the number of
        turns. They mean nothing if the games had to stop.
    """
    problem, state = search.problem, buffers.state
    lucks, sign, turn = 0.0, 1.0, 0
    for k in range(N_RESULTS):
        buffers.results[k] = 0.0
    _evaluate(problem, work, buffers)
    while True:
        value = problem.terminal(state, stake, problem.params)
        if value != NOT_OVER or work.stats[STOPPED] != 0:
            break
        if turn > 0 and _ends_here(plan, state, turn):
            fold_leaves(problem, work, buffers.outputs, 1, -stake, buffers.value)
            value = np.float64(buffers.value[0])
            break
        if turn > 0 or plan.doubles_first:
            double = problem.offer(stake, problem.params)
            action, factor = cube_action(
                search,
                work,
                buffers.limits,
                state,
                buffers.outputs,
                buffers.value,
                stake,
                double,
                plan.cube_depth,
            )
            if action == PASS:
                value = double.cash
                break
            if action == TAKE:
                stake = double.stake
                scale *= factor
        thrown = roll_of_trial(shuffles, plan.seed, trial, turn)
        luck = estimated_luck(problem, work, buffers.luck, state, stake, thrown)
        lucks += sign * scale * luck
        _add_results(buffers.luck.results, sign, -1.0, buffers.results)
        if plan.depth > 1:
            best = best_play(
                search, work, buffers.candidates, buffers.limits, state, thrown, stake, plan.depth
            )
            copy_state(buffers.candidates.rows[best], state)
            _evaluate(problem, work, buffers)
        else:
            best, _ = best_reply(problem, work, state, thrown, stake)
            _move_to(work, buffers, best)
        stake, sign, turn = -stake, -sign, turn + 1
    for k in range(N_RESULTS):
        buffers.luck.results[k] = 0.0
    add_chances(state, buffers.outputs[0], 1.0, buffers.luck.results)  # chances of the last mover
    _add_results(buffers.luck.results, -sign, 1.0, buffers.results)
    return sign * scale * value, lucks, turn


@kernel()
def play_trials(
    search: Search,
    work: Workspace,
    buffers: GameBuffers,
    plan: Plan,
    shuffles: Int8Stack,
    starts: Int8Matrix,
    stakes: Int64Vector,
    scales: Float64Vector,
    first: int,
    games: Games,
) -> None:
    """Play n trials of C candidates: all games of a trial have the same dice.

    If the games had to stop (`stats.STOPPED`), the contents of `games` mean nothing.

    Args:
        search: the game, the evaluator, and the algorithm for deeper plays.
        work: buffers for the deeper of plays and cube decisions.
        buffers: memory for one game.
        plan: how games are played.
        shuffles: the shuffles of the dice.
        starts: int8 [C, 26], the starting positions, seen from the player on roll.
        stakes: int64 [C], the stakes of these players.
        scales: float64 [C], the factors for the values at these stakes.
        first: the number of the first trial.
        games: to be filled.
    """
    for c in range(starts.shape[0]):
        games.turns[c] = 0
        games.chances[c] = 0.0
        for i in range(games.values.shape[1]):
            copy_state(starts[c], buffers.state)
            result, luck, turns = _play_game(
                search, work, buffers, plan, shuffles, first + i, stakes[c], scales[c]
            )
            if work.stats[STOPPED] != 0:
                return
            games.values[c, i], games.plain[c, i] = result - luck, result
            games.turns[c] += turns
            for k in range(N_RESULTS):
                games.chances[c, k] += buffers.results[k]
