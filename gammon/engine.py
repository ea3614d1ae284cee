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
from gammon.analysis import Analysis, Candidate, Evaluation, Kind, RollTable
from gammon.boards import (
    Boards,
    Evaluations,
    PlayValues,
    checked_boards,
    checked_outcomes,
    checked_seeds,
    in_blocks,
    turned_boards,
)
from gammon.checks import Unchanging, number, one_of, shown, whole
from gammon.errors import SettingError
from gammon.eval.equity import Probabilities, for_opponent
from gammon.eval.evaluators import leaf_of, load_named
from gammon.eval.principal import chances_of, leaf_mean, leaf_means
from gammon.formats.position import Position
from gammon.games.backgammon import FILTERS, backgammon
from gammon.play import Play, check_in_play, choose_play, legal_plays
from gammon.rules.board import SIZE, Points, flipped
from gammon.rules.dice import ROLLS, checked_dice, outcome_of
from gammon.rules.plays import MAX_ROWS
from gammon.rules.stakes import MONEY, Stakes, parse_stakes
from gammon.rules.state import State
from gammon.search import Filter, Stats
from gammon.search.checks import check_progress

if TYPE_CHECKING:
    from torch import nn

__all__ = ["DEPTHS", "FILTERS", "TABLE_MEGABYTES", "Engine"]

Bar = npt.NDArray[np.int64]

#: Plies that an engine can search.
DEPTHS = (1, 3, 5, 7)
#: By depth; shallower searches have nothing to look up.
TABLE_MEGABYTES = {5: 1.0, 7: 16.0}
#: By depth: positions of a block of a batch call, which take a second at most. At depth 1
#: calls cost little beside it; deeper searches cost much more than their calls.
_BLOCKS = {1: 4096, 3: 128, 5: 8, 7: 1}
#: The numbers that chances are.
_CHANCES = len(Probabilities._fields)
_KINDS = {search.EXACT: Kind.EXACT, search.BOUND: Kind.BOUND, search.STATIC: Kind.STATIC}


