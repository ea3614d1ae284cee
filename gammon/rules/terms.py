"""The terms of a game: money or the score of a match, the cube, and its rules.

A score is given by the points that each side still needs: at 3-away 5-away the player on roll
needs 3. The *Crawford game* is the first game that begins with a side 1-away; no player may
double in it. In the games after it, the *post-Crawford* games, both may.

Play without the cube is play for money with a dead cube. The results may then have payoffs
other than 1, 2 and 3 points. At *double match point* only winning counts. At *gammon-go* a
gammon wins the match, and losing a gammon costs no more than losing a game: this is the trailer's
view of the Crawford game, 2-away. *Gammon-save* is the leader's view of the same score.

Compiled code gets the cube as a *stake*, and everything else as *parameters* of a game. A stake
is an integer that encodes who may turn the cube, and in a match also its value. Its sign changes
from one player to the other:

    money     1 the player on roll owns the cube, 0 it is centred, -1 the opponent owns it;
              without the cube 0 or, where payoffs differ for the players, 1 for the first
              player and -1 for the other one
    match     s (3 k + o + 2), with the cube at 2**k, o the owner (1, 0, -1) as the first player
              sees it, and s = 1 if the first player is on roll, -1 if the other one is

The *first player* is the player on roll at the root of a search. For money, values and payoffs
are points per unit of the cube, so the cube's value does not matter. In a match they are
2 p - 1, where p is the chance to win the match; so the opponent's value is the negative.

The parameters, float64 [90], stay the same during a search. `match_equity.params_of` computes
them, and the constants below are their indices.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_whole, number, shown, whole
from gammon.base.errors import FormatError, SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int64Vector
from gammon.rules.outcome import N_RESULTS

#: Points of the longest match that a match equity table covers.
LONGEST_MATCH = 64
#: The highest cube that is supported.
HIGHEST_CUBE = 64
#: Limits of payoffs, because equities at leaves are float32. No payoff is larger than the first.
#: A win and a loss differ at least by its reciprocal, and at least by the second as a fraction
#: of the largest payoff.
_MOST_PAID, _LEAST_SHARE = 1e6, 1e-4
_WANTED = "numbers from -1e6 to 1e6, a backgammon to be worth no less than a gammon"


class Payoffs(NamedTuple):
    """The payoff of each result to one player in a game without the cube; the other pays it.

    Any unit will do; in the named stakes a single game pays its winner 1 and its loser -1.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def ascending(self) -> npt.NDArray[np.float64]:
        """The six results in ascending order, float64 [6]: see `gammon.rules.outcome`."""
        return np.array([*self[:2:-1], *self[:3]], np.float64)

    def for_opponent(self) -> "Payoffs":
        """Return the payoffs to the other player."""
        return Payoffs(*(-paid for paid in (*self[3:], *self[:3])))

    def checked(self) -> "Payoffs":
        """Check the payoffs, and return them as Python numbers.

        Raises:
            SettingError: a worse result pays more, or a win no more than a loss; or a payoff is
                not a number; or payoffs are too large or too close for float32.
        """
        for paid in self:
            number(f"stakes {shown(tuple(self))} with", paid, _WANTED, -_MOST_PAID, _MOST_PAID)
        ladder = self.ascending
        least = max(1 / _MOST_PAID, _LEAST_SHARE * abs(ladder).max())
        if (np.diff(ladder) < 0).any() or ladder[3] - ladder[2] < least:
            raise SettingError(
                f"stakes {','.join(f'{paid:g}' for paid in self)}: expected a backgammon "
                "to be worth no less than a gammon, that no less than a win, a win clearly "
                "more than a loss, and so on down; money is 1,2,3,-1,-2,-3"
            )
        return Payoffs(*(paid if isinstance(paid, int) else float(paid) for paid in self))

    def __str__(self) -> str:
        for name, terms in NAMED_STAKES.items():
            if terms.payoffs == self:
                return name
        return ",".join(repr(float(paid)).removesuffix(".0") for paid in self)


