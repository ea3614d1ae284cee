"""The cube as compiled code takes it: a stake for each cube state, and parameters of a game.

A *stake* is a whole number that says who may turn the cube, and in a match also its value. Its
sign changes from one player to the other:

    money     1 the player on roll owns the cube, 0 it is centred, -1 the opponent owns it
    match     s (3 k + o + 2), with the cube at 2**k, o the owner (1, 0, -1) as the first player
              sees it, and s = 1 if the first player is on roll, -1 if the other one is

The *first player* is the one who is on roll where a search begins. Values and payoffs are, for
money, points per unit of the cube, so that its value does not matter. In a match they are twice
the chance to win it, less 1; so the opponent's value is the opposite.

The *parameters*, float64 [90], stay the same during a search. `params_of` makes them, and the
constants below say where each is.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int64Vector
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import Terms

#: Whether it is a match: 1.0, or 0.0 for money.
MATCH = 0
#: Whether anyone may ever turn the cube: 1.0 or 0.0.
LIVE = 1
#: Whether gammons count only after the cube is turned.
JACOBY = 2
#: Whether a double may be redoubled at once.
BEAVERS = 3
#: The points that the first player and the other one still need; 0.0 for money.
OWN_AWAY, THEIR_AWAY = 4, 5
#: The worth of the six results to the first player, for each level of the cube.
WORTH = 6
#: Levels of the cube, from 1 to 64. At 64 it is worth any match, so higher ones are the same.
LEVELS = 7
#: The same to the other player.
THEIR_WORTH = WORTH + LEVELS * N_RESULTS
N_PARAMS = THEIR_WORTH + LEVELS * N_RESULTS

_LOSS, _WIN = 2, 3
#: The pay of a pass where nobody may double: as `gammon.search.game.NOT_OVER`.
NO_OFFER = float("inf")


@kernel()
def stake_at(length: int, level: int, owner: int) -> int:
    """Return the stake of the player on roll, who is the first player.

    Args:
        length: points of the match, 0 for money.
        level: the base-2 logarithm of the cube.
        owner: 1 the player on roll, -1 the opponent, 0 both.
    """
    return owner if length == 0 else 3 * level + owner + 2


def stake_of(terms: Terms) -> int:
    """Return the stake of the player on roll, who is the first player."""
    stake: int = stake_at(terms.length, terms.cube.bit_length() - 1, terms.owner)
    return stake


@kernel(inner=True)
def _chance_to_win(
    own: int, their: int, late: bool, main: Float64Matrix, post_crawford: Float64Vector
) -> float:
    """Return the chance to win a match, as `MatchEquityTable.mwc` does.

    Args:
        own: points that the side still needs.
        their: points that the other side still needs.
        late: whether the game is one after the Crawford game.
        main: as in `MatchEquityTable`.
        post_crawford: as there.
    """
    if own <= 0 or their <= 0:
        return 1.0 if own <= 0 else 0.0
    chance: float = main[own - 1, their - 1]
    if late:
        chance = 1.0 - post_crawford[their - 1] if own == 1 else post_crawford[own - 1]
    return chance


@kernel()
def write_params(
    rules: Int64Vector, main: Float64Matrix, post_crawford: Float64Vector, params: Float64Vector
) -> None:
    """Write the parameters of a search, float64 [90].

    Args:
        rules: int64 [7], the terms of the player on roll: the length of the match, 0 for
            money, the points that this player and the other one still need; 1 for the Crawford
            game, for the Jacoby rule, for beavers, and for a cube that may be turned.
        main: the match equity table, as in `MatchEquityTable`; not read for money.
        post_crawford: as `main`.
        params: to be written.
    """
    length, own, their, crawford = rules[0], rules[1], rules[2], rules[3]
    params[MATCH] = 1.0 if length > 0 else 0.0
    params[LIVE] = 1.0 if rules[6] != 0 and crawford == 0 else 0.0
    params[JACOBY], params[BEAVERS] = float(rules[4]), float(rules[5])
    params[OWN_AWAY], params[THEIR_AWAY] = float(own), float(their)
    late = crawford != 0 or own == 1 or their == 1
    for level in range(LEVELS):
        for result in range(N_RESULTS):
            base = result - 2 if result > 2 else result - 3
            worth, points = float(base), base << level
            if length > 0:
                chance = _chance_to_win(
                    own - max(points, 0), their - max(-points, 0), late, main, post_crawford
                )
                worth = 2.0 * chance - 1.0
            at = N_RESULTS * level
            params[WORTH + at + result] = worth
            params[THEIR_WORTH + at + N_RESULTS - 1 - result] = -worth


def params_of(terms: Terms, table: MatchEquityTable | None = None) -> Float64Vector:
    """Return the parameters of a search that begins with these terms, float64 [90].

    Args:
        terms: those of the player on roll, who is the first player.
        table: the match equity table; not needed for money.
    """
    params = np.zeros(N_PARAMS)
    main, post_crawford = np.zeros((1, 1)), np.zeros(1)
    if terms.length:
        assert table is not None, "a match has a table"
        main, post_crawford = table.main.copy(), table.post_crawford.copy()
    rules = terms.length, *terms.away, terms.crawford, terms.jacoby, terms.beavers, terms.live
    write_params(np.array(rules, np.int64), main, post_crawford, params)
    return params


@kernel()
def level_of(stake: int) -> int:
    """Return the base-2 logarithm of the cube of a match."""
    return (abs(stake) - 1) // 3


@kernel(inner=True)
def owner_of(stake: int) -> int:
    """Return the owner of the cube of a match: 1 the player on roll, -1 the opponent, or 0."""
    owner = (abs(stake) - 1) % 3 - 1
    return owner if stake > 0 else -owner


@kernel(inner=True)
def block_of(stake: int, level: int) -> int:
    """Return where in the parameters the worth of the six results to the player on roll is.

    Args:
        stake: of that player.
        level: the base-2 logarithm of the cube; those above 6 are as 6.
    """
    return (WORTH if stake >= 0 else THEIR_WORTH) + N_RESULTS * min(level, LEVELS - 1)


@kernel()
def worth_of(stake: int, level: int, result: int, params: Float64Vector) -> float:
    """Return the worth of a result to the player on roll.

    Args:
        stake: as for `block_of`.
        level: as for `block_of`.
        result: 0..5, see `gammon.rules.outcome`.
        params: see the head of this file.
    """
    worth: float = params[block_of(stake, level) + result]
    return worth


@kernel()
def worth_at(stake: int, result: int, params: Float64Vector) -> float:
    """Return what a result is worth to the player on roll at a stake.

    The arguments are those of `worth_of`, which a match's level of the cube goes to.
    """
    if params[MATCH] != 0.0:
        return worth_of(stake, level_of(stake), result, params)
    if params[JACOBY] != 0.0 and stake == 0:  # gammons do not count yet
        result = _WIN if result >= _WIN else _LOSS
    return worth_of(stake, 0, result, params)


@kernel()
def offer(stake: int, params: Float64Vector) -> tuple[int, float, float, float]:
    """Return what a double of the player on roll leads to.

    Where that player may double, the position is worth

        max(R(stake), min(factor * R(doubled), beaver * R(doubled), cash))

    where R is the value of rolling.

    Args:
        stake: of the player on roll.
        params: see the head of this file.

    Returns:
        (doubled, factor, beaver, cash): the stake of the same player after a take; what the
        values there are multiplied by after a take, and after a take or beaver, whichever the
        opponent prefers where they are below 0; and what a pass pays. `NO_OFFER` in its place
        where the player may not double, or cannot gain by it.
    """
    nothing = (stake, 1.0, 1.0, NO_OFFER)
    if params[LIVE] == 0.0:
        return nothing
    if params[MATCH] == 0.0:
        beaver = 4.0 if params[BEAVERS] != 0.0 else 2.0
        return (-1, 2.0, beaver, 1.0) if stake >= 0 else nothing
    level, owner = level_of(stake), owner_of(stake)
    away = params[OWN_AWAY if stake > 0 else THEIR_AWAY]
    if owner < 0 or away <= 1 << level:
        return nothing
    # The opponent of the one who doubles owns the cube then: the first player, or the other.
    doubled = 3 * level + 4 if stake > 0 else -(3 * level + 6)
    return doubled, 1.0, 1.0, worth_of(stake, level, 3, params)
