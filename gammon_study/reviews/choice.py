"""Choices: decisions that a player made, what they cost, and whether they count.

Errors are equities: points of the cube before the choice or, in a match, EMG. What they cost is
in points for money, and in a match as a chance to win it.
"""

from enum import StrEnum
from typing import NamedTuple

from gammon.base.mean import REACH
from gammon.compiled.kernel import kernel
from gammon.eval.equity import Probabilities
from gammon.formats.words import doubling_words
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms

#: Errors from which on a choice is doubtful, bad, very bad, as GNU Backgammon marks it.
BLUNDERS = 0.03, 0.06, 0.12
#: Values of cube actions that differ by less are alike: no decision is counted between them.
ALIKE = 0.001
#: Plays whose values differ by less are alike (XG's rule, as GammonView found it).
PLAYS_ALIKE = 0.0001
#: Decisions about the cube, as kernels know them.
NO_DOUBLE, DOUBLE, TAKE = 1, 2, 3
#: Values that differ by less are equal.
_ROUNDING = 1e-9
#: A double that costs more is far off: not to double does not count as a decision (XG's rule).
_FAR = 0.2
#: Below this the player is lost whatever happens to the cube (XG's rule).
_LOST = -0.9
#: Not to double is a decision where a double would cost less (GNU Backgammon's rule).
_NEAR = 0.16


class ChoiceKind(StrEnum):
    """The kinds of choices."""

    PLAY = "play"
    NO_DOUBLE = "no double"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"

    @property
    def number(self) -> int:
        """The number by which kernels know it: `NO_DOUBLE` or another one, 0 for a play."""
        return list(ChoiceKind).index(self)


class CubeValues(NamedTuple):
    """Equities to the player on roll: of no double, of double and take, of double and pass."""

    no_double: float
    double_take: float
    double_pass: float

    @property
    def doubled(self) -> float:
        """The equity of a double with the right answer."""
        return min(self.double_take, self.double_pass)


class ReviewedPlay(NamedTuple):
    """A play of a roll, and what the search says of it.

    Attributes:
        play: its notation.
        equity: to the player who makes it; of the only play of a roll, at depth 1.
        probabilities: the chances of that player.
    """

    play: str
    equity: float
    probabilities: Probabilities


class RolledPlay(NamedTuple):
    """A candidate of a rollout: a play, `No double`, or `Double, take`.

    Attributes:
        name: what it is called.
        equity: the mean of its games, to the player on roll.
        error: the standard error of the mean.
        loss: how much less than the best candidate's equity that is.
        loss_error: the standard error of that difference, as the games that both have had tell
            it; 0 for the best one, None where the games do not tell.
        trials: games.
        probabilities: the chances of the player on roll.
    """

    name: str
    equity: float
    error: float
    loss: float
    loss_error: float | None
    trials: int
    probabilities: Probabilities


def answer_words(taken: float, error: str = "") -> str:
    """Return what the answers to a double are worth to the player who answers, the best first.

    Args:
        taken: the equity of a take; a pass has -1.
        error: stands behind it.
    """
    take, other = f"take {taken:+z.3f}{error}", "pass -1.000"
    return f"{take}, {other}" if taken > -1.0 else f"{other}, {take}"


class RolledChoice(NamedTuple):
    """A decision by games that were played from its candidates.

    Attributes:
        trials: games of the best candidate.
        depth: plies of the plays.
        candidates: plays, the best one first; or no double, then double and take.
        verdict: of a decision about the cube, the right actions in words; else empty.
    """

    trials: int
    depth: int
    candidates: tuple[RolledPlay, ...]
    verdict: str

    def words(self, made: str, owner: int = 0) -> str:
        """Return what it says of a play that was made, or of the cube, in a few words.

        Args:
            made: the play; of a decision about the cube a take or a pass, which is told as the
                player sees it who answers, or anything else.
            owner: of the cube, 1 for the player on roll.
        """
        if made in (ChoiceKind.TAKE, ChoiceKind.PASS):
            taken = next(each for each in self.candidates if each.name == "Double, take")
            said = answer_words(-taken.equity, f" ± {taken.error:.3f}")
            return f"{said} ({self.verdict})"
        if self.verdict:
            said = ", ".join(
                f"{each.name.lower()} {each.equity:+z.3f} ± {each.error:.3f}" for each in self.candidates
            )
            return f"{self.verdict} ({doubling_words(said, owner)})"
        mine = next(each for each in self.candidates if each.name == made)
        if not mine.loss:
            return "the play that was made is the best one"
        level = "not told apart from " if mine.loss < REACH * (mine.loss_error or 0.0) else ""
        apart = "" if mine.loss_error is None else f" ± {mine.loss_error:.3f}"
        return f"{-mine.loss:+z.3f}{apart}, {level}best {self.candidates[0].name}"


