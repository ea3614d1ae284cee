"""The functions for C: each reads the question in a `CoreState`, and writes the answer there.

They return the number of rows of the answer, or a negative number, the fault of the question
(`layout.FAULTS`). The answers equal those of `gammon.Engine` with one thread and no time limit, to
the last bit.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import copied
from gammon.compiled.records import Float64Vector, Int64Vector
from gammon.core.dice import write_shuffles
from gammon.core.level import BLOCK
from gammon.core.luck_kernel import LuckBuffers
from gammon.core.trials_kernel import GameBuffers, Games, Plan, play_trials
from gammon.core.values import ROUNDING, best_first, is_open, scale_at, without_cube, write_result_equities
from gammon.engine.luck import luck_of_roll
from gammon.eval.principal import N_CHANCES, write_means
from gammon.games.backgammon import FILTERS
from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS
from gammon.rules.outcome import N_RESULTS
from gammon.rules.sequences import MOVE, MOVES, find_moves, find_plays
from gammon.rules.terms import MATCH
from gammon.search.algorithms import value_kernel
from gammon.search.candidates import BOUND, EXACT
from gammon.search.decide_kernel import decide_kernel
from gammon.search.game import NOT_OVER, Params
from gammon.search.problem import Filter
from gammon.search.stats import STOPPED
from gammon.search.two_stakes import cube_kernel
from gammon.search.workspace import begin_anew
from gammon_adapters.embed.core_state import CoreState, at_stake, begin, fault_of, fault_of_board, with_filter
from gammon_adapters.embed.layout import (
    CUBE,
    GAME,
    MOST_COMPARED,
    PLAY,
    POSITION,
    QUESTION,
    REASONS,
    ROLL,
    number_of,
    slots,
)
from gammon_study.reviews.choice import NO_DOUBLE, TAKE, cube_loss
from gammon_study.reviews.reasons_kernel import (
    cube_bits,
    play_bits,
    position_bits,
    score_bits,
    write_reasons,
    write_sides,
)

_HALTED, _PLAYS = number_of("STOPPED"), number_of("PLAYS")
_CUBE_FAULT, _GAMES, _TOP = number_of("CUBE"), number_of("GAMES"), number_of("TOP")
_RULES, _POINTS = number_of("RULES"), number_of("POINTS")
_COMPARED, _ACTION = number_of("COMPARED"), number_of("ACTION")
_AT = slots(QUESTION.whole)
_AT_DICE, _AT_TOP = _AT["dice"], _AT["top"]
_AT_SEED, _AT_TRIAL, _AT_TRUNCATE = _AT["seed"], _AT["trial"], _AT["truncate"]
_AT_LENGTH, _AT_AWAY, _AT_CUBE = _AT["length"], _AT["away"], _AT["cube"]
_AT_COMPARED, _AT_ACTION = _AT["compared"], _AT["action"]
_AT_DOUBLED, _AT_MAY_BEGIN, _AT_FIRST = _AT["doubled"], _AT["may_begin"], _AT["first"]
_AT_FILTER = _AT["filter"]
_WHOLE, _REAL = slots(PLAY.whole), slots(PLAY.real)
_MOVES, _KIND, _DEPTH = _WHOLE["moves"], _WHOLE["kind"], _WHOLE["depth"]
_EQUITY, _MWC, _CUBELESS = _REAL["equity"], _REAL["mwc"], _REAL["cubeless"]
_BOUND = _REAL["bound"]
_CHANCES = _REAL["chances"]
_CUBE = slots(CUBE.real)
_CUBE_EQUITY, _CUBE_MWC, _CUBE_CHANCES = _CUBE["equity"], _CUBE["mwc"], _CUBE["chances"]
_WORTH = slots(POSITION.real)
_AT_EQUITY, _AT_MWC, _AT_CHANCES = _WORTH["equity"], _WORTH["mwc"], _WORTH["chances"]
_AT_RESULTS = _WORTH["results"]
_ROLL = slots(ROLL.real)
_ROLL_LUCK, _ROLL_MEAN = _ROLL["luck"], _ROLL["mean"]
_GAME = slots(GAME.real)
_GAME_EQUITY, _GAME_UNADJUSTED, _GAME_MWC = _GAME["equity"], _GAME["unadjusted"], _GAME["mwc"]
_GAME_RESULTS = _GAME["results"]
_THEMES, _LOSS = slots(REASONS.whole)["themes"], slots(REASONS.real)["loss"]
#: The number of plays with values of the full depth, unless a question gives another number.
_USUAL_TOP = 10
#: The largest number of a first game, as the numbers of games are int64.
_MOST_TRIAL = 2**63 - 1 - BLOCK
#: The fields of the move filters by their number in a question.
_FILTERS = (Filter(), *FILTERS.values())
_REPLIES = np.array([each.replies for each in _FILTERS])
_MARGINS = np.array([each.margin for each in _FILTERS])


@kernel(inner=True)
def _mwc(value: float, params: Params) -> float:
    """Return the chance to win the match from a value; for money 0.

    The sums of a search are rounded, so a value may be slightly beyond a certain win or loss. The
    chance is clipped to 0 to 1.
    """
    if params[MATCH] == 0.0:
        return 0.0
    return float(min(max(0.5 * (1.0 + value), 0.0), 1.0))


@kernel(inner=True)
def _write_play(core: CoreState, row: int, at: int, slot: int) -> None:
    """Write a play, with its moves, into a row of the answer.

    Args:
        core: the state, with the plays of the roll in its `sequences`.
        row: the row of the answer.
        at: the index of the play.
        slot: see `sequences.find_plays`.
    """
    whole = core.whole[row]
    for point in range(SIZE):
        whole[point] = core.sequences.boards[slot, at, point]
    for k in range(MOVES * MOVE):
        whole[_MOVES + k] = core.sequences.moves[slot, at, k]


@kernel(inner=True)
def _find(core: CoreState, slot: int, candidate: int) -> int:
    """Return the index of the play that leads to a candidate's position."""
    row = core.candidates.rows[candidate]
    for at in range(core.sequences.counts[slot]):
        same = True
        for point in range(SIZE):
            same &= core.sequences.boards[slot, at, point] == -row[SIZE - 1 - point]
        if same:
            return at
    return 0


