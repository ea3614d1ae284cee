"""The engine: a position and a roll in, the best plays with exact values out."""

import math
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.answers.analysis import Analysis, Evaluation, RollTable
from gammon.answers.boards import (
    Boards,
    Evaluations,
    PlayValues,
    checked_boards,
    checked_outcomes,
    checked_seeds,
    turned_boards,
)
from gammon.answers.cube import CubeDecision, decision_terms
from gammon.answers.play import Play, check_in_play, choose_play, legal_plays, listed_plays
from gammon.answers.score_grid import PlayGrid, ScoreGrid, by_score, naming_the_first
from gammon.answers.searcher import Searcher, whether_cubeful
from gammon.answers.worth import Worth, checked_terms
from gammon.base.checks import Unchanging, number, one_of, shown, whole
from gammon.base.errors import SettingError
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_of, load_named
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.games.backgammon import FILTERS
from gammon.rules.dice import ROLLS, checked_dice, outcome_of
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.stakes import Stakes
from gammon.rules.terms import Terms
from gammon.search import Filter, Stop
from gammon.search.checks import check_progress

if TYPE_CHECKING:
    from torch import nn

__all__ = ["DEPTHS", "FILTERS", "Engine"]

Bar = npt.NDArray[np.int64]

#: Plies that an engine can search.
DEPTHS = (1, 3, 5, 7)
_MONEY = Terms()
#: An engine keeps the searchers of so many terms, and then begins anew.
_MOST_TERMS = 256


