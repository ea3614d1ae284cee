"""The games of a rollout: one compiled loop, and the choices of its players.

At depth 1 the choices follow from the outputs of the evaluator. At a greater depth each is a
search of its own, which begins with nothing in its memory; so a choice depends on the position
alone.
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
from gammon.core.luck_kernel import LuckBuffers, add_chances, roll_luck
from gammon.rules.board import SIZE, State
from gammon.rules.home import N_TWO_SIDED, at_home, rank_of
from gammon.rules.outcome import N_RESULTS
from gammon.search.algorithms import Search
from gammon.search.candidates import Candidates, begin_decision, drop_worst, search_candidates
from gammon.search.evaluation import best_reply, evaluate_leaves, fold_leaves
from gammon.search.game import NOT_OVER, Doubled, taken_value
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.stats import STOPPED
from gammon.search.workspace import TWICE, Workspace, begin_anew

#: The player rolls; or doubles, and the opponent takes, or passes.
ROLL, TAKE, PASS = range(3)
#: Values that differ by less are equal: sums over outcomes are rounded.
_EQUAL = 1e-6


@kernel(inner=True)
def best_play(
    search: Search,
    work: Workspace,
    room: Candidates,
    limits: Float64Vector,
    state: State,
    outcome: int,
    stake: int,
    depth: int,
) -> int:
    """Return the row of `room` that has the best successor, seen from the opponent.

    Args:
        search: a search by one of the Stars, with its filter.
        work: buffers for chance nodes of depth - 1.
        room: to be written into.
        limits: float64 [2], to be written into.
        state: int8 [26], seen from the player who decides.
        outcome: the roll.
        stake: of that player.
        depth: plies, odd.
    """
    problem = search.problem
    begin_anew(work)
    limits[0], limits[1] = -np.inf, np.inf
    problem.bounds(state, stake, problem.params, limits)
    low, high = limits[0], limits[1]
    n = begin_decision(problem, work, room, state, outcome, stake)
    search_candidates(search, work, room, n, 0, 1, stake, low, high)
    if depth > 1 and problem.filter.replies > 0:
        drop_worst(room, problem.filter)
    if room.progress[1] > 1:
        for below in range(2, depth, 2):
            search_candidates(search, work, room, room.progress[1], below, 1, stake, low, high)
    return int(room.order[0])


@kernel(inner=True)
def _rolled(
    search: Search, work: Workspace, limits: Float64Vector, state: State, stake: int, depth: int
) -> float:
    """Return what rolling is worth by a search of `depth` - 1 plies."""
    problem = search.problem
    limits[0], limits[1] = -np.inf, np.inf
    problem.bounds(state, stake, problem.params, limits)
    value: float = search.value(
        problem, work, state, 0.0, stake, bool(0), depth - 1, -np.inf, np.inf, limits[0], limits[1]
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
    """Return what happens to the cube before a roll: ROLL, TAKE or PASS.

    Args:
        search: as for `best_play`.
        work: as for `best_play`.
        limits: as for `best_play`.
        state: int8 [26], seen from the player on roll.
        outputs: float32 [1, K], those of the evaluator for the state.
        value: float32 [1], to be written into.
        stake: of the player on roll.
        double: what a double leads to.
        depth: plies, odd.

    Returns:
        The action, and what the values after it are multiplied by: more after a beaver.
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
        # Of equal values a pass is taken up: the opponent might err.
        return (PASS, 1.0) if rolled <= double.cash + _EQUAL else (ROLL, 1.0)
    if taken > rolled:
        return TAKE, double.beaver if after < 0.0 else double.factor
    return ROLL, 1.0


#: A game of this many turns ends with its static value.
_MOST_TURNS = 4096


class Plan(NamedTuple):
    """The way in which games are played.

    Attributes:
        seed: of the dice.
        depth: plies of a play, odd.
        cube_depth: plies of a decision about the cube, odd.
        truncate: a game ends after this many turns with its static value; 0 for never.
        doubles_first: whether the player may double who is on roll at the start.
        luck: whether the luck of the rolls is taken out.
        exact: whether a game ends where the tables of bearoffs have its position.
    """

    seed: np.uint64
    depth: int
    cube_depth: int
    truncate: int
    doubles_first: bool
    luck: bool
    exact: bool


class Room(NamedTuple):
    """Memory for one game at a time.

    Attributes:
        state: int8 [26], the position, seen from the player on roll.
        outputs: float32 [1, K], those of the evaluator for it.
        value: float32 [1].
        limits: float64 [2].
        results: float64 [6], the chances of the six results that a game comes to, to the player
            on roll at its start, less the luck in them.
        luck: for the luck of a roll.
        candidates: for those of a decision.
    """

    state: Int8Vector
    outputs: Float32Matrix
    value: Float32Vector
    limits: Float64Vector
    results: Float64Vector
    luck: LuckBuffers
    candidates: Candidates

    @classmethod
    def allocate(cls, outputs: int, candidates: Candidates) -> "Room":
        """Return memory.

        Args:
            outputs: K, of the evaluator.
            candidates: for those of a decision.
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
        values: float64 [C, n], the luck of the rolls taken out, if that was asked for.
        plain: float64 [C, n], as it came.
        chances: float64 [C, 6], the sums of the chances of the six results, with the luck
            taken out as that of `values`.
        turns: int64 [C], played in all games.
    """

    values: Float64Matrix
    plain: Float64Matrix
    chances: Float64Matrix
    turns: Int64Vector

    @classmethod
    def allocate(cls, count: int, trials: int) -> "Games":
        """Return room for n trials of C candidates."""
        return cls(
            np.zeros((count, trials)),
            np.zeros((count, trials)),
            np.zeros((count, N_RESULTS)),
            np.zeros(count, np.int64),
        )