@kernel(inner=True)
def _find_plays(core: CoreState, least: int) -> tuple[int, int, int]:
    """Prepare the core for a question about a roll, and find the legal plays.

    Args:
        core: the state, with the question.
        least: how many dice the question must have; with one die the moves by it are found.

    Returns:
        The stake of the player on roll, the slot of the plays in `sequences`, and their number, or
        the fault of the question.
    """
    fault = fault_of(core.question, least)
    if fault < 0:
        return 0, 0, fault
    stake = begin(core)
    dice = core.question[_AT_DICE : _AT_DICE + 2]
    if dice[1] == 0:
        slot = find_moves(core.states[0], dice[0], core.sequences)
    else:
        slot = find_plays(core.states[0], dice[0], dice[1], core.sequences)
    n: int = core.sequences.counts[slot]
    return stake, slot, n if n <= core.whole.shape[0] else _PLAYS


@kernel()
def list_plays(core: CoreState) -> int:
    """Write the legal plays of a roll with their moves, and return their number.

    With 0 for the second die, they are the moves of one checker by the first die.
    """
    _, slot, n = _find_plays(core, 1)
    for at in range(n):
        _write_play(core, at, at, slot)
        core.whole[at, _KIND] = core.whole[at, _DEPTH] = 0
        for k in range(core.real.shape[1]):
            core.real[at, k] = 0.0
    return n


@kernel(inner=True)
def _search_plays(core: CoreState, stake: int, depth: int, top: int) -> bool:
    """Search the plays to a depth, and return whether the search was stopped."""
    begin_anew(core.work)
    search = at_stake(core.search, stake)
    decide_kernel(
        search, core.work, core.below, core.candidates, core.tasks, core.states, core.chosen,
        core.seeds, 0, depth, top, core.best,
    )  # fmt: skip
    stopped: bool = core.work.stats[STOPPED] != 0
    core.work.stats[STOPPED] = 0
    return stopped