class Terms(NamedTuple):
    """The terms of a game, seen from the player on roll. The default is money with a centred cube.

    Attributes:
        length: points of the match, 0 for money.
        away: the points that the player on roll and the opponent still need; (0, 0) for money.
        crawford: whether this is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        beavers: whether a double can be redoubled at once (money).
        cube: the value of the cube, 1, 2, 4, ... 64.
        owner: who may turn the cube: 1 the player on roll, -1 the opponent, 0 both.
        live: whether the cube may be turned at all.
        payoffs: the payoffs to the player on roll in a game without the cube, for money and
            with `live` False; None with the cube.
    """

    length: int = 0
    away: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube: int = 1
    owner: int = 0
    live: bool = True
    payoffs: Payoffs | None = None

    @property
    def cubeless(self) -> bool:
        """Whether the game has its own payoffs, without the cube and the score."""
        return self.payoffs is not None

    @property
    def post_crawford(self) -> bool:
        """Whether it is a game after the Crawford game, in which doubles are allowed again."""
        return 1 in self.away and not self.crawford

    @property
    def may_double(self) -> bool:
        """Whether the player on roll can turn the cube and could gain by it."""
        if self.owner < 0 or self.crawford or not self.live:
            return False
        return not self.length or self.away[0] > self.cube

    @property
    def may_offer(self) -> bool:
        """Whether the player on roll `may_double`, and the doubled cube is supported."""
        return self.may_double and self.cube < HIGHEST_CUBE

    @property
    def dead(self) -> bool:
        """Whether the cube stays as it is: no player can turn it and gain by it."""
        return not (self.may_double or self.for_opponent().may_double)

    def for_opponent(self) -> "Terms":
        """Return the same terms, seen from the opponent."""
        payoffs = None if self.payoffs is None else self.payoffs.for_opponent()
        return self._replace(away=self.away[::-1], owner=-self.owner, payoffs=payoffs)

    def doubled(self) -> "Terms":
        """Return the terms after a double by the player on roll and a take."""
        return self._replace(cube=2 * self.cube, owner=-1)

    def counted(self, points: int) -> int:
        """Return the points that count: by the Jacoby rule, 1 or -1 while the cube is centred.

        Args:
            points: the points of the result, in units of the cube: 1 to 3, or negative if the
                game is lost.
        """
        return max(-1, min(1, points)) if self.jacoby and not self.owner else points

    def checked(self) -> "Terms":
        """Check the terms, and return them with Python numbers in place of numpy's.

        Raises:
            SettingError: the terms are impossible; or the match is longer than 64 points, or
                the cube higher than 64.
        """
        whole("match length", self.length, 0, LONGEST_MATCH)
        self._check_score()
        self._check_cube()
        length, away, crawford, jacoby, beavers, cube, owner, live, payoffs = self
        if payoffs is not None:
            if not isinstance(payoffs, Payoffs):
                raise SettingError(f"payoffs {shown(payoffs)}: expected gammon.Payoffs")
            if self[:-1] != Terms(live=False)[:-1]:
                raise SettingError(
                    f"payoffs {payoffs} with the cube, a score or its rules: expected "
                    "Terms(live=False, payoffs=...)"
                )
            payoffs = payoffs.checked()
        if all(type(number) is int for number in (length, *away, cube, owner)):
            return self if payoffs is None else self._replace(payoffs=payoffs)
        away = int(away[0]), int(away[1])
        rules = crawford, jacoby, beavers
        return Terms(int(length), away, *rules, int(cube), int(owner), live, payoffs)

    def _check_score(self) -> None:
        for name in ("crawford", "jacoby", "beavers", "live"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} {shown(getattr(self, name))}: expected a bool")
        pair = isinstance(self.away, tuple) and len(self.away) == 2
        least, most = min(self.length, 1), self.length
        if not pair or not all(is_whole(points, least, most) for points in self.away):
            wanted = f"two whole numbers from 1 to {most}" if most else "(0, 0) for money"
            raise SettingError(f"away {shown(self.away)}: expected {wanted}")
        if self.crawford and (1 not in self.away or self.away == (1, 1)):
            raise SettingError(
                f"Crawford game at {self.away[0]}-away {self.away[1]}-away: expected exactly one side 1-away",
                "crawford",
            )
        if self.length and (self.jacoby or self.beavers):
            rule, pronoun = ("Jacoby rule", "it") if self.jacoby else ("beavers", "them")
            raise SettingError(
                f"{rule} in a match of {self.length}: expected {pronoun} for money",
                "jacoby" if self.jacoby else "beavers",
            )

    def _check_cube(self) -> None:
        if not is_whole(self.cube, 1, HIGHEST_CUBE) or self.cube & (self.cube - 1):
            wanted = f"1, 2, 4, ... {HIGHEST_CUBE}"
            raise SettingError(f"cube {shown(self.cube)}: expected {wanted}", "cube")
        wanted = ""
        if not is_whole(self.owner, -1, 1):
            wanted = "1 for the player on roll, -1 for the opponent, or 0 for both"
        elif self.owner and self.cube == 1:
            wanted = "0, since nobody owns a cube at 1"
        elif not self.owner and self.length and self.cube > 1:
            wanted = f"1 or -1, since somebody has turned the cube to {self.cube}"
        if wanted:
            raise SettingError(f"cube owner {shown(self.owner)}: expected {wanted}", "owner")
        if self.crawford and self.cube > 1:
            raise SettingError(f"cube {self.cube} in the Crawford game: expected 1", "cube")


