"""The engine: a position and a roll in, the best plays and their values out."""

import time
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gammon.base.checks import Unchanging, shown, whole
from gammon.base.errors import SettingError
from gammon.base.settings import settings_of, with_settings
from gammon.engine.analysis import Analysis, Evaluation, RollTable
from gammon.engine.boards import (
    Boards,
    CubeDecisions,
    Evaluations,
    PlayValues,
    Progress,
    checked_boards,
    checked_outcomes,
    checked_seeds,
    in_threads,
    turned_boards,
)
from gammon.engine.cube import CubeDecision, decision_terms
from gammon.engine.question import Question, SearchSettings, check_question
from gammon.engine.scale import checked_terms
from gammon.engine.score_grid import PlayGrid, ScoreGrid, by_score, naming_the_first
from gammon.engine.search import Search, cube_decisions, evaluations, play_values
from gammon.eval.cubeful import has_cube
from gammon.eval.evaluators import leaf_of, load_named, plain_leaf_of
from gammon.formats.play import Play, check_in_play, choose_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.dice import ROLLS, checked_dice
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, MONEY_TERMS, Payoffs, Terms
from gammon.search import MAX_THREADS, Algorithm, Stop
from gammon.search.checks import check_progress

if TYPE_CHECKING:
    from torch import nn

#: The answers to questions.
Answer = Analysis | CubeDecision | RollTable | ScoreGrid | PlayGrid
#: The number of searches that an engine caches; the cache is emptied when it is full.
_MOST_SEARCHES = 256


