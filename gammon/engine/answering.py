"""Answering: a question in; out comes its answer, by searches and, for a level, by games."""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.engine.analysis import Analysis, RollTable
from gammon.engine.cube import CubeDecision, decision_terms
from gammon.engine.question import Question, check_question
from gammon.engine.score_grid import PlayGrid, ScoreGrid, by_score, naming_the_first
from gammon.engine.searcher import Searches
from gammon.formats.play import Play, check_in_play, choose_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.dice import ROLLS
from gammon.search import Stop
from gammon.search.checks import check_progress

#: Steps done and steps in all, int64 [2]: written for another thread to read.
Bar = npt.NDArray[np.int64]

#: The answers to questions.
Answer = Analysis | CubeDecision | RollTable | ScoreGrid | PlayGrid


class Answering:
    """The work of an engine on a question that says everything.

    `progress`, `stop` and the errors are those of `engine.Engine.answer`.

    Args:
        searches: of the engine's networks.
        threads: of one search.
    """

    def __init__(self, searches: Searches, threads: int) -> None:
        self._searches, self._threads = searches, threads

    def answer(
        self, question: Question, progress: Bar | None = None, stop: Stop | None = None
    ) -> Answer:
        """Return the answer to what a question asks for."""
        check_question(question)
        dice = question.placed().dice
        if dice and question.rolls:
            raise SettingError(f"rolls with the roll {dice[0]}{dice[1]}: expected no roll")
        if question.scores is not None or question.owners:
            return self.by_score(question, question.scores or 0, dice, progress, stop)
        if dice:
            return self.analysis(question, dice, progress, stop)
        if question.plays:
            raise SettingError(
                f"play {shown(question.plays[0])}: expected a roll too, such as dice 31"
            )
        if self._has_cube(question) and not question.rolls:
            return self.decision(question, stop)
        return self.rolls(question, progress, stop)

    def decision(self, question: Question, stop: Stop | None) -> CubeDecision:
        """Return the decision about the cube."""
        position = question.placed()
        check_in_play(position)
        if not self._has_cube(question):
            raise SettingError("a cube decision of a cubeless engine: expected a cube")
        terms, ending = decision_terms(position), Stop(question.max_seconds, stop)
        here, level = self._searches.at(question, terms), question.rolls_out
        found = here.decide_cube(position.with_dice(None), terms, question.max_seconds, stop)
        if question.errs:
            found = replace(found, errs=question.errs)
        if question.strength is not None:
            from gammon.engine.misjudge import misjudged_cube

            return misjudged_cube(here, found, question.strength, question.noise_seed)
        if level is None:
            return found
        from gammon.engine.settle import Settler

        found = replace(found, level=question.level)
        return Settler(here, question, level, self._threads, ending).cube(found)

    def by_score(
        self,
        question: Question,
        away: int,
        dice: tuple[int, int] | None,
        progress: Bar | None,
        stop: Stop | None,
    ) -> ScoreGrid | PlayGrid:
        """Return the answers at all scores or owners: best plays of a roll, or decisions."""
        if question.plays:
            other = "owners" if question.scores is None else "scores"
            raise SettingError(
                f"play {shown(question.plays[0])} with {other}: expected one of the two"
            )
        if not self._has_cube(question):
            raise SettingError("answers by score of a cubeless engine: expected a cube")
        position = question.placed()
        asked = replace(question.settled(), top=1)
        if dice is None:
            decision_terms(position)

            def decide(at: Position) -> CubeDecision:
                return self.decision(replace(asked, position=at), stop)

            found = by_score(decide, decide, position, away, question.owners, progress, stop)
            return ScoreGrid(position, away, *found)

        def best(at: Position, plays: Sequence[Play] = ()) -> Analysis:
            named = tuple(map(str, plays))
            return self.analysis(replace(asked, position=at, plays=named), dice, None, stop)

        best_ones = by_score(
            best, naming_the_first(best), position, away, question.owners, progress, stop
        )
        return PlayGrid(position.with_dice(dice), away, *best_ones)

    def analysis(
        self,
        question: Question,
        dice: tuple[int, int],
        progress: Bar | None,
        stop: Stop | None,
    ) -> Analysis:
        """Return the plays of a roll."""
        if progress is not None:
            check_progress(progress)
            progress[:] = 0
        position = question.placed()
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(dice)
        here, level = self._searches.at(question), question.rolls_out
        ending, most = Stop(question.max_seconds, stop), level.most if level else 1
        named: set[Points] = set()
        if question.plays:
            legal = legal_plays(position, dice)
            named = {choose_play(legal, dice, str(play)).points for play in question.plays}
        limited = question.max_seconds is not None or stop is not None
        decision = here.decide(
            position, max(question.top, most),
            threads=self._threads if here.setup.divides else 1,
            progress=None if level else progress, stop=ending if limited else None,
        )  # fmt: skip
        if question.strength is not None:
            from gammon.engine.misjudge import misjudged_plays

            seen = misjudged_plays(here, decision.found, question.strength, question.noise_seed)
            decision = decision._replace(found=seen)
        candidates, stats = here.candidates(decision, position, dice, named, stop)
        if level is not None and not here.knows_plays(position):
            from gammon.engine.settle import Settler

            settler = Settler(here, question, level, self._threads, ending)
            candidates = settler.plays(candidates, progress)
        if level is not None and progress is not None and not progress[1]:
            progress[:] = len(candidates)  # no games were needed
        seconds = time.perf_counter() - begun
        return Analysis(
            position, dice, here.worth.terms, candidates, stats, seconds,
            question.top, here.setup.algorithm, question.level, question.errs,
        )  # fmt: skip

    def rolls(self, question: Question, progress: Bar | None, stop: Stop | None) -> RollTable:
        """Return the best plays of all rolls."""
        if progress is not None:
            check_progress(progress)
        position = question.placed()
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(None)
        asked = replace(question.settled(), position=position, top=1)
        analyses = []
        for dice in ROLLS:
            analyses.append(self.analysis(asked, dice, None, stop))
            if progress is not None:
                progress[:] = len(analyses), len(ROLLS)
        return RollTable(position, analyses, time.perf_counter() - begun)

    def _has_cube(self, question: Question) -> bool:
        """Tell whether the cube and the score count."""
        return self._searches.cubeless(question) is None
