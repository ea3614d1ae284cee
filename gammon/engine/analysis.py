"""The answers of the engine: candidates, analyses, evaluations."""

from dataclasses import dataclass
from enum import StrEnum
from math import erf, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.showing import Rendered
from gammon.core.estimate import Open
from gammon.core.level import Level
from gammon.eval.equity import Probabilities
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.dice import WEIGHTS
from gammon.rules.terms import Terms
from gammon.search.stats import Stats


class Kind(StrEnum):
    """The source of a candidate's equity."""

    #: The value of best play to the candidate's depth.
    EXACT = "exact"
    #: The value of bounded search to the candidate's depth.
    BOUNDED = "bounded"
    #: The value of a search two plies less deep than the search of the best play.
    SHALLOW = "shallow"
    #: The evaluator's value without a search; a play has it if a filter left the play out.
    STATIC = "static"
    #: The mean of games that were played from the position.
    ROLLOUT = "rollout"


def deep_kind(depth: int, algorithm: str | None) -> Kind:
    """Return the kind of the values of a search to a depth; to depth 3 bounded search is exact.

    Args:
        depth: plies.
        algorithm: the name of the algorithm, or None if there was no search.
    """
    return Kind.BOUNDED if algorithm == "bounded" and depth >= 5 else Kind.EXACT


class Sample(NamedTuple):
    """The size and errors of the rollout behind an equity.

    Attributes:
        error: the standard error of the equity.
        jsd: the lead of the best candidate over this one, in standard errors of the difference;
            0 for the best candidate.
        trials: the number of games.
    """

    error: Open
    jsd: Open
    trials: int


def chance_of(jsd: float) -> float:
    """Return the chance that a difference of `jsd` standard errors is really above 0."""
    return 0.5 * (1.0 + erf(jsd / sqrt(2.0)))


@dataclass(frozen=True, repr=False)
class Candidate:
    """A play and what it is worth to the player who makes it.

    Attributes:
        play: the play.
        equity: with the cube, in points of the cube for money, in EMG in a match; cubeless, in the unit
            of the engine's stakes.
        loss: the best play's equity less this play's, at least 0. If only the best play was rolled out,
            the loss comes from the search.
        probabilities: chances of wins and gammons, with best play to `depth`.
        kind: the source of `equity`.
        depth: plies of the search that gave `equity` and `probabilities`; see `Engine`. 1 for static ones.
        bound: for a shallow equity, the upper bound that the deeper search has proved; else
            None.
        named: whether the question names this play.
        cubeless_equity: the equity of `probabilities` if nobody turns the cube any more; None
            where `equity` is cubeless.
        mwc: in a match, `equity` as a chance to win the match.
        rollout: the rollout of a level from this play, or None.
    """

    play: Play
    equity: float
    loss: float
    probabilities: Probabilities
    kind: Kind
    depth: int
    named: bool = False
    bound: float | None = None
    cubeless_equity: float | None = None
    mwc: float | None = None
    rollout: Sample | None = None

    @property
    def exact(self) -> bool:
        """Whether `equity` is the value of best play to `depth`."""
        return self.kind is Kind.EXACT

    @property
    def deep(self) -> bool:
        """Whether `equity` is a value of the search to the full depth."""
        return self.kind in (Kind.EXACT, Kind.BOUNDED)

    def __repr__(self) -> str:
        equity = f"{self.equity:+.4f}"
        return f"<Candidate {self.play}: {equity}, {self.kind.value}, depth {self.depth}>"


def close_plays(candidates: list[Candidate], level: Level) -> list[Candidate]:
    """Return the plays that a level rolls out if there are several.

    The close plays come first, best first, then the named plays.

    Args:
        candidates: of the search, best first.
        level: has the largest loss of a close play.
    """
    close = [play for play in candidates if play.deep and play.loss <= level.reach]
    close = close[: level.most]
    return close + [play for play in candidates if play.named and play not in close]


@dataclass(frozen=True, repr=False)
class Analysis(Rendered):
    """All plays of a roll, best first; plays with a static equity come last.

    The best `top` plays and the named plays have values of the full depth. The other plays have the
    equities of a search two plies less deep, which are below the equities of the best plays.

    Plays that a level has rolled out come before all others; the others keep the order of the search.

    Its `str` is a table for people.

    Attributes:
        position: the position, with the roll.
        dice: the roll.
        terms: what is at stake for the player on roll.
        candidates: see `Candidate`.
        stats: the work of the searches.
        seconds: wall time.
        top: how many values of the full depth the question asked for.
        algorithm: the algorithm of the search; None if exact tables have the values.
        level: the level that rolls out close plays, or None.
        noise_note: see `Question.noise_note`.
    """

    position: Position
    dice: tuple[int, int]
    terms: Terms
    candidates: list[Candidate]
    stats: Stats
    seconds: float
    top: int
    algorithm: str | None = "bounded"
    level: str | None = None
    noise_note: str = ""

    @property
    def confidence(self) -> float | None:
        """The confidence, by the rollout, that the best play is really best; or None.

        It is the smallest confidence over all other plays that were rolled out.
        """
        _, *leads = [play.rollout.jsd for play in self.candidates if play.rollout] or [0.0]
        return chance_of(min(leads)) if leads else None

    @property
    def depth(self) -> int:
        """The plies of the best play's search; a time limit may have reduced them."""
        return self.candidates[0].depth

    def __repr__(self) -> str:
        best = self.candidates[0]
        return (
            f"<Analysis of {self.dice[0]}{self.dice[1]}: {len(self.candidates)} plays, best "
            f"{best.play} {best.equity:+.4f}, depth {self.depth}>"
        )


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The value of a position to the player on roll, before the turn.

    Attributes:
        equity: in the unit of `Candidate.equity`; with the cube, the player may double first.
        probabilities: with best play to the engine's depth.
        stats: the work of the search.
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
class RollTable(Rendered):
    """The best play of each of the 21 rolls. Its `str` is a table for people.

    Attributes:
        position: the position before the roll.
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
        """The mean over the rolls of the best play's chances."""
        rows = np.array([analysis.candidates[0].probabilities for analysis in self.analyses], np.float64)
        return Probabilities(*map(float, self._mean(rows)))

    @property
    def depth(self) -> int:
        """The plies of the least deep search of a roll."""
        return min(analysis.depth for analysis in self.analyses)

    @property
    def terms(self) -> Terms:
        """The terms of the game, seen from the player on roll."""
        return self.analyses[0].terms

    @property
    def algorithm(self) -> str | None:
        """The algorithm of the searches, as for an `Analysis`."""
        return self.analyses[0].algorithm

    @property
    def level(self) -> str | None:
        """The level that rolls out close plays, or None."""
        return self.analyses[0].level

    @property
    def noise_note(self) -> str:
        """The errors that the values have on purpose; see `Question.noise_note`."""
        return self.analyses[0].noise_note

    @property
    def stats(self) -> Stats:
        """The work for all rolls."""
        return Stats.total(analysis.stats for analysis in self.analyses)

    def __repr__(self) -> str:
        return f"<RollTable of {self.position.position_id}: equity {self.equity:+.4f}, depth {self.depth}>"
