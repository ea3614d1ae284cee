"""Settling: games where a search leaves plays, or a decision about the cube, close."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.core.level import BLOCK, Level
from gammon.core.trials_kernel import Plan
from gammon.engine.analysis import Candidate, Kind, Sample, chance_of, close_plays
from gammon.engine.block import Start, play_batch
from gammon.engine.boards import in_blocks
from gammon.engine.cube import CubeDecision
from gammon.engine.question import Question
from gammon.engine.search import Search
from gammon.engine.tally import Tally, half_of
from gammon.eval.equity import Probabilities
from gammon.rules.board import flipped
from gammon.search import Stop

Bar = npt.NDArray[np.int64]

#: A decision is settled that is so clear, in standard errors of the differences.
_CLEAR = 4.0


class Settler:
    """Plays the games of a level where a search leaves a decision close.

    If nothing is close, or the stop comes before the first round is over, all stays as it is.

    Args:
        search: the search that left it close.
        question: says the seed.
        level: says what is close, and how games are played.
        threads: that share the games. The answer is the same for any number of them.
        stop: ends the games with the last round that is complete.
    """

    def __init__(self, search: Search, question: Question, level: Level, threads: int, stop: Stop) -> None:
        self.search, self.scale, self.seed = search, search.scale, question.seed
        self.level, self.threads, self.stop = level, threads, stop

    def plays(self, candidates: list[Candidate], progress: Bar | None) -> list[Candidate]:
        """Return the candidates of a search, those first that games were played from.

        Games are played from the plays that are close, and from those that were named.

        Args:
            candidates: of the search, best first.
            progress: as for `Engine.answer`, in blocks of 36 games; None: nobody looks.
        """
        close = close_plays(candidates, self.level)
        if len(close) < 2:
            return candidates
        starts = [(flipped(each.play.points), False) for each in close]
        tally = Tally(len(close), self.scale, True, None)
        self._play(tally, starts, progress)
        if not tally.trials(0):
            return candidates
        best = tally.best()
        rolled = [self._rolled(tally, best, c, each) for c, each in enumerate(close)]

        def place(c: int) -> tuple[float, float, bool]:
            """Where a play stands: where all lead to a pass, by its equity without the cube."""
            each, without = rolled[c], rolled[c].cubeless_equity or 0.0
            return -round(each.equity, 9), -without, c not in tally.playing

        order = sorted(range(len(close)), key=place)
        others = [each for each in candidates if each not in close]
        ahead = close[best].loss  # of that play by the search, which others are compared with
        return [rolled[c] for c in order] + [
            replace(each, loss=max(each.loss - ahead, 0.0)) for each in others
        ]

    def cube(self, decision: CubeDecision) -> CubeDecision:
        """Return the decision of a search about the cube, with the values of games if close."""
        if decision.margin is None or decision.stats is None:  # nobody doubles; or known
            return decision
        if decision.margin > self.level.reach:
            return decision
        scale, points = self.scale, decision.position.points
        cash = scale.game.offer(scale.game.stake, scale.game.params).cash
        tally = Tally(2, scale, False, cash)
        self._play(tally, [(points, False), (points, True)], None)
        if not tally.trials(0):
            return decision
        return replace(
            decision,
            probabilities=tally.chances(0),
            no_double=tally.cube_value(0),
            double_take=tally.cube_value(1),
            sure=chance_of(tally.apart()),
        )

    def _play(self, tally: Tally, starts: Sequence[Start], progress: Bar | None) -> None:
        """Play the rounds of the level; the worse half of the plays goes after each of them."""
        search, level, stop, scale = self.search, self.level, self.stop, self.scale
        plan = Plan(
            np.uint64(self.seed), level.plies, level.plies, level.turns, tally.cash is None,
            True, scale.has_exact_ends,
        )  # fmt: skip
        if progress is not None:
            progress[:] = 0, _blocks(level, len(starts))
        done = 0
        for goal in level.rounds:
            playing = tally.playing
            tasks = [(c, first) for first in range(done, goal, BLOCK) for c in playing]

            def play(task: slice, tasks: list[tuple[int, int]] = tasks) -> list[dict[str, Any]]:
                c, first = tasks[task.start]
                found = [] if stop.is_set() else play_batch(
                    scale, search.setup.evaluator, search.setup.probe, plan, level.move_filter,
                    [starts[c]], first, stop,
                )  # fmt: skip
                if progress is not None:
                    progress[0] += 1
                return found

            found = in_blocks(play, len(tasks), 1, self.threads)
            if stop.is_set():
                return
            for n in range(0, len(tasks), len(playing)):
                tally.add([batch for (batch,) in found[n : n + len(playing)]])
            done = goal
            if tally.apart() >= _CLEAR:
                return
            tally.halve()

    def _rolled(self, tally: Tally, best: int, c: int, found: Candidate) -> Candidate:
        """Return a candidate with the value of its games.

        It is that of the best one less the difference of both on the same dice, of which a play
        that was given up has had a part.
        """
        scale, chances = self.scale, tally.chances(c)
        (mean, error), behind = tally.value(best), tally.behind(c)
        if tally.trials(c) == tally.trials(best):
            error = tally.value(c).error
        else:
            error = float(np.hypot(error, behind.error))
        value = mean - behind.mean
        without = found.cubeless_equity
        if without is not None:
            without = float(scale.without_cube(np.array([chances]))[0])
        return replace(
            found,
            equity=scale.equity(value),
            loss=max(behind.mean / scale.unit, 0.0),
            probabilities=Probabilities(*chances),
            kind=Kind.ROLLOUT,
            cubeless_equity=without,
            mwc=scale.mwc(value),
            games=Sample(error / abs(scale.unit), 0.0 if c == best else tally.jsd(c), tally.trials(c)),
        )


def _blocks(level: Level, count: int) -> int:
    """Return how many blocks of 36 games all rounds of some candidates have."""
    blocks = 0
    for begun, goal in pairwise((0, *level.rounds)):
        blocks += count * (goal - begun) // BLOCK
        count = half_of(count)
    return blocks