@kernel(inner=True)
def _write_chances(core: CoreState, n: int, depth: int, leading: int) -> None:
    """Write the chances of plays that were searched to a depth.

    At depth 1 the network gives the chances of all n plays; else the principal leaves give the
    chances of the `leading` plays.
    """
    candidates, leaf = core.candidates, core.search.problem.leaf
    scratch = core.work.scratch
    if depth == 1:
        write_means(leaf, scratch, core.outputs, candidates.rows, core.weights, core.starts, core.chances[:n])
        return
    core.offsets[0] = 0
    for first in range(leading):
        j = candidates.order[first]
        slot = candidates.slot[j]
        core.offsets[1] = candidates.leaf_count[slot]
        write_means(
            leaf,
            scratch,
            core.outputs,
            candidates.leaf_rows[slot],
            candidates.leaf_weight[slot],
            core.offsets,
            core.chances[j : j + 1],
        )


@kernel(inner=True)
def _search_play(core: CoreState, stake: int, j: int) -> bool:
    """Compute the value and chances of a play to the full depth, and return whether the search was stopped.

    Args:
        core: the state, with the plays.
        stake: the stake of the opponent, who is on roll after the play.
        j: the index of the play.
    """
    search, work, chances = at_stake(core.search, stake), core.work, core.chances[j]
    begin_anew(work)
    value = value_kernel(search, work, core.candidates.rows[j], bool(1), core.depth - 1, -np.inf, np.inf)
    stopped: bool = work.stats[STOPPED] != 0
    work.stats[STOPPED] = 0
    if stopped:
        return True
    level = (core.depth - 1) // 2
    core.offsets[0], core.offsets[1] = 0, work.leaf_count[level]
    write_means(
        core.search.problem.leaf,
        work.scratch,
        core.outputs,
        work.leaf_rows[level],
        work.leaf_weight[level],
        core.offsets,
        core.chances[j : j + 1],
    )
    core.candidates.kind[j], core.candidates.values[j] = EXACT, -value
    chances[0] = 1.0 - chances[0]
    chances[1], chances[3] = chances[3], chances[1]
    chances[2], chances[4] = chances[4], chances[2]
    return False


@kernel()
def analyze(core: CoreState) -> int:
    """Write the plays of a roll with their equities, best first, and return their number.

    The first `top` plays are searched to the full depth; at depth 1 all are. The others have the
    equities of a search two plies shallower, except that plays above the worst of the first are
    searched to the full depth, too. If a bound is as high as the best equity, at least ten plays are.
    """
    if core.question[_AT_TOP] < 0:
        return _TOP
    stake, slot, n = _find_plays(core, 2)
    if n < 0:
        return n
    candidates = core.candidates
    params = core.search.problem.params
    top = core.question[_AT_TOP] if core.question[_AT_TOP] > 0 else _USUAL_TOP
    top = n if core.depth == 1 else min(top, n)
    shallow = max(core.depth - 2, 1)
    if top < n:
        if _search_plays(core, stake, shallow, n):
            return _HALTED
        _write_chances(core, n, shallow, n)
        for j in range(n):
            core.shallow[j] = candidates.values[j]
    if _search_plays(core, stake, core.depth, top):
        return _HALTED
    best, more = candidates.order[0], min(_USUAL_TOP, n)
    if top < more and is_open(candidates.values, candidates.kind, best, n, stake, params):
        top = more
        if _search_plays(core, stake, core.depth, top):
            return _HALTED
    _write_chances(core, n, core.depth, top)
    write_result_equities(stake, params, core.result_equities)
    zero, unit = scale_at(stake, params)
    floor = candidates.values[candidates.order[top - 1]]
    for first in range(top, n):
        j = candidates.order[first]
        candidates.kind[j] = BOUND  # also for an exact value, as it has no chances
        above = core.shallow[j] > floor + ROUNDING
        if above and _search_play(core, -stake, j):
            return _HALTED
    without_cube(core.chances[:n], core.result_equities, core.without)
    for j in range(n):
        if candidates.kind[j] == EXACT:
            core.shallow[j] = candidates.values[j]
        core.equities[j] = (core.shallow[j] - zero) / unit
        core.order[j] = candidates.order[j]
    core.offsets[0], core.offsets[1] = 0, n
    best_first(core.equities, candidates.kind, core.without, bool(1), core.offsets, core.order)
    for row in range(n):
        j = core.order[row]
        _write_play(core, row, _find(core, slot, j), slot)
        whole, real = core.whole[row], core.real[row]
        exact = candidates.kind[j] == EXACT
        whole[_KIND], whole[_DEPTH] = candidates.kind[j], core.depth if exact else shallow
        real[_EQUITY], real[_CUBELESS] = core.equities[j], core.without[j]
        real[_BOUND] = (candidates.values[j] - zero) / unit
        real[_MWC] = _mwc(core.shallow[j], params)
        for k in range(N_CHANCES):
            real[_CHANCES + k] = core.chances[j, k]
    return n


