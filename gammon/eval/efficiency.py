"""The efficiency of the cube: how close it is to a live cube, by the kind of position.

The constants are GNU Backgammon's (version 1.07, figures of its source). In a race the
efficiency grows with the pips. GNU Backgammon uses the pips of the player on roll, so the
efficiency differs between a position and the next one, seen from the other side; bgsage uses the
mean of both sides' pips, so it does not differ.

The definition comes first, then the same compiled, by the pips of the player on roll. An
evaluator writes the efficiency behind the chances of the six results, or else one of three
marks. Behind a mark stand three numbers: if the player on roll owns the cube, if it is centred,
and if the opponent owns it. Without a mark the three are 0.

* `BY_OWNER`: the efficiencies in contact (`cube_network.py`);
* `KNOWN`: the exact values of rolling for money in a bearoff;
* `LIKE_TWO`: the values of rolling for money in a race of two checkers (`race_cube.py`).

For money such a value is used directly, unless somebody may win a gammon. In that case, and in a
match, the efficiency is derived from it.
"""

from gammon.base.checks import one_of
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix
from gammon.compiled.vector import (
    EIGHT,
    Float64x8,
    Mask8,
    as_float64,
    bits,
    column,
    filled,
    load,
    lowest,
    select,
)
from gammon.eval.bearoff import N_OWNERS, OUTSIDE, OUTSIDE_THEIR
from gammon.rules.board import SIZE, Points, State, has_contact, pip_counts
from gammon.rules.home import HOME
from gammon.rules.outcome import N_RESULTS

#: The rules for the pips that count in a race: the player on roll's, or the mean of both sides.
PIPS = ("roller", "mean")

CONTACT, BEAROFF = 0.68, 0.60
#: Cube efficiency in a race: at 0 pips, per pip, minimum, maximum.
_RACE, _RACE_PIP, _RACE_LEAST, _RACE_MOST = 0.55, 0.00125, 0.60, 0.70
#: Smallest difference of live and cubeless value that is divided by.
_SMALL = 1e-4
#: Number of outputs of an evaluator with efficiencies.
N_OUTPUTS = N_RESULTS + 1 + N_OWNERS
#: Marks in place of an efficiency; they name the three numbers that follow.
KNOWN, LIKE_TWO, BY_OWNER = -1.0, -2.0, -3.0
#: Gammons count as impossible if the chances of all gammons add up to less.
_NO_GAMMON = 0.002
_WIN = 3
#: Column of the value with a centred cube. An owner's column is this minus the owner.
_CENTRED = N_RESULTS + 2
#: Offset of the second of two overlapping vectors that cover a position.
_SECOND = SIZE - 16


def cube_efficiency(points: Points, pips: str = "roller") -> float:
    """Return the efficiency of the cube in a position, from 0.6 to 0.7.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        pips: "roller" for the pips of the player on roll, or "mean" for the mean of both sides.

    Raises:
        SettingError: `pips` is something else.
    """
    one_of("pips", pips, PIPS)
    if has_contact(points):
        return CONTACT
    own_out, their_out = points[HOME + 1 :], points[: 25 - HOME]
    if max(own_out) <= 0 and min(their_out) >= 0:
        return BEAROFF
    own, their = pip_counts(points)
    counted = own if pips == "roller" else 0.5 * (own + their)
    return min(max(_RACE + _RACE_PIP * counted, _RACE_LEAST), _RACE_MOST)


def efficiency_in_race(win: float, owner: int, worth: float) -> float:
    """Return the efficiency in a bearoff whose value for money is known, from 0 to 0.6.

    With it, Janowski's mixture gives exactly that value for money. Matches use the same
    efficiency, as in GNU Backgammon.

    Args:
        win: the chance of the player on roll to win; gammons are impossible.
        owner: owner of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        worth: the value of rolling now, for money, with that owner.
    """
    cubeless = 2.0 * win - 1.0
    live = 2.0 * win / 0.8 - 1.0  # the line from a certain loss to the cash point, .8
    if owner == 0:
        live = (win - 0.5) / 0.3  # from the take point, .2, to the cash point
    elif owner < 0:
        live = 1.0 - 2.0 * (1.0 - win) / 0.8  # from the take point to a certain win
    live = min(max(live, -1.0), 1.0)
    if abs(live - cubeless) < _SMALL:
        return BEAROFF
    return min(max((worth - cubeless) / (live - cubeless), 0.0), BEAROFF)


