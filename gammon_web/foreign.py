"""Common parts of the APIs of other programs: schemas, and names for chances.

The answers have the entries of those programs; the schemas describe them.
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

#: The names of the chances in each API: to win, to win a gammon and a backgammon, to lose, to lose a
#: gammon and a backgammon.
CHANCES = {
    "nodots": ("win", "winGammon", "winBackgammon", None, "loseGammon", "loseBackgammon"),
    "bgweb": ("win", "winG", "winBG", "lose", "loseG", "loseBG"),
    "wildbg": ("win", "winG", "winBg", None, "loseG", "loseBg"),
}


class Named(NamedTuple):
    """A schema with a name in openapi.json.

    Attributes:
        name: the name.
        schema: the schema of the answer.
    """

    name: str
    schema: Schema

    @property
    def ref(self) -> Schema:
        """A reference to the schema by its name."""
        return {"$ref": f"#/components/schemas/{self.name}"}


def entries_schema(properties: Mapping[str, Schema], *optional: str) -> Schema:
    """Return the schema of an object.

    Args:
        properties: the schemas of the entries.
        optional: the names of entries that may be missing.
    """
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": properties}


def list_schema(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def chances_schema(api: str) -> dict[str, Schema]:
    """Return the schemas of chances, by the API's names."""
    return {name: NUMBER for name in CHANCES[api] if name is not None}


def chances_json(api: str, chances: Probabilities) -> dict[str, float]:
    """Return chances, by the API's names."""
    values = *chances[:3], 1.0 - chances.win, *chances[3:]
    named = zip(CHANCES[api], values, strict=True)
    return {name: value for name, value in named if name is not None}


def placed(points: Sequence[int], terms: Terms | None, fields: tuple[str | None, str]) -> Position:
    """Return a position, after a check that its game is not over.

    Args:
        points: 26 counts, seen from the player on decision.
        terms: what is at stake; None for money with a centred cube.
        fields: the names of the points and of the terms in the request.

    Raises:
        Refusal: there is no such position, or no game has such terms.
    """
    field = fields[0]
    try:
        position = Position(tuple(points))
        check_in_play(position)
        field = fields[1]
        return position if terms is None else position.with_terms(terms)
    except GammonError as error:
        raise refusal_of(error, field) from None
