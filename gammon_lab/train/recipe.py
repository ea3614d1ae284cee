"""A training recipe: a TOML file with the network's shape and the stages of a run, such as
seed = 1
[network]
hidden1 = 256
hidden2 = 32
tactics = true          # use all features; else only those that depend on one count
parts = 1               # 3 or 5: one for each plan of a game, see gammon.eval.plan
start = "leaf"          # initial weights: a model, which may have fewer units and features;
                        # random weights if left out
learns = "chances"      # of the six results; "width": how far a look ahead moves a value, see
                        # gammon.eval.width, from samples with exact targets and without a trace
[[samples]]             # made by `gammon train make`, for stages with the target "made"
model = "leaf"          # the teacher: plays, and gives the targets (distillation)
positions = 4_000_000   # to learn from; made in whole pieces
seed = 4242             # of dice and drawn positions
starts = 0.0            # the share of games that begin in drawn positions, such as back
                        # games, see gammon_lab.train.starts; other games begin in the opening
families = 0.0          # the share that begins in the families of gammon_lab.train.starts
opening = "backgammon"  # where the other games begin: also nackgammon, longgammon, or an ID
blunders = 0.0          # the share of turns whose play is drawn from all legal plays
target = "exact"        # the mean over the 21 rolls; "static": the model's value of the
                        # position itself, which takes a twentieth of the time
trace = 0.0             # lambda: the weight of later turns' surprises in a target
share = 1.0             # of each batch, relative to other [[samples]]
games = 1024            # of a piece
turns = 1024            # of each game in a piece
[[stage]]
target = "sampled"      # after the roll thrown; "exact": the mean over the 21 rolls;
                        # "made": from [[samples]], without play
positions = 40_000_000  # samples to learn from
optimizer = "adam"      # "adamw": with decay of weights; "muon": Muon for the weights between
                        # layers, Adam for the others
rate = [1e-3, 0.0]      # its learning rate, linearly from first to last; with "muon" Adam has
                        # a tenth of it
passes = 1              # how often a sample is learned from, on average
batch = 256             # samples per update
average = 1             # updates over which the weights that play are averaged
                        # The following are for self-play only:
trace = 0.0             # as above
memory = 1_000_000      # the latest samples, from which batches are drawn; at least the
                        # samples of a round, which is the default. If the stage before has
                        # the same target and memory, its samples are used further
starts = 0.0            # as above
families = 0.0          # as above
opening = "backgammon"  # as above
games = 1024            # played at a time
turns = 32              # of each game in a round; the players' weights change between rounds
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError, model_validator

from gammon.base.checks import shown
from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.base.files import find_file, regular, shipped_files
from gammon.eval.plan import PARTS
from gammon.formats.position import STARTS, parse_start
from gammon_lab.train.learner import CHANCES, LEARNS, OPTIMIZERS, WIDTH
from gammon_lab.train.selfplay import TARGETS

#: The target of a stage that learns from samples made before; the target of static samples.
MADE, STATIC = "made", "static"

_SUFFIX = ".toml"
#: The number of units of the second layer is a multiple of this.
_UNITS2 = 4


class _Record(BaseModel):
    """A table of a recipe. Messages quote the descriptions of its fields as what was expected.

    Raises:
        SettingError: entries are wrong, missing or unknown; one line names all of them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def __init__(self, /, **entries: Any) -> None:
        try:
            super().__init__(**entries)
        except ValidationError as error:
            raise SettingError("; ".join(self._problems(error, entries))) from None

    @classmethod
    def _problems(cls, error: ValidationError, entries: Mapping[str, Any]) -> Iterator[str]:
        """Yield a message for each wrong entry, once."""
        reported = set()
        for problem in error.errors(include_url=False):
            place, own = problem["loc"], problem.get("ctx", {}).get("error")
            if own is not None and isinstance(own, ValueError) and str(own):
                # A message about a whole table: this one, or one of its lists.
                reported.add(place[0] if place else None)
                name = "stage" if place[:1] == ("stages",) else "samples"
                yield f"{name} {int(place[1]) + 1}: {own}" if place else str(own)
            elif place[0] not in reported:
                reported.add(place[0])
                yield cls._problem(str(place[0]), problem["type"], entries)

    @classmethod
    def _problem(cls, name: str, kind: str, entries: Mapping[str, Any]) -> str:
        if kind == "extra_forbidden":
            return f"{name!r} is unknown: expected {', '.join(cls.model_fields)}"
        expected = cls.model_fields[name].description
        if kind == "missing":
            return f"{'[[stage]]' if name == 'stages' else repr(name)} is missing: expected {expected}"
        return f"{name} {shown(entries[name])}: expected {expected}"