@kernel(inner=True)
def _own_pips(state: State) -> float:
    """Return the pips of the player on roll."""
    pips = 0
    for point in range(SIZE):
        pips += point * max(int(state[point]), 0)
    return float(pips)


@kernel(inner=True)
def efficiency_of(state: State) -> float:
    """Return the efficiency of the cube in a position, as `cube_efficiency` does.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
    """
    first, second = load(state, 0, 16), load(state, _SECOND, 16)
    own = bits(first > 0) | bits(second > 0) << _SECOND
    their = bits(first < 0) | bits(second < 0) << _SECOND
    if their and own >> lowest(their):
        return CONTACT
    if not own & OUTSIDE and not their & OUTSIDE_THEIR:
        return BEAROFF
    return min(max(_RACE + _RACE_PIP * _own_pips(state), _RACE_LEAST), _RACE_MOST)


@kernel(inline=True)
def efficiency_in_races(win: Float64x8, owner: int, worth: Float64x8, most: Float64x8) -> Float64x8:
    """Return the efficiency in eight races whose values for money are known.

    Args as for `efficiency_in_race`, and most: the largest efficiency, 0.6 for an exact value
    and 0.7 for the value of a race of two checkers.
    """
    cubeless = win * 2.0 - 1.0
    live = win * 2.0 / 0.8 - 1.0
    if owner == 0:
        live = (win - 0.5) / 0.3
    elif owner < 0:
        one = filled(1.0, EIGHT)
        live = one - (one - win) * 2.0 / 0.8
    live = select(live > -1.0, live, -1.0)
    live = select(live < 1.0, live, 1.0)
    apart = live - cubeless
    far = ~((apart < _SMALL) & (apart > -_SMALL))
    found = (worth - cubeless) / select(far, apart, 1.0)
    found = select(found > 0.0, found, 0.0)
    return select(far & (found < most), found, most)


@kernel(inline=True)
def _is_known(efficiency: Float64x8) -> Mask8:
    """Return the rows with a known value of rolling for money."""
    known: Mask8 = (efficiency == KNOWN) | (efficiency == LIKE_TWO)
    return known


@kernel(inline=True)
def efficiency_if_known(
    outputs: Float32Matrix, first: int, n: int, owner: int, efficiency: Float64x8
) -> Float64x8:
    """Return efficiencies in which marks are replaced: by the owner's, or by one derived from a value.

    Args:
        outputs: float32 [>= n, 10], see the top of this file.
        first: the first of eight rows.
        n: number of rows.
        owner: owner of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        efficiency: efficiencies of the rows, or marks.
    """
    width = outputs.shape[1]
    learned, known = efficiency == BY_OWNER, _is_known(efficiency)
    if bits(learned):
        of_owner = as_float64(column(outputs, first, n, _CENTRED - owner, width))
        efficiency = select(learned, of_owner, efficiency)
    if bits(known):
        win = as_float64(column(outputs, first, n, _WIN, width))
        for k in range(_WIN + 1, N_RESULTS):
            win = win + as_float64(column(outputs, first, n, k, width))
        worth = as_float64(column(outputs, first, n, _CENTRED - owner, width))
        most = select(efficiency == KNOWN, filled(BEAROFF, EIGHT), _RACE_MOST)
        efficiency = select(known, efficiency_in_races(win, owner, worth, most), efficiency)
    return efficiency


@kernel(inline=True)
def value_if_known(
    outputs: Float32Matrix, first: int, n: int, owner: int, efficiency: Float64x8, value: Float64x8
) -> Float64x8:
    """Return values of rolling for money: known values in races without gammons, else `value`.

    Args as for `efficiency_if_known`, and value: the values of the rows by the model.
    """
    known = _is_known(efficiency)
    width = outputs.shape[1]
    if bits(known):
        gammons = column(outputs, first, n, 0, width)
        for k in (1, 4, 5):
            gammons = gammons + column(outputs, first, n, k, width)
        known = known & (as_float64(gammons) < _NO_GAMMON)
        worth = as_float64(column(outputs, first, n, _CENTRED - owner, width))
        value = select(known, worth, value)
    return value
