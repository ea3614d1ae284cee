"""Samples from a folder as a lesson, and the measures of networks on held-out samples.

Networks of chances are measured by luck-adjusted results, networks of widths by revisions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gammon.base.errors import SettingError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.weights import Weights
from gammon.eval.width import fold_width
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, PHASES, SIZE, phase_of
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.train.learner import WIDTH
from gammon.train.recipe import STATIC, Recipe
from gammon.train.sample_folder import APART, Piece, chances, open_piece, open_pieces, piece_path, traced

#: The last turns of a piece are left out, this many: their games may have no result yet.
_UNFINISHED = 100
#: Held-out revisions are counted beyond so many widths.
_MULTIPLES = (4, 6, 8)

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


class Lesson:
    """The samples that a stage learns from: their kinds and targets, and the share of each kind.

    Args:
        recipe: a recipe with samples.
        folder: the folder of the samples, which is also an attribute.

    Raises:
        GammonError: samples are missing or invalid.
    """

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self.folder = folder
        self._kinds = []
        for number in range(len(recipe.samples)):
            self._kinds.append(_read(recipe, folder, number))
        self._shares = np.cumsum([samples.share for samples in recipe.samples])

    def draw(self, random: np.random.Generator, count: int) -> tuple[Rows, Floats]:
        """Return samples int8 [N, 26] and targets, drawn with replacement.

        Targets are chances float32 [N, 6], or revisions float32 [N, 1].

        Args:
            random: the random numbers.
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


def _revisions(piece: Piece) -> Floats:
    """Return by how much a look ahead of one turn changes the values of a piece, [T, G, 1], in points."""
    revisions: Floats = ((piece["target"] - piece["believed"]) @ POINTS[:, None]).astype(np.float32)
    return revisions


def _read(recipe: Recipe, folder: Path, which: int) -> tuple[Rows, Floats]:
    """Return the first positions and targets of the samples, as many as the recipe asks for."""
    samples = recipe.samples[which]
    pieces = open_pieces(folder, which)
    size = sum(piece.size for piece in pieces)
    if size < samples.positions:
        missing = piece_path(folder, which, APART + 1 + len(pieces))
        raise SettingError(
            f"{str(missing)!r} is missing, and the pieces before it hold {size} of the "
            f"{samples.positions} positions that the recipe learns from: expected `gammon "
            "train make` to have made all"
        )
    rows = np.concatenate([piece["position"].reshape(-1, SIZE) for piece in pieces])
    by_turn = [
        _revisions(piece) if recipe.learns == WIDTH else traced(piece, samples.trace) for piece in pieces
    ]
    targets = np.concatenate([targets.reshape(-1, targets.shape[-1]) for targets in by_turn])
    return rows[: samples.positions], targets[: samples.positions]


