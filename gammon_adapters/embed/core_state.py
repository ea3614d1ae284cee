"""The state of a searcher in C: all the memory that a thread needs, allocated once.

A program writes a question into the state, calls a function of `calls`, and reads the answer from
the state. The functions take no other argument, and allocate only a few numbers, so programs in any
language can call them (`packed_engine`).
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import copied
from gammon.compiled.records import (
    Float32Matrix,
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Stack,
    Int64Matrix,
    Int64Vector,
    UInt64Vector,
    trusted,
)
from gammon.core.dice import DIGITS, TURNS
from gammon.core.level import BLOCK
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.eval.principal import N_CHANCES, TOGETHER
from gammon.eval.width import load_width
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR
from gammon.rules.dice import roll_of
from gammon.rules.outcome import N_RESULTS
from gammon.rules.sequences import MoveSequences
from gammon.rules.terms import HIGHEST_CUBE, LONGEST_MATCH, Terms, payoff_at, stake_at, write_params
from gammon.search.algorithms import BOUNDED, Search, search_of
from gammon.search.candidates import Candidates
from gammon.search.checks import problem_of
from gammon.search.problem import Filter, Problem
from gammon.search.stats import N_COUNTS, NODE_LIMIT, UNLIMITED
from gammon.search.table import Table
from gammon.search.tasks import Tasks, candidates_below
from gammon.search.workspace import BATCH, CAPACITY, Workspace, begin_anew
from gammon_adapters.embed.layout import ANSWERS, QUESTION, number_of, slots
from gammon_adapters.embed.layout import width as numbers_of

#: The most plays of a roll. Positions in real games have less than half as many, and no position
#: has more than 3,060.
MOST_PLAYS = 1024
_POINTS, _OVER, _DICE = number_of("POINTS"), number_of("OVER"), number_of("DICE")
_SCORE, _RULES, _CUBE = number_of("SCORE"), number_of("RULES"), number_of("CUBE")
_AT = slots(QUESTION.whole)
_AT_DICE, _AT_LENGTH, _AT_AWAY = _AT["dice"], _AT["length"], _AT["away"]
_AT_CRAWFORD, _AT_JACOBY, _AT_BEAVERS = _AT["crawford"], _AT["jacoby"], _AT["beavers"]
_AT_CUBE, _AT_OWNER, _AT_DEAD = _AT["cube"], _AT["owner"], _AT["dead"]


@trusted
class CoreState(NamedTuple):
    """The memory of one thread, for decisions of one depth.

    Attributes:
        search: the search; `at_stake` replaces its stake by the stake of the question.
        work: buffers of the search.
        below: buffers for nodes below the root, see `tasks.candidates_below`.
        candidates: the results of the search for each play.
        tasks: the tasks of a search to depth 5 or more.
        depth: plies of a decision, odd.
        main: float64 [64, 64], the match equity table before the Crawford game, as in
            `MatchEquityTable`.
        post_crawford: float64 [64], the table after the Crawford game, as in `MatchEquityTable`.
        question: int64 [Q], see `layout.QUESTION`.
        whole: int64 [1024, W], the whole numbers of the answer: see `layout.PLAY`.
        real: float64 [1024, F], the real numbers of the answer.
        states: int8 [1, 26], the position.
        chosen: int64 [1], the roll.
        best: int8 [1, 26], the position after the best play.
        seeds: uint64 [0], as there is no noise.
        rules: int64 [7], see `terms.write_params`.
        result_equities: float64 [6], the equities of the results to the player on roll.
        sequences: memory for plays with their moves.
        outputs: float32 [64, K], the outputs of the evaluator.
        offsets: int64 [2], the begin and the end of a node's leaves.
        weights: float64 [1024], all -1: the weights of plays, after which the opponent is on roll.
        starts: int64 [1025], the numbers from 0 on: each play is its own only leaf.
        chances: float64 [1024, 5], the chances after each play.
        equities: float64 [1024], the equities of the plays.
        shallow: float64 [1024], the values of the plays by a shallower search.
        without: float64 [1024], the cubeless equities of the plays.
        order: int64 [1024], the plays, best first.
        values: float64 [2], the values of no double and of a double.
        game_values: float64 [1, 1], the value of a game, with luck taken out.
        game_unadjusted: float64 [1, 1], the value of a game, with its luck.
        game_chances: float64 [1, 6], the chances of the results of a game.
        shuffles: the shuffles of the dice, see `gammon.core.dice`.
        shuffled: int64 [1], the seed of the shuffles + 1; 0 before the first.
    """

    search: Search
    work: Workspace
    below: Candidates
    candidates: Candidates
    tasks: Tasks
    depth: int
    main: Float64Matrix
    post_crawford: Float64Vector
    question: Int64Vector
    whole: Int64Matrix
    real: Float64Matrix
    states: Int8Matrix
    chosen: Int64Vector
    best: Int8Matrix
    seeds: UInt64Vector
    rules: Int64Vector
    result_equities: Float64Vector
    sequences: MoveSequences
    outputs: Float32Matrix
    offsets: Int64Vector
    weights: Float64Vector
    starts: Int64Vector
    chances: Float64Matrix
    equities: Float64Vector
    shallow: Float64Vector
    without: Float64Vector
    order: Int64Vector
    values: Float64Vector
    game_values: Float64Matrix
    game_unadjusted: Float64Matrix
    game_chances: Float64Matrix
    shuffles: Int8Stack
    shuffled: Int64Vector

    @classmethod
    def allocate(cls, depth: int, model: str = "leaf") -> "CoreState":
        """Return a state with a shipped network and the shipped match equity table.

        Args:
            depth: plies of a decision: 1, 3, 5 or 7.
            model: the name of the network.

        Raises:
            ModelError: there is no such model.
        """
        leaf, probe = map(cubeful_evaluator, leaf_and_probe(model))
        game = backgammon(Terms())
        problem = problem_of(game, leaf, probe, BOUNDED, width=load_width())
        table = Table.at_depth(game, depth)
        work = Workspace.allocate(problem, game.width, depth - 1, True, table)
        capacity = work.leaf_rows.shape[1]
        met = read_met()
        return cls(
            search=search_of(problem, BOUNDED),
            work=work,
            below=candidates_below(game, work),
            candidates=Candidates.allocate(game, MOST_PLAYS, capacity),
            tasks=Tasks.allocate(game, MOST_PLAYS if depth > 3 else 1, MOST_PLAYS, capacity),
            depth=depth,
            main=met.main.copy(),
            post_crawford=met.post_crawford.copy(),
            question=np.zeros(numbers_of(QUESTION.whole), np.int64),
            whole=np.zeros((MOST_PLAYS, max(numbers_of(answer.whole) for answer in ANSWERS)), np.int64),
            real=np.zeros((MOST_PLAYS, max(numbers_of(answer.real) for answer in ANSWERS))),
            states=np.zeros((1, SIZE), np.int8),
            chosen=np.zeros(1, np.int64),
            best=np.zeros((1, SIZE), np.int8),
            seeds=np.zeros(0, np.uint64),
            rules=np.zeros(7, np.int64),
            result_equities=np.zeros(N_RESULTS),
            sequences=MoveSequences.allocate(),
            outputs=np.zeros((TOGETHER, leaf.outputs), np.float32),
            offsets=np.zeros(2, np.int64),
            weights=np.full(MOST_PLAYS, -1.0),
            starts=np.arange(MOST_PLAYS + 1),
            chances=np.zeros((MOST_PLAYS, N_CHANCES)),
            equities=np.zeros(MOST_PLAYS),
            shallow=np.zeros(MOST_PLAYS),
            without=np.zeros(MOST_PLAYS),
            order=np.zeros(MOST_PLAYS, np.int64),
            values=np.zeros(2),
            game_values=np.zeros((1, 1)),
            game_unadjusted=np.zeros((1, 1)),
            game_chances=np.zeros((1, N_RESULTS)),
            shuffles=np.zeros((TURNS, DIGITS, BLOCK), np.int8),
            shuffled=np.zeros(1, np.int64),
        )


@kernel(inner=True)
def fault_of_board(question: Int64Vector) -> int:
    """Return the fault of a position, the first 26 numbers of a question or a play; 0 for none."""
    own = 0
    their = 0
    for point in range(SIZE):
        count = question[point]
        if not -CHECKERS <= count <= CHECKERS:
            return _POINTS
        own += max(count, 0)
        their += max(-count, 0)
    if own > CHECKERS or their > CHECKERS or question[OWN_BAR] < 0 or question[THEIR_BAR] > 0:
        return _POINTS
    return _OVER if own == 0 or their == 0 else 0


@kernel(inner=True)
def _fault_of_terms(question: Int64Vector) -> int:
    """Return the fault of the terms, by the rules of `Terms.checked`; 0 for none."""
    length, own, their = question[_AT_LENGTH], question[_AT_AWAY], question[_AT_AWAY + 1]
    crawford, cube, owner = question[_AT_CRAWFORD], question[_AT_CUBE], question[_AT_OWNER]
    least = min(length, 1)
    if not 0 <= length <= LONGEST_MATCH:
        return _SCORE
    if not (least <= own <= length and least <= their <= length):
        return _SCORE
    for flag in (crawford, question[_AT_JACOBY], question[_AT_BEAVERS], question[_AT_DEAD]):
        if not 0 <= flag <= 1:
            return _RULES
    if crawford != 0 and (own == 1) == (their == 1):
        return _RULES
    if length > 0 and (question[_AT_JACOBY] != 0 or question[_AT_BEAVERS] != 0):
        return _RULES
    if not 0 <= cube <= HIGHEST_CUBE or cube & (cube - 1) != 0 or not -1 <= owner <= 1:
        return _CUBE
    turned = cube > 1
    if (owner != 0 and not turned) or (owner == 0 and turned and length > 0):
        return _CUBE
    return _CUBE if crawford != 0 and turned else 0


@kernel(inner=True)
def fault_of(question: Int64Vector, dice: int) -> int:
    """Return the fault of a question, a negative number of `layout.FAULTS`; 0 for none.

    Args:
        question: see `layout.QUESTION`.
        dice: how many dice the question must have, 0 to 2; with 1, the second die may be 0.
    """
    fault = fault_of_board(question)
    if fault == 0 and dice > 0:
        for die in range(2):
            if not int(die < dice) <= question[_AT_DICE + die] <= 6:
                fault = _DICE
    if fault == 0:
        fault = _fault_of_terms(question)
    return fault


@kernel(inner=True)
def begin(core: CoreState) -> int:
    """Prepare a core for its question, and return the stake of the player on roll.

    The parameters of the game are written, and earlier results are cleared, except those in the
    scratch of the evaluator.
    """
    question, rules, work = core.question, core.rules, core.work
    length = question[_AT_LENGTH]
    rules[0], rules[1], rules[2] = length, question[_AT_AWAY], question[_AT_AWAY + 1]
    rules[3], rules[4] = question[_AT_CRAWFORD], question[_AT_JACOBY]
    rules[5], rules[6] = question[_AT_BEAVERS], 1 - question[_AT_DEAD]
    write_params(rules, core.main, core.post_crawford, core.search.problem.params)
    level = 0
    while 2 << level <= question[_AT_CUBE]:
        level += 1
    for point in range(SIZE):
        core.states[0, point] = question[point]
    core.chosen[0] = roll_of(question[_AT_DICE], question[_AT_DICE + 1])
    for what in range(N_COUNTS):
        work.stats[what] = 0
    work.stats[NODE_LIMIT] = UNLIMITED
    rows = work.replies.rows.shape[0] - BATCH - core.search.problem.max_successors
    work.replies.marks[CAPACITY] = rows
    begin_anew(work)
    return stake_at(length, level, question[_AT_OWNER])


@kernel(inner=True)
def at_stake(search: Search, stake: int) -> Search:
    """Return a search at another stake."""
    old = search.problem
    problem = Problem(
        old.outcomes, old.successors, old.terminal, old.bounds, old.offer, old.params, stake,
        payoff_at(stake, 0, old.params), payoff_at(stake, N_RESULTS - 1, old.params),
        old.max_outcomes, old.max_successors, copied(old.leaf), copied(old.probe), copied(old.width),
        old.bounded, old.probes, old.parameters, old.sigma, old.noise_seed, copied(old.options),
        copied(old.filter), old.doubles,
    )  # fmt: skip
    return Search(problem, search.value, search.cuts, search.keeps_leaves, search.divides)


@kernel(inner=True)
def with_filter(search: Search, replies: int, margin: float) -> Search:
    """Return a search with another filter, whose fields are those of `Filter`."""
    old = search.problem
    problem = Problem(
        old.outcomes, old.successors, old.terminal, old.bounds, old.offer, old.params, old.stake,
        old.low, old.high, old.max_outcomes, old.max_successors, copied(old.leaf), copied(old.probe),
        copied(old.width), old.bounded, old.probes, old.parameters, old.sigma, old.noise_seed,
        copied(old.options), Filter(replies, margin, old.filter.node_bounds), old.doubles,
    )  # fmt: skip
    return Search(problem, search.value, search.cuts, search.keeps_leaves, search.divides)