@kernel(inner=True)
def _write_node_chances(core: CoreState, at: int) -> None:
    """Write the chances of the latest searched node, from its principal leaves, into row 0."""
    level, work = (core.depth - 1) // 2, core.work
    core.offsets[0], core.offsets[1] = 0, work.leaf_count[level]
    write_means(
        core.search.problem.leaf,
        work.scratch,
        core.outputs,
        work.leaf_rows[level],
        work.leaf_weight[level],
        core.offsets,
        core.chances[:1],
    )
    for k in range(N_CHANCES):
        core.real[0, at + k] = core.chances[0, k]


@kernel()
def decide_cube(core: CoreState) -> int:
    """Write the values of no double, of double and take, and of double and pass."""
    fault = fault_of(core.question, 0)
    if fault < 0:
        return fault
    stake, params = begin(core), core.search.problem.params
    search, state, depth = at_stake(core.search, stake), core.states[0], core.depth - 1
    double = search.problem.offer(stake, params)
    real, values = core.real[0], core.values
    allowed = double.cash != NOT_OVER
    if allowed:
        cube_kernel(search, double, core.work, core.below, state, depth, values)
    else:
        values[0] = value_kernel(search, core.work, state, bool(0), depth, -np.inf, np.inf)
        values[1] = 0.0
    if core.work.stats[STOPPED] != 0:
        core.work.stats[STOPPED] = 0
        return _HALTED
    zero, unit = scale_at(stake, params)
    for choice in range(3):
        value = values[0]
        if choice > 0:
            value = double.factor * values[1] if choice == 1 else double.cash
        used = allowed or choice == 0
        real[_CUBE_EQUITY + choice] = (value - zero) / unit if used else 0.0
        real[_CUBE_MWC + choice] = _mwc(value, params) if used else 0.0
    core.whole[0, 0] = int(allowed)
    _write_node_chances(core, _CUBE_CHANCES)
    return 1


@kernel()
def evaluate(core: CoreState) -> int:
    """Write the value of a position to the player on roll, who may double first."""
    fault = fault_of(core.question, 0)
    if fault < 0:
        return fault
    stake, params = begin(core), core.search.problem.params
    value = value_kernel(
        at_stake(core.search, stake), core.work, core.states[0], bool(1), core.depth - 1, -np.inf, np.inf
    )
    if core.work.stats[STOPPED] != 0:
        core.work.stats[STOPPED] = 0
        return _HALTED
    zero, unit = scale_at(stake, params)
    core.real[0, _AT_EQUITY] = (value - zero) / unit
    core.real[0, _AT_MWC] = _mwc(value, params)
    write_result_equities(stake, params, core.result_equities)
    for result in range(N_RESULTS):
        core.real[0, _AT_RESULTS + result] = core.result_equities[result]
    _write_node_chances(core, _AT_CHANCES)
    return 1