@dataclass(frozen=True)
class Measure:
    """The distance of a network from the truth, in one group of the held-out positions.

    Attributes:
        share: share of the positions that are in the group.
        further: mean square distance from the luck-adjusted results of games, less the same
            distance of the network that made the samples: in squared points, times 10,000.
        error: the standard error of `further`, over games.
        ahead: root mean square distance from the exact targets one turn ahead, in points.
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


class HeldOutPositions:
    """The held-out positions, and the luck-adjusted results of their games.

    Args:
        folder: the folder of the samples.
        which: index of the samples in the recipe, from 0; their targets are exact.

    Raises:
        GammonError: the held-out piece is missing or invalid.
    """

    def __init__(self, folder: Path, which: int = 0) -> None:
        piece = open_piece(folder, which, APART)
        turns = max(len(piece) - _UNFINISHED, 1)
        self._positions = piece["position"][:turns]
        self._results = traced(piece, 1.0)[:turns] @ POINTS
        self._targets = piece["target"][:turns] @ POINTS
        self._believed = piece["believed"][:turns] @ POINTS
        #: bool [T, G] by the name of the group.
        self.groups = self._grouped(piece["last"][:turns])

    def _grouped(self, last: npt.NDArray[np.bool_]) -> dict[str, npt.NDArray[np.bool_]]:
        positions = self._positions
        phases = np.array([[PHASES.index(phase_of(row)) for row in games] for games in positions.tolist()])
        opening = (positions == np.array(OPENING, np.int8)).all(axis=-1)
        drawn = np.empty_like(opening)
        drawn[0] = ~opening[0]
        for t in range(1, len(drawn)):
            drawn[t] = np.where(last[t - 1], ~opening[t], drawn[t - 1])
        groups = {"all": np.ones_like(drawn)}
        groups |= {name: phases == number for number, name in enumerate(PHASES)}
        groups |= {"games from the opening": ~drawn, "games from drawn positions": drawn}
        return {name: members for name, members in groups.items() if members.any()}

    def measures(self, weights: Weights) -> dict[str, Measure]:
        """Return the measures of a network's tensors for each group."""
        values = chances(evaluator_of(weights), self._positions) @ POINTS
        before = (self._believed - self._results) ** 2
        further = 1e4 * ((values - self._results) ** 2 - before)
        squares = (values - self._targets) ** 2
        by_group = {}
        for name, members in self.groups.items():
            mean = float(further[members].mean())
            # Positions of one game are correlated, games are not.
            by_game = np.where(members, further - mean, 0.0).sum(axis=0)
            error = float(np.sqrt((by_game**2).sum()) / members.sum())
            ahead = float(np.sqrt(squares[members].mean()))
            by_group[name] = Measure(float(members.mean()), mean, error, ahead)
        return by_group


@dataclass(frozen=True)
class WidthMeasure:
    """How a network's widths fit the revisions of the held-out positions, for money without the cube.

    Attributes:
        width: the mean width, in points.
        likelihood: the mean logarithm of the likelihood of a revision, which has Laplace's
            distribution with the width as its scale.
        beyond: for 4, 6 and 8 widths: the share of the revisions that are larger, and the root
            mean square of their excess (0 for other revisions), in points.
    """

    width: float
    likelihood: float
    beyond: dict[int, tuple[float, float]]

    def __str__(self) -> str:
        parts = [f"mean width {self.width:.4f}", f"log likelihood {self.likelihood:.4f}"]
        parts += [f"beyond {k} widths {share:.3%}, {rms:.5f}" for k, (share, rms) in self.beyond.items()]
        return "  ".join(parts)


def width_measure(folder: Path, which: int, weights: Weights) -> WidthMeasure:
    """Return the measure of a network of widths.

    Args:
        folder: the folder of the samples.
        which: index of the samples in the recipe, from 0.
        weights: the network's tensors.

    Raises:
        GammonError: the held-out piece is missing or invalid.
    """
    piece = open_piece(folder, which, APART)
    revisions = np.abs(_revisions(piece)).ravel()
    outputs = chances(evaluator_of(weights, bearoff=False), piece["position"]).reshape(-1, N_RESULTS)
    widths = np.zeros_like(revisions)
    fold_width(outputs, len(outputs), BACKGAMMON.stake, BACKGAMMON.params, widths)
    likelihood = -float((np.log(2.0 * widths) + revisions / widths).mean())
    excess = {k: np.maximum(revisions - k * widths, 0.0) for k in _MULTIPLES}
    beyond = {k: (float((e > 0.0).mean()), float(np.sqrt((e**2).mean()))) for k, e in excess.items()}
    return WidthMeasure(float(widths.mean()), likelihood, beyond)


def measures(recipe: Recipe, folder: Path, weights: Weights) -> Iterator[str]:
    """Yield the measures of a network as text, for each of a recipe's samples with exact targets.

    Args:
        recipe: a recipe with samples.
        folder: the folder of the samples.
        weights: the network's tensors.
    """
    for which, samples in enumerate(recipe.samples):
        if recipe.learns == WIDTH:
            yield f"samples {which + 1}: {width_measure(folder, which, weights)}"
        elif samples.target != STATIC:
            by_group = HeldOutPositions(folder, which).measures(weights)
            width = max(map(len, by_group))
            yield from (f"{name:>{width}}: {measure}" for name, measure in by_group.items())
