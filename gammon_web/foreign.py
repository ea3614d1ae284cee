"""What the APIs of other programs have in common: names for chances, and what they send.

Their answers are as those programs have them; schemas say what that is.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gammon.base.errors import GammonError
from gammon.eval.equity import Probabilities
from gammon.formats.play import check_in_play
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon_web.parameters import NUMBER, Schema
from gammon_web.refusal import refusal_of

#: The names of the chances to win and to lose, each with those of a gammon and of a backgammon.
CHANCES = {
    "nodots": ("win", "winGammon", "winBackgammon", None, "loseGammon", "loseBackgammon"),
    "bgweb": ("win", "winG", "winBG", "lose", "loseG", "loseBG"),
    "wildbg": ("win", "winG", "winBg", None, "loseG", "loseBg"),
}


class Named(NamedTuple):
    """A schema that has a name on the page of the API.

    Attributes:
        name: there.
        schema: of the answer.
    """

    name: str
    schema: Schema

    @property
    def ref(self) -> Schema:
        """The schema by its name."""
        return {"$ref": f"#/components/schemas/{self.name}"}


def entries_schema(properties: Mapping[str, Schema], *optional: str) -> Schema:
    """Return the schema of an object.

    Args:
        properties: the schemas of its entries.
        optional: those that may not be there.
    """
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": properties}


def list_schema(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def chances_schema(api: str) -> dict[str, Schema]:
    """Return the schemas of chances by the names that an API has for them."""
    return {name: NUMBER for name in CHANCES[api] if name is not None}


def chances_json(api: str, chances: Probabilities) -> dict[str, float]:
    """Return chances by the names that an API has for them."""
    values = *chances[:3], 1.0 - chances.win, *chances[3:]
    named = zip(CHANCES[api], values, strict=True)
    return {name: value for name, value in named if name is not None}


def placed(points: Sequence[int], terms: Terms | None, fields: tuple[str | None, str]) -> Position:
    """Return a position that is in play.

    Args:
        points: 26 counts, seen from the player on decision.
        terms: what is at stake; None for money with a centred cube.
        fields: the names of the points and of the stakes in the request.

    Raises:
        Refusal: there is no such position, or no game has such stakes.
    """
    field = fields[0]
    try:
        position = Position(tuple(points))
        check_in_play(position)
        field = fields[1]
        return position if terms is None else position.with_terms(terms)
    except GammonError as error:
        raise refusal_of(error, field) from None
