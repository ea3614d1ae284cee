"""The answers of the engine: candidates, analyses, evaluations."""

from dataclasses import dataclass
from enum import StrEnum
from math import erf, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.showing import Shown
from gammon.core.estimate import Open
from gammon.core.level import Level
from gammon.eval.equity import Probabilities
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.dice import WEIGHTS
from gammon.rules.terms import Terms
from gammon.search.stats import Stats

#: A performance rating is the mean loss of a decision in points times this; XG's convention.
RATING = 500.0


class Kind(StrEnum):
    """The knowledge of a candidate's equity."""

    #: The value of best play to the candidate's depth.
    EXACT = "exact"
    #: The value of a search that went less deep than the search of the best play.
    SHALLOW = "shallow"
    #: The evaluator's word, without a search; of a play, because a filter left it out.
    STATIC = "static"
    #: The mean of games that were played from there.
    ROLLOUT = "rollout"


class Sample(NamedTuple):
    """The games that an equity is the mean of.

    Attributes:
        error: the standard error of the equity.
        jsd: by how many standard errors of the difference the best candidate beats this one; 0
            for the best one.
        trials: games.
    """

    error: Open
    jsd: Open
    trials: int


def chance_of(jsd: float) -> float:
    """Return the chance that a difference is above 0 which is so many standard errors."""
    return 0.5 * (1.0 + erf(jsd / sqrt(2.0)))


@dataclass(frozen=True, repr=False)
class Candidate:
    """A play and what it is worth to the player who makes it.

    Attributes:
        play: the play.
        equity: with the cube, points of it for money, or EMG in a match; cubeless, in the
            unit of the engine's stakes.
        loss: how much less than the best play's equity that is, at least 0. Where that one is
            the mean of games and this one is not, the search says by how much.
        probabilities: chances of wins and gammons, with best play to `probabilities_depth`.
        kind: whether `equity` is exact, shallow, static, or the mean of games.
        depth: plies of the search that `equity` is from; see `Engine`. 1 where the equity is
            static.
        probabilities_depth: the same of the chances.
        bound: where the equity is shallow, the upper bound of the equity to the full depth that
            the deeper search has proved. None elsewhere.
        named: whether the analysis was asked for this play by name.
        cubeless_equity: that of `probabilities` if nobody turns the cube any more; None where
            `equity` is cubeless.
        mwc: in a match, the chance to win it that `equity` stands for.
        games: those that a level has played from there, or None.
    """

    play: Play
    equity: float
    loss: float
    probabilities: Probabilities
    kind: Kind
    depth: int
    probabilities_depth: int
    named: bool = False
    bound: float | None = None
    cubeless_equity: float | None = None
    mwc: float | None = None
    games: Sample | None = None

    @property
    def exact(self) -> bool:
        """Whether `equity` is the value of best play to `depth`."""
        return self.kind is Kind.EXACT

    def __repr__(self) -> str:
        equity = f"{self.equity:+.4f}"
        return f"<Candidate {self.play}: {equity}, {self.kind.value}, depth {self.depth}>"


def close_plays(candidates: list[Candidate], level: Level) -> list[Candidate]:
    """Return the plays that a level plays games from, if there are several.

    They are those that are close, best first, and then those that were named.

    Args:
        candidates: of the search, best first.
        level: says what is close.
    """
    near = [each for each in candidates if each.exact and each.loss <= level.reach]
    near = near[: level.most]
    return near + [each for each in candidates if each.named and each not in near]


@dataclass(frozen=True, repr=False)
class Analysis(Shown):
    """All plays of a roll, in the order of their equities; static ones come last.

    The best `top` plays are exact, and those that were named. The others have the equities of a
    search two plies less deep, which are below the equities of the first ones.

    Plays from which a level has played games come before all others, which keep the order of
    the search.

    Its `str` is a table for people.

    Attributes:
        position: where the roll is played, with the roll.
        dice: the roll.
        terms: what is at stake for the player on roll.
        candidates: see `Candidate`.
        stats: the work that it took.
        seconds: wall time.
        top: how many exact values were asked for.
        algorithm: of the search.
        level: the level that plays games where plays are close, or None.
        errs: see `Question.errs`.
    """

    position: Position
    dice: tuple[int, int]
    terms: Terms
    candidates: list[Candidate]
    stats: Stats
    seconds: float
    top: int
    algorithm: str = "star2"
    level: str | None = None
    errs: str = ""

    @property
    def sure(self) -> float | None:
        """The chance, by the games, that the lead of the best play is not luck; or None.

        Of its leads over the other plays with games, the least clear one counts.
        """
        _, *others = [each.games.jsd for each in self.candidates if each.games] or [0.0]
        return chance_of(min(others)) if others else None

    @property
    def depth(self) -> int:
        """The plies of the best play, which a limit of time may have kept down."""
        return self.candidates[0].depth

    def __repr__(self) -> str:
        best = self.candidates[0]
        return (
            f"<Analysis of {self.dice[0]}{self.dice[1]}: {len(self.candidates)} plays, best "
            f"{best.play} {best.equity:+.4f}, depth {self.depth}>"
        )


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The worth of a position to the player on roll, before the turn.

    Attributes:
        equity: as that of a `Candidate`; with the cube, the player may double first.
        probabilities: with best play to the engine's depth.
        stats: the work that it took.
        seconds: wall time.
        mwc: in a match with the cube, the chance to win it.
    """

    equity: float
    probabilities: Probabilities
    stats: Stats
    seconds: float
    mwc: float | None = None

    def __repr__(self) -> str:
        return f"<Evaluation {self.equity:+.4f}, win {100 * self.probabilities.win:.1f} %>"


@dataclass(frozen=True, repr=False)
class RollTable(Shown):
    """The best play of each of the 21 rolls. Its `str` is a table for people.

    Attributes:
        position: the player on roll has not rolled yet.
        analyses: one for each roll, in the order of `gammon.rules.dice.ROLLS`.
        seconds: wall time.
    """

    position: Position
    analyses: list[Analysis]
    seconds: float

    def _mean(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return np.average(np.asarray(values, np.float64), axis=0, weights=WEIGHTS)

    @property
    def equity(self) -> float:
        """The mean over the rolls of the best play's equity."""
        return float(self._mean([analysis.candidates[0].equity for analysis in self.analyses]))

    @property
    def probabilities(self) -> Probabilities:
        """The same mean of the chances of the six results."""
        bests = [analysis.candidates[0].probabilities for analysis in self.analyses]
        rows = np.array(bests, np.float64)
        return Probabilities(*map(float, self._mean(rows)))

    @property
    def depth(self) -> int:
        """The plies of all rolls: those of the least deep one."""
        return min(analysis.depth for analysis in self.analyses)

    @property
    def terms(self) -> Terms:
        """What is at stake for the player on roll."""
        return self.analyses[0].terms

    @property
    def algorithm(self) -> str:
        """The algorithm of the searches."""
        return self.analyses[0].algorithm

    @property
    def level(self) -> str | None:
        """The level that plays games where plays are close, or None."""
        return self.analyses[0].level

    @property
    def errs(self) -> str:
        """The errors that the values have on purpose; see `Question.errs`."""
        return self.analyses[0].errs

    @property
    def stats(self) -> Stats:
        """The work for all rolls."""
        return Stats.total(analysis.stats for analysis in self.analyses)

    def __repr__(self) -> str:
        return f"<RollTable of {self.position.position_id}: equity {self.equity:+.4f}, depth {self.depth}>"
