"""The functions of a desk: each reads the question in the desk, and writes the answer there.

They return the number of rows of the answer, or a negative number, the fault of the question
(`layout.FAULTS`). The answers equal those of `gammon.Engine` with one thread and no time limit, to
the last bit.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int64Vector
from gammon.core.dice import write_shuffles
from gammon.core.level import BLOCK
from gammon.core.luck_kernel import LuckBuffers
from gammon.core.trials_kernel import GameBuffers, Games, Plan, play_trials
from gammon.core.values import ROUNDING, best_first, is_open, scale_at, without_cube, write_worths
from gammon.eval.principal import N_CHANCES, write_means
from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import MATCH
from gammon.rules.ways import MOVE, MOVES, find_moves, find_plays
from gammon.search.algorithms import Search, value_kernel
from gammon.search.candidates import BOUND, EXACT
from gammon.search.decide_kernel import decide_kernel
from gammon.search.game import NOT_OVER, Params
from gammon.search.stats import STOPPED
from gammon.search.two_stakes import cube_kernel
from gammon.search.workspace import begin_anew
from gammon_adapters.embed.desk import Desk, at_stake, begin, fault_of, fault_of_board
from gammon_adapters.embed.layout import (
    CUBE,
    GAME,
    MOST_COMPARED,
    PLAY,
    POSITION,
    QUESTION,
    REASONS,
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
_AT_DOUBLED, _AT_MAY_BEGIN = _AT["doubled"], _AT["may_begin"]
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
_GAME = slots(GAME.real)
_GAME_EQUITY, _GAME_UNADJUSTED, _GAME_MWC = _GAME["equity"], _GAME["unadjusted"], _GAME["mwc"]
_GAME_RESULTS = _GAME["results"]
_THEMES, _LOSS = slots(REASONS.whole)["themes"], slots(REASONS.real)["loss"]
#: How many plays get exact values, unless a question gives another number.
_USUAL_TOP = 10
#: The largest number of a first game, as the numbers of games are int64.
_MOST_TRIAL = 2**63 - 1 - BLOCK


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
def _write_play(desk: Desk, row: int, at: int, level: int) -> None:
    """Write a play, with its moves, into a row of the answer.

    Args:
        desk: the desk, with the plays of the roll in its `ways`.
        row: the row of the answer.
        at: the index of the play.
        level: see `ways.find_plays`.
    """
    whole = desk.whole[row]
    for point in range(SIZE):
        whole[point] = desk.ways.boards[level, at, point]
    for k in range(MOVES * MOVE):
        whole[_MOVES + k] = desk.ways.moves[level, at, k]


@kernel(inner=True)
def _find(desk: Desk, level: int, candidate: int) -> int:
    """Return the index of the play that leads to a candidate's position."""
    row = desk.candidates.rows[candidate]
    for at in range(desk.ways.counts[level]):
        same = True
        for point in range(SIZE):
            same &= desk.ways.boards[level, at, point] == -row[SIZE - 1 - point]
        if same:
            return at
    return 0


@kernel(inner=True)
def _find_plays(desk: Desk, least: int) -> tuple[int, int, int]:
    """Prepare the desk for a question about a roll, and find the legal plays.

    Args:
        desk: the desk, with the question.
        least: how many dice the question must have; with one die the moves by it are found.

    Returns:
        The stake of the player on roll, the level of the plays in `ways`, and their number, or
        the fault of the question.
    """
    fault = fault_of(desk.question, least)
    if fault < 0:
        return 0, 0, fault
    stake = begin(desk)
    dice = desk.question[_AT_DICE : _AT_DICE + 2]
    if dice[1] == 0:
        level = find_moves(desk.states[0], dice[0], desk.ways)
    else:
        level = find_plays(desk.states[0], dice[0], dice[1], desk.ways)
    n: int = desk.ways.counts[level]
    return stake, level, n if n <= desk.whole.shape[0] else _PLAYS


