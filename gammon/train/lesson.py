"""Lessons from a folder of samples, and how far networks are from results without luck."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from gammon.base.errors import SettingError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.features import encode
from gammon.eval.network import plans
from gammon.eval.weights import Weights
from gammon.rules.board import OPENING, PHASES, SIZE, phase_of
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.train.recipe import STATIC, Recipe, Samples
from gammon.train.sample_folder import APART, chances, open_piece, open_pieces, piece_path, traced

#: A game that is not over this many turns before the end of a piece has no result yet.
_UNFINISHED = 100
#: Positions that are encoded at a time.
_CHUNK = 1 << 14

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


class Lesson:
    """The samples that a stage learns from: their kinds and targets, and a share of each.

    Args:
        recipe: with samples.
        folder: in which they are made.

    Raises:
        GammonError: it lacks some of them, or holds something else, or kept parts judge all
            of a kind.
    """

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self._kinds = []
        for number, each in enumerate(recipe.samples):
            rows, targets = _learned(*_read(each, folder, number), recipe)
            if len(rows) == 0:
                raise SettingError(f"samples {number + 1}: expected some of parts that learn")
            self._kinds.append((rows, targets))
        self._shares = np.cumsum([each.share for each in recipe.samples])

    def draw(self, random: np.random.Generator, count: int) -> tuple[Rows, Floats]:
        """Return samples int8 [N, 26] and targets float32 [N, 6], drawn with replacement.

        Args:
            random: draws them.
            count: N.
        """
        ends = np.round(count * self._shares / self._shares[-1]).astype(int)
        drawn = [
            (np.take(rows, chosen, axis=0), np.take(targets, chosen, axis=0))
            for (rows, targets), size in zip(self._kinds, np.diff(ends, prepend=0), strict=True)
            for chosen in [random.integers(len(rows), size=size)]
        ]
        rows, targets = zip(*drawn, strict=True)
        return np.concatenate(rows), np.concatenate(targets)


def _learned(rows: Rows, targets: Floats, recipe: Recipe) -> tuple[Rows, Floats]:
    """Return the samples without those that parts judge which do not learn."""
    if recipe.kept == 0:
        return rows, targets
    chosen = np.concatenate(
        [
            (plans(torch.from_numpy(encode(some)), recipe.parts) >= recipe.kept).numpy()
            for some in np.array_split(rows, -(-len(rows) // _CHUNK))
        ]
    )
    return rows[chosen], targets[chosen]


def _read(samples: Samples, folder: Path, which: int) -> tuple[Rows, Floats]:
    """Return the first positions of the samples, as many as were asked for."""
    pieces = open_pieces(folder, which)
    held = sum(piece.size for piece in pieces)
    if held < samples.positions:
        missing = piece_path(folder, which, APART + 1 + len(pieces))
        raise SettingError(
            f"{str(missing)!r} is missing, and the pieces before it hold {held} of the "
            f"{samples.positions} positions that the recipe learns from: expected `gammon "
            "train make` to have made all"
        )
    rows = np.concatenate([piece["position"].reshape(-1, SIZE) for piece in pieces])
    targets = np.concatenate([traced(each, samples.trace).reshape(-1, N_RESULTS) for each in pieces])
    return rows[: samples.positions], targets[: samples.positions]


@dataclass(frozen=True)
class Measure:
    """How far a network is from the truth in one group of the positions kept apart.

    Attributes:
        share: of the positions that are in the group.
        further: how much further than the network that made the samples it is from the
            results of games without their luck: mean square in points, times 10,000.
        error: the standard error of `further`, over games.
        ahead: the distance from the exact targets one turn ahead: root of the mean square,
            in points.
    """

    share: float
    further: float
    error: float
    ahead: float

    def __str__(self) -> str:
        return (
            f"{self.share:6.1%} of positions  {self.further:+6.2f} +- {self.error:.2f} further "
            f"from results (mean square x 10,000)  {self.ahead:.4f} points from one turn ahead"
        )


class Judge:
    """The positions that are kept apart, and the results of their games without luck.

    Args:
        folder: of the samples.
        which: of a recipe's samples, from 0 on, with exact targets.

    Raises:
        GammonError: it holds something else.
    """

    def __init__(self, folder: Path, which: int = 0) -> None:
        piece = open_piece(folder, which, APART)
        kept = max(len(piece) - _UNFINISHED, 1)
        self._positions = piece["position"][:kept]
        self._results = traced(piece, 1.0)[:kept] @ POINTS
        self._targets = piece["target"][:kept] @ POINTS
        self._believed = piece["believed"][:kept] @ POINTS
        #: bool [T, G] by name.
        self.groups = self._grouped(piece["last"][:kept])

    def _grouped(self, last: npt.NDArray[np.bool_]) -> dict[str, npt.NDArray[np.bool_]]:
        positions = self._positions
        phases = np.array([[PHASES.index(phase_of(row)) for row in turn] for turn in positions.tolist()])
        opening = (positions == np.array(OPENING, np.int8)).all(axis=-1)
        drawn = np.empty_like(opening)
        drawn[0] = ~opening[0]
        for t in range(1, len(drawn)):
            drawn[t] = np.where(last[t - 1], ~opening[t], drawn[t - 1])
        found = {"all": np.ones_like(drawn)}
        found |= {name: phases == number for number, name in enumerate(PHASES)}
        found |= {"games from the opening": ~drawn, "games from drawn positions": drawn}
        return {name: where for name, where in found.items() if where.any()}

    def measures(self, weights: Weights) -> dict[str, Measure]:
        """Return the measures of a network's tensors for each group."""
        said = chances(evaluator_of(weights), self._positions) @ POINTS
        before = (self._believed - self._results) ** 2
        further = 1e4 * ((said - self._results) ** 2 - before)
        squares = (said - self._targets) ** 2
        found = {}
        for name, where in self.groups.items():
            mean = float(further[where].mean())
            # Positions of one game are alike, games are not.
            by_game = np.where(where, further - mean, 0.0).sum(axis=0)
            error = float(np.sqrt((by_game**2).sum()) / where.sum())
            ahead = float(np.sqrt(squares[where].mean()))
            found[name] = Measure(float(where.mean()), mean, error, ahead)
        return found


def measures(recipe: Recipe, folder: Path, weights: Weights) -> Iterator[str]:
    """Yield what `Judge` finds of a network in a recipe's samples with exact targets, in words.

    Args:
        recipe: with samples.
        folder: in which they are made.
        weights: the network's tensors.
    """
    for which, samples in enumerate(recipe.samples):
        if samples.target != STATIC:
            found = Judge(folder, which).measures(weights)
            width = max(map(len, found))
            yield from (f"{name:>{width}}: {measure}" for name, measure in found.items())
