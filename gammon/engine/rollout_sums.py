"""The sums of a rollout: estimates from the trials so far, and the rules to stop."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.core.estimate import JSD, N_JUDGED, N_WORK, RANK, Estimate, estimate, judge
from gammon.engine.analysis import Kind
from gammon.engine.cube import CubeValue
from gammon.engine.scale import Scale
from gammon.eval.equity import Probabilities, cumulative
from gammon.rules.outcome import N_RESULTS

#: With fewer trials, standard errors are not trusted.
LEAST = 324
#: A candidate is dropped if the best one leads it by more standard errors of the difference.
_OUT = 2.33


def half_of(count: int) -> int:
    """Return how many candidates stay after the worse half is dropped."""
    return min(count, max(2, (count + 1) // 2))


class Judged(NamedTuple):
    """The statistics of the trials so far.

    Attributes:
        clear: how clear the decision is, in standard errors of the difference.
        table: float64 [C, 6], see `gammon.core.estimate.judge`.
    """

    clear: float
    table: npt.NDArray[np.float64]


class RolloutSums:
    """The trials of C candidates, seen from the player who decides.

    Args:
        count: C.
        scale: what is at stake for that player.
        after: whether the games start with the opponent on roll.
        cash: for a decision about the cube, the value of a double that is passed; the candidates
            are then no double, and double and take. Else None.

    Attributes:
        playing: the candidates that have not been dropped.
        cash: the argument.
        turns: the turns of all games.
    """

    def __init__(self, count: int, scale: Scale, after: bool, cash: float | None) -> None:
        self.playing = list(range(count))
        self.turns = 0
        self.cash = cash
        self._scale, self._after = scale, after
        self._beavers = scale.terms.beavers
        self._values: list[list[float]] = [[] for _ in range(count)]
        self._unadjusted: list[list[float]] = [[] for _ in range(count)]
        self._results = np.zeros((count, N_RESULTS))
        self._judged: Judged | None = None

    def add(self, batch: Sequence[dict[str, Any]]) -> None:
        """Add 36 trials of each playing candidate, as `block.play_batch` returns them."""
        self._judged = None
        for c, games in zip(self.playing, batch, strict=True):
            self._values[c] += games["values"]
            self._unadjusted[c] += games["plain"]
            self._results[c] += games["chances"]
            self.turns += games["turns"]

    def trials(self, candidate: int) -> int:
        """Return how many trials a candidate has had."""
        return len(self._values[candidate])

    def judged(self) -> Judged:
        """Return the statistics of the trials so far."""
        if self._judged is None:
            count, most = len(self._values), max(map(len, self._values))
            values, table = np.zeros((count + N_WORK, most)), np.empty((count, N_JUDGED))
            for row, own in zip(values, self._values, strict=False):
                row[: len(own)] = own
            if self._after:
                values *= -1.0
            trials = np.array(list(map(len, self._values)))
            playing = np.isin(np.arange(count), self.playing).astype(np.int64)
            cash = np.nan if self.cash is None else self.cash
            clear = judge(values, trials, playing, abs(self._scale.unit), cash, self._beavers, table)
            self._judged = Judged(clear, table)
        return self._judged

    def value(self, candidate: int) -> Estimate:
        """Return the estimate of a candidate's value."""
        return Estimate(*self.judged().table[candidate, :2].tolist())

    def equity(self, candidate: int) -> Estimate:
        """Return the estimate of a candidate's equity."""
        return self._in_equity(self.value(candidate))

    def unadjusted(self, candidate: int) -> Estimate:
        """Return the estimate of a candidate's equity without variance reduction."""
        unadjusted = np.array(self._unadjusted[candidate], np.float64)
        return self._in_equity(estimate(-unadjusted if self._after else unadjusted))

    def _in_equity(self, value: Estimate) -> Estimate:
        return Estimate(self._scale.equity(value.mean), value.error / abs(self._scale.unit))

    def behind(self, candidate: int) -> Estimate:
        """Return the value of the right choice less the value of a candidate.

        The right choice is the best playing candidate; about the cube, it is the better of no
        double and a double with the right answer. Only trials that both have had count.
        """
        return Estimate(*self.judged().table[candidate, 2:4].tolist())

    def jsd(self, candidate: int) -> float:
        """Return how far a candidate is behind, in standard errors of the difference."""
        return float(self.judged().table[candidate, JSD])

    def cube_value(self, candidate: int) -> CubeValue:
        """Return the value of a cube action."""
        equity, error = self.equity(candidate)
        mwc = self._scale.mwc(self.value(candidate).mean)
        return CubeValue(equity, mwc, Kind.ROLLOUT, error)

    def chances(self, candidate: int) -> Probabilities:
        """Return the chances of a candidate's results, clipped to consistent values.

        With variance reduction, the mean of a chance may be a little below 0.
        """
        results = self._results[candidate] / max(self.trials(candidate), 1)
        means = cumulative(results[::-1] if self._after else results).tolist()
        win = min(max(means[0], 0.0), 1.0)
        win_g = min(max(means[1], 0.0), win)
        lose_g = min(max(means[3], 0.0), 1.0 - win)
        return Probabilities(
            win, win_g, min(max(means[2], 0.0), win_g), lose_g, min(max(means[4], 0.0), lose_g)
        )

    def best(self) -> int:
        """Return the playing candidate with the highest mean."""
        return min(self.playing, key=self._rank)

    def _rank(self, candidate: int) -> float:
        return float(self.judged().table[candidate, RANK])

    def _keep(self, candidates: list[int]) -> bool:
        """Drop all but some candidates; return whether any was dropped."""
        dropped = len(candidates) < len(self.playing)
        self.playing = sorted(candidates)
        self._judged = None
        return dropped

    def drop(self, until_jsd: float | None = None) -> bool:
        """Drop the candidates that are far behind; return whether there were any.

        A decision about the cube needs both candidates, so none is dropped.

        Args:
            until_jsd: as for `gammon.rollout`. No candidate is dropped that is less far behind.
        """
        if self.cash is not None or self.trials(self.playing[0]) < LEAST:
            return False
        far = max(_OUT, until_jsd or 0.0)
        return self._keep([c for c in self.playing if self.jsd(c) <= far])

    def halve(self) -> None:
        """Drop the worse half of the candidates, but leave two."""
        self._keep(sorted(self.playing, key=self._rank)[: half_of(len(self.playing))])

    def is_enough(self, until_se: float | None, until_jsd: float | None) -> bool:
        """Return whether the trials so far meet a rule to stop; see `gammon.rollout`."""
        if self.trials(self.playing[0]) < LEAST:
            return False
        if until_se is not None and all(self.equity(c).error <= until_se for c in self.playing):
            return True
        return until_jsd is not None and self.apart() >= until_jsd

    def apart(self) -> float:
        """Return how clear the decision is, in standard errors; see `gammon.core.estimate.judge`."""
        return self.judged().clear