@kernel()
def list_plays(desk: Desk) -> int:
    """Write the legal plays of a roll with their moves, and return their number.

    With 0 for the second die, they are the moves of one checker by the first die.
    """
    _, level, n = _find_plays(desk, 1)
    for at in range(n):
        _write_play(desk, at, at, level)
        desk.whole[at, _KIND] = desk.whole[at, _DEPTH] = 0
        for k in range(desk.real.shape[1]):
            desk.real[at, k] = 0.0
    return n


@kernel(inner=True)
def _search_plays(desk: Desk, search: Search, depth: int, top: int) -> bool:
    """Search the plays to a depth, and return whether the search was stopped."""
    begin_anew(desk.work)
    decide_kernel(
        search, desk.work, desk.room, desk.candidates, desk.tasks, desk.states, desk.chosen,
        desk.seeds, 0, depth, top, desk.best,
    )  # fmt: skip
    stopped: bool = desk.work.stats[STOPPED] != 0
    desk.work.stats[STOPPED] = 0
    return stopped


@kernel(inner=True)
def _write_chances(desk: Desk, n: int, depth: int, leading: int) -> None:
    """Write the chances of plays that were searched to a depth.

    At depth 1 the network gives the chances of all n plays; else the principal leaves give the
    chances of the `leading` plays.
    """
    candidates, leaf = desk.candidates, desk.search.problem.leaf
    scratch = desk.work.scratch
    if depth == 1:
        write_means(leaf, scratch, desk.outputs, candidates.rows, desk.weights, desk.starts, desk.chances[:n])
        return
    desk.offsets[0] = 0
    for first in range(leading):
        j = candidates.order[first]
        slot = candidates.slot[j]
        desk.offsets[1] = candidates.leaf_count[slot]
        write_means(
            leaf,
            scratch,
            desk.outputs,
            candidates.leaf_rows[slot],
            candidates.leaf_weight[slot],
            desk.offsets,
            desk.chances[j : j + 1],
        )


@kernel(inner=True)
def _search_play(desk: Desk, search: Search, j: int) -> bool:
    """Compute the exact value and chances of a play, and return whether the search was stopped.

    Args:
        desk: the desk, with the plays.
        search: the search, seen from the opponent, who is on roll after the play.
        j: the index of the play.
    """
    work, chances = desk.work, desk.chances[j]
    begin_anew(work)
    value = value_kernel(search, work, desk.candidates.rows[j], bool(1), desk.depth - 1, -np.inf, np.inf)
    stopped: bool = work.stats[STOPPED] != 0
    work.stats[STOPPED] = 0
    if stopped:
        return True
    level = (desk.depth - 1) // 2
    desk.offsets[0], desk.offsets[1] = 0, work.leaf_count[level]
    write_means(
        desk.search.problem.leaf,
        work.scratch,
        desk.outputs,
        work.leaf_rows[level],
        work.leaf_weight[level],
        desk.offsets,
        desk.chances[j : j + 1],
    )
    desk.candidates.kind[j], desk.candidates.values[j] = EXACT, -value
    chances[0] = 1.0 - chances[0]
    chances[1], chances[3] = chances[3], chances[1]
    chances[2], chances[4] = chances[4], chances[2]
    return False