class Engine(Unchanging):
    """Searches positions to a fixed depth, full width, with the cube and the score.

    Depth counts every decision and every chance node as one ply, as the literature of
    *-minimax does: 1, 3, 5, 7 are what GNU Backgammon calls 0-, 1-, 2-, 3-ply.

    With the cube, a position's context says what is at stake: the score or money, the cube and
    its owner, the Jacoby rule. Equities are then points of the cube, or in a match EMG: on a
    scale on which losing the game at that cube is -1, and winning it +1.

    An engine never changes. Any number of threads may call one at the same time, and each
    gets the answers that it would get alone.

    Args:
        depth: plies of a decision, odd.
        algorithm: "star2", "star2.5", "star1", "gamma" (for one side's decisions alone
            "gamma-a", "gamma-b") or "expectimax"; they differ in time only.
        model: a shipped model's name, a file, or a `torch.nn.Module` that takes
            features [N, F] (`gammon.eval.features`) to cumulative probabilities [N, 5],
            and is put into the mode of evaluation. None: the shipped `leaf`.
        noise: standard deviation of an error added to each leaf's equity.
        noise_seed: which errors; the same state always has the same one.
        probe: the model that picks what Star2 probes. None: the shipped `probe`.
        max_seconds: analyze a roll to depth 1, 3, ... and give the answer of the last
            depth that is complete after so long. Each candidate says which; it depends on
            the machine.
        threads: for one analysis of depth 5 or 7 by one of the Stars, and for the positions
            of `evaluate_many` and `values_of_plays`; at most 256. The result does not
            depend on how many they are.
        move_filter: one of `FILTERS`, to look at fewer plays than all wherever it is not
            the last turn's. Values are then exact for the plays that are left.
        stakes: what results are worth to the player on roll, or their name; equities are in
            its unit. The engine is then cubeless.
        cube: whether the cube and the score count. None: they do, unless `stakes` are given,
            or the algorithm or a torch module leaves no room for them. A cubeless engine
            plays for money unless it has stakes.
        met: the match equity table; Kazaross-XG2 unless given.

    Raises:
        SettingError: a setting is out of range, or two contradict each other.
        FormatError: there are no stakes of that name.
        ModelError: a model is missing, damaged or of another kind.
    """

    def __init__(
        self,
        depth: int = 5,
        algorithm: str = "star2",
        model: "str | Path | nn.Module | None" = None,
        noise: float = 0.0,
        noise_seed: int = 0,
        probe: str | Path | None = None,
        max_seconds: float | None = None,
        threads: int = 1,
        move_filter: str | None = None,
        stakes: Stakes | str | None = None,
        cube: bool | None = None,
        met: MatchEquityTable | None = None,
    ) -> None:
        self.depth = one_of("depth", depth, DEPTHS)
        self.algorithm = one_of("algorithm", algorithm, search.ALGORITHMS)
        self.noise = number("noise", noise, "a standard deviation, 0 or more", 0.0)
        self.noise_seed = whole("noise_seed", noise_seed, 0, 2**64 - 1)
        if max_seconds is not None:
            wanted = "a number of seconds above 0"
            max_seconds = number("max_seconds", max_seconds, wanted, math.ulp(0.0))
        self.max_seconds = max_seconds
        self.threads = whole("threads", threads, 1, search.MAX_THREADS)
        named = move_filter is not None
        self.move_filter = one_of("move_filter", move_filter, FILTERS) if named else None
        if met is not None and not isinstance(met, MatchEquityTable):
            raise SettingError(f"met {shown(met)}: expected a table of gammon.read_met")
        self.met = met
        leaf, self._estimate = leaf_of("leaf" if model is None else model)
        picks = load_named("probe", "probe" if probe is None else probe, bearoff=False)
        self.stakes, self.cubeful = whether_cubeful(cube, stakes, self.algorithm, leaf)
        self._leaf = cubeful_evaluator(leaf) if self.cubeful else leaf
        self._settings: dict[str, Any] = {
            "algorithm": self.algorithm,
            "probe": cubeful_evaluator(picks) if self.cubeful else picks,
        }
        self._searchers: dict[Terms | None, Searcher] = {}
        # Raises now what the settings together make impossible.
        usual = self._at(Terms())
        search.problem_of(usual.worth.game, self._leaf, **usual.arguments)

    def _at(self, terms: Terms | None) -> Searcher:
        """Return the search for a player.

        Args:
            terms: what is at stake for the player; a cubeless engine does without.

        Raises:
            SettingError: see `Terms.checked`.
        """
        terms = checked_terms(terms) if self.stakes is None else None
        found = self._searchers.get(terms)
        if found is None:
            if len(self._searchers) >= _MOST_TERMS:
                self._searchers.clear()
            found = self._searchers[terms] = self._searcher(terms)
        return found

    def _searcher(self, terms: Terms | None) -> Searcher:
        """Return a new search for a player; `terms` are None without the cube."""
        if self.stakes is not None:
            worth = Worth.cubeless(self.stakes)
        else:
            assert terms is not None, "a game with the cube has terms"
            worth = Worth.cubeful(terms, self.met or read_met() if terms.length else None)
        noise = {"sigma": self.noise * worth.unit, "noise_seed": self.noise_seed}
        chosen = FILTERS[self.move_filter] if self.move_filter else Filter()
        chosen = chosen._replace(margin=chosen.margin * worth.unit)
        settings = self._settings | {"filter": chosen}
        return Searcher(worth, self._leaf, self._estimate, self.depth, noise, settings)

    def _terms_of(self, position: Position) -> Terms | None:
        """Return what counts of a position's context; None if nothing does."""
        return position.context.terms() if self.cubeful else None

    def evaluate(self, position: Position, stop: Stop | None = None) -> Evaluation:
        """Return what a position is worth to the player on roll, before the turn.

        It is searched to `depth` - 1 plies, as a candidate of an analysis is: a play is
        worth the opposite of what its position is worth to the opponent. With the cube, the
        player on roll may double first; `cube` tells whether that is right.

        Args:
            position: seen from the player on roll.
            stop: another thread sets it to have the answer at once, of the last depth that is
                complete.

        Raises:
            IllegalPositionError: the game is over.
            SettingError: no game has such a score or cube.
        """
        check_in_play(position)
        begun = time.perf_counter()
        here = self._at(self._terms_of(position))
        state = np.array(position.points, np.int8)
        value, chances, stats = here.evaluate(state, self.depth - 1, here.table(), stop)
        return Evaluation(
            here.worth.equity(value), chances, stats, time.perf_counter() - begun,
            here.worth.mwc(value),
        )  # fmt: skip

    def cube(self, position: Position, stop: Stop | None = None) -> CubeDecision:
        """Decide whether to double, and whether to take: both values are exact.

        They come from one search to `depth` - 1 plies, for which `max_seconds` count.

        Args:
            position: seen from the player on roll, before the roll. If a double is on offer,
                the answer to it is that of the decision.
            stop: as for `analyze`.

        Raises:
            SettingError: the engine is cubeless; no game has such a score or cube, or the
                position has a beaver on offer.
            IllegalPositionError: the game is over.
        """
        check_in_play(position)
        if not self.cubeful:
            raise SettingError(
                "a cube decision of a cubeless engine: expected Engine(cube=True)"
            )
        terms = decision_terms(position)
        return self._at(terms).decide_cube(
            position.with_dice(None), terms, self.max_seconds, stop
        )

    def cube_by_score(
        self, position: Position, away: int = 7, progress: Bar | None = None
    ) -> ScoreGrid:
        """Decide about the cube at every score of a match, and at those that people name.

        Args:
            position: as for `cube`; its cube and owner stay. No score is the Crawford game.
            away: both sides need from 1 to so many points, at most 25.
            progress: as for `analyze`.

        Raises:
            SettingError, IllegalPositionError: as for `cube`; `away` is out of range.
        """
        decision_terms(position)
        found = by_score(self.cube, self.cube, position, away, progress)
        return ScoreGrid(position, away, *found)

    def plays_by_score(
        self,
        position: Position,
        dice: tuple[int, int],
        away: int = 7,
        progress: Bar | None = None,
    ) -> PlayGrid:
        """Find the best play of a roll at every score, as `cube_by_score` does with the cube.

        Args:
            position: as there.
            dice: the roll.
            away: as there.
            progress: as there.

        Raises:
            SettingError: as for `analyze`; `away` is out of range.
            IllegalPositionError: as for `analyze`; `away` is out of range.
        """
        if not self.cubeful:
            raise SettingError(
                "plays by score of a cubeless engine: expected Engine(cube=True)"
            )
        dice = checked_dice(dice)
        ask = partial(self.analyze, dice=dice, top=1)
        found = by_score(ask, naming_the_first(ask), position, away, progress)
        return PlayGrid(position.with_dice(dice), away, *found)

    def analyze(
        self,
        position: Position,
        dice: tuple[int, int],
        top: int = 5,
        progress: Bar | None = None,
        plays: Iterable[str | Play] = (),
        stop: Stop | None = None,
    ) -> Analysis:
        """Search all plays of a roll.

        Args:
            position: seen from the player on roll.
            dice: the roll, in any order.
            top: how many plays need exact values; the others get upper bounds.
            progress: int64 [2], kept at (plays done, plays in all) for another thread to read.
            plays: others that need exact values, as people write them or from `legal_plays`.
                They are searched to the depth of the others, also beyond `max_seconds`, but
                not beyond a stop.
            stop: another thread sets it to have the answer at once, of the last depth that is
                complete, as when `max_seconds` are over.

        Raises:
            SettingError: the dice are not two numbers from 1 to 6, `top` is below 1, or no
                game has such a score or cube.
            IllegalPositionError: the game is over.
            FormatError: the text of a play is none.
            IllegalPlayError: a play is not legal here.
            AmbiguousPlayError: several legal plays answer to a text.
        """
        dice = checked_dice(dice)
        outcome = outcome_of(dice)
        top = whole("top", top, 1)
        wanted = listed_plays(plays)
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(dice)
        here = self._at(self._terms_of(position))
        legal = legal_plays(position, dice)
        named = {choose_play(legal, dice, str(play)).points for play in wanted}
        found = search.decide(
            here.worth.game, self._leaf, position.points, outcome, self.depth,
            top=top if self.depth > 1 else len(legal), leaves=True, progress=progress,
            table=here.table(), max_seconds=self.max_seconds, stop=stop,
            threads=self.threads if self.algorithm.startswith("star") else 1, **here.arguments,
        )  # fmt: skip
        candidates, stats = here.candidates(found, legal, named, stop)
        seconds = time.perf_counter() - begun
        return Analysis(
            position, dice, here.worth.stakes, here.worth.terms, candidates, stats, seconds,
            top, self.algorithm,
        )  # fmt: skip

    def analyze_rolls(
        self, position: Position, progress: Bar | None = None, stop: Stop | None = None
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
        if progress is not None:
            check_progress(progress)
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(None)
        analyses = []
        for dice in ROLLS:
            analyses.append(self.analyze(position, dice, 1, stop=stop))
            if progress is not None:
                progress[:] = len(analyses), len(ROLLS)
        return RollTable(position, analyses, time.perf_counter() - begun)

    def best_plays(
        self,
        points: npt.ArrayLike,
        dice: npt.ArrayLike,
        noise_seeds: npt.ArrayLike | None = None,
        terms: Terms = _MONEY,
    ) -> Boards:
        """Return the best play of each of many positions, in one call.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].
            noise_seeds: int [N], which errors in each; the engine's own unless given.
            terms: what is at stake for each player on roll; a cubeless engine does not look.

        Returns:
            int8 [N, 26], the positions after the plays, still seen from the mover.

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, another shape or type, or
                terms that no game has.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        boards = checked_boards(points)
        outcomes = checked_outcomes(dice, len(boards))
        seeds = None if noise_seeds is None else checked_seeds(noise_seeds, len(boards))
        here = self._at(terms)
        best = search.decide_many(
            here.worth.game, self._leaf, boards, outcomes, self.depth, noise_seeds=seeds,
            table=here.table() if seeds is None else None, **here.arguments,
        )  # fmt: skip
        return turned_boards(best)

    def evaluate_many(self, points: npt.ArrayLike, terms: Terms = _MONEY) -> Evaluations:
        """Return what many positions are worth to their players on roll, before the turn.

        Each is worth what `evaluate` finds, to the last bit. (A torch module may round the
        chances of many positions in another way than those of one.)

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            terms: as for `best_plays`.

        Raises:
            SettingError: another shape or type, or terms that no game has.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        boards = checked_boards(points)
        return self._at(terms).evaluations(boards, self.threads)

    def values_of_plays(
        self, points: npt.ArrayLike, dice: npt.ArrayLike, terms: Terms = _MONEY
    ) -> PlayValues:
        """Return what all plays of many positions and rolls are worth to the movers.

        They are those of `analyze` with `top` for all plays, to the last bit, in the order of
        their values; `max_seconds` does not count. Only what a move filter leaves out is not
        exact.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].
            terms: as for `best_plays`.

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, another shape or type, or
                terms that no game has.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        boards = checked_boards(points)
        outcomes = checked_outcomes(dice, len(boards))
        return self._at(terms).play_values(boards, outcomes, self.threads)
