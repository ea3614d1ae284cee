"""The engine: a position and a roll in, the best plays with exact values out."""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.errors import FormatError
from gammon.eval import nnue
from gammon.eval.chances import Estimate, leaf_mean
from gammon.eval.equity import Probabilities
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position import Position
from gammon.games.backgammon import BACKGAMMON
from gammon.play import Play, check_in_play, legal_plays
from gammon.rules.board import SIZE, flipped, in_play
from gammon.rules.dice import ROLLS, WEIGHTS, outcome_of
from gammon.search.stats import Stats

if TYPE_CHECKING:
    from torch import nn

__all__ = ["DEPTHS", "Analysis", "Candidate", "Engine", "Evaluation", "RollTable"]

Boards = npt.NDArray[np.int8]
Bar = npt.NDArray[np.int64]

#: Plies that an engine can search.
DEPTHS = (1, 3, 5, 7)
#: Names of GNU Backgammon for its move filters, with how many plays they keep, and within
#: how much of the statically best one.
FILTERS = {
    "tiny": (5, 0.08), "narrow": (8, 0.12), "normal": (8, 0.16), "large": (16, 0.32),
    "huge": (20, 0.44),
}  # fmt: skip
#: By depth; shallower searches have nothing to look up.
TABLE_MEGABYTES = {5: 1.0, 7: 16.0}


@dataclass(frozen=True)
class Candidate:
    """A play and what it is worth to the player who makes it.

    Attributes:
        play: the play.
        equity: in points of the cube, cubeless; its exact value at `depth`, or an upper
            bound of it.
        loss: how much less than the best play's equity that is, at least 0.
        probabilities: chances with best play to `depth`; known of the `top` exact plays.
        exact: False where `equity` is a proven upper bound, and where a filter left the
            play out: then it is the static value, and `depth` is 1.
        depth: plies searched; see `Engine`.
    """

    play: Play
    equity: float
    loss: float
    probabilities: Probabilities | None
    exact: bool
    depth: int


@dataclass(frozen=True)
class Analysis:
    """All plays of a roll, best first; the first `top` are exact.

    Attributes:
        position: where the roll is played.
        dice: the roll.
        candidates: see `Candidate`.
        stats: the work that it took.
        seconds: wall time.
    """

    position: Position
    dice: tuple[int, int]
    candidates: list[Candidate]
    stats: Stats
    seconds: float

    @property
    def depth(self) -> int:
        """The plies of the best play, which a limit of time may have kept down."""
        return self.candidates[0].depth


@dataclass(frozen=True)
class Evaluation:
    """What a position is worth to the player on roll, before the roll."""

    equity: float
    probabilities: Probabilities
    stats: Stats
    seconds: float