class Engine(Unchanging):
    """Searches positions to a fixed depth, full width.

    Depth counts every decision and every chance node as one ply, as the literature of
    *-minimax does: 1, 3, 5, 7 are what GNU Backgammon calls 0-, 1-, 2-, 3-ply.

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
            its unit. Cubeless in any case.

    Raises:
        SettingError: a setting is out of range.
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
        stakes: Stakes | str = MONEY,
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
        if isinstance(stakes, str):
            stakes = parse_stakes(stakes)
        if not isinstance(stakes, Stakes):
            raise SettingError(f"stakes {shown(stakes)}: expected gammon.Stakes, or their name")
        self.stakes = stakes.checked()
        self._game = backgammon(self.stakes)
        self._leaf, self._estimate = leaf_of("leaf" if model is None else model)
        self._noise: dict[str, Any] = {"sigma": self.noise, "noise_seed": self.noise_seed}
        self._search: dict[str, Any] = self._noise | {
            "algorithm": self.algorithm,
            "probe": load_named("probe", "probe" if probe is None else probe, bearoff=False),
            "filter": FILTERS[self.move_filter] if self.move_filter else Filter(),
        }
        # Raises now what the settings together make impossible.
        search.problem_of(self._game, self._leaf, **self._search)

    def _table(self) -> search.Table | None:
        """Return a table for one call: if it were kept, bounds would depend on other calls."""
        megabytes = TABLE_MEGABYTES.get(self.depth, 0.0)
        return search.Table.allocate(self._game, megabytes) if megabytes else None

    def evaluate(self, position: Position) -> Evaluation:
        """Return what a position is worth to the player on roll, before the roll.

        It is searched to `depth` - 1 plies, as a candidate of an analysis is: a play is
        worth the opposite of what its position is worth to the opponent.

        Raises:
            IllegalPositionError: the game is over.
        """
        check_in_play(position)
        begun = time.perf_counter()
        state = np.array(position.points, np.int8)
        value, chances, stats = self._evaluate(self._game, state, self.depth - 1, self._table())
        return Evaluation(value, chances, stats, time.perf_counter() - begun)

    def _evaluate(
        self, game: search.Game, state: State, depth: int, table: search.Table | None
    ) -> tuple[float, Probabilities, Stats]:
        """Return a position's value and chances before the roll, and the work that it took.

        Args:
            game: with the stakes of the player on roll.
            state: int8 [26], seen from the player on roll.
            depth: plies, even.
            table: of the same game, or None.
        """
        found = search.chance_value(
            game, self._leaf, state, depth, leaves=True, table=table, **self._search
        )
        assert found.leaves is not None, "an open window always leaves them"
        return found.value, leaf_mean(self._estimate, found.leaves), found.stats

    def analyze(
        self,
        position: Position,
        dice: tuple[int, int],
        top: int = 5,
        progress: Bar | None = None,
        plays: Iterable[str | Play] = (),
    ) -> Analysis:
        """Search all plays of a roll.

        Args:
            position: seen from the player on roll.
            dice: the roll, in any order.
            top: how many plays need exact values; the others get upper bounds.
            progress: int64 [2], kept at (plays done, plays in all) for another thread to read.
            plays: others that need exact values, as people write them or from `legal_plays`.
                They are searched to the depth of the others, also beyond `max_seconds`.

        Raises:
            SettingError: the dice are not two numbers from 1 to 6, or `top` is below 1.
            IllegalPositionError: the game is over.
            FormatError: the text of a play is none.
            IllegalPlayError: a play is not legal here.
            AmbiguousPlayError: several legal plays answer to a text.
        """
        dice = checked_dice(dice)
        outcome = outcome_of(dice)
        top = whole("top", top, 1)
        if isinstance(plays, str) or not isinstance(plays, Iterable):
            raise SettingError(f"plays {shown(plays)}: expected a list, such as ['8/5 6/5']")
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(dice)
        legal = legal_plays(position, dice)
        named = {choose_play(legal, dice, str(play)).points for play in plays}
        found = search.decide(
            self._game, self._leaf, position.points, outcome, self.depth,
            top=top if self.depth > 1 else len(legal), leaves=True, progress=progress,
            table=self._table(), max_seconds=self.max_seconds,
            threads=self.threads if self.algorithm.startswith("star") else 1, **self._search,
        )  # fmt: skip
        candidates, stats = self._candidates(found, legal, named)
        seconds = time.perf_counter() - begun
        return Analysis(position, dice, self.stakes, candidates, stats, seconds, top)

    def _candidates(
        self, found: search.Decision, legal: list[Play], named: set[Points]
    ) -> tuple[list[Candidate], Stats]:
        """Return the candidates of a decision, best first, and the work that it all took.

        Plays that are named and not among the first are searched here, each with an open
        window, as `evaluate` does.

        Args:
            found: what the search found out.
            legal: all plays of the roll.
            named: what the plays that must be exact lead to, seen from the mover.
        """
        plays = {flipped(play.points): play for play in legal}
        rows = [plays[tuple(row.tolist())] for row in found.rows]
        values, kinds = found.values.copy(), found.kind.copy()
        chances = {
            int(j): leaf_mean(self._estimate, leaves)
            for j, leaves in zip(found.order, found.leaves, strict=False)
        }
        stats, table = [found.stats], self._table() if named else None
        for j, play in enumerate(rows):
            if play.points in named and j not in chances:
                value, theirs, work = self._evaluate(
                    self._game.turned(), found.rows[j], found.depth - 1, table
                )
                values[j], kinds[j] = -value, search.EXACT
                chances[j] = Probabilities(*for_opponent(np.array(theirs)).tolist())
                stats.append(work)
        order = sorted(
            found.order.tolist(), key=lambda j: (kinds[j] == search.STATIC, -values[j])
        )
        static = self._static_chances(found.rows)
        candidates = [
            Candidate(
                play=rows[j],
                equity=float(values[j]),
                loss=max(float(values[order[0]] - values[j]), 0.0),
                probabilities=chances.get(j) or Probabilities(*static[j].tolist()),
                kind=_KINDS[int(kinds[j])],
                depth=1 if kinds[j] == search.STATIC else found.depth,
                probabilities_depth=found.depth if j in chances else 1,
                named=rows[j].points in named,
            )
            for j in order
        ]
        return candidates, Stats.total(stats)

    def analyze_rolls(self, position: Position, progress: Bar | None = None) -> RollTable:
        """Find the best play of each of the 21 rolls.

        Args:
            position: seen from the player on roll, who has not rolled yet.
            progress: as for `analyze`.

        Raises:
            IllegalPositionError: the game is over.
        """
        if progress is not None:
            check_progress(progress)
        check_in_play(position)
        begun = time.perf_counter()
        position = position.with_dice(None)
        analyses = []
        for dice in ROLLS:
            analyses.append(self.analyze(position, dice, top=1))
            if progress is not None:
                progress[:] = len(analyses), len(ROLLS)
        return RollTable(position, analyses, time.perf_counter() - begun)

    def best_plays(
        self,
        points: npt.ArrayLike,
        dice: npt.ArrayLike,
        noise_seeds: npt.ArrayLike | None = None,
    ) -> Boards:
        """Return the best play of each of many positions, in one call.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].
            noise_seeds: int [N], which errors in each; the engine's own unless given.

        Returns:
            int8 [N, 26], the positions after the plays, still seen from the mover.

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, or another shape or type.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        boards = checked_boards(points)
        outcomes = checked_outcomes(dice, len(boards))
        seeds = None if noise_seeds is None else checked_seeds(noise_seeds, len(boards))
        best = search.decide_many(
            self._game, self._leaf, boards, outcomes, self.depth, noise_seeds=seeds,
            table=self._table() if seeds is None else None, **self._search,
        )  # fmt: skip
        return turned_boards(best)

    def evaluate_many(self, points: npt.ArrayLike) -> Evaluations:
        """Return what many positions are worth to their players on roll, before the roll.

        Each is worth what `evaluate` finds, to the last bit. (A torch module may round the
        chances of many positions in another way than those of one.)

        Args:
            points: int8 [N, 26], each seen from its player on roll.

        Raises:
            SettingError: another shape or type.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        boards = checked_boards(points)
        equities, chances = np.empty(len(boards)), np.empty((len(boards), _CHANCES))

        def evaluate(block: slice) -> None:
            found = search.chance_values(
                self._game, self._leaf, boards[block], self.depth - 1, table=self._table(),
                **self._search,
            )  # fmt: skip
            equities[block] = found.values
            chances[block] = leaf_means(self._estimate, found.leaves, found.offsets)

        in_blocks(evaluate, len(boards), _BLOCKS[self.depth], self.threads)
        return Evaluations(equities, chances)

    def values_of_plays(self, points: npt.ArrayLike, dice: npt.ArrayLike) -> PlayValues:
        """Return what all plays of many positions and rolls are worth to the movers.

        They are those of `analyze` with `top` for all plays, to the last bit, in its order;
        `max_seconds` does not count. Only what a move filter leaves out is not exact.

        Args:
            points: int8 [N, 26], each seen from its player on roll.
            dice: int [N, 2].

        Raises:
            SettingError: dice that are not two numbers from 1 to 6, or another shape or type.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        boards = checked_boards(points)
        outcomes = checked_outcomes(dice, len(boards))
        if self.depth == 1 or not len(boards):
            rank = partial(self._rank_plays, boards, outcomes)
            return PlayValues.joined(in_blocks(rank, len(boards), _BLOCKS[1], self.threads))
        value = partial(self._search_plays, boards, outcomes)
        return PlayValues.joined(in_blocks(value, len(boards), 1, self.threads))

    def _rank_plays(
        self, boards: Boards, outcomes: npt.NDArray[np.int64], block: slice
    ) -> PlayValues:
        """Return the plays of a block of positions with their values at depth 1."""
        found = search.rank_many(
            self._game, self._leaf, boards[block], outcomes[block], **self._noise
        )
        rows, exact = turned_boards(found.rows), np.ones(len(found.rows), np.bool_)
        chances = self._static_chances(found.rows)
        return PlayValues(found.offsets, rows, found.values, chances, exact)

    def _search_plays(
        self, boards: Boards, outcomes: npt.NDArray[np.int64], block: slice
    ) -> PlayValues:
        """Return the plays of a block of one position with their values at the full depth."""
        (board,), outcome = boards[block], int(outcomes[block.start])
        n = self._game.successors(
            board, outcome, self._game.params, np.empty((MAX_ROWS, SIZE), np.int8)
        )
        found = search.decide(
            self._game, self._leaf, board, outcome, self.depth, top=n, leaves=True,
            table=self._table(), **self._search,
        )  # fmt: skip
        rows = found.rows[found.order]
        chances = self._static_chances(rows)
        for rank, leaves in enumerate(found.leaves):
            chances[rank] = leaf_mean(self._estimate, leaves)
        return PlayValues(
            np.array([0, n]), turned_boards(rows), found.values[found.order], chances,
            found.exact[found.order],
        )  # fmt: skip

    def _static_chances(self, rows: Boards) -> npt.NDArray[np.float64]:
        """Return the chances [N, 5] of the movers who have left these positions."""
        return np.asarray(for_opponent(chances_of(self._estimate, rows)), np.float64)
