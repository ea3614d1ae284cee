"""Random trees with doubles: `gammon_lab.games.synthetic`, where results depend on the stake.

A stake is `s (3 k + o + 2)`, coded as for a match in `gammon.rules.terms`: k is how often the stake
was doubled, o the owner of the double as the first player sees it, s = 1 if that player is on
roll, else -1. The value v of a tree is worth a(k) v + b(k) + c o to the first player.

A *plain* family is like money: k stays 0, b is 0, a double multiplies values by a factor, and
owning the double is never worse (`ordered`). The other families are like matches, where none of
this holds.

Parameters, float64 [9 + 4 K]: see `_LIVE` and the names after it, and then for each k: a, b,
and the payoff of a pass to the first player and to the opponent.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.rules.terms import cube_log2_of, owner_of
from gammon.search import Game
from gammon.search.game import NOT_OVER, Doubled, Params, State
from gammon_lab.games import synthetic

_LIVE, _LEVELS, _ORDERED, _FACTOR, _BEAVER, _LOW, _HIGH, _OWNER, _PLAIN, _TABLE = range(10)


@kernel()
def _worth(value: float, stake: int, params: Params) -> float:
    """Return the worth of a tree's value to the player on roll."""
    at = _TABLE + 4 * cube_log2_of(stake)
    a, b = params[at], params[at + 1]
    sign = 1.0 if stake > 0 else -1.0
    worth: float = a * value + (sign * b + params[_OWNER] * owner_of(stake))
    return worth


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return the worth of a finished game, or `NOT_OVER`."""
    value = synthetic.terminal(state, stake, params)
    return value if value == NOT_OVER else _worth(value, stake, params)


@kernel()
def offer(stake: int, params: Params) -> Doubled:
    """Return the stake and the factors after a double by the player on roll."""
    cube_log2, first = cube_log2_of(stake), stake > 0
    may = params[_LIVE] != 0.0 and owner_of(stake) >= 0
    next_log2 = cube_log2 if params[_PLAIN] != 0.0 else cube_log2 + 1
    if not may or next_log2 >= params[_LEVELS]:
        return Doubled(stake, 1.0, 1.0, NOT_OVER, False, 0.0, 0.0)
    # The opponent of the player who doubles owns it.
    doubled = 3 * next_log2 + 1 if first else -(3 * next_log2 + 3)
    low = params[_LOW] if first else -params[_HIGH]
    high = params[_HIGH] if first else -params[_LOW]
    return Doubled(
        doubled,
        params[_FACTOR],
        params[_BEAVER],
        params[_TABLE + 4 * cube_log2 + (2 if first else 3)],
        params[_ORDERED] != 0.0,
        _worth(low, doubled, params),
        _worth(high, doubled, params),
    )


@kernel()
def fold(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the worth of the static values of n rows; see `search.game.Fold`."""
    for j in range(n):
        values[j] = _worth(float(outputs[j, 0]), stake, params)


LEAF = synthetic.LEAF._replace(fold=fold)
PROBE = synthetic.PROBE._replace(fold=fold)
#: Seeds of families, plain or not, that cover the kinds of offers.
FAMILIES = tuple((seed, plain) for seed in range(6) for plain in (True, False))


def game(low: int, high: int, seed: int, plain: bool, live: bool = True) -> Game:
    """Return a family of trees with the roots of `synthetic.root(low, high, ...)`.

    Args:
        low: lower bound of v for the first player.
        high: upper bound of v for the first player.
        seed: draws the factors, worths and passes, and the owner at the root.
        plain: whether the family is like money.
        live: whether anyone may double.
    """
    random = np.random.default_rng(seed)
    levels = 1 if plain else 3
    factor = float(random.choice([1.0, 1.5, 2.0, 2.0, 3.0]) if plain else 1.0)
    if not plain and seed % 3 == 0:
        factor = 2.0
    beaver = factor * float(random.choice([1.0, 1.0, 2.0]))
    width = high - low
    c = random.uniform(0.0, 0.1) * width * (1 if plain else random.choice([-1, 1]))
    rows = []
    for level in range(levels):
        a = 1.0 if plain else 1.0 + level * random.uniform(0.0, 0.5)
        b = 0.0 if plain else random.uniform(-0.2, 0.2) * width * level
        # Passes within the bounds at every stake of the player who doubles: centred, or the owner.
        first, other = (a * x + sign * b + abs(c) for x, sign in ((low, 1), (-high, -1)))
        span = a * width - 2 * abs(c)
        share = random.uniform(0.3, 0.9, 2)
        rows.append([a, b, first + share[0] * span, other + share[1] * span])
    params = np.array([live, levels, plain, factor, beaver, low, high, c, plain, *np.ravel(rows)], np.float64)
    stake = 2 + int(random.integers(-1, 2))
    return Game(
        "random trees with doubles", synthetic.WIDTH, synthetic.MAX_OUTCOMES,
        synthetic.MAX_SUCCESSORS, _worth(float(low), stake, params),
        _worth(float(high), stake, params), synthetic.outcomes, synthetic.successors, terminal,
        params=params, stake=stake, offer=offer,
    )  # fmt: skip
