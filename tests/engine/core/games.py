"""What the tests of rollouts share: games and evaluators, and the slow twin of one trial."""

import numpy as np

from gammon.core.luck_kernel import JUDGED
from gammon.core.trials_kernel import Plan
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.rules.dice import PROBABILITIES
from gammon.rules.outcome import result_of
from gammon.search import NOT_OVER
from tests.naive.search import before_roll, favourite, outputs, payoff, replies


def setting(terms=None, stakes=None):
    """A game, and its evaluators of leaves and for probes."""
    leaf, probe = load_evaluator("leaf"), load_evaluator("probe", bearoff=False)
    if terms is None:
        return backgammon(*([] if stakes is None else [stakes])), leaf, probe
    game = backgammon(terms, read_met() if terms.length else None)
    return game, cubeful_evaluator(leaf), cubeful_evaluator(probe)


def plan(seed=1, depth=1, cube_depth=1, truncate=0, first=False, exact=False):
    return Plan(np.uint64(seed), depth, cube_depth, truncate, first, exact)


def folded(game, evaluator, out, stake):
    """What rolling is worth by outputs [n, K], float32 [n]."""
    values = np.full(len(out), np.nan, np.float32)
    evaluator.fold(out, len(out), stake, game.params, values)
    return values


def before_turn(game, evaluator, parent, rows, stake):
    """The values [n] of positions to their players on roll, who may double."""
    out = outputs(evaluator, parent, rows)
    values, double = folded(game, evaluator, out, stake), game.offer(stake, game.params)
    if double.cash != NOT_OVER:
        taken = folded(game, evaluator, out, double.stake)
        pairs = zip(values, taken, strict=True)
        values = [before_roll(double, float(r), float(t)) for r, t in pairs]
    paid = np.array([payoff(game, row, stake) for row in rows])
    return np.where(paid == NOT_OVER, np.float32(values), paid)


def six(evaluator, row):
    """The chances [6] of the player on roll."""
    result = result_of(row)
    if result >= 0:
        return np.eye(6)[result]
    return outputs(evaluator, row, row[None])[0, :6].astype(float)


def best_first(rows, values):
    """Positions with the least values first; each is swapped to its place."""
    order, values = np.arange(len(rows)), np.array(values)
    for j in range(JUDGED):
        least = j + values[j:].argmin()
        for each in (order, values):
            each[[j, least]] = each[[least, j]]
    return rows[order]


def roll_worths(game, leaf, probe, state, stake):
    """What each roll is worth, [21], and the chances [21, 6] that it leads to."""
    worths, chances = [], []
    for roll in range(21):
        rows = replies(game, state, roll)
        if len(rows) > JUDGED:
            rows = best_first(rows, before_turn(game, probe, state, rows, -stake))[:JUDGED]
        values = before_turn(game, leaf, state, rows, -stake)
        worths.append(-values.min())
        chances.append(six(leaf, rows[values.argmin()])[::-1])
    return np.array(worths), np.array(chances)


def action(game, leaf, state, stake):
    """(how a turn begins, stake, factor): roll, take or pass."""
    double = game.offer(stake, game.params)
    if double.cash == NOT_OVER:
        return "roll", stake, 1.0
    out = outputs(leaf, state, state[None])
    rolled = float(folded(game, leaf, out, stake)[0])
    after = float(folded(game, leaf, out, double.stake)[0])
    taken = min(double.factor * after, double.beaver * after)
    if taken >= double.cash:
        return ("pass" if rolled <= double.cash + 1e-6 else "roll"), stake, 1.0
    if taken > rolled:
        return "take", double.stake, double.beaver if after < 0 else double.factor
    return "roll", stake, 1.0


def slow_trial(game, leaf, probe, how, state, stake, scale, dice):
    """One trial in plain Python: (value, plain, chances [6], turns) of the one who starts."""
    sign, luck, chances = 1, 0.0, np.zeros(6)
    for turn, roll in enumerate(dice):
        paid = payoff(game, state, stake)
        if paid != NOT_OVER:
            break
        if turn and turn == how.truncate:
            paid = float(before_turn(game, leaf, state, state[None], stake)[0])
            break
        if turn or how.doubles_first:
            begins, stake, factor = action(game, leaf, state, stake)
            if begins == "pass":
                paid = game.offer(stake, game.params).cash
                break
            scale *= factor
        worths, each = roll_worths(game, leaf, probe, state, stake)
        luck += sign * scale * (worths[roll] - PROBABILITIES @ worths)
        more = each[roll] - PROBABILITIES @ each
        chances -= more if sign > 0 else more[::-1]
        rows = replies(game, state, roll)
        values = before_turn(game, leaf, state, rows, -stake)
        state = rows[favourite(game, leaf, state, rows, values, -stake)]
        stake, sign = -stake, -sign
    last = six(leaf, state)
    plain = sign * scale * paid
    return plain - luck, plain, chances + (last if sign > 0 else last[::-1]), turn
