"""The parameters of requests, and the entries of their bodies.

A misspelt name would be ignored, and the request would get the answer to another question. So each
request has a list of its names, and other names are refused. `openapi.json` is made from the same
lists.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple

from gammon.base.checks import shown
from gammon.base.settings import Flag, OneOf, Setting, SettingKind, Text, Whole, settings_of
from gammon.engine.question import Question
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.terms import LONGEST_MATCH
from gammon_study.reviews.names import THEMES
from gammon_web.refusal import Refusal, bad

#: Seeds of dice and of rollouts are below this number, so that JavaScript represents them exactly.
MOST_SEEDS = 2**53
#: A JSON Schema.
Schema = Mapping[str, Any]


class Parameter(NamedTuple):
    """A parameter of a request.

    Attributes:
        name: the name in the address.
        kind: the kind of the value; None: the value is ignored.
        text: the description.
        usual: the default; None: there is none, or it depends on the request.
        required: whether the request must have the parameter.
        example: a value, or an empty text.
    """

    name: str
    kind: SettingKind | None
    text: str = ""
    usual: Any = None
    required: bool = False
    example: str = ""

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the values."""
        has_default = self.usual is not None and self.usual is not False and self.usual != ()
        usual = {"default": self.usual} if has_default else {}
        return {} if self.kind is None else dict(self.kind.schema) | usual


class Parameters(NamedTuple):
    """Parameters that belong together, which openapi.json lists as the entries of one parameter.

    Attributes:
        name: the name of the group.
        text: the description.
        parts: the parameters.
    """

    name: str
    text: str
    parts: tuple[Parameter, ...]


class Texts(SettingKind):
    """A list of texts, one from each parameter of the name."""

    repeated: ClassVar[bool] = True

    @property
    def schema(self) -> Schema:
        """The schema of a list."""
        return {"type": "array", "items": {"type": "string"}}

    def checked(self, name: str, value: Any) -> list[str]:
        """Return the texts after a check."""
        return [Text().checked(name, text) for text in value]

    def read(self, name: str, text: str) -> list[str]:
        """Return one text."""
        return [text]


def parameter_of(setting: Setting) -> Parameter:
    """Return the parameter for a setting. The default depth depends on the request."""
    usual = None if setting.name == "depth" else setting.default
    return Parameter(setting.word, setting.kind, setting.text, usual)


ID = Parameter(
    "id",
    Text(),
    "any text that contains an XGID, or a GNU Position ID with or without its Match ID",
    None,
    True,
    "4HPwATDgc/ABMA",
)
#: The parameters for the settings of a question, by the names of the settings.
QUESTION_PARAMETERS = {
    name: parameter_of(setting)
    for name, setting in settings_of(Question).items()
    if setting.served and name != "position"
}
SEED = Parameter("seed", Whole(0, MOST_SEEDS - 1), "the seed of the dice", 1)
TRIALS = Parameter("trials", Whole(36, 12_960, 36), "games of each candidate, a multiple of 36", 1296)
ROLLED_TOP = Parameter("top", Whole(1, 20), "how many of the best plays, unless there are plays", 5)
TRUNCATE = Parameter(
    "truncate", Whole(0, 1000), "turns after which games end with the network's estimate; 0: whole games", 0
)
RESIGNED_POINTS = Parameter("points", Whole(1, 3), "the points, without the cube", 1)
FIRST_ROLL = Parameter("begin", Whole(0, MOST_SEEDS - 1), usual=0)
MANY_ROLLS = Parameter("count", Whole(1, 1000), usual=100)
GROUPED_BY = Parameter("by", Text(), "the kind of groups", "player")
FIRST_ERROR = Parameter("begin", Whole(0, 100_000), "how many larger errors are left out", 0)
MANY_ERRORS = Parameter("count", Whole(1, 500), usual=100)
READ_REVIEWS = Parameter(
    "reviews",
    Whole(0, 500),
    "the most matches whose reviews are read; decisions of others have neither values nor plays",
    500,
)
DRILLED_DECKS = Parameter("deck", Texts(), "decks from which cards come by turns; all unless given")
NOTED_WORDS = Parameter("words", Text(), "words that occur in a note, a tag or a remark")
SINCE_DRILL = Parameter("day", Text(), "the first day after the drill; the day of the first one unless given")
NOTED_TAG = Parameter("tag", Text(), "a tag; remarks have none")
NOTED_THEME = Parameter("theme", OneOf(THEMES), "what the position is about")
NOTED_BOARD = Parameter("board", Text(), "checkers on the board, as for study/errors")
NOTED_PLACE = Parameter("place", Text(), "an ID: its board, at any score and with any roll")
AGAIN = Parameter("again", Flag(), "add the match also if it was removed before", False)
DIGEST = Parameter("digest", Text(), "the digest of a match of the library", required=True)
DICE = tuple(Parameter(name, Whole(1, 6), required=True) for name in ("die1", "die2"))
POINTS = tuple(Parameter(f"p{at}", Whole(-CHECKERS, CHECKERS), usual=0) for at in range(SIZE))
AWAY = tuple(Parameter(name, Whole(0, LONGEST_MATCH), usual=0) for name in ("x_away", "o_away"))
CRAWFORD = Parameter("crawford", Flag(), usual=False)