@kernel(inner=True)
def _ends_here(plan: Plan, state: State, turn: int) -> bool:
    """Tell whether a game ends with the static value of its position, which is in play."""
    if turn in (plan.truncate, _MOST_TURNS):
        return True
    if not plan.exact or not at_home(state, False) or not at_home(state, True):
        return False
    return rank_of(state, False) < N_TWO_SIDED and rank_of(state, True) < N_TWO_SIDED


@kernel(inner=True)
def _move_to(work: Workspace, room: Room, best: int) -> None:
    """Make a reply that is left in `work` the position, with its outputs."""
    copy_state(work.rows[0, best], room.state)
    for k in range(room.outputs.shape[1]):
        room.outputs[0, k] = work.outputs[best, k]


@kernel(inner=True)
def _add_results(results: Float64Vector, sign: float, weight: float, out: Float64Vector) -> None:
    """Add numbers of the six results of a player to those of the player at the start.

    Args:
        results: float64 [6].
        sign: 1 if it is the same player, -1 if it is the opponent.
        weight: they are multiplied by it.
        out: float64 [6].
    """
    for k in range(N_RESULTS):
        out[k] += weight * results[k if sign > 0.0 else N_RESULTS - 1 - k]


@kernel(inner=True)
def _ask(problem: Problem, work: Workspace, room: Room) -> None:
    """Write the evaluator's outputs for the position."""
    evaluate_leaves(problem, work, room.state, room.state.reshape(1, -1), 1, room.outputs)


@kernel(inner=True)
def _play_game(
    search: Search,
    work: Workspace,
    room: Room,
    plan: Plan,
    shuffles: Int8Stack,
    trial: int,
    stake: int,
    scale: float,
) -> tuple[float, float, int]:
    """Play one game from `room.state`, which it changes.

    Returns:
        The result and what of it was luck, to the player on roll at the start, and the turns.
        They mean nothing if the games had to stop.
    """
    problem, state = search.problem, room.state
    lucks, sign, turn = 0.0, 1.0, 0
    for k in range(N_RESULTS):
        room.results[k] = 0.0
    _ask(problem, work, room)
    while True:
        value = problem.terminal(state, stake, problem.params)
        if value != NOT_OVER or work.stats[STOPPED] != 0:
            break
        if turn > 0 and _ends_here(plan, state, turn):
            fold_leaves(problem, work, room.outputs, 1, -stake, room.value)
            value = np.float64(room.value[0])
            break
        if turn > 0 or plan.doubles_first:
            double = problem.offer(stake, problem.params)
            action, factor = cube_action(
                search, work, room.limits, state, room.outputs, room.value, stake, double, plan.cube_depth
            )
            if action == PASS:
                value = double.cash
                break
            if action == TAKE:
                stake = double.stake
                scale *= factor
        thrown = roll_of_trial(shuffles, plan.seed, trial, turn)
        if plan.luck:
            luck = roll_luck(problem, work, room.luck, state, stake, thrown)
            lucks += sign * scale * luck
            _add_results(room.luck.results, sign, -1.0, room.results)
        if plan.depth > 1:
            best = best_play(search, work, room.candidates, room.limits, state, thrown, stake, plan.depth)
            copy_state(room.candidates.rows[best], state)
            _ask(problem, work, room)
        else:
            best, _ = best_reply(problem, work, state, thrown, stake)
            _move_to(work, room, best)
        stake, sign, turn = -stake, -sign, turn + 1
    for k in range(N_RESULTS):
        room.luck.results[k] = 0.0
    add_chances(state, room.outputs[0], 1.0, room.luck.results)  # of the last player to move
    _add_results(room.luck.results, -sign, 1.0, room.results)
    return sign * scale * value, lucks, turn


@kernel()
def play_trials(
    search: Search,
    work: Workspace,
    room: Room,
    plan: Plan,
    shuffles: Int8Stack,
    starts: Int8Matrix,
    stakes: Int64Vector,
    scales: Float64Vector,
    first: int,
    games: Games,
) -> None:
    """Play n trials of C candidates: all games of a trial have the same dice.

    If the games had to stop (`stats.STOPPED`), what is in `games` means nothing.

    Args:
        search: the game, the evaluator, and how deeper plays are searched.
        work: buffers for the deeper one of the two kinds of decisions.
        room: more of them.
        plan: how games are played.
        shuffles: of the dice.
        starts: int8 [C, 26], where they start, seen from the player on roll.
        stakes: int64 [C], of that player.
        scales: float64 [C], what the values at that stake are multiplied by.
        first: the number of the first trial.
        games: to be filled.
    """
    for c in range(starts.shape[0]):
        games.turns[c] = 0
        games.chances[c] = 0.0
        for i in range(games.values.shape[1]):
            copy_state(starts[c], room.state)
            result, luck, turns = _play_game(
                search, work, room, plan, shuffles, first + i, stakes[c], scales[c]
            )
            if work.stats[STOPPED] != 0:
                return
            games.values[c, i], games.plain[c, i] = result - luck, result
            games.turns[c] += turns
            for k in range(N_RESULTS):
                games.chances[c, k] += room.results[k]
