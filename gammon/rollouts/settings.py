"""The settings of a rollout, checked."""

import math
from dataclasses import dataclass
from pathlib import Path

from gammon.base.checks import number, one_of, shown, whole
from gammon.base.errors import SettingError
from gammon.games.backgammon import FILTERS
from gammon.rollouts.dice import BLOCK

__all__ = ["DEPTHS", "RolloutSettings"]

#: Plies of a decision in a rollout.
DEPTHS = (1, 3, 5)


@dataclass(frozen=True)
class RolloutSettings:
    """The way in which games are played, and how many.

    Attributes:
        trials: games of each candidate, a multiple of 36.
        depth: plies of a play: 1, 3 or 5, as an `Engine` counts them.
        cube_depth: plies of a decision about the cube, as many as `depth` unless given.
        truncate: a game ends after this many turns, with the static value of its position; None
            for whole games.
        seed: of the dice.
        model: the network that plays, a name or a file.
        move_filter: of plays deeper than 1, a name of `FILTERS`; None looks at all plays.
        exact: whether a game ends where the exact tables of bearoffs say its value.
        until_se: enough is played once no candidate's standard error is larger, in equity.
        until_jsd: enough is played once the best candidate beats each other one by so many
            standard errors of their difference; of a cube decision, once both questions are
            answered so clearly.
        max_seconds: enough is played after this time; the 36 trials that are then under way do
            not count. The number of trials depends on the machine.
        drop: whether candidates that are far behind stop early.

    Raises:
        SettingError: a setting is out of range.
    """

    trials: int = 1296
    depth: int = 1
    cube_depth: int | None = None
    truncate: int | None = None
    seed: int = 1
    model: str | Path = "leaf"
    move_filter: str | None = None
    exact: bool = True
    until_se: float | None = None
    until_jsd: float | None = None
    max_seconds: float | None = None
    drop: bool = True

    def __post_init__(self) -> None:
        if whole("trials", self.trials, BLOCK) % BLOCK:
            raise SettingError(f"trials {self.trials}: expected a multiple of {BLOCK}")
        one_of("depth", self.depth, DEPTHS)
        if self.cube_depth is not None:
            one_of("cube_depth", self.cube_depth, DEPTHS)
        if self.truncate is not None:
            whole("truncate", self.truncate, 1, 1000)
        whole("seed", self.seed, 0, 2**64 - 1)
        if not isinstance(self.model, str | Path) or not str(self.model):
            raise SettingError(
                f"model {shown(self.model)}: expected the name of a shipped model, or a file"
            )
        if self.move_filter is not None:
            one_of("move_filter", self.move_filter, FILTERS)
        for name in ("exact", "drop"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} {shown(getattr(self, name))}: expected a bool")
        for name in ("until_se", "until_jsd", "max_seconds"):
            given = getattr(self, name)
            if given is not None:
                number(name, given, "a number above 0", math.ulp(0.0))

    @property
    def plies_of_cube(self) -> int:
        """The plies of a decision about the cube."""
        return self.depth if self.cube_depth is None else self.cube_depth