class Engine(Unchanging):
    """Searches positions to a fixed depth, full width, with the cube and the score.

    A roller level searches too, and then rolls out plays, or decisions about the cube, that are
    close (in `analyze`, `cube` and the methods built on them). The other methods only search.

    Depth counts every decision and every chance node as one ply, as the literature of
    *-minimax does: 1, 3, 5, 7, 9 are what GNU Backgammon calls 0-, 1-, 2-, 3-, 4-ply.

    With the cube, a position's context has the terms: the score or money, the cube and its
    owner, the Jacoby rule. Equities are then in units of the cube's value. In a match they are EMG: losing
    the game at that cube is -1, winning it +1.

    An engine never changes. Any number of threads may use one engine at the same time; each
    thread gets the answers that it would get alone.

    Args:
        depth: plies of a decision, odd.
        algorithm: "bounded" limits how far a look ahead may move a value, from depth 5 on; "star2",
            "star2.5", "star1" and "expectimax" are exact and differ in time only. Or your own
            exact `gammon.search.Algorithm`. With noise, a filter or `plain`, "bounded" is Star2.
        model: a shipped model's name, a file, or a `torch.nn.Module` that maps features [N, F]
            (`gammon.eval.features`) to cumulative probabilities [N, 5]; the module is put into
            evaluation mode. None: the shipped `leaf`.
        noise: standard deviation of an error added to each leaf's equity.
        noise_seed: as for a `Question`.
        probe: the model that picks the successors that Star2 probes. None: the shipped `probe`.
        max_seconds: analyze a roll to depth 1, 3, ... and answer from the last depth that is
            complete after this time. `Candidate.depth` has that depth, which depends on the
            machine.
        threads: at most 256; they share an analysis from depth 5 on (not by expectimax), a level's rollouts,
            and the positions of `analyze_many`, `cube_many`, `evaluate_many` and `values_of_plays`. The
            result does not depend on their number.
        move_filter: one of `FILTERS`, to search fewer plays of every turn but the last. Values
            are then exact for the plays that are left.
        stakes: the payoffs of the six results to the player on roll, or a name for them;
            equities are in their unit. The engine is then cubeless.
        cubeless: whether to leave out the cube and the score. None: leave them out with
            `stakes`, or where the algorithm or a torch module does not support them. A
            cubeless engine plays for money unless it has stakes.
        met: the match equity table, or its file; Kazaross-XG2 unless given.
        level: in place of a depth, as for a `Question`.
        seed: the seed of the dice, for a level's games.
        strength: in place of a depth, as for a `Question`. Decisions have errors; evaluations
            of positions have none.
        plain: as for a `Question`.

    Attributes:
        usual: a question with these settings, from which all methods start. Each setting but
            `model`, `probe` and `cubeless` is an attribute, too; `stakes` has the terms of a
            cubeless engine, None with the cube.
        cubeful: whether the cube and the score count.

    Raises:
        SettingError: a setting is out of range, or two contradict each other.
        FormatError: there are no stakes of that name.
        ModelError: a model is missing, damaged or of another kind.
    """

    def __init__(
        self,
        depth: int = 5,
        algorithm: str | Algorithm = "bounded",
        model: "str | Path | nn.Module | None" = None,
        noise: float = 0.0,
        noise_seed: int = 0,
        probe: str | Path | None = None,
        max_seconds: float | None = None,
        threads: int = 1,
        move_filter: str | None = None,
        stakes: Payoffs | Terms | str | None = None,
        cubeless: bool | None = None,
        met: MatchEquityTable | str | Path | None = None,
        level: str | int | None = None,
        seed: int = 1,
        strength: float | None = None,
        plain: bool = False,
    ) -> None:
        self.usual = usual = Question(
            depth=depth, algorithm=algorithm, noise=noise, noise_seed=noise_seed,
            max_seconds=max_seconds, move_filter=move_filter, plain=plain, stakes=stakes,
            met=met, cubeless=cubeless, level=level, seed=seed, strength=strength,
        )  # fmt: skip
        self.threads = whole("threads", threads, 1, MAX_THREADS)
        self._model = "leaf" if model is None else model
        self._leaf = leaf_of(self._model)
        self._probe = load_named("probe", "probe" if probe is None else probe, bearoff=False)
        self._searches: dict[tuple[SearchSettings, Terms], Search] = {}
        self.stakes = self._cubeless_terms(usual)
        self.cubeful = self.stakes is None
        self.depth, self.algorithm, self.met = usual.depth, usual.algorithm, usual.met
        self.noise, self.noise_seed, self.plain = usual.noise, usual.noise_seed, usual.plain
        self.max_seconds, self.move_filter = usual.max_seconds, usual.move_filter
        self.level, self.seed, self.strength = usual.level, usual.seed, usual.strength
        self._made = True
        self.check(usual)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state that is sent to another process. A torch module stays in this one.

        Raises:
            SettingError: there is a torch module.
        """
        if not has_cube(self._leaf):
            raise SettingError("an engine with a torch module: expected one made in each process")
        return vars(self)

    def __repr__(self) -> str:
        how = f"level {self.level}" if self.level else f"depth {self.depth}"
        return f"<Engine of {how}, {getattr(self.algorithm, 'name', self.algorithm)}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Engine":
        """Return the engine itself, which never changes."""
        return self

    @classmethod
    def of(cls, usual: Question, model: "str | Path | nn.Module | None" = None, threads: int = 1) -> "Engine":
        """Return an engine with the settings of a question.

        Args:
            usual: the question; it needs no position.
            model: as for `Engine`.
            threads: as for `Engine`.

        Raises:
            SettingError, ModelError: as for `Engine`.
        """
        check_question(usual)
        names = signature(cls).parameters.keys() & settings_of(Question)
        settings = {name: getattr(usual, name) for name in names}
        return cls(model=model, threads=threads, **settings)

    def with_errors(self, noise_seed: int, strength: float | None = None) -> "Engine":
        """Return an engine with other errors, which shares this engine's searches.

        Args:
            noise_seed: as for `Engine`.
            strength: as for `Engine`; unchanged unless given.

        Raises:
            SettingError: one is out of range, or an engine with a level gets a strength.
        """
        chosen = self.strength if strength is None else strength
        usual = replace(self.usual, noise_seed=noise_seed, strength=chosen)
        other = copy(self)
        vars(other).update(
            usual=usual, noise_seed=usual.noise_seed, strength=usual.strength, depth=usual.depth
        )
        return other

    def check(self, question: Question) -> None:
        """Check that the settings of a question fit together and fit this engine.

        Args:
            question: it needs no position.

        Raises:
            SettingError: two settings contradict each other, or the engine does not support one.
        """
        check_question(question)
        self._search(question, MONEY_TERMS)  # raises if the search cannot be set up

    def answer(
        self, question: Question, progress: Progress | None = None, stop: Stop | None = None
    ) -> Answer:
        """Answer a question. Its settings count, not the engine's own.

        `replace(engine.usual, position=..., ...)` makes a question with the engine's settings;
        the other methods for one position are shortcuts.

        Args:
            question: the question.
            progress: int64 [2], kept at (steps done, total steps) for another thread to read.
                A step is a play, a roll or a score.
            stop: another thread sets it to end the search. The answer comes from the last complete
                depth, as when `max_seconds` are over; for answers by score this is an error.

        Raises:
            SettingError: the settings contradict each other; or no game has such a score or
                cube.
            IllegalPositionError: the game is over.
            FormatError, IllegalPlayError, AmbiguousPlayError: as for `analyze`.
            UnfinishedError: the stop was set before every score had an answer.
        """
        check_question(question)
        dice = question.placed().dice
        if dice and question.rolls:
            raise SettingError(f"rolls with the roll {dice[0]}{dice[1]}: expected no roll")
        if question.scores is not None or question.owners:
            return self._by_score(question, question.scores or 0, dice, progress, stop)
        if dice:
            return self._analysis(question, dice, progress, stop)
        if question.plays:
            raise SettingError(f"play {shown(question.plays[0])}: expected a roll too, such as dice 31")
        if self._cubeless_terms(question) is None and not question.rolls:
            return self._cube_decision(question, stop)
        return self._rolls(question, progress, stop)

    def _ask(self, position: Position, **settings: Any) -> Question:
        """Return a question with the engine's settings, changed by `settings`."""
        return with_settings(self.usual, position=position, **settings)

    def evaluate(self, position: Position, stop: Stop | None = None) -> Evaluation:
        """Return what a position is worth to the player on roll, before the turn.

        The position is searched to `depth` - 1 plies, like a candidate of an analysis: the
        value of a play is minus the value of the resulting position to the opponent. With the
        cube, the player on roll may double first; `cube` decides whether to.

        Args:
            position: seen from the player on roll.
            stop: as for `analyze`.

        Raises:
            IllegalPositionError: the game is over.
            SettingError: no game has such a score or cube.
        """
        check_in_play(position)
        begun = time.perf_counter()
        search = self._search(self._ask(position))
        state = np.array(position.points, np.int8)
        if self.max_seconds is not None:
            stop = Stop(self.max_seconds, stop)
        value, chances, stats = search.evaluate(state, self.depth - 1, search.table(), stop)
        return Evaluation(
            search.scale.equity(value), chances, stats, time.perf_counter() - begun, search.scale.mwc(value)
        )

    def width(self, question: Question) -> float | None:
        """Return how far a look ahead of one turn usually moves a position's value, in equity.

        The larger the width, the sharper the position. It is learned, and bounded search lets a look
        ahead move a value by six times as much. None where no width holds a value: in races with a
        live cube, with noise, with a filter, and for algorithms other than bounded search.

        Args:
            question: its position, before the roll, and the settings of the search.

        Raises:
            IllegalPositionError: the game is over.
            SettingError: two settings contradict each other.
        """
        position = question.placed()
        check_in_play(position)
        return self._search(question).width(np.array(position.points, np.int8))

    def cube(self, position: Position, stop: Stop | None = None) -> CubeDecision:
        """Decide whether to double, and whether to take: both values have the full depth.

        One search to `depth` - 1 plies gives both; `max_seconds` limits it.

        Args:
            position: seen from the player on roll, before the roll. If a double is on offer,
                `CubeDecision.answer` is the answer to it.
            stop: as for `analyze`.

        Raises:
            SettingError: the engine is cubeless; no game has such a score or cube, or the
                position has a beaver on offer.
            IllegalPositionError: the game is over.
        """
        return self._cube_decision(self._ask(position), stop)

    def cube_by_score(self, position: Position, away: int = 7, progress: Progress | None = None) -> ScoreGrid:
        """Decide about the cube at every score of a match, and at the named scores.

        Args:
            position: as for `cube`; its cube and owner stay. No score in the grid is a Crawford game.
            away: each side needs 1 to this many points, at most 25.
            progress: as for `analyze`.

        Raises:
            SettingError, IllegalPositionError: as for `cube`; `away` is out of range.
        """
        grid = self._by_score(self._ask(position), away, None, progress, None)
        assert isinstance(grid, ScoreGrid), "there is no roll"
        return grid

    def plays_by_score(
        self, position: Position, dice: tuple[int, int], away: int = 7, progress: Progress | None = None
    ) -> PlayGrid:
        """Find the best play of a roll at every score, on the grid of `cube_by_score`.

        Args:
            position: as for `cube_by_score`.
            dice: the roll.
            away: as for `cube_by_score`.
            progress: as for `analyze`.

        Raises:
            SettingError: as for `analyze`; `away` is out of range.
            IllegalPositionError: as for `analyze`.
        """
        dice = checked_dice(dice)
        grid = self._by_score(self._ask(position), away, dice, progress, None)
        assert isinstance(grid, PlayGrid), "there is a roll"
        return grid

    def analyze(
        self,
        position: Position,
        dice: tuple[int, int],
        top: int = 10,
        progress: Progress | None = None,
        plays: Iterable[str | Play] = (),
        stop: Stop | None = None,
    ) -> Analysis:
        """Search all plays of a roll.

        Args:
            position: seen from the player on roll.
            dice: the roll, in any order.
            top: how many plays need values of the full depth; the others get values of a search two
                plies less deep.
            progress: int64 [2], kept at (plays done, total plays) for another thread to read.
            plays: more plays that need values of the full depth, in notation or from `legal_plays`. They
                are searched to the depth of the best plays, even beyond `max_seconds`, but not
                beyond a stop.
            stop: another thread sets it to end the search. The answer comes from the last
                complete depth, as when `max_seconds` are over.

        Raises:
            SettingError: the dice are not two numbers from 1 to 6, `top` is below 1, or no
                game has such a score or cube.
            IllegalPositionError: the game is over.
            FormatError: a text is not a play.
            IllegalPlayError: a play is not legal in the position.
            AmbiguousPlayError: a text fits several legal plays.
        """
        dice = checked_dice(dice)
        question = self._ask(position, top=top, plays=plays)
        return self._analysis(question, dice, progress, stop)

    def analyze_rolls(
        self, position: Position, progress: Progress | None = None, stop: Stop | None = None
    ) -> RollTable:
        """Find the best play of each of the 21 rolls, with the cube as it is.

        Args:
            position: seen from the player on roll, who has not rolled yet.
            progress: as for `analyze`.
            stop: as for `analyze`.

        Raises:
            IllegalPositionError: the game is over.
            SettingError: no game has such a score or cube.
        """
        return self._rolls(self._ask(position), progress, stop)

    def best_plays(
        self,
        points: npt.ArrayLike,
        dice: npt.ArrayLike,
        noise_seeds: npt.ArrayLike | None = None,
        terms: Terms = MONEY_TERMS,
    ) -> Boards:
        """Return the best play of each of many positions, in one call.

        Of plays with equal values it may choose another one than `analyze` puts first. Without a
        level or a strength, `max_seconds` does not count.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].
            noise_seeds: int [N], the noise seed of each position; the engine's own unless given.
            terms: what is at stake for each player on roll; a cubeless engine ignores it.

        Returns:
            int8 [N, 26], the positions after the plays, still seen from the mover.

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, a wrong shape or type, or
                terms that no game has.
            IllegalPositionError: an impossible position, or one whose game is over.
        """
        boards = checked_boards(points)
        outcomes = checked_outcomes(dice, len(boards))
        seeds = None if noise_seeds is None else checked_seeds(noise_seeds, len(boards))
        if self.level is not None or self.strength is not None:
            analyses = self._analyses(boards, outcomes, 1, terms, seeds)
            rows = [analysis.candidates[0].play.points for analysis in analyses]
            return np.array(rows, np.int8).reshape(boards.shape)
        search = self._search(self.usual, checked_terms(terms))
        table = search.table() if seeds is None else None
        best = search.tree.best(boards, outcomes, self.depth, noise_seeds=seeds, table=table)
        return turned_boards(best)

    def analyze_many(
        self, points: npt.ArrayLike, dice: npt.ArrayLike, top: int = 10, terms: Terms = MONEY_TERMS
    ) -> list[Analysis]:
        """Analyze many positions and rolls, as `analyze` does; threads share them.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].
            top: as for `analyze`.
            terms: as for `best_plays`.

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, a wrong shape or type, or
                terms that no game has.
            IllegalPositionError: an impossible position, or one whose game is over.
        """
        boards = checked_boards(points)
        return self._analyses(boards, checked_outcomes(dice, len(boards)), top, terms)

    def cube_many(self, points: npt.ArrayLike, terms: Terms = MONEY_TERMS) -> CubeDecisions:
        """Decide about the cube in many positions, as `cube` does; threads share them.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            terms: as for `best_plays`.

        Raises:
            SettingError: the engine is cubeless, a wrong shape or type, or terms that no game
                has.
            IllegalPositionError: an impossible position, or one whose game is over.
        """
        boards, at = checked_boards(points), checked_terms(terms)

        def decide(board: list[int]) -> CubeDecision:
            return self.cube(Position(tuple(board)).with_terms(at))

        return cube_decisions(in_threads(decide, boards.tolist(), self.threads))

    def _analyses(
        self,
        boards: Boards,
        outcomes: npt.NDArray[np.int64],
        top: int,
        terms: Terms,
        seeds: npt.NDArray[np.uint64] | None = None,
    ) -> list[Analysis]:
        """Return the analyses of boards, each with its own noise seed if there are `seeds`."""
        at, alone = checked_terms(terms), copy(self)
        vars(alone).update(threads=1)

        def analyze(n: int) -> Analysis:
            position = Position(tuple(boards[n].tolist())).with_terms(at)
            engine = alone if seeds is None else alone.with_errors(int(seeds[n]))
            return engine.analyze(position, ROLLS[outcomes[n]], top)

        return in_threads(analyze, range(len(boards)), self.threads)

    def evaluate_many(self, points: npt.ArrayLike, terms: Terms = MONEY_TERMS) -> Evaluations:
        """Return what many positions are worth to their players on roll, before the turn.

        The values equal the values of `evaluate` bit for bit; `max_seconds` does not count. (A torch
        module may round the chances of many positions differently from a single position's.)

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            terms: as for `best_plays`.

        Raises:
            SettingError: a wrong shape or type, or terms that no game has.
            IllegalPositionError: an impossible position, or one whose game is over.
        """
        boards = checked_boards(points)
        search = self._search(self.usual, checked_terms(terms))
        return evaluations(search, boards, self.threads)

    def values_of_plays(
        self, points: npt.ArrayLike, dice: npt.ArrayLike, terms: Terms = MONEY_TERMS
    ) -> PlayValues:
        """Return what all plays of many positions and rolls are worth to the movers.

        The values equal the values of `analyze` with `top` for all plays, bit for bit, best first;
        `max_seconds` does not count. Plays that a move filter leaves out have values of depth 1.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].
            terms: as for `best_plays`.

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, a wrong shape or type, or
                terms that no game has.
            IllegalPositionError: an impossible position, or one whose game is over.
        """
        boards = checked_boards(points)
        outcomes = checked_outcomes(dice, len(boards))
        search = self._search(self.usual, checked_terms(terms))
        return play_values(search, boards, outcomes, self.threads)

    def _cube_decision(self, question: Question, stop: Stop | None) -> CubeDecision:
        """Return the decision about the cube."""
        position = question.placed()
        check_in_play(position)
        if self._cubeless_terms(question) is not None:
            raise SettingError("a cube decision of a cubeless engine: expected a cube")
        terms, limit = decision_terms(position), question.max_seconds
        search, level = self._search(question, terms), question.rolls_out
        ending = Stop(limit, stop)
        decision = search.decide_cube(position.with_dice(None), terms, limit, stop)
        if question.noise_note:
            decision = replace(decision, noise_note=question.noise_note)
        if question.strength is not None:
            from gammon.engine.misjudge import misjudged_cube

            return misjudged_cube(search, decision, question.strength, question.noise_seed)
        if level is None:
            return decision
        from gammon.engine.level_rollouts import LevelRollouts

        decision = replace(decision, level=question.level)
        return LevelRollouts(search, question, level, self.threads, ending).cube(decision)

    def _by_score(
        self,
        question: Question,
        away: int,
        dice: tuple[int, int] | None,
        progress: Progress | None,
        stop: Stop | None,
    ) -> ScoreGrid | PlayGrid:
        """Return the best plays of a roll, or the cube decisions, at all scores or owners."""
        if question.plays:
            other = "owners" if question.scores is None else "scores"
            raise SettingError(f"play {shown(question.plays[0])} with {other}: expected one of the two")
        if self._cubeless_terms(question) is not None:
            raise SettingError("answers by score of a cubeless engine: expected a cube")
        position = question.placed()
        question = replace(question.settled(), top=1)
        if dice is None:
            decision_terms(position)

            def decide(at: Position) -> CubeDecision:
                return self._cube_decision(replace(question, position=at), stop)

            grid = by_score(decide, decide, position, away, question.owners, progress, stop)
            return ScoreGrid(position, away, *grid)

        def best(at: Position, plays: Sequence[Play] = ()) -> Analysis:
            named = tuple(map(str, plays))
            return self._analysis(replace(question, position=at, plays=named), dice, None, stop)

        plays = by_score(best, naming_the_first(best), position, away, question.owners, progress, stop)
        return PlayGrid(position.with_dice(dice), away, *plays)

    def _analysis(
        self, question: Question, dice: tuple[int, int], progress: Progress | None, stop: Stop | None
    ) -> Analysis:
        """Return the plays of a roll."""
        if progress is not None:
            check_progress(progress)
            progress[:] = 0
        position = question.placed()
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(dice)
        search, level = self._search(question), question.rolls_out
        ending, most = Stop(question.max_seconds, stop), level.most if level else 1
        named: set[Points] = set()
        if question.plays:
            legal = legal_plays(position, dice)
            named = {choose_play(legal, dice, str(play)).points for play in question.plays}
        limited = question.max_seconds is not None or stop is not None
        decision = search.decide(
            position,
            max(question.top, most),
            threads=self.threads if search.tree.divides else 1,
            progress=None if level else progress,
            stop=ending if limited else None,
        )
        if question.strength is not None:
            from gammon.engine.misjudge import misjudged_plays

            strength, noise_seed = question.strength, question.noise_seed
            deep = misjudged_plays(search, decision.deep, strength, noise_seed)
            decision = decision._replace(deep=deep)
        candidates, stats = search.candidates(decision, position, dice, named, stop)
        if level is not None and not search.is_known(position.points):
            from gammon.engine.level_rollouts import LevelRollouts

            rollouts = LevelRollouts(search, question, level, self.threads, ending)
            candidates = rollouts.plays(candidates, progress)
        if level is not None and progress is not None and not progress[1]:
            progress[:] = len(candidates)  # no play was rolled out
        algorithm = None if search.is_solved(position.points) else search.tree.algorithm
        seconds = time.perf_counter() - begun
        return Analysis(
            position, dice, search.scale.terms, candidates, stats, seconds,
            question.top, algorithm, question.level, question.noise_note,
        )  # fmt: skip

    def _rolls(self, question: Question, progress: Progress | None, stop: Stop | None) -> RollTable:
        """Return the best plays of all rolls."""
        if progress is not None:
            check_progress(progress)
        position = question.placed()
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(None)
        question = replace(question.settled(), position=position, top=1)
        analyses = []
        for dice in ROLLS:
            analyses.append(self._analysis(question, dice, None, stop))
            if progress is not None:
                progress[:] = len(analyses), len(ROLLS)
        return RollTable(position, analyses, time.perf_counter() - begun)

    def _cubeless_terms(self, question: Question) -> Terms | None:
        """Return the terms of a cubeless question; None with the cube.

        Raises:
            SettingError: the settings contradict each other.
        """
        expected, algorithm = "", question.algorithm
        if question.stakes is not None:
            expected = "no stakes, which only a cubeless engine has"
        elif isinstance(algorithm, Algorithm) and not algorithm.doubles:
            expected = f"another algorithm than {algorithm.name}, which knows no doubles"
        elif not has_cube(self._leaf):
            expected = "a model from a file, not a torch module"
        elif question.plain:
            expected = "a search that is not plain"
        if question.cubeless is False and expected:
            raise SettingError(f"cubeless False: expected {expected}")
        if question.cubeless or expected:
            return question.stakes or CUBELESS
        return None

    def _search(self, question: Question, terms: Terms | None = None) -> Search:
        """Return the search for the player of a question, from the cache if it is there.

        Args:
            question: its settings determine the search.
            terms: what is at stake for the player; the position's terms unless given. Ignored
                without the cube.

        Raises:
            SettingError: the settings contradict each other; see also `Terms.checked`.
        """
        cubeless_terms = self._cubeless_terms(question)
        if question.level is not None and (question.plain or not has_cube(self._leaf)):
            model = "a plain search" if question.plain else "a torch module"
            raise SettingError(f"level {question.level} of {model}: expected a depth")
        terms = cubeless_terms or terms or question.placed().context.terms()
        key = question.search_settings(), terms
        search = self._searches.get(key)
        if search is None:
            if len(self._searches) >= _MOST_SEARCHES:
                self._searches.clear()
            leaf = plain_leaf_of(self._model) if question.plain else self._leaf
            search = self._searches[key] = Search.at(*key, leaf, self._probe)
        return search