@dataclass(frozen=True)
class RollTable:
    """The best play of each of the 21 rolls.

    Attributes:
        position: the player on roll has not rolled yet.
        analyses: one for each roll, in the order of `gammon.rules.dice.ROLLS`.
        seconds: wall time.
    """

    position: Position
    analyses: list[Analysis]
    seconds: float

    def _mean(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return np.average(np.asarray(values, np.float64), axis=0, weights=WEIGHTS)

    @property
    def equity(self) -> float:
        """The mean over the rolls of the best play's equity."""
        return float(self._mean([analysis.candidates[0].equity for analysis in self.analyses]))

    @property
    def probabilities(self) -> Probabilities:
        """The same mean of the chances of the six results."""
        bests = [analysis.candidates[0].probabilities for analysis in self.analyses]
        rows = np.array(bests, np.float64)
        return Probabilities(*map(float, self._mean(rows)))

    @property
    def depth(self) -> int:
        """The plies of all rolls: those of the least deep one."""
        return min(analysis.depth for analysis in self.analyses)

    @property
    def stats(self) -> Stats:
        """The work for all rolls."""
        return Stats(*map(sum, zip(*(a.stats for a in self.analyses), strict=True)))


class Engine:
    """Searches positions to a fixed depth, full width.

    Depth counts every decision and every chance node as one ply, as the literature of
    *-minimax does: 1, 3, 5, 7 are what GNU Backgammon calls 0-, 1-, 2-, 3-ply.

    Args:
        depth: plies of a decision, odd.
        algorithm: "star2", "star2.5", "star1", "gamma" (for one side's decisions alone
            "gamma-a", "gamma-b") or "expectimax"; they differ in time only.
        model: a shipped model's name, a file, or a `torch.nn.Module` that takes
            features [N, 222] to cumulative probabilities [N, 5]. None: the shipped `leaf`.
        noise: standard deviation of an error added to each leaf's equity.
        noise_seed: which errors; the same state always has the same one.
        probe: the model that picks what Star2 probes. None: the shipped `probe`.
        max_seconds: analyze a roll to depth 1, 3, ... and give the answer of the last
            depth that is complete after so long. Each candidate says which; it depends on
            the machine.
        threads: for one analysis of depth 5 or 7 by Star1 or Star2. The result does not
            depend on how many they are.
        move_filter: one of `FILTERS`, to look at fewer plays than all wherever it is not
            the last turn's. Values are then exact for the plays that are left.

    Raises:
        FormatError: a setting is out of range.
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
    ) -> None:
        if depth not in DEPTHS:
            raise FormatError(f"depth {depth!r}: expected one of 1, 3, 5, 7")
        if algorithm not in search.ALGORITHMS:
            names = ", ".join(search.ALGORITHMS)
            raise FormatError(f"algorithm {algorithm!r}: expected one of {names}")
        if not 0.0 <= noise < np.inf:
            raise FormatError(f"noise {noise!r}: expected a standard deviation, 0 or more")
        if max_seconds is not None and not max_seconds > 0.0:
            raise FormatError(f"max_seconds {max_seconds!r}: expected more than 0")
        if threads < 1:
            raise FormatError(f"threads {threads!r}: expected 1 or more")
        if move_filter is not None and move_filter not in FILTERS:
            names = ", ".join(FILTERS)
            raise FormatError(f"filter {move_filter!r}: expected one of {names}")
        replies, margin = FILTERS.get(move_filter or "", (0, np.inf))
        self.depth = depth
        self.threads = threads if algorithm.startswith("star") else None
        self.max_seconds = max_seconds
        self.algorithm = algorithm
        self.noise = noise
        self.noise_seed = noise_seed
        if model is None or isinstance(model, str | Path):
            self._leaf = load_evaluator(model or "leaf")
            packed = self._leaf.weights
            self._estimate: Estimate = partial(nnue.probabilities, packed=packed)
        else:
            from gammon.eval.network import module_probabilities
            from gammon.eval.torch_values import module_evaluator

            self._leaf = module_evaluator(model)
            self._estimate = partial(module_probabilities, model)
        self._options: dict[str, Any] = {
            "algorithm": algorithm,
            "probe": load_evaluator(probe or "probe", bearoff=False),
            "sigma": noise,
            "noise_seed": noise_seed,
            "options": search.Options(replies=replies, margin=margin),
        }

    def _table(self) -> search.Table | None:
        """Return a table for one call, where the search is deep enough to gain by it.

        It is never kept: the bounds of the plays that are not exact would depend on what
        was analyzed before.
        """
        megabytes = TABLE_MEGABYTES.get(self.depth, 0.0)
        return search.Table.allocate(BACKGAMMON, megabytes) if megabytes else None

    def evaluate(self, position: Position) -> Evaluation:
        """Return what a position is worth to the player on roll, before the roll.

        It is searched to `depth` - 1 plies, as a candidate of an analysis is: a play is
        worth the opposite of what its position is worth to the opponent.

        Raises:
            IllegalPositionError: the game is over.
        """
        check_in_play(position)
        begun = time.perf_counter()
        found = search.chance_value(
            BACKGAMMON, self._leaf, position.points, self.depth - 1, leaves=True,
            table=self._table(), **self._options,
        )  # fmt: skip
        assert found.leaves is not None, "an open window always leaves them"
        chances = leaf_mean(self._estimate, found.leaves)
        return Evaluation(found.value, chances, found.stats, time.perf_counter() - begun)

    def analyze(
        self,
        position: Position,
        dice: tuple[int, int],
        top: int = 5,
        progress: Bar | None = None,
    ) -> Analysis:
        """Search all plays of a roll.

        Args:
            position: seen from the player on roll.
            dice: the roll, in any order.
            top: how many plays need exact values; the others get upper bounds.
            progress: int64 [2], kept at (plays done, plays in all) for another thread to read.

        Raises:
            FormatError: the dice are not two numbers from 1 to 6, or `top` is below 1.
            IllegalPositionError: the game is over.
        """
        outcome = outcome_of(dice)
        if top < 1:
            raise FormatError(f"top {top!r}: expected 1 or more")
        begun = time.perf_counter()
        plays = {flipped(play.points): play for play in legal_plays(position, dice)}
        if self.depth == 1:
            top = len(plays)  # static values are exact anyway
        found = search.decide(
            BACKGAMMON, self._leaf, position.points, outcome, self.depth,
            top=top, leaves=True, progress=progress, table=self._table(),
            max_seconds=self.max_seconds, threads=self.threads, **self._options,
        )  # fmt: skip
        best = float(found.values[found.order[0]])
        candidates = []
        for rank, j in enumerate(found.order):
            equity = float(found.values[j])
            searched = rank < found.searched
            leaves = found.leaves[rank] if rank < len(found.leaves) else None
            candidates.append(
                Candidate(
                    play=plays[tuple(found.rows[j].tolist())],
                    equity=equity,
                    loss=max(best - equity, 0.0),
                    probabilities=leaf_mean(self._estimate, leaves) if leaves else None,
                    exact=bool(found.exact[j]),
                    depth=found.depth if searched else 1,
                )
            )
        return Analysis(position, dice, candidates, found.stats, time.perf_counter() - begun)

    def analyze_rolls(self, position: Position, progress: Bar | None = None) -> RollTable:
        """Find the best play of each of the 21 rolls.

        Args:
            position: seen from the player on roll, who has not rolled yet.
            progress: as for `analyze`.

        Raises:
            IllegalPositionError: the game is over.
        """
        begun = time.perf_counter()
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
            FormatError: dice that are not two numbers from 1 to 6, or another shape.
            IllegalPositionError: a position that cannot stand, or whose game is over.
        """
        counts, rolls = np.asarray(points), np.asarray(dice)
        if counts.ndim != 2 or counts.shape[1] != SIZE or rolls.shape != (len(counts), 2):
            raise FormatError(
                f"points of shape {counts.shape} and dice of shape {rolls.shape}: expected "
                f"(N, {SIZE}) and (N, 2)"
            )
        if any(array.dtype.kind not in "iu" for array in (counts, rolls)):
            raise FormatError(
                f"points of {counts.dtype} and dice of {rolls.dtype}: expected whole numbers"
            )
        for count in counts[~in_play(counts)]:
            check_in_play(Position(tuple(count.tolist())))  # says what is wrong with it
        boards = np.ascontiguousarray(counts, np.int8)
        outcomes = np.array([outcome_of((int(a), int(b))) for a, b in rolls], np.int64)
        best = search.decide_many(
            BACKGAMMON, self._leaf, boards, outcomes, self.depth, noise_seeds=noise_seeds,
            table=self._table() if noise_seeds is None else None, **self._options,
        )  # fmt: skip
        return np.ascontiguousarray(-best[:, ::-1])