@kernel()
def weigh_roll(core: CoreState) -> int:
    """Write the luck of a roll, and return 1."""
    question = core.question
    fault = fault_of(question, 2)
    if fault < 0:
        return fault
    if not 0 <= question[_AT_FIRST] <= 1:
        return _RULES
    stake, problem, first = begin(core), core.search.problem, question[_AT_FIRST] != 0
    luck, mean = luck_of_roll(problem, core.work, core.states[0], core.chosen[0], stake, first)
    zero, unit = scale_at(stake, problem.params)
    core.real[0, _ROLL_LUCK], core.real[0, _ROLL_MEAN] = luck / unit, (mean - zero) / unit
    return 1


@kernel(inner=True)
def _game_buffers(core: CoreState) -> tuple[GameBuffers, Games, Int64Vector, Float64Vector]:
    """Return memory for a game, and vectors of one element for its stake and the scale of its values.

    Most of it is memory that is also used for plays: browsers limit a function of WebAssembly to
    1,000 parameters, and a core has nearly as many.
    """
    luck = LuckBuffers(core.sequences.boards[0], core.order[:N_ROLLS], core.equities[:N_RESULTS])
    buffers = GameBuffers(
        core.best[0],
        core.outputs[:1],
        core.outputs[1],
        core.values,
        core.result_equities,
        luck,
        copied(core.candidates),
    )
    turns, stakes = core.order[N_ROLLS : N_ROLLS + 1], core.offsets[:1]
    games = Games(core.game_values, core.game_unadjusted, core.game_chances, turns)
    return buffers, games, stakes, core.without[:1]


@kernel()
def play_games(core: CoreState) -> int:
    """Write 36 games that are played from a position, and return their number.

    A search to the core's depth decides plays and doubles; the question's filter holds for plays. If
    the number of the first game is a multiple of 36, each of the 36 first rolls occurs once.
    """
    question = core.question
    fault = fault_of(question, 0)
    if fault < 0:
        return fault
    seed, first, turns = question[_AT_SEED], question[_AT_TRIAL], question[_AT_TRUNCATE]
    chosen = question[_AT_FILTER]
    if seed < 0 or first < 0 or turns < 0 or first > _MOST_TRIAL or not 0 <= chosen < len(_REPLIES):
        return _GAMES
    for flag in (question[_AT_DOUBLED], question[_AT_MAY_BEGIN]):
        if not 0 <= flag <= 1:
            return _RULES
    stake, params = begin(core), core.search.problem.params
    zero, unit = scale_at(stake, params)
    margin = _MARGINS[chosen] * abs(unit)
    search, work = with_filter(at_stake(core.search, stake), _REPLIES[chosen], margin), core.work
    double = search.problem.offer(stake, params)
    other = search.problem.offer(-stake, params)
    # In a match with a live cube the bearoff tables do not give the value of a game.
    exact = params[MATCH] == 0.0 or (double.cash == NOT_OVER and other.cash == NOT_OVER)
    start, scale = stake, 1.0
    if question[_AT_DOUBLED] != 0:
        if double.cash == NOT_OVER:
            return _CUBE_FAULT
        start, scale = double.stake, double.factor
    if core.shuffled[0] != seed + 1:
        write_shuffles(np.uint64(seed), core.shuffles)
        core.shuffled[0] = seed + 1
    plan = Plan(np.uint64(seed), core.depth, core.depth, turns, question[_AT_MAY_BEGIN] != 0, exact)
    buffers, games, stakes, scales = _game_buffers(core)
    stakes[0], scales[0] = start, scale
    for i in range(BLOCK):
        play_trials(search, work, buffers, plan, core.shuffles, core.states, stakes, scales, first + i, games)
        if work.stats[STOPPED] != 0:
            work.stats[STOPPED] = 0
            return _HALTED
        real, value = core.real[i], games.values[0, 0]
        core.whole[i, 0] = games.turns[0]
        real[_GAME_EQUITY] = (value - zero) / unit
        real[_GAME_UNADJUSTED] = (games.plain[0, 0] - zero) / unit
        real[_GAME_MWC] = 0.5 * (1.0 + value) if params[MATCH] != 0.0 else 0.0
        for result in range(N_RESULTS):
            real[_GAME_RESULTS + result] = games.chances[0, result]
    return BLOCK


