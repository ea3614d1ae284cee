"""Options that say what is at stake, in place of what a position's ID says."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.base.errors import SettingError
from gammon.commands.shared import stakes_option
from gammon.commands.types import PLACE

if TYPE_CHECKING:
    from gammon.formats.position import Position
    from gammon.rules.terms import Terms

__all__ = ["NOTHING_ASKED", "AskedTerms", "terms_options", "worth_options"]

F = TypeVar("F", bound=Callable[..., Any])

_SCORE = re.compile(r"([0-9]{1,2})[-:]([0-9]{1,2})")
_OWNERS = {"roller": 1, "centre": 0, "opponent": -1}


@dataclass(frozen=True)
class AskedTerms:
    """The stakes that a command's options ask for; None and False where they say nothing.

    Attributes:
        match: points of the match, 0 for money.
        score: the points of the player on roll and of the opponent, such as "3-5".
        crawford: whether this is the Crawford game.
        jacoby: whether gammons count only after the cube is turned.
        beavers: whether a double may be redoubled at once.
        cube: its value.
        owner: "roller", "centre" or "opponent".
    """

    match: int | None = None
    score: str | None = None
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube: int | None = None
    owner: str | None = None

    def placed(self, position: "Position") -> "Position":
        """Return a position with these stakes; with its own where none are asked for.

        Raises:
            SettingError: no game has such stakes.
        """
        if self == NOTHING_ASKED:
            return position
        return position.with_terms(self._asked(position.context.terms()))

    def _asked(self, terms: "Terms") -> "Terms":
        from gammon.rules.terms import Terms

        if self.match is not None:
            terms = Terms(self.match, (self.match, self.match))
        if self.score is not None:
            terms = terms._replace(away=self._away(terms.length), crawford=False)
        if self.cube is not None:
            terms = terms._replace(cube=self.cube, owner=0 if self.cube == 1 else terms.owner)
        if self.owner is not None:
            terms = terms._replace(owner=_OWNERS[self.owner])
        return terms._replace(
            crawford=self.crawford or terms.crawford,
            jacoby=self.jacoby or terms.jacoby,
            beavers=self.beavers or terms.beavers,
        ).checked()

    def _away(self, length: int) -> tuple[int, int]:
        found = _SCORE.fullmatch(self.score or "")
        if not length:
            raise SettingError(f"--score {self.score}: expected --match too, for its length")
        if found is None:
            raise SettingError(f"--score {self.score!r}: expected two numbers, such as 3-5")
        own, their = map(int, found.groups())
        if max(own, their) >= length:
            raise SettingError(f"--score {self.score}: expected less than {length}, its match")
        return length - own, length - their


#: The stakes stay those of the position.
NOTHING_ASKED = AskedTerms()


def terms_options(command: F) -> F:
    """Add the options that say what is at stake; the command gets them as `asked`."""
    options = [
        click.option(
            "--match", type=click.IntRange(0, 64), metavar="N",
            help="Points of the match, 0 for money; unless given, that of POSITION.",
        ),
        click.option(
            "--score", metavar="A-B", help="Points of the player on roll and of the opponent.",
        ),
        click.option("--crawford", is_flag=True, help="It is the Crawford game."),
        click.option(
            "--jacoby", is_flag=True,
            help="For money: gammons count only after the cube is turned.",
        ),
        click.option(
            "--beavers", is_flag=True, help="For money: a double may be redoubled at once.",
        ),
        click.option("--cube", type=int, metavar="N", help="The value of the cube."),
        click.option("--owner", type=click.Choice([*_OWNERS]), help="The owner of the cube."),
    ]  # fmt: skip

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        names = AskedTerms.__dataclass_fields__
        asked = AskedTerms(**{name: kwargs.pop(name) for name in names})
        return command(*args, asked=asked, **kwargs)

    found: Any = wrapped
    for option in reversed(options):
        found = option(found)
    return found  # type: ignore[no-any-return]


def worth_options(command: F) -> F:
    """Add the options of a command that can leave out the cube, or take another MET."""
    cubeless = click.option(
        "--cubeless", is_flag=True, help="Leave out the cube and the score."
    )
    met = click.option(
        "--met", type=PLACE, metavar="FILE",
        help="Another match equity table than Kazaross-XG2; `gammon met FILE` shows it.",
    )  # fmt: skip
    return cubeless(stakes_option("the player on roll", None)(met(command)))