#: The terms of a money game with a centred cube.
MONEY_TERMS = Terms()


def cubeless_terms(payoffs: Payoffs) -> Terms:
    """Return the terms of a game without the cube and with these payoffs."""
    return Terms(live=False, payoffs=payoffs)


#: The terms of a game without the cube, for money.
CUBELESS = cubeless_terms(Payoffs(1.0, 2.0, 3.0, -1.0, -2.0, -3.0))
_GAMMON_GO = Payoffs(1.0, 3.0, 3.0, -1.0, -1.0, -1.0)
#: Terms without the cube, by their names on the command line.
NAMED_STAKES = {
    "money": CUBELESS,
    "dmp": cubeless_terms(Payoffs(1.0, 1.0, 1.0, -1.0, -1.0, -1.0)),
    "gammon-go": cubeless_terms(_GAMMON_GO),
    "gammon-save": cubeless_terms(_GAMMON_GO.for_opponent()),
}


def parse_stakes(text: str) -> Terms:
    """Parse terms without the cube, for the player on roll: a name, or W,WG,WBG,L,LG,LBG.

    Raises:
        FormatError: the text is neither.
        SettingError: a worse result pays more than a better one.
    """
    numbers: list[float] = []
    if isinstance(text, str):
        if text in NAMED_STAKES:
            return NAMED_STAKES[text]
        with suppress(ValueError):
            numbers = [float(part) for part in text.split(",")]
    if len(numbers) != N_RESULTS:
        names = ", ".join(NAMED_STAKES)
        raise FormatError(
            f"stakes {shown(text)}: expected {names}, or six numbers W,WG,WBG,L,LG,LBG such as 1,2,3,-1,-2,-3"
        )
    return cubeless_terms(Payoffs(*numbers).checked())


def stakes_of(given: object) -> Terms:
    """Return terms without the cube from a value of the setting `stakes`.

    Args:
        given: `Payoffs`, terms with payoffs, or a text for `parse_stakes`.

    Raises:
        FormatError: there are no stakes of that name.
        SettingError: `given` is none of these, or a worse result pays more than a better one.
    """
    if isinstance(given, str):
        return parse_stakes(given)
    payoffs = given.payoffs if isinstance(given, Terms) else given
    if not isinstance(payoffs, Payoffs):
        raise SettingError(f"stakes {shown(given)}: expected gammon.Payoffs, or their name")
    return cubeless_terms(payoffs.checked())


