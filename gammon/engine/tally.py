"""The tally of a rollout: what the trials so far say, and whether they say enough."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.core.estimate import Estimate, estimate, jsd_apart
from gammon.engine.analysis import Kind
from gammon.engine.cube import CubeValue
from gammon.engine.scale import Scale
from gammon.eval.equity import Probabilities, cumulative
from gammon.rules.outcome import N_RESULTS

Values = npt.NDArray[np.float64]

#: With fewer trials no standard error is believed.
LEAST = 324
#: A candidate is out if the best one beats it by more standard errors of their difference.
_OUT = 2.33


def half_of(count: int) -> int:
    """Return how many of some candidates stay when the worse half is taken out."""
    return min(count, max(2, (count + 1) // 2))


class Tally:
    """The trials of C candidates, as the player sees them whose decision it is.

    Args:
        count: C.
        scale: what is at stake for that player.
        after: whether the games start with the opponent on roll.
        cash: of a decision about the cube: the value of a double that is passed. The candidates
            are then no double, and double and take. Else None.

    Attributes:
        playing: the candidates that are not out.
        cash: as given.
        turns: played in all games.
    """

    def __init__(self, count: int, scale: Scale, after: bool, cash: float | None) -> None:
        self.playing = list(range(count))
        self.turns = 0
        self.cash = cash
        self._scale, self._after = scale, after
        self._beavers = scale.terms.beavers
        self._values: list[list[float]] = [[] for _ in range(count)]
        self._plain: list[list[float]] = [[] for _ in range(count)]
        self._results = np.zeros((count, N_RESULTS))

    def add(self, batch: Sequence[dict[str, Any]]) -> None:
        """Take up 36 trials of the candidates that play, as `block.play_batch` returns them."""
        for c, each in zip(self.playing, batch, strict=True):
            self._values[c] += each["values"]
            self._plain[c] += each["plain"]
            self._results[c] += each["chances"]
            self.turns += each["turns"]

    def trials(self, candidate: int) -> int:
        """Return how many trials a candidate has had."""
        return len(self._values[candidate])

    def values(self, candidate: int, plain: bool = False) -> Values:
        """Return the values of a candidate's trials, float64 [n].

        Args:
            candidate: its number.
            plain: as they came, with their luck.
        """
        values = np.array((self._plain if plain else self._values)[candidate], np.float64)
        return -values if self._after else values

    def value(self, candidate: int, plain: bool = False) -> Estimate:
        """Return the estimate of a candidate's value; the arguments are those of `values`."""
        return estimate(self.values(candidate, plain))

    def equity(self, candidate: int, plain: bool = False) -> Estimate:
        """Return the same in units of equity."""
        mean, error = self.value(candidate, plain)
        return Estimate(self._scale.equity(mean), error / abs(self._scale.unit))

    def cube_value(self, candidate: int) -> CubeValue:
        """Return the worth of an action with the cube."""
        equity, error = self.equity(candidate)
        mwc = self._scale.mwc(self.value(candidate).mean)
        return CubeValue(equity, mwc, Kind.ROLLOUT, error)

    def chances(self, candidate: int) -> Probabilities:
        """Return the chances of a candidate's results, which can be chances.

        The mean of games without their luck may be a little less than none.
        """
        results = self._results[candidate] / max(self.trials(candidate), 1)
        found = cumulative(results[::-1] if self._after else results).tolist()
        win = min(max(found[0], 0.0), 1.0)
        win_g = min(max(found[1], 0.0), win)
        lose_g = min(max(found[3], 0.0), 1.0 - win)
        return Probabilities(
            win, win_g, min(max(found[2], 0.0), win_g),
            lose_g, min(max(found[4], 0.0), lose_g),
        )  # fmt: skip

    def jsd(self, better: Values, worse: Values) -> float:
        """Return by how many standard errors of their difference some values beat others."""
        unit = abs(self._scale.unit)
        return jsd_apart(better / unit, worse / unit)

    def best(self) -> int:
        """Return the candidate that plays with the highest mean."""
        return max(self.playing, key=lambda c: self.value(c).mean)

    def drop(self, until_jsd: float | None = None) -> bool:
        """Take the candidates out that are far behind; tell whether there are such.

        Decisions about the cube need both of theirs.

        Args:
            until_jsd: of `gammon.rollout`. A candidate is out only if it is as far behind.
        """
        if self.cash is not None or self.trials(self.playing[0]) < LEAST:
            return False
        best, far = self.best(), max(_OUT, until_jsd or 0.0)
        right = self.values(best)
        left = [c for c in self.playing if c == best or self.jsd(right, self.values(c)) <= far]
        found, self.playing = len(left) < len(self.playing), left
        return found

    def halve(self) -> None:
        """Take the worse half of the candidates out; two stay."""
        ranked = sorted(self.playing, key=lambda c: -self.value(c).mean)
        self.playing = sorted(ranked[: half_of(len(ranked))])

    def is_enough(self, until_se: float | None, until_jsd: float | None) -> bool:
        """Tell whether the trials so far meet one of the rules to stop, of `gammon.rollout`."""
        if self.trials(self.playing[0]) < LEAST:
            return False
        if until_se is not None and all(self.equity(c).error <= until_se for c in self.playing):
            return True
        return until_jsd is not None and self.apart() >= until_jsd

    def doubled(self) -> Values:
        """Return the values of a double with the right answer to it, float64 [n]."""
        assert self.cash is not None, "it is a decision about the cube"
        taken = self.values(1)
        if taken.mean() >= self.cash:
            return np.full(len(taken), self.cash)
        return 2.0 * taken if self._beavers and taken.mean() < 0.0 else taken

    def apart(self) -> float:
        """Return how clear the decision is, in standard errors of the differences.

        Of plays, those count that are not out. About the cube, both questions count: whether
        to double, and how to answer.
        """
        if self.cash is None:
            best = self.best()
            right, others = self.values(best), [c for c in self.playing if c != best]
            return min((self.jsd(right, self.values(c)) for c in others), default=0.0)
        taken, limits = self.values(1), [self.cash]
        if self._beavers:  # a take is worth less than 0 to the player where they are right
            limits.append(0.0)
        answers = [self.jsd(taken, np.full(len(taken), limit)) for limit in limits]
        double = self.jsd(self.values(0), self.doubled())
        return min(map(abs, [*answers, double]))