def _one_of(allowed: Sequence[object]) -> tuple[AfterValidator, Any]:
    """Return the check of an entry with a few possible values, and its description."""

    def check(value: object) -> object:
        if value not in allowed:
            raise ValueError
        return value

    names = ", ".join(map(repr, allowed))
    return AfterValidator(check), Field(description=f"one of {names}")


def _whole(most: int, least: int = 1) -> Any:
    """Return the bounds of a whole number; more than `most` would never come to an end."""
    return Field(ge=least, le=most, description=f"a whole number, {least} to {most}")


#: Samples take 50 bytes each.
_MOST_SAMPLES = 100_000_000
_Text = Annotated[str, Field(max_length=4096, description="a text")]
_Share = Annotated[float, Field(ge=0.0, le=1.0, description="0 to 1")]
_Rate = Annotated[float, Strict(), Field(ge=0.0, le=1000.0, allow_inf_nan=False)]


def _begins(text: str) -> str:
    """Return where games begin, if a game can begin there."""
    try:
        parse_start(text)
    except GammonError:
        raise ValueError from None
    return text


_Opening = Annotated[
    str, AfterValidator(_begins), Field(description=f"{', '.join(STARTS)}, or an ID of checkers alone")
]


def _drawn_problems(starts: float, families: float) -> list[str]:
    """Return what is wrong with the shares of games that begin in drawn positions."""
    if starts + families > 1.0:
        return [f"starts {starts!r}, families {families!r}: expected at most 1 in all"]
    return []


class Samples(_Record):
    """Samples that are made before anyone learns from them.

    The fields are the entries of the file.
    """

    model: _Text
    positions: Annotated[int, _whole(10**12)]
    seed: Annotated[int, _whole(2**64 - 1, 0)] = 4242
    starts: _Share = 0.0
    families: _Share = 0.0
    opening: _Opening = "backgammon"
    blunders: _Share = 0.0
    target: Annotated[str, *_one_of(("exact", STATIC))] = "exact"
    trace: _Share = 0.0
    share: Annotated[float, Field(gt=0.0, le=1.0, description="above 0, at most 1")] = 1.0
    games: Annotated[int, _whole(1 << 20)] = 1024
    turns: Annotated[int, _whole(1 << 16)] = 1024

    @model_validator(mode="after")
    def _check(self) -> Self:
        problems = _drawn_problems(self.starts, self.families)
        if self.games * self.turns > _MOST_SAMPLES:
            problems.append(
                f"games {self.games}, turns {self.turns}: expected at most {_MOST_SAMPLES} turns in a piece"
            )
        if self.target == STATIC and self.trace > 0.0:
            problems.append(f"trace {self.trace!r}: expected 0 for target {STATIC!r}")
        if self.blunders > 0.0 and self.trace > 0.0:
            problems.append(f"trace {self.trace!r}: expected 0 with blunders, which no later turn explains")
        if problems:
            raise ValueError("; ".join(problems))
        return self


