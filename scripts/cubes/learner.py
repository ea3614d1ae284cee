"""Learning a cube: from Janowski's values on, by what each position is worth one turn ahead.

In each sweep a leaf with the cube as it is learned so far says what new positions of self-play
are worth one turn ahead (`targets.py`), and the cube learns from the positions of the
latest sweeps. That is TD(0) with the luck of the dice averaged out. No other values with the
cube come in, not even the exact ones of small bearoffs.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from cubes.learned import (
    HIDDEN,
    N_SEEN,
    LearnedCube,
    learned_evaluator,
    nothing,
)
from cubes.targets import cube_targets, static_outputs
from gammon.eval.bearoff import N_OWNERS
from gammon.eval.features import encode
from gammon.eval.network import Network, network_of, tensors
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator
from gammon.train.selfplay import played_positions

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


class CubeModule(nn.Module):
    """A learned cube in PyTorch: its definition. It first adds nothing.

    Args:
        network: the cube network, or None.
        trunk: whether the hidden layers of that network stay as they are.
    """

    def __init__(self, network: Network | None, trunk: bool = False) -> None:
        super().__init__()
        self.network = network
        if network is not None and trunk:
            for name, weight in network.named_parameters():
                weight.requires_grad = "output" in name
        self.formula = nn.Sequential(
            nn.Linear(N_SEEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
            nn.Linear(HIDDEN, N_OWNERS),
        )  # fmt: skip
        for weight in self.formula[-1].parameters():
            nn.init.zeros_(weight)

    def forward(self, features: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        """Return what is added to the values for the three owners [N, 3].

        Args:
            features: [N, F], of `gammon.eval.features`.
            known: [N, 9], the chances and Janowski's values.
        """
        signs = torch.zeros(len(known), N_OWNERS)
        if self.network is not None:
            pairs = self.network.logits(features).reshape(-1, N_OWNERS, 2)
            signs = torch.tanh(0.5 * (pairs[..., 1] - pairs[..., 0]))
        added: torch.Tensor = self.formula(torch.cat([known, signs], dim=1))
        return added

    def learned(self) -> LearnedCube:
        """Return the tensors."""
        formula = {
            name: w.detach().numpy().copy() for name, w in self.formula.named_parameters()
        }
        return LearnedCube(formula, None if self.network is None else tensors(self.network))

    @classmethod
    def of(cls, cube: LearnedCube) -> "CubeModule":
        """Return the module of tensors."""
        module = cls(None if cube.network is None else network_of(cube.network))
        module.formula.load_state_dict(
            {name: torch.from_numpy(w) for name, w in cube.formula.items()}
        )
        return module


@dataclass(frozen=True)
class Sweeps:
    """How a cube is learned.

    Attributes:
        sweeps: how many.
        kept: of how many of the latest ones the positions are learned from.
        passes: over these, in each sweep.
        rate: the first learning rate; it falls to 0 in a line.
        batch: positions of an update.
        seed: of dice, weights and batches. Sweep k has the positions of seed + k.
    """

    sweeps: int = 16
    kept: int = 4
    passes: int = 6
    rate: float = 3e-3
    batch: int = 512
    seed: int = 1


def known_of(leaf: Evaluator, rows: Rows) -> Floats:
    """Return the chances of positions and Janowski's values for money, float32 [N, 9].

    Args:
        leaf: of `gammon.eval.evaluators`.
        rows: int8 [N, 26], each seen from its player on roll.
    """
    found = static_outputs(learned_evaluator(leaf, nothing(), exact=False), rows)
    return np.delete(found, N_RESULTS, axis=1)


def fit(
    module: CubeModule, rows: Rows, known: Floats, targets: Floats, passes: int, batch: int,
    rates: tuple[float, float], random: np.random.Generator,
) -> float:  # fmt: skip
    """Let a module learn the targets of positions; return the last pass's loss.

    Args:
        module: learns, with a fresh Adam.
        rows: int8 [N, 26].
        known: float32 [N, 9], of `known_of`.
        targets: float32 [N, 3], values for the three owners.
        passes: over all positions.
        batch: positions of an update.
        rates: the first and the last learning rate.
        random: draws the batches.
    """
    features, seen = torch.from_numpy(encode(rows)), torch.from_numpy(known)
    wanted = torch.from_numpy(targets) - seen[:, N_RESULTS:]
    optimizer = torch.optim.Adam([w for w in module.parameters() if w.requires_grad])
    orders = [torch.from_numpy(random.permutation(len(rows))) for _ in range(passes)]
    batches = [some for order in orders for some in torch.split(order, batch)]
    losses = []
    for update, some in enumerate(batches):
        share = update / len(batches)
        for group in optimizer.param_groups:
            group["lr"] = (1.0 - share) * rates[0] + share * rates[1]
        found = module(features[some], seen[some])
        loss = torch.mean((found - wanted[some]) ** 2)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(float(loss.detach()))
    return float(np.mean(losses[-max(len(batches) // passes, 1) :]))


def sweep(
    leaf: Evaluator, module: CubeModule, settings: Sweeps
) -> Iterator[tuple[LearnedCube, float]]:
    """Let a module learn in sweeps, from what it has learned before.

    Args:
        leaf: of `gammon.eval.evaluators`; it plays, and gives the chances.
        module: learns.
        settings: see there.

    Yields:
        After each sweep: the learned cube, and the root of the mean square by which it misses
        what it learned from, in points.
    """
    random = np.random.default_rng(settings.seed)
    lessons: list[tuple[Rows, Floats, Floats]] = []
    for number in range(settings.sweeps):
        rows = played_positions(leaf, settings.seed + number)
        player = learned_evaluator(leaf, module.learned(), exact=False)
        lessons.append((rows, known_of(leaf, rows), cube_targets(player, rows)))
        lessons = lessons[-settings.kept :]
        first, last = (
            settings.rate * (1.0 - done / settings.sweeps) for done in (number, number + 1)
        )
        rows, known, targets = (np.concatenate(piece) for piece in zip(*lessons, strict=True))
        loss = fit(
            module, rows, known, targets, settings.passes, settings.batch, (first, last), random
        )
        yield module.learned(), loss**0.5