class Body(NamedTuple):
    """The body of a request.

    Attributes:
        schema: the schema of the JSON; for other bytes, the schema of a text.
        name: the name of the schema in openapi.json, or an empty text.
        text: the description.
        is_json: whether the body is JSON.
    """

    schema: Schema
    name: str = ""
    text: str = ""
    is_json: bool = True


class Known(NamedTuple):
    """The names that a request may have.

    Attributes:
        parameters: the parameters by their names.
        body: the schema of the body if it is JSON; else empty.
    """

    parameters: Mapping[str, Parameter]
    body: Schema

    def check_parameters(self, values: Mapping[str, Sequence[str]]) -> None:
        """Raise a `Refusal` if a parameter is unknown, or occurs too often."""
        for name, given in values.items():
            if name not in self.parameters:
                raise _unknown(name, "a parameter", self.parameters)
            kind = self.parameters[name].kind
            if len(given) > 1 and not (kind and kind.repeated):
                raise bad(f"{name} comes {len(given)} times: expected it once", name)

    def check_body(self, value: object) -> None:
        """Raise a `Refusal` if a body has an unknown entry.

        Clients of other engines may send entries that are ignored.
        """
        _check(value, self.body)


def _check(value: object, schema: Schema) -> None:
    names = schema.get("properties", {})
    if isinstance(value, dict):
        for name, entry in value.items():
            if name in names:
                _check(entry, names[name])
            elif schema.get("additionalProperties") is False:
                raise _unknown(name, "an entry", names)
    elif isinstance(value, list) and "items" in schema:
        for entry in value:
            _check(entry, schema["items"])


def _unknown(name: str, what: str, known: Iterable[str]) -> Refusal:
    """Return the refusal of an unknown name, with the nearest known name."""
    near = get_close_matches(name, known, 1)
    wanted = f"did you mean {near[0]}?" if near else f"expected {', '.join(known) or 'none'}"
    return bad(f"{shown(name)} is not {what} here: {wanted}", name[:60])


def _object(properties: Mapping[str, Schema], *required: str) -> Schema:
    """Return the schema of an object without other entries."""
    needs = {"required": [*required]} if required else {}
    return {"type": "object", "additionalProperties": False, **needs, "properties": properties}


def _described(text: str, **schema: Any) -> Schema:
    """Return a schema with a description."""
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
        "points": _described("the points of a resignation, without the cube", **RESIGNED_POINTS.schema),
    },
    "player",
)
_PLAYED_GAME = _object(
    {
        "score": _PAIR,
        "crawford": FLAG,
        "jacoby": FLAG,
        "cube": _described("whether the cube may be turned", **FLAG, default=True),
        "winner": _described("ignored: the winner follows from the actions", type=["integer", "null"]),
        "points": _described("ignored", **WHOLE),
        "actions": {"type": "array", "items": _PLAYED_ACTION},
    },
    "actions",
)
_WON = "the points of each game, including the cube; negative if the top player won"
_DATE = r"^(\d{4}\.\d\d\.\d\d)?$"
SET_UP = Body(
    _object(
        {
            "text": _described("a pasted text that contains an ID", **TEXT),
            "points": {"$ref": "#/components/schemas/Points"},
            "dice": {"type": ["string", "null"]},
            "terms": _described("the schema Terms, with any of its entries", type="object"),
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
            "date": _described("such as 2026.11.22", **TEXT, pattern=_DATE),
            "games": {"type": "array", "items": _PLAYED_GAME},
        },
        "games",
    ),
    "Match",
)
SCORE = Body(
    _object(
        {
            "length": _described("the length of the match, 0 for money", **_LENGTH),
            "jacoby": {**FLAG, "default": False},
            "cube": _described("whether the cube may be turned", **FLAG, default=True),
            "won": _described(_WON, **_WHOLES),
        },
        "won",
    )
)
_ANSWER = "a play, n or d, t or p, a number, or ? to give up"
_CARD = "ask", "xgid", "deck", "note"
ANSWERED_CARD = Body(
    _object({**dict.fromkeys(_CARD, TEXT), "answer": _described(_ANSWER, **TEXT)}, *_CARD, "answer")
)
NOTE = Body(
    _object(
        {
            "xgid": _described("the position", **TEXT),
            "text": _described("the note; without a note and tags nothing is kept", **TEXT),
            "tags": {"type": "array", "items": TEXT},
        },
        "xgid",
        "tags",
    )
)
REMOVED_MATCH = Body(_object({"digest": _described(DIGEST.text, **TEXT)}, "digest"))
RENAMED_PLAYER = Body(
    _object(
        {
            "player": _described("the present name, in any case", **TEXT),
            "name": _described("the new name; if another player has it, both become one", **TEXT),
        },
        "player",
        "name",
    )
)
ADDED_MATCH = Body(
    _object(
        {
            "file": _described("the name of the file", **TEXT),
            "data": _described("its bytes in base64: a .mat, .sgf, .bgf, .xg, .ogxm or .gvab", **TEXT),
        },
        "file",
        "data",
    )
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