@kernel(inner=True)
def _themes(core: CoreState, own: int, their: int) -> int:
    """Return the themes of the position, and of the score.

    Args:
        core: the state, with the question.
        own: the place in the question of the points that the player who decides needs.
        their: the place of the points that the opponent needs.
    """
    question, sides = core.question, core.sequences.boards[1, :2]
    write_sides(core.states[0], sides)
    at_score = score_bits(question[_AT_LENGTH], question[own], question[their], max(question[_AT_CUBE], 1))
    return position_bits(sides) | at_score


@kernel()
def explain_play(core: CoreState) -> int:
    """Write why a play was wrong, and the themes of the decision, and return 1.

    The rows of the core have the plays to compare, as `analyze` writes them: the play that was
    made, the best play, and others. A single play is compared with itself.
    """
    fault = fault_of(core.question, 0)
    if fault < 0:
        return fault
    n = core.question[_AT_COMPARED]
    if not 1 <= n <= MOST_COMPARED:
        return _COMPARED
    boards, chances = core.sequences.boards[0, : max(n, 2)], core.chances
    for row in range(max(n, 2)):
        play = min(row, n - 1)
        if fault_of_board(core.whole[play]) == _POINTS:
            return _POINTS
        for place in range(SIZE):
            boards[row, place] = core.whole[play, place]
        for k in range(N_CHANCES):
            chances[row, k] = core.real[play, _CHANCES + k]
    error = core.real[min(1, n - 1), _EQUITY] - core.real[0, _EQUITY]
    stake, params = begin(core), core.search.problem.params
    write_result_equities(stake, params, core.result_equities)
    double = core.search.problem.offer(stake, params)
    other = core.search.problem.offer(-stake, params)
    dead = double.cash == NOT_OVER and other.cash == NOT_OVER
    whole, state = core.whole[0], core.states[0]
    whole[_THEMES] = _themes(core, _AT_AWAY, _AT_AWAY + 1) | play_bits(state, boards)
    write_reasons(
        state, boards, chances, core.result_equities, dead, error, core.sequences.boards[1, :2],
        core.work.rows[0], core.equities, whole[_THEMES + 1 :], core.real[0],
    )  # fmt: skip
    core.real[0, _LOSS] = 0.0
    return 1


@kernel()
def explain_cube(core: CoreState) -> int:
    """Write the loss of a choice about the cube, and the themes of the decision, and return 1.

    The first row of the core has the equities, as `decide_cube` writes them.
    """
    fault = fault_of(core.question, 0)
    if fault < 0:
        return fault
    action, real = core.question[_AT_ACTION], core.real[0]
    if not NO_DOUBLE <= action <= TAKE + 1:
        return _ACTION
    begin(core)
    stay, taken = real[_CUBE_EQUITY], real[_CUBE_EQUITY + 1]
    passed = real[_CUBE_EQUITY + 2]
    answers = int(action >= TAKE)
    themes = _themes(core, _AT_AWAY + answers, _AT_AWAY + 1 - answers)
    loss = cube_loss(action, stay, taken, passed)
    themes |= cube_bits(action, stay, taken, passed, loss)
    for k in range(core.whole.shape[1]):
        core.whole[0, k] = 0
    for k in range(core.real.shape[1]):
        real[k] = 0.0
    core.whole[0, _THEMES], real[_LOSS] = themes, loss
    return 1


#: The functions of a core, for the C interface.
CALLS = (list_plays, analyze, decide_cube, evaluate, weigh_roll, play_games, explain_play, explain_cube)
