"""Settling: games where a search leaves plays, or a decision about the cube, close."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.answers.analysis import Candidate, Kind, Sample, chance_of
from gammon.answers.boards import in_blocks
from gammon.answers.cube import CubeDecision, CubeValue
from gammon.answers.question import Question
from gammon.answers.searcher import Searcher
from gammon.answers.tally import Start, Tally, half_of, play_batch
from gammon.eval.equity import Probabilities
from gammon.rules.board import flipped
from gammon.search import Stop
from gammon.trials.level import BLOCK, Level
from gammon.trials.trials_kernel import Plan

__all__ = ["settle_cube", "settle_plays"]

#: A decision is settled that is so clear, in standard errors of the differences.
_CLEAR = 4.0


def settle_plays(
    here: Searcher,
    question: Question,
    level: Level,
    candidates: list[Candidate],
    threads: int,
    progress: npt.NDArray[np.int64] | None,
    stop: Stop,
) -> list[Candidate]:
    """Return the candidates of a search, those first that games were played from.

    Games are played from the plays that are close, and from those that were named. If nothing
    is, or a stop comes before the first round is over, all stay as they are.

    Args:
        here: the search.
        question: says the seed.
        level: says what is close, and how games are played.
        candidates: of the search, best first.
        threads: that share the games. The answer is the same for any number of them.
        progress: as for `Engine.answer`, in blocks of 36 games; None: nobody looks.
        stop: ends the games with the last round that is complete.
    """
    near = [each for each in candidates if each.exact and each.loss <= level.reach]
    near = near[: level.most]
    close = near + [each for each in candidates if each.named and each not in near]
    if len(close) < 2:
        return candidates
    starts = [(flipped(each.play.points), False) for each in close]
    tally = Tally(len(close), here.worth, True, None)
    _play(here, question, level, tally, starts, threads, progress, stop)
    if not tally.trials(0):
        return candidates
    best = tally.best()
    rolled = [_rolled(here, tally, best, c, each) for c, each in enumerate(close)]
    order = sorted(range(len(close)), key=lambda c: (c not in tally.playing, -rolled[c].equity))
    others = [each for each in candidates if each not in close]
    ahead = close[best].loss  # of that play by the search, which the others are compared with
    return [rolled[c] for c in order] + [
        replace(each, loss=max(each.loss - ahead, 0.0)) for each in others
    ]


def settle_cube(
    here: Searcher,
    question: Question,
    level: Level,
    decision: CubeDecision,
    threads: int,
    stop: Stop,
) -> CubeDecision:
    """Return a decision about the cube with the values of games, if the search leaves it close.

    Args:
        here: the search.
        question: as for `settle_plays`.
        level: as for `settle_plays`.
        decision: of the search.
        threads: as for `settle_plays`.
        stop: as for `settle_plays`.
    """
    gain, answer = decision.gain, decision.answer_gain
    if gain is None or answer is None or decision.stats is None:  # nobody doubles; or known
        return decision
    if min(abs(gain), answer) > level.reach:
        return decision
    worth, points = here.worth, decision.position.points
    cash = worth.game.offer(worth.game.stake, worth.game.params).cash
    tally = Tally(2, worth, False, cash)
    _play(here, question, level, tally, [(points, False), (points, True)], threads, None, stop)
    if not tally.trials(0):
        return decision

    def value(c: int) -> CubeValue:
        mean, error = tally.value(c).mean, tally.equity(c).error
        return CubeValue(worth.equity(mean), worth.mwc(mean), Kind.ROLLOUT, error)

    return replace(
        decision, probabilities=tally.chances(0), no_double=value(0), double_take=value(1),
        sure=chance_of(tally.apart()),
    )  # fmt: skip


def _play(
    here: Searcher,
    question: Question,
    level: Level,
    tally: Tally,
    starts: Sequence[Start],
    threads: int,
    progress: npt.NDArray[np.int64] | None,
    stop: Stop,
) -> None:
    """Play the rounds of a level; the worse half of the plays goes after each of them."""
    worth, after = here.worth, tally.cash is None
    plan = Plan(
        np.uint64(question.seed), level.plies, level.plies, level.turns, after, True,
        worth.has_exact_ends,
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
                worth, here.setup.evaluator, here.setup.probe, plan, level.move_filter,
                [starts[c]], first, stop,
            )  # fmt: skip
            if progress is not None:
                progress[0] += 1
            return found

        found = in_blocks(play, len(tasks), 1, threads)
        if stop.is_set():
            return
        for n in range(0, len(tasks), len(playing)):
            tally.add([batch for (batch,) in found[n : n + len(playing)]])
        done = goal
        if tally.apart(playing) >= _CLEAR:
            return
        tally.halve()


def _blocks(level: Level, count: int) -> int:
    """Return how many blocks of 36 games all rounds of some candidates have."""
    blocks = 0
    for begun, goal in pairwise((0, *level.rounds)):
        blocks += count * (goal - begun) // BLOCK
        count = half_of(count)
    return blocks


def _rolled(here: Searcher, tally: Tally, best: int, c: int, found: Candidate) -> Candidate:
    """Return a candidate with the value of its games.

    It is that of the best one less the difference of both on the same dice, of which a play
    that was given up has had a part.
    """
    worth, chances = here.worth, tally.chances(c)
    (mean, error), behind = tally.value(best), tally.behind(best, c)
    if tally.trials(c) == tally.trials(best):
        error = tally.value(c).error
    else:
        error = float(np.hypot(error, behind.error))
    value = mean - behind.mean
    without = found.cubeless_equity
    if without is not None:
        without = float(worth.without_cube(np.array([chances]))[0])
    return replace(
        found, equity=worth.equity(value), loss=max(behind.mean / worth.unit, 0.0),
        probabilities=Probabilities(*chances), kind=Kind.ROLLOUT,
        cubeless_equity=without, mwc=worth.mwc(value),
        games=Sample(
            error / abs(worth.unit), 0.0 if c == best else tally.jsd(best, c), tally.trials(c)
        ),
    )  # fmt: skip
