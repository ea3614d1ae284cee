"""A training recipe: a TOML file of the network's shape and the stages of a run, such as

seed = 1
[network]
hidden1 = 256
hidden2 = 32
tactics = true          # see all features; else only those made of one count
start = "leaf"          # go on from a model's weights, which may have fewer units and
                        # features; random ones if left out
teacher = "leaf"        # the model that plays, where a stage's target is "taught"
[[stage]]
target = "sampled"      # "exact": the mean over the 21 rolls; "taught": what teacher says
positions = 40_000_000  # samples to learn from
games = 2048            # played in lockstep: also the batch of one update
rate = [1e-3, 1e-4]     # Adam's learning rate, from first to last, geometrically
replay = 0              # updates on earlier samples of the stage after each on new ones
memory = 0              # how many of the latest samples these are drawn from
"""

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gammon.errors import FormatError
from gammon.train.selfplay import TARGETS

__all__ = ["Recipe", "Stage", "read_recipe"]


@dataclass(frozen=True)
class Stage:
    """One part of a run: how targets are made, and for how long."""

    target: str
    positions: int
    games: int
    rate: tuple[float, float]
    replay: int = 0
    memory: int = 0

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            names = ", ".join(map(repr, TARGETS))
            raise FormatError(f"target {self.target!r}: expected one of {names}")
        if self.positions < 1 or self.games < 1:
            raise FormatError(f"{self}: positions and games must be at least 1")
        if len(self.rate) != 2 or min(self.rate) <= 0:
            raise FormatError(f"rate {self.rate!r}: expected two positive numbers")
        if self.replay < 0 or (self.replay > 0 and self.memory < self.games):
            raise FormatError(
                f"replay {self.replay!r} from a memory of {self.memory!r}: expected 0, or a "
                f"memory of at least the {self.games} games"
            )

    @property
    def updates(self) -> int:
        """Steps of the optimizer in this stage."""
        return -(-self.positions // self.games)

    def rate_at(self, update: int) -> float:
        """Return the learning rate of an update 0..updates-1."""
        first, last = self.rate
        return float(first * (last / first) ** (update / max(self.updates - 1, 1)))


@dataclass(frozen=True)
class Recipe:
    """A whole run."""

    seed: int
    hidden1: int
    hidden2: int
    stages: tuple[Stage, ...]
    start: str = ""
    tactics: bool = True
    teacher: str = ""

    def __post_init__(self) -> None:
        if not self.teacher and any(stage.target == "taught" for stage in self.stages):
            raise FormatError("target 'taught': expected a teacher, the name of a model")

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values, for checkpoints and model cards."""
        return asdict(self)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        FormatError: the file is missing, is not TOML, or lacks or misspells a field.
    """
    try:
        table = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{str(path)!r}: cannot read the recipe: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{str(path)!r}: not TOML: {error}") from None
    try:
        stages = tuple(
            Stage(**{**stage, "rate": tuple(stage["rate"])}) for stage in table.pop("stage")
        )
        network = table.pop("network")
        return Recipe(stages=stages, **network, **table)
    except (KeyError, TypeError) as error:
        raise FormatError(
            f"{str(path)!r}: a field is missing or unknown ({error}); expected those of "
            "gammon.train.config"
        ) from None