@kernel()
def analyze(desk: Desk) -> int:
    """Write the plays of a roll with their equities, best first, and return their number.

    The first `top` plays are exact; at depth 1 all are. The others have the equities of a search
    two plies shallower, except that plays above the worst of the first are exact, too. If a bound
    is as high as the best equity, at least ten plays are exact.
    """
    if desk.question[_AT_TOP] < 0:
        return _TOP
    stake, level, n = _find_plays(desk, 2)
    if n < 0:
        return n
    candidates = desk.candidates
    search, params = at_stake(desk.search, stake), desk.search.problem.params
    top = desk.question[_AT_TOP] if desk.question[_AT_TOP] > 0 else _USUAL_TOP
    top = n if desk.depth == 1 else min(top, n)
    shallow = max(desk.depth - 2, 1)
    if top < n:
        if _search_plays(desk, search, shallow, n):
            return _HALTED
        _write_chances(desk, n, shallow, n)
        for j in range(n):
            desk.shallow[j] = candidates.values[j]
    if _search_plays(desk, search, desk.depth, top):
        return _HALTED
    best, more = candidates.order[0], min(_USUAL_TOP, n)
    if top < more and is_open(candidates.values, candidates.kind, best, n, stake, params):
        top = more
        if _search_plays(desk, search, desk.depth, top):
            return _HALTED
    _write_chances(desk, n, desk.depth, top)
    write_worths(stake, params, desk.worths)
    zero, unit = scale_at(stake, params)
    floor = candidates.values[candidates.order[top - 1]]
    for first in range(top, n):
        j = candidates.order[first]
        candidates.kind[j] = BOUND  # also for an exact value, as it has no chances
        above = desk.shallow[j] > floor + ROUNDING
        if above and _search_play(desk, at_stake(desk.search, -stake), j):
            return _HALTED
    without_cube(desk.chances[:n], desk.worths, desk.without)
    for j in range(n):
        if candidates.kind[j] == EXACT:
            desk.shallow[j] = candidates.values[j]
        desk.equities[j] = (desk.shallow[j] - zero) / unit
        desk.order[j] = candidates.order[j]
    desk.offsets[0], desk.offsets[1] = 0, n
    best_first(desk.equities, candidates.kind, desk.without, bool(1), desk.offsets, desk.order)
    for row in range(n):
        j = desk.order[row]
        _write_play(desk, row, _find(desk, level, j), level)
        whole, real = desk.whole[row], desk.real[row]
        exact = candidates.kind[j] == EXACT
        whole[_KIND], whole[_DEPTH] = candidates.kind[j], desk.depth if exact else shallow
        real[_EQUITY], real[_CUBELESS] = desk.equities[j], desk.without[j]
        real[_BOUND] = (candidates.values[j] - zero) / unit
        real[_MWC] = _mwc(desk.shallow[j], params)
        for k in range(N_CHANCES):
            real[_CHANCES + k] = desk.chances[j, k]
    return n


@kernel(inner=True)
def _write_node_chances(desk: Desk, at: int) -> None:
    """Write the chances of the latest searched node, from its principal leaves, into row 0."""
    level, work = (desk.depth - 1) // 2, desk.work
    desk.offsets[0], desk.offsets[1] = 0, work.leaf_count[level]
    write_means(
        desk.search.problem.leaf,
        work.scratch,
        desk.outputs,
        work.leaf_rows[level],
        work.leaf_weight[level],
        desk.offsets,
        desk.chances[:1],
    )
    for k in range(N_CHANCES):
        desk.real[0, at + k] = desk.chances[0, k]


@kernel()
def decide_cube(desk: Desk) -> int:
    """Write the values of no double, of double and take, and of double and pass."""
    fault = fault_of(desk.question, 0)
    if fault < 0:
        return fault
    stake, params = begin(desk), desk.search.problem.params
    search, state, depth = at_stake(desk.search, stake), desk.states[0], desk.depth - 1
    double = search.problem.offer(stake, params)
    real, values = desk.real[0], desk.values
    allowed = double.cash != NOT_OVER
    if allowed:
        cube_kernel(search, double, desk.work, desk.room, state, depth, values)
    else:
        values[0] = value_kernel(search, desk.work, state, bool(0), depth, -np.inf, np.inf)
        values[1] = 0.0
    if desk.work.stats[STOPPED] != 0:
        desk.work.stats[STOPPED] = 0
        return _HALTED
    zero, unit = scale_at(stake, params)
    for choice in range(3):
        value = values[0]
        if choice > 0:
            value = double.factor * values[1] if choice == 1 else double.cash
        used = allowed or choice == 0
        real[_CUBE_EQUITY + choice] = (value - zero) / unit if used else 0.0
        real[_CUBE_MWC + choice] = _mwc(value, params) if used else 0.0
    desk.whole[0, 0] = int(allowed)
    _write_node_chances(desk, _CUBE_CHANCES)
    return 1


