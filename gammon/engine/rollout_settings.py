"""The settings of a rollout, checked."""

from dataclasses import dataclass
from pathlib import Path

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.base.settings import Flag, Number, OneOf, Whole, check_settings, setting
from gammon.core.level import BLOCK
from gammon.engine.question import FILTERS

#: Plies of a decision in a rollout.
DEPTHS = (1, 3, 5)
#: The most games of a candidate; they take days.
MOST_TRIALS = 36_000_000
_ABOVE_0 = Number("a number above 0", 5e-324)


@dataclass(frozen=True)
class RolloutSettings:
    """The number of games, and the way they are played.

    The attributes have the names of the arguments of `gammon.rollout`, which explains them.

    Raises:
        SettingError: a setting is out of range.
    """

    trials: int = setting(
        Whole(BLOCK, MOST_TRIALS, BLOCK),
        "Games of each candidate, rounded up to a multiple of 36.",
        1296,
        metavar="N",
    )
    depth: int = setting(
        OneOf(DEPTHS), "Plies of each play: 3 takes six times as long as 1, 5 hundreds of times.", 1
    )
    cube_depth: int | None = setting(
        OneOf(DEPTHS), "Plies of each decision about the cube; as --depth unless given."
    )
    truncate: int | None = setting(
        Whole(1, 1000),
        "End games after this many turns, with the network's value; whole games unless given.",
        metavar="N",
    )
    seed: int = setting(Whole(0, 2**64 - 1), "Any number; all dice follow from it.", 1, metavar="N")
    model: str | Path = "leaf"
    move_filter: str | None = setting(
        OneOf(FILTERS),
        "At --depth 3 and 5: search fewer plays, as GNU Backgammon's move filters do.",
        word="filter",
    )
    exact: bool = setting(Flag(), "End games when exact bearoff tables have their value.", True)
    until_se: float | None = setting(
        _ABOVE_0, "End early, once no standard error is larger than this, such as 0.005.", metavar="NUMBER"
    )
    until_jsd: float | None = setting(
        _ABOVE_0,
        "End early, once the best candidate leads every other one by this many standard errors "
        "of their difference, such as 3.",
        metavar="NUMBER",
    )
    max_seconds: float | None = setting(
        _ABOVE_0,
        "End after this time, with whole blocks of 36 trials; the result then depends on the machine.",
        metavar="SECONDS",
    )
    drop: bool = setting(Flag(), "Give up candidates that are far behind.", True)

    def __post_init__(self) -> None:
        check_settings(self)
        if not isinstance(self.model, str | Path) or not str(self.model):
            raise SettingError(f"model {shown(self.model)}: expected the name of a shipped model, or a file")

    @property
    def plies_of_cube(self) -> int:
        """The plies of a decision about the cube."""
        return self.depth if self.cube_depth is None else self.cube_depth
