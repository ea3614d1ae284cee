"""Learning from a folder of samples, and a network's distance from results without luck."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.base.errors import SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import evaluator_of
from gammon.eval.network import tensors
from gammon.eval.weights import Weights
from gammon.match.strength import compare
from gammon.rules.board import OPENING
from gammon.rules.outcome import POINTS
from gammon.rules.phase import PHASES, phase_of
from gammon.train.first_network import first_network
from gammon.train.learner import Learner
from gammon.train.recipe import Recipe
from gammon.train.sample_folder import APART, chances, open_piece, open_pieces, traced
from gammon.train.selfplay import played_positions
from gammon.train.units import sorted_by_activity

__all__ = ["Judge", "Lesson", "Measure", "finished", "learn"]

_STRENGTH_GAMES = 10_000
#: A game that is not over this many turns before the end of a piece has no result yet.
_UNFINISHED = 100

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Lesson:
    """Samples and their targets.

    Attributes:
        samples: int8 [N, 26].
        targets: float32 [N, 6].
    """

    samples: Rows
    targets: Floats

    @classmethod
    def of(cls, folder: Path, trace: float, positions: int | None = None) -> "Lesson":
        """Read the first `positions` samples of a folder, or all of them.

        Raises:
            GammonError: it holds fewer, or something else.
        """
        pieces = open_pieces(folder)
        held = sum(piece.size for piece in pieces)
        count = held if positions is None else positions
        if not 0 < count <= held:
            raise SettingError(
                f"positions {count}: expected 1 to {held}, which {str(folder)!r} holds"
            )
        samples = np.empty((count, 26), np.int8)
        targets = np.empty((count, 6), np.float32)
        begin = 0
        for piece in pieces:
            end = min(begin + piece.size, count)
            part = slice(0, end - begin)
            samples[begin:end] = piece["position"].reshape(-1, 26)[part]
            targets[begin:end] = traced(piece, trace).reshape(-1, 6)[part]
            begin = end
        return cls(samples, targets)

    def first(self, positions: int) -> "Lesson":
        """Return the samples of the first positions."""
        return Lesson(self.samples[:positions], self.targets[:positions])


def learn(
    recipe: Recipe,
    lesson: Lesson,
    device: str = "cpu",
    on_update: Callable[[int, int], None] = lambda done, total: None,
) -> Weights:
    """Learn from samples as the last stage of a recipe says, but for its positions.

    Args:
        recipe: its trace is that of the lesson.
        lesson: what to learn from.
        device: as for `Learner`.
        on_update: called with the updates made, and their number.

    Returns:
        The network's tensors.
    """
    stage = recipe.stages[-1]
    learner = Learner(first_network(recipe), device)
    learner.start(stage.optimizer, stage.average)
    random = np.random.default_rng(recipe.seed)
    total = max(stage.passes * len(lesson.samples) // stage.batch, 1)
    for update in range(total):
        chosen = random.integers(len(lesson.samples), size=stage.batch)
        first, last = stage.rate
        rate = first + (last - first) * update / max(total - 1, 1)
        learner.learn(lesson.samples[chosen], lesson.targets[chosen], rate)
        on_update(update + 1, total)
    return tensors(learner.mean)


def finished(
    recipe: Recipe, weights: Weights, folder: Path, positions: int
) -> tuple[Weights, dict[str, Any]]:
    """Return a network with its most active units first, and its card.

    Args:
        recipe: that it learned by.
        weights: its tensors.
        folder: of the samples.
        positions: how many it learned from.
    """
    player = evaluator_of(weights)
    card = {
        "origin": "self-play, from which `scripts/learn_offline.py` learned",
        "recipe": recipe.as_dict(),
        "samples": json.loads((folder / "run.json").read_bytes())["settings"],
        "positions": positions,
        "against_baseline": str(compare(player, BASELINE, _STRENGTH_GAMES, seed=1)),
    }
    return sorted_by_activity(weights, played_positions(player, recipe.seed)), card


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
            f"from results  {self.ahead:.4f} from one turn ahead"
        )


class Judge:
    """The positions that are kept apart, and the results of their games without luck.

    Args:
        folder: of the samples.

    Raises:
        GammonError: it holds something else.
    """

    def __init__(self, folder: Path) -> None:
        piece = open_piece(folder, APART)
        kept = max(len(piece) - _UNFINISHED, 1)
        self._positions = piece["position"][:kept]
        self._results = traced(piece, 1.0)[:kept] @ POINTS
        self._targets = piece["target"][:kept] @ POINTS
        self._believed = piece["believed"][:kept] @ POINTS
        #: bool [T, G] by name.
        self.groups = self._grouped(piece["last"][:kept])

    def _grouped(self, last: npt.NDArray[np.bool_]) -> dict[str, npt.NDArray[np.bool_]]:
        positions = self._positions
        phases = np.array(
            [[PHASES.index(phase_of(row)) for row in turn] for turn in positions.tolist()]
        )
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
