"""The answer of a rollout: its candidates with means and standard errors."""

from dataclasses import dataclass

from gammon.base.mean import REACH
from gammon.base.showing import Rendered
from gammon.core.estimate import Estimate, Open
from gammon.engine.cube import CubeDecision
from gammon.engine.question import RolloutSettings
from gammon.eval.equity import Probabilities
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.terms import Terms


@dataclass(frozen=True, repr=False)
class RolledCandidate:
    """A candidate of a rollout, with its value to the player who decides.

    Attributes:
        name: the play, `No double`, `Double, take`, or `Before the roll`.
        play: the play, or None.
        equity: the mean over the trials, in the unit of `Candidate.equity`.
        error: the standard error of the equity.
        loss: the equity of the best candidate, or of the right decision about the cube, less
            this equity, over the trials that both had; at least 0.
        jsd: the same loss in standard errors of the difference; at least 0. With fewer than 324
            trials it is rough.
        probabilities: chances of wins and gammons. A game that ended by a pass counts with the
            network's chances for its last position. Variance reduction can bring a chance a little
            below 0; it is then set to 0, and the chances do not quite add up to the equity.
        unadjusted: the mean of the results with the luck of the dice, and its standard error.
        trials: the number of games.
        dropped: whether the candidate was dropped because it was far behind.
        mwc: in a match with the cube, the chance to win the match.
        mwc_error: the standard error of `mwc`.
    """

    name: str
    play: Play | None
    equity: float
    error: Open
    loss: float
    jsd: Open
    probabilities: Probabilities
    unadjusted: Estimate
    trials: int
    dropped: bool
    mwc: float | None = None
    mwc_error: float | None = None

    @property
    def interval(self) -> tuple[Open, Open]:
        """The bounds of the 95 % confidence interval of the equity."""
        return Estimate(self.equity, self.error).interval

    @property
    def may_be_best(self) -> bool:
        """Whether this candidate may be the best one, at 95 % confidence.

        The best candidate leads it by less than 1.96 standard errors of the difference.
        """
        return self.jsd < REACH

    def __repr__(self) -> str:
        return f"<RolledCandidate {self.name}: {self.equity:+.4f} ± {self.error:.4f}>"


@dataclass(frozen=True, repr=False)
class Rollout(Rendered):
    """The candidates of a decision, best first, with the means of games played from them.

    Its `str` is a table for people.

    Attributes:
        position: the position of the decision.
        dice: the roll; None before it.
        terms: what is at stake for the player.
        candidates: see `RolledCandidate`. Dropped candidates come last. In a decision about the
            cube the order is no double, then double and take.
        cube: for a decision about the cube, the decision that follows from the means; else None.
        settings: see `RolloutSettings`.
        trials: the trials of the best candidate.
        games: the games of all candidates.
        turns: the turns of all games.
        seconds: wall time.
        complete: whether all requested trials were played.
    """

    position: Position
    dice: tuple[int, int] | None
    terms: Terms
    candidates: list[RolledCandidate]
    cube: CubeDecision | None
    settings: RolloutSettings
    trials: int
    games: int
    turns: int
    seconds: float
    complete: bool

    @property
    def equity(self) -> float:
        """The equity of the best candidate, or of the right decision about the cube."""
        return self.candidates[0].equity if self.cube is None else self.cube.equity

    def __repr__(self) -> str:
        best = repr(self.candidates[0]).partition(" ")[2]
        verdict = self.cube.verdict if self.cube else best[:-1]
        return f"<Rollout of {self.trials} trials: {verdict}>"
