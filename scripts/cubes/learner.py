"""Learning the cube efficiency from the values of positions one turn ahead.

In each sweep the leaf with the current efficiencies gives the values of new positions of self-play
one turn ahead (`targets.py`), and the network learns from the positions of the latest sweeps. This
is TD(0) with the luck of the dice averaged out. It learns for money; Janowski's model applies the
efficiency to a match.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from cubes.targets import cube_targets, folded, static_outputs
from gammon.compiled.records import Float32Vector
from gammon.eval.bearoff import N_OWNERS
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import SEEN, UNITS, WHOLE, block_of, seen_of
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import BY_OWNER, CONTACT
from gammon.eval.evaluators import evaluator_of_packed
from gammon.eval.integers import pack
from gammon.eval.model_file import Weights
from gammon.eval.race_network import race_block
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator
from gammon_lab.train.selfplay import played_positions

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
#: The distance beyond 0 and 1 within which an efficiency still has a gradient.
_BEYOND = 0.2


class CubeModule(nn.Module):
    """The network of the cube in PyTorch, in float32. Before training it gives `CONTACT` everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden, self.output = nn.Linear(SEEN, UNITS), nn.Linear(UNITS, N_OWNERS)
        nn.init.zeros_(self.output.weight)
        nn.init.constant_(self.output.bias, CONTACT)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the efficiencies for the three owners [N, 3] from the inputs [N, 26]."""
        efficiencies: torch.Tensor = self.output(torch.relu(self.hidden(seen)))
        return efficiencies.clamp(-_BEYOND, 1.0 + _BEYOND)

    def numbers(self) -> Float32Vector:
        """Return the weights and biases in the order of the file, float32 [483]."""
        layers = (self.hidden, self.output)
        parts = [part for layer in layers for part in (layer.weight, layer.bias)]
        return np.concatenate([part.detach().numpy().ravel() for part in parts])


def leaf_with(weights: Weights, numbers: Float32Vector | None) -> Evaluator:
    """Return a network as the evaluator of leaves, without the cube.

    Args:
        weights: the weights of the network, see `gammon.eval.model_file`.
        numbers: the numbers of the network of the cube; None for `CONTACT`.
    """
    cube = None if numbers is None else block_of(numbers)
    return evaluator_of_packed(pack(weights, bearoff_tables(), race_block(), cube))


@dataclass(frozen=True)
class Lesson:
    """Positions in contact, and their values.

    Attributes:
        seen: float32 [N, 26], the inputs of the network.
        dead: float32 [N, 3], the values for money with a dead cube, for the three owners.
        gap: float32 [N, 3], how much larger the values are with a live cube.
        targets: float32 [N, 3], the values one turn ahead.
    """

    seen: torch.Tensor
    dead: torch.Tensor
    gap: torch.Tensor
    targets: torch.Tensor

    @classmethod
    def of(cls, leaf: Evaluator, rows: Rows) -> "Lesson":
        """Return the lesson of positions; positions without contact are left out.

        Args:
            leaf: a result of `leaf_with`, with a network of the cube.
            rows: int8 [N, 26], each seen from its player on roll; no game is over.
        """
        player = cubeful_evaluator(leaf)
        outputs = static_outputs(player, rows)
        contact = outputs[:, N_RESULTS] == BY_OWNER
        rows, outputs = rows[contact], outputs[contact]
        dead, live = (values_at(player, outputs, x) for x in (0.0, 1.0))
        seen = seen_of(rows, outputs[:, :N_RESULTS]).astype(np.float32) / WHOLE
        arrays = seen, dead, live - dead, cube_targets(player, rows)
        return cls(*(torch.from_numpy(array) for array in arrays))

    @classmethod
    def joined(cls, lessons: list["Lesson"]) -> "Lesson":
        """Return several lessons as one."""
        columns = ([vars(lesson)[name] for lesson in lessons] for name in vars(lessons[0]))
        return cls(*(torch.cat(parts) for parts in columns))


def values_at(player: Evaluator, outputs: Floats, efficiency: float) -> Floats:
    """Return the values of rolling for money for the three owners, float32 [N, 3].

    Args:
        player: the evaluator with the cube.
        outputs: float32 [N, 10], the evaluator's outputs for positions in contact.
        efficiency: the efficiency of the cube for all owners.
    """
    outputs = outputs.copy()
    outputs[:, N_RESULTS + 1 :] = efficiency
    return folded(player, outputs)


@dataclass(frozen=True)
class Sweeps:
    """The settings of learning.

    Attributes:
        sweeps: the number of sweeps.
        kept: the number of latest sweeps whose positions are used.
        passes: passes over these positions in each sweep.
        rate: the first learning rate; it falls linearly to 0.
        batch: positions of an update.
        seed: the seed of dice, weights and batches. Sweep k has the positions of seed + k.
    """

    sweeps: int = 40
    kept: int = 4
    passes: int = 6
    rate: float = 5e-3
    batch: int = 512
    seed: int = 1


def values_of(module: CubeModule, lesson: Lesson, some: torch.Tensor) -> torch.Tensor:
    """Return a module's values of some positions of a lesson [M, 3], as the leaf computes them.

    The opponent's cube is never worth more than a centred one.
    """
    values = lesson.dead[some] + module(lesson.seen[some]) * lesson.gap[some]
    own, centred, theirs = values.unbind(dim=1)
    return torch.stack([own, centred, torch.minimum(centred, theirs)], dim=1)


def fit(
    module: CubeModule,
    lesson: Lesson,
    passes: int,
    batch: int,
    rates: tuple[float, float],
    random: np.random.Generator,
) -> float:
    """Train a module on a lesson; return the loss of the last pass.

    Args:
        module: the module to train, with a fresh Adam.
        lesson: the positions and targets.
        passes: passes over all positions.
        batch: positions of an update.
        rates: the first and the last learning rate.
        random: the generator of the batches.
    """
    optimizer = torch.optim.Adam(module.parameters())
    count = len(lesson.seen)
    orders = [torch.from_numpy(random.permutation(count)) for _ in range(passes)]
    batches = [some for order in orders for some in torch.split(order, batch)]
    losses = []
    for update, some in enumerate(batches):
        share = update / len(batches)
        for group in optimizer.param_groups:
            group["lr"] = (1.0 - share) * rates[0] + share * rates[1]
        values = values_of(module, lesson, some)
        loss = torch.mean((values - lesson.targets[some]) ** 2)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(float(loss.detach()))
    return float(np.mean(losses[-max(len(batches) // passes, 1) :]))


def sweep(weights: Weights, settings: Sweeps) -> Iterator[tuple[Float32Vector, float]]:
    """Train a network of the cube in sweeps, each with the values of the one before.

    Args:
        weights: the weights of the leaf, which plays and gives the chances.
        settings: the settings of the sweeps.

    Yields:
        After each sweep: the network's numbers, and the root mean square of its errors on its
        training positions, in points.
    """
    torch.manual_seed(settings.seed)
    module, random = CubeModule(), np.random.default_rng(settings.seed)
    lessons: list[Lesson] = []
    for number in range(settings.sweeps):
        leaf = leaf_with(weights, module.numbers())
        rows = played_positions(leaf, settings.seed + number)
        lessons = [*lessons, Lesson.of(leaf, rows)][-settings.kept :]
        first, last = (settings.rate * (1.0 - done / settings.sweeps) for done in (number, number + 1))
        lesson = Lesson.joined(lessons)
        loss = fit(module, lesson, settings.passes, settings.batch, (first, last), random)
        yield module.numbers(), loss**0.5