class TrainingStage(_Record):
    """A stage of a run: how targets are made, and for how long.

    The fields are the entries of the file; `memory` 0 means the samples of a round.
    """

    target: Annotated[str, *_one_of((*TARGETS, MADE))]
    positions: Annotated[int, _whole(10**12)]
    rate: Annotated[tuple[_Rate, _Rate], Strict(False), Field(description="two numbers, 0 to 1000")]
    trace: _Share = 0.0
    passes: Annotated[int, _whole(10_000)] = 1
    memory: Annotated[int, _whole(_MOST_SAMPLES, 0)] = 0
    starts: _Share = 0.0
    families: _Share = 0.0
    opening: _Opening = "backgammon"
    games: Annotated[int, _whole(1 << 20)] = 1024
    turns: Annotated[int, _whole(1 << 16)] = 32
    batch: Annotated[int, _whole(1 << 20)] = 256
    optimizer: Annotated[str, *_one_of(OPTIMIZERS)] = "adam"
    average: Annotated[int, _whole(10**9)] = 1

    @model_validator(mode="after")
    def _check(self) -> Self:
        problems = _drawn_problems(self.starts, self.families)
        own = {"trace", "memory", "starts", "families", "opening"} & self.model_fields_set
        if self.target == MADE and own:
            problems.append(f"{', '.join(sorted(own))}: expected none for target {MADE!r}")
        if self.round > _MOST_SAMPLES:
            problems.append(
                f"games {self.games}, turns {self.turns}: expected at most {_MOST_SAMPLES} turns in a round"
            )
        elif 0 < self.memory < self.round:
            problems.append(
                f"memory {self.memory!r}: expected at least a round, the {self.games} games' "
                f"{self.turns} turns"
            )
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def round(self) -> int:
        """Samples made between two changes of the players' weights."""
        return self.games * self.turns

    @property
    def rounds(self) -> int:
        """Number of rounds in this stage."""
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


class Recipe(_Record):
    """A whole run. The fields are the entries of the file."""

    seed: Annotated[int, Field(ge=0, le=2**64 - 1, description="a whole number, 0 to 2**64 - 1")]
    hidden1: Annotated[int, _whole(8192)]
    hidden2: Annotated[
        int, Field(ge=1, le=1024, multiple_of=_UNITS2, description=f"a multiple of {_UNITS2}, up to 1024")
    ]
    stages: Annotated[
        tuple[TrainingStage, ...],
        Strict(False),
        Field(min_length=1, max_length=1000, description="one to 1000 [[stage]]s"),
    ]
    start: _Text = ""
    learns: Annotated[str, *_one_of(LEARNS)] = CHANCES
    tactics: Annotated[bool, Field(description="true or false")] = True
    parts: Annotated[int, *_one_of(PARTS)] = 1
    samples: Annotated[
        tuple[Samples, ...], Strict(False), Field(max_length=100, description="at most 100 [[samples]]")
    ] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.samples and any(stage.target == MADE for stage in self.stages):
            raise ValueError(f"target {MADE!r}: expected [[samples]]")
        if self.learns == WIDTH and not self._has_revisions:
            raise ValueError(
                f"learns {WIDTH!r}: expected stages with target {MADE!r}, and [[samples]] with target "
                "'exact' and trace 0"
            )
        return self

    @property
    def _has_revisions(self) -> bool:
        """Whether all targets are values after a look of one turn, beside the values before it."""
        exact = all(samples.target != STATIC and samples.trace == 0.0 for samples in self.samples)
        return exact and all(stage.target == MADE for stage in self.stages)


def find_recipe(name: str) -> Path:
    """Return the file of a recipe, given by a path or by the name of a shipped recipe.

    Raises:
        FormatError: there is no such file.
    """
    path = find_file(name, _SUFFIX)
    if path is not None:
        return path
    names = ", ".join(path.stem for path in shipped_files(_SUFFIX)) or "none"
    raise FormatError(f"recipe {name!r}: no such file, and the shipped recipes are: {names}")


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        FormatError: the file is missing, is not TOML, or has wrong, missing or unknown
            entries; the message names all of them.
    """
    try:
        table = tomllib.loads(regular(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{str(path)!r}: cannot read the recipe: {error}") from None
    except (ValueError, RecursionError) as error:  # the latter if the text nests too deep
        raise FormatError(f"{str(path)!r}: not TOML: {error}") from None
    network = table.pop("network", {})
    if not isinstance(network, dict):
        raise FormatError(f"{str(path)!r}: network {shown(network)}: expected a table [network]")
    if "stages" in table.keys() | network.keys():
        raise FormatError(f"{str(path)!r}: 'stages' is unknown: expected [[stage]]")
    if "stage" in table:
        table["stages"] = table.pop("stage")
    repeated = ", ".join(sorted(table.keys() & network.keys()))
    if repeated:
        raise FormatError(f"{str(path)!r}: {repeated}: expected once, found twice")
    try:
        return Recipe(**table, **network)
    except SettingError as error:
        raise FormatError(f"{str(path)!r}: {error}") from None
