"""Choices: decisions that a player made, what they cost, and whether they count.

Errors are equities: points of the cube before the choice or, in a match, EMG. Their costs are
points for money, and in a match chances to win it.
"""

from enum import StrEnum
from typing import NamedTuple

from gammon.base.mean import REACH
from gammon.compiled.kernel import kernel
from gammon.eval.equity import Probabilities
from gammon.formats.context import doubling_words
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms

#: The least errors of a doubtful, a bad and a very bad choice, as GNU Backgammon marks them.
BLUNDERS = 0.03, 0.06, 0.12
#: Values of cube actions that differ by less are alike: to choose between them is not a decision.
ALIKE = 0.001
#: Plays whose values differ by less are alike (XG's rule, as inferred by GammonView).
PLAYS_ALIKE = 0.0001
#: The numbers of decisions about the cube in kernels.
NO_DOUBLE, DOUBLE, TAKE = 1, 2, 3
#: Values that differ by less are equal.
_ROUNDING = 1e-9
#: If a double would cost more than this, not to double is not a decision (XG's rule).
_FAR = 0.2
#: Below this equity the player is lost with any cube action (XG's rule).
_LOST = -0.9
#: If a double would cost less than this, not to double is a decision (GNU Backgammon's rule).
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
        """The number of the kind in kernels: 0 for a play, `NO_DOUBLE`, `DOUBLE`, `TAKE`, 4 for a pass."""
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
    """A play of a roll, with its analysis.

    Attributes:
        play: the play in our notation.
        equity: the equity to the player who makes it; for the only play of a roll, at depth 1.
        probabilities: the chances of that player.
        level: the program and its level, such as `XG Roller+`, if a file's analysis was taken.
    """

    play: str
    equity: float
    probabilities: Probabilities
    level: str = ""


class RolledPlay(NamedTuple):
    """A candidate of a rollout: a play, `No double`, or `Double, take`.

    Attributes:
        name: the name of the candidate.
        equity: the mean of its games, to the player on roll.
        error: the standard error of the mean.
        loss: the equity of the best candidate minus this equity.
        loss_error: the standard error of the loss, from the games that both candidates played; 0
            for the best candidate, None if the games do not suffice.
        trials: the number of games.
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
    """Return the equities of both answers to a double to the player who answers, the best first.

    Args:
        taken: the equity of a take; a pass has -1.
        error: a text to put after the equity of a take.
    """
    take, decline = f"take {taken:+z.3f}{error}", "pass -1.000"
    return f"{take}, {decline}" if taken > -1.0 else f"{decline}, {take}"


class RolledChoice(NamedTuple):
    """A decision that was rolled out.

    Attributes:
        trials: games of the best candidate.
        depth: plies of the search that plays the games.
        candidates: the plays, the best first; or no double, then double and take.
        verdict: the right cube actions in words; empty for a play.
    """

    trials: int
    depth: int
    candidates: tuple[RolledPlay, ...]
    verdict: str

    def words(self, made: str, owner: int = 0) -> str:
        """Return the result of the rollout for the choice that was made, in a few words.

        Args:
            made: the play; for a take or a pass, the equities are to the player who answers; any
                other text for other decisions about the cube.
            owner: the owner of the cube, 1 for the player on roll.
        """
        if made in (ChoiceKind.TAKE, ChoiceKind.PASS):
            taken = next(candidate for candidate in self.candidates if candidate.name == "Double, take")
            text = answer_words(-taken.equity, f" ± {taken.error:.3f}")
            return f"{text} ({self.verdict})"
        if self.verdict:
            text = ", ".join(
                f"{candidate.name.lower()} {candidate.equity:+z.3f} ± {candidate.error:.3f}"
                for candidate in self.candidates
            )
            return f"{self.verdict} ({doubling_words(text, owner)})"
        mine = next(candidate for candidate in self.candidates if candidate.name == made)
        if not mine.loss:
            return "the play that was made is the best one"
        level = "not told apart from " if mine.loss < REACH * (mine.loss_error or 0.0) else ""
        apart = "" if mine.loss_error is None else f" ± {mine.loss_error:.3f}"
        return f"{-mine.loss:+z.3f}{apart}, {level}best {self.candidates[0].name}"


class Choice(NamedTuple):
    """A decision that a player made.

    Attributes:
        game: the number of the game in the match, from 0 on.
        action: the number of the action in the game, from 0 on.
        player: the player who made the choice, 0 or 1.
        kind: the kind of the choice.
        xgid: the position; for an answer, with the double on offer.
        made: the choice that was made, in words or as a play.
        best: the best choice.
        error: the lost equity, 0 or more.
        cost: the loss as a chance to win the match, or for money in points.
        counted: whether the choice is a decision by XG's rule, which PR uses.
        active: whether the choice is a decision by GNU Backgammon's rule: an unforced play, a
            double, an answer, or no double if a double would not cost much.
        depth: plies of the analysis.
        values: the equities of a choice about the cube.
        chances: for a choice about the cube, the cubeless chances of the player on roll.
        plays: for a play, the best plays, the best first, and the play that was made.
        rollout: the rollout of the decision, if there is one. It changes no other field.
        level: the program and its level, such as `XG Roller+`, if a file's analysis was taken.
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
    level: str = ""

    @property
    def equity(self) -> float:
        """The equity after the choice, to the player who made it."""
        if self.values is None:
            return next(play.equity for play in self.plays if play.play == self.made)
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
        player: the player who rolled, 0 or 1.
        equity: the equity after the roll minus the mean over all rolls.
        value: the luck as a chance to win the match, or for money in points.
    """

    game: int
    action: int
    player: int
    equity: float
    value: float


def unit_cost(terms: Terms, met: MatchEquityTable) -> float:
    """Return an equity difference of 1 as a chance to win the match, or for money in points."""
    return met.point(terms) if terms.length else float(terms.cube)


def value_of(equity: float, terms: Terms, met: MatchEquityTable) -> float:
    """Return an equity as a chance to win the match, or for money in points.

    Args:
        equity: the equity to the player on roll, in points of the cube or EMG.
        terms: what is at stake for that player.
        met: the match equity table.
    """
    return met.mwc_of_emg(equity, terms) if terms.length else terms.cube * equity


@kernel()
def cube_loss(action: int, stay: float, taken: float, passed: float) -> float:
    """Return the equity that a choice about the cube loses, 0 or more.

    Args:
        action: `NO_DOUBLE`, `DOUBLE`, `TAKE`, or 4 for a pass.
        stay: the equity of no double to the player on roll.
        taken: the equity of double and take.
        passed: the equity of double and pass.
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
    """Return whether not to double counts as a decision by XG's rule.

    The rule is unpublished; bgsage and GammonView inferred it. A missed double counts. Otherwise
    no double does not count if a double is far off, the player is lost, or both are alike.
    """
    stay, taken, _ = values
    gain = values.doubled - stay
    if gain >= ALIKE:
        return True
    lost = stay < _LOST and taken < _LOST
    return not lost and ALIKE <= -gain <= _FAR


def counts_for_gnu(values: CubeValues) -> bool:
    """Return whether not to double counts as a decision by GNU Backgammon's rule."""
    optimal = max(values.no_double, values.doubled)
    return optimal - min(values.double_take, 1.0) < _NEAR
