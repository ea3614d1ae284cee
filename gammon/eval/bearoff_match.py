"""Exact values of bearoffs in a match, with the cube, for sides of up to 6 checkers.

They depend on the score, so they are computed for a position instead of stored in a table: for
all pairs of sides that can follow, from few pips to many, and for all cubes that can occur. Both
players play, double, take and pass perfectly. Gammons are impossible here.

The two *seats* are 0, the player on roll in the position, and 1, the opponent. The *cubes* that
can occur are identified by the first player's stakes (`gammon.rules.terms`). A pair of sides
has, for each seat that may be on roll, one value per cube before that turn, seen from that seat.
These lie side by side in float32, so one vector holds the values of a pair. Over the few turns of
a bearoff the sums lose 2e-7 at most.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Int16Stack, Int64Matrix, Int64Vector
from gammon.compiled.vector import filled, load, select, store
from gammon.eval.bearoff_build import by_pips, sides, two_sided_plays
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.home import N_TWO_SIDED
from gammon.rules.match_equity import MatchEquityTable, params_of
from gammon.rules.terms import NO_OFFER, Terms, cube_log2_of, offer, payoff_of, stake_of
from gammon.search.game import Params

#: Lanes of a vector. No match has more cubes: at 1; at 2 to 32 with two owners each; and at 64,
#: which decides any match.
_LANES = 16
_PROBABILITIES = PROBABILITIES.astype(np.float32)
_LOST = 2  # a single game


class _Cubes(NamedTuple):
    """The S cubes that can occur.

    Attributes:
        doubled: int64 [2, S], by seat the index of the cube after a double; the same cube if
            that seat may not double.
        cash: float32 [2, S], what a pass pays the seat.
        lost: float32 [2, S], what the seat gets if it loses the game.
    """

    doubled: Int64Matrix
    cash: Float32Matrix
    lost: Float32Matrix


def _cubes(stake: int, params: Params) -> _Cubes:
    """Return the cubes that can occur, the present one first."""
    stakes = [stake]
    offers: tuple[list[int], list[int]] = ([], [])
    cash: tuple[list[float], list[float]] = ([], [])
    for code in stakes:
        for seat, own in enumerate((code, -code)):
            doubled, _, _, paid = offer(own, params)
            if abs(doubled) not in stakes:
                stakes.append(abs(doubled))
            offers[seat].append(stakes.index(abs(doubled)))
            cash[seat].append(paid)
    lost = [
        [payoff_of(sign * code, cube_log2_of(code), _LOST, params) for code in stakes] for sign in (1, -1)
    ]
    return _Cubes(np.array(offers), np.array(cash, np.float32), np.array(lost, np.float32))


@cache
def _order() -> Int64Vector:
    """Return the ranks of all sides of up to 6 checkers, in order of pips."""
    return by_pips(sides()[:N_TWO_SIDED])


def _sides_below(rank: int, ranks: Int16Stack) -> Int64Vector:
    """Return the ranks of a side and of all sides that it can become, in order of pips."""
    order = _order()
    reachable = np.zeros(N_TWO_SIDED, np.bool_)
    reachable[rank] = True
    for parent in order[::-1]:
        if reachable[parent]:
            reachable[ranks[parent].ravel()] = True
    below: Int64Vector = order[reachable[order]]
    return below


@kernel(inner=True)
def _roll(
    side: int,
    at: int,
    ranks: Int16Stack,
    many: Int64Matrix,
    places: Int64Vector,
    values: Float32Vector,
    width: int,
    out: Float32Vector,
) -> None:
    """Write the value of rolling with each cube to the seat on roll.

    Args:
        side: the rank of the seat's side.
        at: offset of the values of the other seat's turns: the other side stays as it is, and
            they are ordered by what `side` can become.
        ranks: see `two_sided_plays`.
        many: see `two_sided_plays`.
        places: int64 [924], the index of each rank among the sides of the seat.
        values: float32, all values; loaded lanes beyond `width` are ignored.
        width: S, the number of cubes.
        out: float32 [16].
    """
    total = filled(np.float32(0.0), _LANES)
    for roll in range(N_ROLLS):
        least = load(values, at + width * places[ranks[side, roll, 0]], _LANES)
        for k in range(1, many[side, roll]):
            other = load(values, at + width * places[ranks[side, roll, k]], _LANES)
            least = select(other < least, other, least)
        total = total - least * _PROBABILITIES[roll]
    store(out, 0, total)


@kernel()
def _fill(
    own: Int64Vector,
    their: Int64Vector,
    places: Int64Matrix,
    ranks: Int16Stack,
    many: Int64Matrix,
    doubled: Int64Matrix,
    cash: Float32Matrix,
    values: Float32Vector,
    out: Float32Vector,
) -> None:
    """Fill in the values, and write the value of rolling in the position itself.

    Args:
        own: the ranks of the first seat's sides, in order of pips.
        their: the ranks of the other seat's sides, in order of pips.
        places: int64 [2, 924], the index of each rank among them.
        ranks: see `two_sided_plays`.
        many: see `two_sided_plays`.
        doubled: see `_Cubes`.
        cash: see `_Cubes`.
        values: float32, flat: [A, B, S] for the first seat's turns by its A sides and the
            other's B, then [B, A, S] for the other seat's turns, then padding for one vector.
            Values where the other seat has no checkers left are filled in already.
        out: float32 [16], by cube.
    """
    n_own, n_their, width = own.shape[0], their.shape[0], doubled.shape[1]
    second = n_own * n_their * width
    for i in range(1, n_own):
        for j in range(1, n_their):
            for seat in range(2):
                if seat == 0:
                    at, before = width * (i * n_their + j), second + width * j * n_own
                    _roll(own[i], before, ranks, many, places[0], values, width, out)
                else:
                    at, before = second + width * (j * n_own + i), width * i * n_their
                    _roll(their[j], before, ranks, many, places[1], values, width, out)
                for k in range(width):
                    taken = min(out[doubled[seat, k]], cash[seat, k])
                    values[at + k] = max(out[k], taken)
    before = second + width * (n_their - 1) * n_own
    _roll(own[n_own - 1], before, ranks, many, places[0], values, width, out)


class _Solved(NamedTuple):
    """The values of all pairs of sides that can follow a position.

    Attributes:
        cubes: the cubes that can occur, the present one first.
        rolled: float32 [16], the value of rolling in the position itself, by cube.
        replies: float32 [A], the values to the opponent of the opponent's turn with the present
            cube, by the mover's A sides.
        places: int64 [924], the index of each rank among these sides.
    """

    cubes: _Cubes
    rolled: Float32Vector
    replies: Float32Vector
    places: Int64Vector


def _solved(own: int, their: int, stake: int, params: Params) -> _Solved:
    """Return the values below a position; for the ranks see `match_values`."""
    cubes, (ranks, many) = _cubes(stake, params), two_sided_plays()
    own_sides, their_sides = (_sides_below(rank, ranks) for rank in (own, their))
    places = np.zeros((2, N_TWO_SIDED), np.int64)
    places[0, own_sides], places[1, their_sides] = (
        np.arange(len(ranked)) for ranked in (own_sides, their_sides)
    )
    shape = len(own_sides), len(their_sides), cubes.doubled.shape[1]
    half = int(np.prod(shape))
    values = np.zeros(2 * half + _LANES, np.float32)
    values[:half].reshape(shape)[:, 0] = cubes.lost[0]
    second = values[half : 2 * half].reshape(shape[1], shape[0], -1)
    second[:, 0] = cubes.lost[1]
    out = np.empty(_LANES, np.float32)
    _fill(own_sides, their_sides, places, ranks, many, cubes.doubled, cubes.cash, values, out)
    return _Solved(cubes, out, second[-1, :, 0].copy(), places[0])


def match_values(
    own: int, their: int, terms: Terms, table: MatchEquityTable
) -> tuple[float, float | None, float | None]:
    """Return the values of rolling, of a double that is taken, and of a double that is passed.

    Args:
        own: the rank of the side of the player on roll (`gammon.eval.bearoff`), 1 to 923.
        their: the rank of the opponent's side.
        terms: terms of a match.
        table: the match equity table.

    Returns:
        Twice the chance to win the match, less 1. The last two are None if the player on roll
        may not double or cannot gain by it.
    """
    params, stake = params_of(terms, table), stake_of(terms)
    solved = _solved(own, their, stake, params)
    *_, paid = offer(stake, params)
    if paid == NO_OFFER:
        return float(solved.rolled[0]), None, None
    return float(solved.rolled[0]), float(solved.rolled[solved.cubes.doubled[0, 0]]), float(paid)


def match_play_values(
    own: int, their: int, played: Int64Vector, terms: Terms, table: MatchEquityTable
) -> Float32Vector:
    """Return the values of plays to their player, float32 [K].

    Args:
        own: as for `match_values`, before the plays.
        their: as for `match_values`.
        played: int64 [K], the ranks of the player's side after each play; 0 if no checker is left.
        terms: as for `match_values`.
        table: as for `match_values`.
    """
    solved = _solved(own, their, stake_of(terms), params_of(terms, table))
    values: Float32Vector = -solved.replies[solved.places[played]]
    return values
