"""The rollouts of a level: of plays, or a cube decision, that a search leaves close."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from gammon.core.level import BLOCK, Level
from gammon.core.trials_kernel import Plan
from gammon.engine.analysis import Candidate, Kind, Sample, chance_of, close_plays
from gammon.engine.block import Start, play_batch
from gammon.engine.boards import Progress, in_threads
from gammon.engine.cube import CubeDecision
from gammon.engine.question import Question
from gammon.engine.rollout_sums import RolloutSums, half_of
from gammon.engine.search import Search
from gammon.eval.equity import Probabilities
from gammon.rules.board import flipped
from gammon.search import Stop

#: Rounds end once the decision is this clear, in standard errors of the difference.
_CLEAR = 4.0


class LevelRollouts:
    """Rolls out the close plays, or the close cube decision, of a search.

    If nothing is close, or the stop comes before the first round is complete, the decision of
    the search is returned unchanged.

    Args:
        search: the search that made the decision.
        question: has the seed.
        level: defines what is close, and how games are played.
        threads: how many share the games. The result does not depend on them.
        stop: ends the games; the last complete round counts.
    """

    def __init__(self, search: Search, question: Question, level: Level, threads: int, stop: Stop) -> None:
        self.search, self.scale, self.seed = search, search.scale, question.seed
        self.level, self.threads, self.stop = level, threads, stop

    def plays(self, candidates: list[Candidate], progress: Progress | None) -> list[Candidate]:
        """Return the candidates of a search; those that were rolled out come first.

        The close plays and the named plays are rolled out.

        Args:
            candidates: of the search, best first.
            progress: as for `Engine.answer`, in blocks of 36 games; or None.
        """
        close = close_plays(candidates, self.level)
        if len(close) < 2:
            return candidates
        starts = [(flipped(candidate.play.points), False) for candidate in close]
        sums = RolloutSums(len(close), self.scale, True, None)
        self._play(sums, starts, progress)
        if not sums.trials(0):
            return candidates
        best = sums.best()
        rolled = [self._rolled(sums, best, c, candidate) for c, candidate in enumerate(close)]

        def place(c: int) -> tuple[float, float, bool]:
            """The sort key of a play. Plays with equal equity rank by cubeless equity.

            Plays have equal equity where all of them lead to a pass.
            """
            candidate = rolled[c]
            cubeless = candidate.cubeless_equity or 0.0
            return -round(candidate.equity, 9), -cubeless, c not in sums.playing

        order = sorted(range(len(close)), key=place)
        others = [candidate for candidate in candidates if candidate not in close]
        loss = close[best].loss  # of the best play, by the search
        return [rolled[c] for c in order] + [
            replace(candidate, loss=max(candidate.loss - loss, 0.0)) for candidate in others
        ]

    def cube(self, decision: CubeDecision) -> CubeDecision:
        """Return a search's decision about the cube, with the values of games if it is close."""
        if decision.margin is None or decision.stats is None:  # no double, or exact tables
            return decision
        if decision.margin > self.level.reach:
            return decision
        scale, points = self.scale, decision.position.points
        cash = scale.game.offer(scale.game.stake, scale.game.params).cash
        sums = RolloutSums(2, scale, False, cash)
        self._play(sums, [(points, False), (points, True)], None)
        if not sums.trials(0):
            return decision
        return replace(
            decision,
            probabilities=sums.chances(0),
            no_double=sums.cube_value(0),
            double_take=sums.cube_value(1),
            confidence=chance_of(sums.apart()),
        )

    def _play(self, sums: RolloutSums, starts: Sequence[Start], progress: Progress | None) -> None:
        """Play the rounds of the level; after each, the worse half of the plays is dropped."""
        search, level, stop, scale = self.search, self.level, self.stop, self.scale
        plan = Plan(
            np.uint64(self.seed), level.plies, level.plies, level.turns, sums.cash is None,
            scale.has_exact_ends,
        )  # fmt: skip
        if progress is not None:
            progress[:] = 0, _blocks(level, len(starts))
        done = 0
        for goal in level.rounds:
            playing = sums.playing
            tasks = [(c, first) for first in range(done, goal, BLOCK) for c in playing]

            def play(task: tuple[int, int]) -> list[dict[str, Any]]:
                c, first = task
                batch = [] if stop.is_set() else play_batch(
                    scale, search.tree.evaluator, search.tree.probe, plan, level.move_filter,
                    [starts[c]], first, stop,
                )  # fmt: skip
                if progress is not None:
                    progress[0] += 1
                return batch

            batches = in_threads(play, tasks, self.threads)
            if stop.is_set():
                return
            for n in range(0, len(tasks), len(playing)):
                sums.add([batch for (batch,) in batches[n : n + len(playing)]])
            done = goal
            if sums.apart() >= _CLEAR:
                return
            sums.halve()

    def _rolled(self, sums: RolloutSums, best: int, c: int, candidate: Candidate) -> Candidate:
        """Return a candidate with the value of its games.

        The value is the best candidate's value less the difference of both on the same dice
        (common random numbers). A dropped play has played only some of these dice.
        """
        scale, chances = self.scale, sums.chances(c)
        (mean, error), behind = sums.value(best), sums.behind(c)
        if sums.trials(c) == sums.trials(best):
            error = sums.value(c).error
        else:
            error = float(np.hypot(error, behind.error))
        value = mean - behind.mean
        cubeless = candidate.cubeless_equity
        if cubeless is not None:
            cubeless = float(scale.without_cube(np.array([chances]))[0])
        return replace(
            candidate,
            equity=scale.equity(value),
            loss=max(behind.mean / scale.unit, 0.0),
            probabilities=Probabilities(*chances),
            kind=Kind.ROLLOUT,
            cubeless_equity=cubeless,
            mwc=scale.mwc(value),
            rollout=Sample(error / abs(scale.unit), 0.0 if c == best else sums.jsd(c), sums.trials(c)),
        )


def _blocks(level: Level, count: int) -> int:
    """Return the number of blocks of 36 games in all rounds, for `count` candidates."""
    blocks = 0
    for begun, goal in pairwise((0, *level.rounds)):
        blocks += count * (goal - begun) // BLOCK
        count = half_of(count)
    return blocks