class Score(NamedTuple):
    """The score of A and B before a game. The default is the beginning of a money game.

    Attributes:
        length: points of the match, 0 for money.
        points: the points that A and B have won.
        crawford: whether the game is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        live: whether the cube may be turned at all.
        payoffs: the payoffs to A in games without the cube, for money and with `live` False.
            None: points of the cube.
    """

    length: int = 0
    points: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    live: bool = True
    payoffs: Payoffs | None = None

    @property
    def over(self) -> bool:
        """Whether the match is won, or the money game has been played."""
        return max(self.points) >= max(self.length, 1)

    def after(self, won: int) -> "Score":
        """Return the score after a game.

        Args:
            won: the points that A won in it; if negative, B won them.
        """
        a, b = self.points
        score = self._replace(points=(a + max(won, 0), b + max(-won, 0)), crawford=False)
        # The Crawford game is the first game that begins with a side 1-away.
        before, now = max(self.points), max(score.points)
        return score._replace(crawford=before < self.length - 1 == now)

    def terms(self, side: int) -> Terms:
        """Return the terms at the start of a game, seen from a side: 0 is A, 1 is B."""
        if not self.length:
            terms = Terms(jacoby=self.jacoby, live=self.live, payoffs=self.payoffs)
            return terms if side == 0 else terms.for_opponent()
        away = self.length - self.points[side], self.length - self.points[1 - side]
        return Terms(self.length, away, self.crawford, live=self.live)


# Indices of the parameters.
#: 1.0 in a match, 0.0 for money.
MATCH = 0
#: 1.0 if the cube may ever be turned, else 0.0.
LIVE = 1
#: 1.0 if gammons count only after the cube is turned, else 0.0.
JACOBY = 2
#: 1.0 if a double may be redoubled at once, else 0.0.
BEAVERS = 3
#: The points that the first player and the other one still need; 0.0 for money.
OWN_AWAY, THEIR_AWAY = 4, 5
#: The index at which the first player's payoffs of the six results begin, for each cube in turn.
PAYOFFS = 6
#: The number of cubes, 1 to 64. A cube of 64 decides any match, so
#: higher cubes are worth the same.
N_CUBES = 7
#: The index at which the other player's payoffs begin.
THEIR_PAYOFFS = PAYOFFS + N_CUBES * N_RESULTS
N_PARAMS = THEIR_PAYOFFS + N_CUBES * N_RESULTS

_LOSS, _WIN = 2, 3
#: `offer`'s payoff of a pass if there is no double: the same as `gammon.search.game.NOT_OVER`.
NO_OFFER = float("inf")


@kernel()
def stake_at(length: int, cube_log2: int, owner: int) -> int:
    """Return the stake of the player on roll, who is the first player.

    Args:
        length: points of the match, 0 for money.
        cube_log2: the base-2 logarithm of the cube.
        owner: 1 the player on roll, -1 the opponent, 0 both.
    """
    return owner if length == 0 else 3 * cube_log2 + owner + 2


def stake_of(terms: Terms) -> int:
    """Return the stake of the player on roll, who is the first player."""
    if terms.payoffs is not None:
        return int(terms != terms.for_opponent())
    stake: int = stake_at(terms.length, terms.cube.bit_length() - 1, terms.owner)
    return stake


@kernel(inner=True)
def _chance_to_win(
    own: int, their: int, after_crawford: bool, main: Float64Matrix, post_crawford: Float64Vector
) -> float:
    """Return the chance to win a match, as `match_equity.MatchEquityTable.mwc` does.

    Args:
        own: points that the side still needs.
        their: points that the other side still needs.
        after_crawford: whether it is a game after the Crawford game.
        main: as in `match_equity.MatchEquityTable`.
        post_crawford: as in `match_equity.MatchEquityTable`.
    """
    if own <= 0 or their <= 0:
        return 1.0 if own <= 0 else 0.0
    chance: float = main[own - 1, their - 1]
    if after_crawford:
        chance = 1.0 - post_crawford[their - 1] if own == 1 else post_crawford[own - 1]
    return chance