class Choice(NamedTuple):
    """A decision that a player made.

    Attributes:
        game: its number in the match, from 0 on.
        action: the number of the action in the game, from 0 on.
        player: 0 or 1, who made it.
        kind: what was decided.
        xgid: the position; of an answer, that with the double on offer.
        made: the choice, in words or as a play.
        best: the best one.
        error: the equity that was lost, 0 or more.
        cost: the same as a chance to win the match, or for money in points.
        counted: whether it is a decision by XG's rule, by which PR goes.
        active: whether it is one by GNU Backgammon's rule: a play that is not forced, a double
            or the answer to it, and no double where a double would not cost much.
        depth: plies of the analysis.
        values: of a choice about the cube.
        chances: of a choice about the cube: those of the player on roll, without it.
        plays: of a play: the best ones, the best of all first, and the one that was made.
        rollout: the decision by games that were played from it, where that was asked for.
            Nothing else here goes by it.
    """

    game: int
    action: int
    player: int
    kind: ChoiceKind
    xgid: str
    made: str
    best: str
    error: float
    cost: float
    counted: bool
    active: bool
    depth: int
    values: CubeValues | None = None
    chances: Probabilities | None = None
    plays: tuple[ReviewedPlay, ...] = ()
    rollout: RolledChoice | None = None

    @property
    def equity(self) -> float:
        """The equity after the choice, to the player who made it."""
        if self.values is None:
            return next(each.equity for each in self.plays if each.play == self.made)
        after = {
            ChoiceKind.NO_DOUBLE: self.values.no_double,
            ChoiceKind.DOUBLE: self.values.doubled,
            ChoiceKind.TAKE: -self.values.double_take,
            ChoiceKind.PASS: -self.values.double_pass,
        }
        return after[self.kind]

    @property
    def mark(self) -> int:
        """The mark of GNU Backgammon: 1 doubtful, 2 bad, 3 very bad, 0 none of these."""
        return sum(self.error >= least for least in BLUNDERS)


class Luck(NamedTuple):
    """The luck of a roll.

    Attributes:
        game: as in `Choice`.
        action: as in `Choice`.
        player: 0 or 1, who rolled.
        equity: what the roll was worth beyond the mean of all, as an equity.
        worth: the same as a chance to win the match, or for money in points.
    """

    game: int
    action: int
    player: int
    equity: float
    worth: float


def unit_cost(terms: Terms, met: MatchEquityTable) -> float:
    """Return what an equity of 1 is: as a chance to win the match, or for money in points."""
    if not terms.length:
        return float(terms.cube)
    return 0.5 * (met.after(terms, terms.cube) - met.after(terms, -terms.cube))


def worth_of(equity: float, terms: Terms, met: MatchEquityTable) -> float:
    """Return what an equity stands for: a chance to win the match, or for money points.

    Args:
        equity: to the player on roll, in points of the cube or EMG.
        terms: what is at stake for that player.
        met: the match equity table.
    """
    return met.mwc_of_emg(equity, terms) if terms.length else terms.cube * equity


@kernel()
def cube_loss(action: int, stay: float, taken: float, passed: float) -> float:
    """Return the equity that a choice about the cube loses, 0 or more.

    Args:
        action: `NO_DOUBLE` or another one; a pass is 4.
        stay: the equity of no double to the player on roll.
        taken: of a double that is taken.
        passed: of one that is passed.
    """
    if action <= DOUBLE:
        lost = min(taken, passed) - stay
        if action == DOUBLE:
            lost = -lost
    else:
        lost = taken - passed if action == TAKE else passed - taken
    return lost if lost > _ROUNDING else 0.0


def cube_error(kind: ChoiceKind, values: CubeValues) -> float:
    """Return the equity that a choice about the cube loses, 0 or more."""
    lost: float = cube_loss(kind.number, *values)
    return lost


def counts_without_double(values: CubeValues) -> bool:
    """Tell whether not to double counts as a decision by XG's rule.

    The rule is known from outside only, as bgsage and GammonView found it: a wrong one counts;
    otherwise not if a double is far off, the player is lost, or nothing depends on it.
    """
    stay, taken, _ = values
    gain = values.doubled - stay
    if gain >= ALIKE:
        return True
    lost = stay < _LOST and taken < _LOST
    return not lost and ALIKE <= -gain <= _FAR


def counts_for_gnu(values: CubeValues) -> bool:
    """Tell whether not to double counts as a decision by GNU Backgammon's rule."""
    optimal = max(values.no_double, values.doubled)
    return optimal - min(values.double_take, 1.0) < _NEAR