@kernel()
def evaluate(desk: Desk) -> int:
    """Write the value of a position to the player on roll, who may double first."""
    fault = fault_of(desk.question, 0)
    if fault < 0:
        return fault
    stake, params = begin(desk), desk.search.problem.params
    value = value_kernel(
        at_stake(desk.search, stake), desk.work, desk.states[0], bool(1), desk.depth - 1, -np.inf, np.inf
    )
    if desk.work.stats[STOPPED] != 0:
        desk.work.stats[STOPPED] = 0
        return _HALTED
    zero, unit = scale_at(stake, params)
    desk.real[0, _AT_EQUITY] = (value - zero) / unit
    desk.real[0, _AT_MWC] = _mwc(value, params)
    write_worths(stake, params, desk.worths)
    for result in range(N_RESULTS):
        desk.real[0, _AT_RESULTS + result] = desk.worths[result]
    _write_node_chances(desk, _AT_CHANCES)
    return 1


@kernel(inner=True)
def _game_room(desk: Desk) -> tuple[GameBuffers, Games, Int64Vector, Float64Vector]:
    """Return memory for a game, and vectors of one element for its stake and the scale of its values.

    Most of it is memory that is also used for plays: browsers limit a function of WebAssembly to
    1,000 parameters, and a desk has nearly as many.
    """
    luck = LuckBuffers(desk.ways.boards[0], desk.order[:N_ROLLS], desk.equities[:N_RESULTS])
    room = GameBuffers(
        desk.best[0], desk.outputs[:1], desk.outputs[1], desk.values, desk.worths, luck, desk.candidates
    )
    turns, stakes = desk.order[N_ROLLS : N_ROLLS + 1], desk.offsets[:1]
    games = Games(desk.game_values, desk.game_plain, desk.game_chances, turns)
    return room, games, stakes, desk.without[:1]


@kernel()
def play_games(desk: Desk) -> int:
    """Write 36 games that are played from a position, and return their number.

    A search to the desk's depth decides plays and doubles. If the number of the first game is a
    multiple of 36, each of the 36 first rolls occurs once.
    """
    question = desk.question
    fault = fault_of(question, 0)
    if fault < 0:
        return fault
    seed, first, turns = question[_AT_SEED], question[_AT_TRIAL], question[_AT_TRUNCATE]
    if seed < 0 or first < 0 or turns < 0 or first > _MOST_TRIAL:
        return _GAMES
    for flag in (question[_AT_DOUBLED], question[_AT_MAY_BEGIN]):
        if not 0 <= flag <= 1:
            return _RULES
    stake, params = begin(desk), desk.search.problem.params
    search, work = at_stake(desk.search, stake), desk.work
    double = search.problem.offer(stake, params)
    other = search.problem.offer(-stake, params)
    # In a match with a live cube the bearoff tables do not give the value of a game.
    exact = params[MATCH] == 0.0 or (double.cash == NOT_OVER and other.cash == NOT_OVER)
    start, scale = stake, 1.0
    if question[_AT_DOUBLED] != 0:
        if double.cash == NOT_OVER:
            return _CUBE_FAULT
        start, scale = double.stake, double.factor
    if desk.shuffled[0] != seed + 1:
        write_shuffles(np.uint64(seed), desk.shuffles)
        desk.shuffled[0] = seed + 1
    plan = Plan(np.uint64(seed), desk.depth, desk.depth, turns, question[_AT_MAY_BEGIN] != 0, bool(1), exact)
    zero, unit = scale_at(stake, params)
    room, games, stakes, scales = _game_room(desk)
    stakes[0], scales[0] = start, scale
    for i in range(BLOCK):
        play_trials(search, work, room, plan, desk.shuffles, desk.states, stakes, scales, first + i, games)
        if work.stats[STOPPED] != 0:
            work.stats[STOPPED] = 0
            return _HALTED
        real, value = desk.real[i], games.values[0, 0]
        desk.whole[i, 0] = games.turns[0]
        real[_GAME_EQUITY] = (value - zero) / unit
        real[_GAME_UNADJUSTED] = (games.plain[0, 0] - zero) / unit
        real[_GAME_MWC] = 0.5 * (1.0 + value) if params[MATCH] != 0.0 else 0.0
        for result in range(N_RESULTS):
            real[_GAME_RESULTS + result] = games.chances[0, result]
    return BLOCK