@kernel()
def write_params(
    rules: Int64Vector, main: Float64Matrix, post_crawford: Float64Vector, params: Float64Vector
) -> None:
    """Write the parameters of a search, float64 [90].

    Args:
        rules: int64 [7], the terms of the player on roll: the length of the match, 0 for money;
            the points that this player and the other one still need; then four flags, 0 or 1:
            the Crawford game, the Jacoby rule, beavers, a cube that may be turned.
        main: the match equity table, as in `match_equity.MatchEquityTable`; not read for money.
        post_crawford: as `main`.
        params: to be written.
    """
    length, own, their, crawford = rules[0], rules[1], rules[2], rules[3]
    params[MATCH] = 1.0 if length > 0 else 0.0
    params[LIVE] = 1.0 if rules[6] != 0 and crawford == 0 else 0.0
    params[JACOBY], params[BEAVERS] = float(rules[4]), float(rules[5])
    params[OWN_AWAY], params[THEIR_AWAY] = float(own), float(their)
    after_crawford = crawford != 0 or own == 1 or their == 1
    for cube_log2 in range(N_CUBES):
        for result in range(N_RESULTS):
            base = result - 2 if result > 2 else result - 3
            payoff, points = float(base), base << cube_log2
            if length > 0:
                chance = _chance_to_win(
                    own - max(points, 0), their - max(-points, 0), after_crawford, main, post_crawford
                )
                payoff = 2.0 * chance - 1.0
            at = N_RESULTS * cube_log2
            params[PAYOFFS + at + result] = payoff
            params[THEIR_PAYOFFS + at + N_RESULTS - 1 - result] = -payoff


@kernel()
def cube_log2_of(stake: int) -> int:
    """Return the base-2 logarithm of the cube of a match."""
    return (abs(stake) - 1) // 3


@kernel(inner=True)
def owner_of(stake: int) -> int:
    """Return the owner of the cube of a match: 1 the player on roll, -1 the opponent, or 0."""
    owner = (abs(stake) - 1) % 3 - 1
    return owner if stake > 0 else -owner


@kernel(inner=True)
def block_of(stake: int, cube_log2: int) -> int:
    """Return the index in the parameters of the six payoffs to the player on roll.

    Args:
        stake: the stake of that player.
        cube_log2: the base-2 logarithm of the cube; 7 and more count as 6.
    """
    return (PAYOFFS if stake >= 0 else THEIR_PAYOFFS) + N_RESULTS * min(cube_log2, N_CUBES - 1)


@kernel()
def payoff_of(stake: int, cube_log2: int, result: int, params: Float64Vector) -> float:
    """Return the payoff of a result to the player on roll, at a value of the cube.

    Args:
        stake: as for `block_of`.
        cube_log2: as for `block_of`.
        result: 0..5, see `gammon.rules.outcome`.
        params: see the docstring of this module.
    """
    payoff: float = params[block_of(stake, cube_log2) + result]
    return payoff


@kernel()
def payoff_at(stake: int, result: int, params: Float64Vector) -> float:
    """Return the payoff of a result to the player on roll at a stake.

    The arguments are as for `payoff_of`; the stake gives the cube.
    """
    if params[MATCH] != 0.0:
        return payoff_of(stake, cube_log2_of(stake), result, params)
    if params[JACOBY] != 0.0 and stake == 0:  # gammons do not count yet
        result = _WIN if result >= _WIN else _LOSS
    return payoff_of(stake, 0, result, params)


@kernel()
def offer(stake: int, params: Float64Vector) -> tuple[int, float, float, float]:
    """Return the consequences of a double by the player on roll.

    If that player may double, the position is worth

        max(R(stake), min(factor * R(doubled), beaver * R(doubled), cash))

    where R is the value of rolling.

    Args:
        stake: the stake of the player on roll.
        params: see the docstring of this module.

    Returns:
        (doubled, factor, beaver, cash): the same player's stake after a take; the factor for
        values at that stake after a take, and after a beaver, which the opponent prefers if
        they are negative (equal to `factor` without beavers); and what a pass pays. `cash` is
        `NO_OFFER` if the player may not double, or cannot gain by it.
    """
    nothing = (stake, 1.0, 1.0, NO_OFFER)
    if params[LIVE] == 0.0:
        return nothing
    if params[MATCH] == 0.0:
        beaver = 4.0 if params[BEAVERS] != 0.0 else 2.0
        return (-1, 2.0, beaver, 1.0) if stake >= 0 else nothing
    cube_log2, owner = cube_log2_of(stake), owner_of(stake)
    away = params[OWN_AWAY if stake > 0 else THEIR_AWAY]
    if owner < 0 or away <= 1 << cube_log2:
        return nothing
    # The opponent owns the doubled cube.
    doubled = 3 * cube_log2 + 4 if stake > 0 else -(3 * cube_log2 + 6)
    return doubled, 1.0, 1.0, payoff_of(stake, cube_log2, 3, params)
