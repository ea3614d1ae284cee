"""A training recipe: a TOML file of the network's shape and the stages of a run, such as

seed = 1
[network]
hidden1 = 256
hidden2 = 32
tactics = true          # see all features; else only those made of one count
parts = 1               # 3: one for each plan of a game, see gammon.eval.plan
start = "leaf"          # go on from a model's weights, which may have fewer units and
                        # features; random ones if left out
teacher = "leaf"        # a model that plays in its stead, and whose words are the targets
[[stage]]
target = "sampled"      # "exact": the mean over the 21 rolls; "taught": what teacher says
positions = 40_000_000  # samples to learn from
optimizer = "adam"      # "muon": that for the weights between layers, Adam for the others
rate = [1e-3, 0.0]      # its learning rate, from first to last, evenly; with "muon" Adam's
                        # is a tenth of it
trace = 0.0             # lambda: how much of later turns' surprises a target takes up
passes = 1              # how often a sample is learned from, on the mean
memory = 1_000_000      # the latest samples, from which batches are drawn; at least and
                        # by default those of a round. With the target and the memory of
                        # the stage before, a stage goes on with its samples
games = 1024            # that are played at a time
turns = 32              # of each game in a round, between which the players' weights change
batch = 256             # samples of an update
average = 1             # updates over which the weights that play are averaged
"""

import tomllib
from dataclasses import asdict, dataclass, fields
from math import inf
from pathlib import Path
from typing import Any

from gammon.errors import FormatError
from gammon.eval.plan import N_PLANS
from gammon.train.learner import OPTIMIZERS
from gammon.train.selfplay import TARGETS

__all__ = ["Recipe", "Stage", "read_recipe"]


#: The second layer is computed four units at a time.
_UNITS2 = 4


def _check_types(record: "Stage | Recipe") -> None:
    """Raise a FormatError if a plain field of a recipe is of another type than it says."""
    names: dict[object, str] = {
        int: "a whole number", float: "a number", str: "a text", bool: "true or false",
    }  # fmt: skip
    for field in fields(record):
        value, wanted = getattr(record, field.name), names.get(field.type)
        fits = type(value) in ((int, float) if field.type is float else (field.type,))
        if wanted and not fits:
            raise FormatError(f"{field.name} {value!r}: expected {wanted}")


@dataclass(frozen=True)
class Stage:
    """One part of a run: how targets are made, and for how long."""

    target: str
    positions: int
    rate: tuple[float, float]
    trace: float = 0.0
    passes: int = 1
    memory: int = 0
    games: int = 1024
    turns: int = 32
    batch: int = 256
    optimizer: str = "adam"
    average: int = 1

    def __post_init__(self) -> None:
        _check_types(self)
        if self.target not in TARGETS:
            names = ", ".join(map(repr, TARGETS))
            raise FormatError(f"target {self.target!r}: expected one of {names}")
        if self.optimizer not in OPTIMIZERS:
            names = ", ".join(map(repr, OPTIMIZERS))
            raise FormatError(f"optimizer {self.optimizer!r}: expected one of {names}")
        sizes = (
            self.positions, self.passes, self.games, self.turns, self.batch, self.average,
        )  # fmt: skip
        if min(sizes) < 1:
            raise FormatError(
                f"{self}: positions, passes, games, turns, batch and average must be at least 1"
            )
        numbers = all(type(rate) in (int, float) for rate in self.rate)
        if not numbers or len(self.rate) != 2 or not all(0.0 <= r < inf for r in self.rate):
            raise FormatError(f"rate {self.rate!r}: expected two numbers of at least 0")
        if not 0.0 <= self.trace <= (0.0 if self.target == "taught" else 1.0):
            raise FormatError(
                f"trace {self.trace!r}: expected 0 to 1, and 0 for target 'taught'"
            )
        if self.memory and self.memory < self.round:
            raise FormatError(
                f"memory {self.memory!r}: expected at least a round, the {self.games} games' "
                f"{self.turns} turns"
            )

    @property
    def round(self) -> int:
        """Samples that are made between two changes of the players' weights."""
        return self.games * self.turns

    @property
    def rounds(self) -> int:
        """How many there are in this stage."""
        return -(-self.positions // self.round)

    @property
    def updates(self) -> int:
        """Steps of the optimizer after each round."""
        return max(self.passes * self.round // self.batch, 1)

    def rate_at(self, update: int) -> float:
        """Return the learning rate of an update, counted over all rounds of the stage."""
        first, last = self.rate
        done = update / max(self.rounds * self.updates - 1, 1)
        return float(first + (last - first) * done)


@dataclass(frozen=True)
class Recipe:
    """A whole run."""

    seed: int
    hidden1: int
    hidden2: int
    stages: tuple[Stage, ...]
    start: str = ""
    tactics: bool = True
    parts: int = 1
    teacher: str = ""

    def __post_init__(self) -> None:
        _check_types(self)
        if not self.stages:
            raise FormatError("a recipe without a [[stage]]: expected one or more")
        if not 0 <= self.seed < 2**64:
            raise FormatError(f"seed {self.seed}: expected 0 to 2**64 - 1")
        if self.hidden1 < 1 or self.hidden2 < 1 or self.hidden2 % _UNITS2:
            raise FormatError(
                f"hidden1 {self.hidden1} and hidden2 {self.hidden2}: expected 1 or more, and a "
                f"multiple of {_UNITS2}"
            )
        if self.parts not in (1, N_PLANS):
            raise FormatError(f"parts {self.parts}: expected 1 or {N_PLANS}")
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
            "gammon.train.recipe"
        ) from None