@kernel(inner=True)
def _themes(desk: Desk, own: int, their: int) -> int:
    """Return the themes of the position, and of the score.

    Args:
        desk: the desk, with the question.
        own: the place in the question of the points that the player who decides needs.
        their: the place of the points that the opponent needs.
    """
    question, sides = desk.question, desk.ways.boards[1, :2]
    write_sides(desk.states[0], sides)
    at_score = score_bits(question[_AT_LENGTH], question[own], question[their], max(question[_AT_CUBE], 1))
    return position_bits(sides) | at_score


@kernel()
def explain_play(desk: Desk) -> int:
    """Write why a play was wrong, and the themes of the decision, and return 1.

    The rows of the desk have the plays to compare, as `analyze` writes them: the play that was
    made, the best play, and others. A single play is compared with itself.
    """
    fault = fault_of(desk.question, 0)
    if fault < 0:
        return fault
    n = desk.question[_AT_COMPARED]
    if not 1 <= n <= MOST_COMPARED:
        return _COMPARED
    boards, chances = desk.ways.boards[0, : max(n, 2)], desk.chances
    for row in range(max(n, 2)):
        play = min(row, n - 1)
        if fault_of_board(desk.whole[play]) == _POINTS:
            return _POINTS
        for place in range(SIZE):
            boards[row, place] = desk.whole[play, place]
        for k in range(N_CHANCES):
            chances[row, k] = desk.real[play, _CHANCES + k]
    error = desk.real[min(1, n - 1), _EQUITY] - desk.real[0, _EQUITY]
    stake, params = begin(desk), desk.search.problem.params
    write_worths(stake, params, desk.worths)
    double = desk.search.problem.offer(stake, params)
    other = desk.search.problem.offer(-stake, params)
    dead = double.cash == NOT_OVER and other.cash == NOT_OVER
    whole, state = desk.whole[0], desk.states[0]
    whole[_THEMES] = _themes(desk, _AT_AWAY, _AT_AWAY + 1) | play_bits(state, boards)
    write_reasons(
        state, boards, chances, desk.worths, dead, error, desk.ways.boards[1, :2],
        desk.work.rows[0], desk.equities, whole[_THEMES + 1 :], desk.real[0],
    )  # fmt: skip
    desk.real[0, _LOSS] = 0.0
    return 1


@kernel()
def explain_cube(desk: Desk) -> int:
    """Write the loss of a choice about the cube, and the themes of the decision, and return 1.

    The first row of the desk has the equities, as `decide_cube` writes them.
    """
    fault = fault_of(desk.question, 0)
    if fault < 0:
        return fault
    action, real = desk.question[_AT_ACTION], desk.real[0]
    if not NO_DOUBLE <= action <= TAKE + 1:
        return _ACTION
    begin(desk)
    stay, taken = real[_CUBE_EQUITY], real[_CUBE_EQUITY + 1]
    passed = real[_CUBE_EQUITY + 2]
    answers = int(action >= TAKE)
    themes = _themes(desk, _AT_AWAY + answers, _AT_AWAY + 1 - answers)
    loss = cube_loss(action, stay, taken, passed)
    themes |= cube_bits(action, stay, taken, passed, loss)
    for k in range(desk.whole.shape[1]):
        desk.whole[0, k] = 0
    for k in range(desk.real.shape[1]):
        real[k] = 0.0
    desk.whole[0, _THEMES], real[_LOSS] = themes, loss
    return 1


#: The functions of a desk, for the C interface.
CALLS = (list_plays, analyze, decide_cube, evaluate, play_games, explain_play, explain_cube)
