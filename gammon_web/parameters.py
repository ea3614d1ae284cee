"""What requests may have beside their path: parameters, and entries of bodies.

A name that is misspelt would go unread, and the answer would be one to another question. So
each request has a list, which `openapi.json` is made from, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple

from gammon.base.checks import shown
from gammon.base.settings import Flag, Kind, Setting, Text, Whole, settings_of
from gammon.engine.question import Question
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.terms import LONGEST_MATCH
from gammon_web.refusal import Refusal, bad

#: Seeds of dice and of rollouts are below this, so that JavaScript has them exactly.
MOST_SEEDS = 2**53
#: A JSON Schema.
Schema = Mapping[str, Any]


class Parameter(NamedTuple):
    """A parameter of a request.

    Attributes:
        name: as it stands in the address.
        kind: what it may be; None: it is not read.
        text: what it means, for people.
        usual: what it is where a request does not say it; None: it depends, or is nothing.
        required: whether there is no answer without it.
        example: a value, or nothing.
    """

    name: str
    kind: Kind | None
    text: str = ""
    usual: Any = None
    required: bool = False
    example: str = ""

    @property
    def schema(self) -> Schema:
        """The JSON Schema of its values."""
        told = self.usual is not None and self.usual is not False and self.usual != ()
        usual = {"default": self.usual} if told else {}
        return {} if self.kind is None else dict(self.kind.schema) | usual


class Parameters(NamedTuple):
    """Parameters that belong together: the page of the API has them as the entries of one.

    Attributes:
        name: of the whole.
        text: what they mean, for people.
        parts: the parameters.
    """

    name: str
    text: str
    parts: tuple[Parameter, ...]


class Texts(Kind):
    """Texts, of which each parameter gives one."""

    repeated: ClassVar[bool] = True

    @property
    def schema(self) -> Schema:
        """That of a list."""
        return {"type": "array", "items": {"type": "string"}}

    def checked(self, name: str, value: Any) -> list[str]:
        """Return the texts."""
        return [Text().checked(name, each) for each in value]

    def read(self, name: str, text: str) -> list[str]:
        """Return one text."""
        return [text]


def parameter_of(setting: Setting) -> Parameter:
    """Return the parameter that gives a setting. The usual depth depends on the request."""
    usual = None if setting.name == "depth" else setting.default
    return Parameter(setting.word, setting.kind, setting.text, usual)


ID = Parameter(
    "id",
    Text(),
    "any text that holds an XGID, or a GNU Position ID with or without its Match ID",
    None,
    True,
    "4HPwATDgc/ABMA",
)
#: The settings of a question that a request may say, by their names.
ASKED = {
    name: parameter_of(setting)
    for name, setting in settings_of(Question).items()
    if setting.served and name != "position"
}
SEED = Parameter("seed", Whole(0, MOST_SEEDS - 1), "of the dice", 1)
TRIALS = Parameter("trials", Whole(36, 12_960, 36), "games of each candidate, a multiple of 36", 1296)
ROLLED_TOP = Parameter("top", Whole(1, 20), "how many of the best plays, unless there are plays", 5)
TRUNCATE = Parameter(
    "truncate", Whole(0, 1000), "turns after which games end with the network's word; 0: whole games", 0
)
RESIGNED_POINTS = Parameter("points", Whole(1, 3), "times the cube", 1)
FIRST_ROLL = Parameter("begin", Whole(0, MOST_SEEDS - 1), usual=0)
MANY_ROLLS = Parameter("count", Whole(1, 1000), usual=100)
GROUPED_BY = Parameter("by", Text(), "what the groups are of", "player")
MANY_ERRORS = Parameter("count", Whole(1, 500), usual=100)
DRILLED_DECKS = Parameter("deck", Texts(), "that cards come from, by turns; all unless given")
DICE = tuple(Parameter(name, Whole(1, 6), required=True) for name in ("die1", "die2"))
POINTS = tuple(Parameter(f"p{at}", Whole(-CHECKERS, CHECKERS), usual=0) for at in range(SIZE))
AWAY = tuple(Parameter(name, Whole(0, LONGEST_MATCH), usual=0) for name in ("x_away", "o_away"))
CRAWFORD = Parameter("crawford", Flag(), usual=False)


class Body(NamedTuple):
    """The body of a request.

    Attributes:
        schema: of its JSON; of other bytes, that of a text.
        name: of the schema on the page of the API, or nothing.
        text: what it is, for people.
        is_json: whether it is JSON.
    """

    schema: Schema
    name: str = ""
    text: str = ""
    is_json: bool = True


class Known(NamedTuple):
    """The names that a request may have.

    Attributes:
        parameters: by their names.
        body: the schema of its body, where that is JSON; else empty.
    """

    parameters: Mapping[str, Parameter]
    body: Schema

    def check_parameters(self, values: Mapping[str, Sequence[str]]) -> None:
        """Raise a `Refusal` if a parameter has an unknown name, or comes too often."""
        for name, given in values.items():
            if name not in self.parameters:
                raise _unknown(name, "a parameter", self.parameters)
            kind = self.parameters[name].kind
            if len(given) > 1 and not (kind and kind.repeated):
                raise bad(f"{name} comes {len(given)} times: expected it once", name)

    def check_body(self, value: object) -> None:
        """Raise a `Refusal` if an entry of a body has an unknown name.

        Clients of other engines may send more than is read.
        """
        _check(value, self.body)


def _check(value: object, schema: Schema) -> None:
    names = schema.get("properties", {})
    if isinstance(value, dict):
        for name, each in value.items():
            if name in names:
                _check(each, names[name])
            elif schema.get("additionalProperties") is False:
                raise _unknown(name, "an entry", names)
    elif isinstance(value, list) and "items" in schema:
        for each in value:
            _check(each, schema["items"])


def _unknown(name: str, what: str, known: Iterable[str]) -> Refusal:
    """Return the refusal of a name, with the nearest one that is known."""
    near = get_close_matches(name, known, 1)
    wanted = f"did you mean {near[0]}?" if near else f"expected {', '.join(known) or 'none'}"
    return bad(f"{shown(name)} is not {what} here: {wanted}", name[:60])


def _object(properties: Mapping[str, Schema], *required: str) -> Schema:
    """Return the schema of an object that has no other entries."""
    needs = {"required": [*required]} if required else {}
    return {"type": "object", "additionalProperties": False, **needs, "properties": properties}


def _said(text: str, **schema: Any) -> Schema:
    """Return a schema with what its values mean."""
    return {**schema, "description": text}


TEXT, FLAG = {"type": "string"}, {"type": "boolean"}
WHOLE, NUMBER = {"type": "integer"}, {"type": "number"}
_WHOLES = {"type": "array", "items": WHOLE}
_PAIR = {"type": "array", "minItems": 2, "maxItems": 2, "items": WHOLE}
_LENGTH = {"type": "integer", "minimum": 0, "maximum": LONGEST_MATCH}
_PLAYED_ACTION = _object(
    {
        "player": {"enum": [0, 1]},
        "dice": TEXT,
        "play": TEXT,
        "do": {"enum": ["double", "take", "pass", "resign"]},
        "points": _said("of a resignation, times the cube", **RESIGNED_POINTS.schema),
    },
    "player",
)
_PLAYED_GAME = _object(
    {
        "score": _PAIR,
        "crawford": FLAG,
        "jacoby": FLAG,
        "cube": _said("whether the cube may be turned", **FLAG, default=True),
        "winner": _said("not read: it follows from the actions", type=["integer", "null"]),
        "points": _said("not read", **WHOLE),
        "actions": {"type": "array", "items": _PLAYED_ACTION},
    },
    "actions",
)
_WON = "the points of each game, with the cube; below 0 those of the top player"
_DATE = r"^(\d{4}\.\d\d\.\d\d)?$"
SET_UP = Body(
    _object(
        {
            "text": _said("a pasted text that holds an ID", **TEXT),
            "points": {"$ref": "#/components/schemas/Points"},
            "dice": {"type": ["string", "null"]},
            "stakes": _said("the schema Stakes, of which entries may be left out", type="object"),
            "turn": {"enum": [1, -1]},
            "doubled": FLAG,
        }
    ),
    "SetUp",
)
MATCH = Body(
    _object(
        {
            "length": {**_LENGTH, "default": 0},
            "names": {**_PAIR, "items": TEXT},
            "date": _said("such as 2026.11.22", **TEXT, pattern=_DATE),
            "games": {"type": "array", "items": _PLAYED_GAME},
        },
        "games",
    ),
    "Match",
)
SCORE = Body(
    _object(
        {
            "length": _said("of the match, 0 for money", **_LENGTH),
            "jacoby": {**FLAG, "default": False},
            "cube": _said("whether it may be turned", **FLAG, default=True),
            "won": _said(_WON, **_WHOLES),
        },
        "won",
    )
)
_ANSWER = "a play, n or d, t or p, a number, or ? for none"
_CARD = "ask", "xgid", "deck", "note"
ANSWERED_CARD = Body(
    _object({**dict.fromkeys(_CARD, TEXT), "answer": _said(_ANSWER, **TEXT)}, *_CARD, "answer")
)
MATCH_FILE = Body(TEXT, text="the bytes of a .mat or .sgf", is_json=False)
BGWEB = Body({"type": "object"})
NODOTS = Body(
    {
        "type": "object",
        "required": ["positionId"],
        "properties": {
            "positionId": TEXT,
            "positionIdConvention": {"enum": ["opponent-first", "on-roll-first"]},
            "dice": _WHOLES,
            "activePlayerColor": {"enum": ["white", "black"]},
            "activePlayerDirection": {"enum": ["clockwise", "counterclockwise"]},
            "cubeValue": WHOLE,
            "cubeOwner": {"enum": ["white", "black", None]},
            "matchScore": _WHOLES,
            "matchLength": WHOLE,
            "crawford": FLAG,
            "jacoby": FLAG,
            "beavers": FLAG,
        },
    },
    "NodotsRequest",
)
