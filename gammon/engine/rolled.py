"""The answer of a rollout: its candidates with means and standard errors."""

from dataclasses import dataclass

from gammon.base.mean import REACH
from gammon.base.showing import Shown
from gammon.core.estimate import Estimate, Open
from gammon.engine.cube import CubeDecision
from gammon.engine.rollout_settings import RolloutSettings
from gammon.eval.equity import Probabilities
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.terms import Terms


@dataclass(frozen=True, repr=False)
class RolledCandidate:
    """A candidate of a rollout, and what it is worth to the player whose decision it is.

    Attributes:
        name: the play, `No double`, `Double, take`, or `Before the roll`.
        play: the play, or None.
        equity: the mean over the trials, in the unit of a `Candidate`'s.
        error: its standard error.
        loss: how much less than the best candidate's equity, or that of the right decision
            about the cube, by the trials that both had; at least 0.
        jsd: by how many standard errors of the difference it is worth less than the best
            candidate, or than the right decision about the cube; at least 0. By fewer than 324
            trials it is rough.
        probabilities: chances of wins and gammons. Where a game ended by a pass, they are those
            of the network for its last position. Without the luck of the dice a mean may be a
            little below 0, and is 0 here: then they miss the equity by that little.
        plain: the mean of the results as they came, with the luck of the dice, and its error.
        trials: games.
        out: whether it was given up because it was far behind.
        mwc: in a match with the cube, the chance to win it.
        mwc_error: its standard error.
    """

    name: str
    play: Play | None
    equity: float
    error: Open
    loss: float
    jsd: Open
    probabilities: Probabilities
    plain: Estimate
    trials: int
    out: bool
    mwc: float | None = None
    mwc_error: float | None = None

    @property
    def interval(self) -> tuple[Open, Open]:
        """The equities between which the truth lies with a chance of 95 %."""
        return Estimate(self.equity, self.error).interval

    @property
    def may_be_best(self) -> bool:
        """Whether the games leave open that no other candidate is better, with 95 % certainty.

        The best one beats it by less than 1.96 standard errors of the difference.
        """
        return self.jsd < REACH

    def __repr__(self) -> str:
        return f"<RolledCandidate {self.name}: {self.equity:+.4f} ± {self.error:.4f}>"


@dataclass(frozen=True, repr=False)
class Rollout(Shown):
    """The candidates of a decision, best first, by games that were played from them.

    Its `str` is a table for people.

    Attributes:
        position: where the decision is made.
        dice: the roll; None before it.
        terms: what is at stake for the player.
        candidates: see `RolledCandidate`. Those that are out come last. Decisions about the
            cube keep the order no double, double and take.
        cube: the decision about the cube that the candidates lead to, where it is one.
        settings: see `RolloutSettings`.
        trials: those of the best candidate.
        games: of all candidates.
        turns: played in all games.
        seconds: wall time.
        whole: whether all trials that were asked for were played.
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
    whole: bool

    @property
    def equity(self) -> float:
        """The equity of the best candidate, or of the right decision about the cube."""
        return self.candidates[0].equity if self.cube is None else self.cube.equity

    def __repr__(self) -> str:
        best = repr(self.candidates[0]).partition(" ")[2]
        found = self.cube.verdict if self.cube else best[:-1]
        return f"<Rollout of {self.trials} trials: {found}>"
