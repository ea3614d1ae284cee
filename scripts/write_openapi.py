"""Write the parts of gammon_web/openapi.json that follow from what may be asked and answered.

The parameters of questions, and the schema of a query in a line of JSON, are made from the
settings of `gammon.engine.question.Question`. The schemas of answers are made from their
entries (`gammon.view.json`, `gammon_study.view.entries`), the types of the attributes and their
docstrings. Every endpoint has the answer of a server without room. The rest of the page is kept
as it is.
"""

import inspect
import json
import re
import runpy
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from gammon.base.settings import Setting, settings_of
from gammon.engine.analysis import Analysis, Evaluation, RollTable
from gammon.engine.bearoff import Bearoff
from gammon.engine.boards import Evaluations, PlayValues
from gammon.engine.cube import CubeDecision
from gammon.engine.question import Question
from gammon.engine.rolled import Rollout
from gammon.engine.score_grid import PlayGrid, ScoreGrid
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.match_equity import MatchEquityTable
from gammon.view import SCHEMA_VERSION
from gammon.view.entries import ENTRIES, Entries
from gammon.view.json import entries_of as answer_entries
from gammon_study.library.ask import OF_DECISIONS, OF_ERRORS, OF_MATCHES, Selection
from gammon_study.library.errors import FoundErrors
from gammon_study.library.stats import Statistics
from gammon_study.match_files.transcript import Transcript
from gammon_study.reviews.review import Review
from gammon_study.view.entries import entries_of as study_entries
from gammon_web import answers, study
from gammon_web.app import _ENDPOINTS
from gammon_web.refusal import Shape

PAGE = Path(__file__).parents[1] / "gammon_web" / "openapi.json"
_WIDTH = 160
_PARAMETERS = "#/components/parameters/"
_SCHEMAS = "#/components/schemas/"
_RESPONSES = "#/components/responses/"
#: By the path, the settings of a question that its requests do not take.
_LEFT_OUT = {
    "/api/v1/analyze": set[str](),
    "/api/v1/analyze/stream": set[str](),
    "/api/v1/rolls": {"dice", "top", "plays", "rolls", "scores", "owners"},
    "/api/v1/rollout/stream": {
        "level",
        "strength",
        "noise_seed",
        "top",
        "max_seconds",
        "rolls",
        "scores",
        "owners",
    },
}
#: The names of the schemas of answers.
_ANSWERS = {
    Analysis: "Plays", CubeDecision: "Decision", RollTable: "Rolls", ScoreGrid: "ScoreGrid",
    PlayGrid: "PlayGrid", Rollout: "Rollout", Review: "Review", Bearoff: "Bearoff",
    MatchEquityTable: "MatchEquities", Statistics: "Statistics", FoundErrors: "FoundErrors",
    Evaluation: "PositionValue", Evaluations: "PositionValues", PlayValues: "PlayValues",
    Position: "PositionIds", Transcript: "PlayedMatch",
}  # fmt: skip
#: Those of their parts that have another name than their type.
_PARTS = {
    "CubeDecision": "Cube", "ErrorSums": "Errors", "Terms": "Stakes", "Payoffs": "Worth",
    "BestOfRoll": "Roll", "BestAtScore": "AtScore", "ReviewedChoice": "Choice",
    "Error": "StudiedError", "Action": "PlayedAction", "GameTranscript": "PlayedGame",
}  # fmt: skip
#: The answers to queries in lines, which have entries of their own.
_OF_LINES = ("Plays", "Decision", "Rolls", "ScoreGrid", "PlayGrid")
_LINE: dict[str, Any] = {
    "id": {"$ref": f"{_SCHEMAS}QueryId"},
    "interim": {
        "type": "boolean", "description": "of a query in a line: a deeper answer follows"
    },
    "terminated": {"type": "boolean", "description": "of a query: it was ended early"},
}  # fmt: skip
_PLAIN = {int: "integer", float: "number", bool: "boolean", str: "string", NoneType: "null"}
_ID: dict[str, Any] = {"type": ["string", "integer", "null"], "description": "any name"}
_INTERIM: dict[str, Any] = {
    "type": "boolean", "description": "whether the answers of lower depths are wanted too"
}  # fmt: skip


def written(text: str) -> str:
    """Return the text of the page with the parts that are made."""
    page = json.loads(text)
    settings = settings_of(Question)
    served = {
        name: each for name, each in settings.items() if each.served and name != "position"
    }
    known = page["components"]["parameters"]
    for each in served.values():
        known[each.word] = {"name": each.word, "in": "query", **_schema(each)}
    decisions = *OF_MATCHES, *OF_DECISIONS
    known["studied"] = _studied("studied", "which decisions of the library", decisions)
    known["studied_errors"] = _studied(
        "studied_errors", "which errors of the library", (*decisions, *OF_ERRORS)
    )
    for path, left_out in _LEFT_OUT.items():
        request = page["paths"][path]["get"]
        made = [each.word for name, each in served.items() if name not in left_out]
        ours = {_PARAMETERS + word for word in ("id", *(s.word for s in served.values()))}
        own = [each for each in request["parameters"] if each.get("$ref") not in ours]
        request["parameters"] = [{"$ref": _PARAMETERS + word} for word in ("id", *made)] + own
    for (method, path), endpoint in _ENDPOINTS.items():  # each has a lane, which may be full
        full = "MessageFull" if endpoint.shape is Shape.MESSAGE else "Full"
        request = page["paths"][path][method.lower()]
        responses = request["responses"] | {"503": {"$ref": f"{_RESPONSES}{full}"}}
        request["responses"] = dict(sorted(responses.items()))
    page["components"]["schemas"]["Query"] = {
        "type": "object",
        "description": "a line of gammon analyze - that asks for an answer",
        "additionalProperties": False,
        "required": ["position"],
        "properties": {"id": _ID, "interim": _INTERIM}
        | {each.entry: _plain(each) for each in settings.values()},
    }
    page["components"]["schemas"] |= _schemas()
    _drop_unused(page)
    return f"{_laid_out(page)}\n"


def _studied(name: str, said: str, settings: tuple[str, ...]) -> dict[str, Any]:
    """Return a parameter that stands for some settings of a question to a library."""
    known = settings_of(Selection)
    properties = {known[each].word: _plain(known[each]) for each in settings}
    return {
        "name": name, "in": "query", "explode": True, "description": said,
        "schema": {"type": "object", "properties": properties},
    }  # fmt: skip


def _drop_unused(page: dict[str, Any]) -> None:
    """Take away the schemas that neither stand for themselves nor are part of something."""
    schemas, unused = page["components"]["schemas"], {""}
    while unused:
        text = json.dumps(page)
        unused = {
            name
            for name, each in schemas.items()
            if f'"{_SCHEMAS}{name}"' not in text
            and name != "Query"
            and "schema_version" not in each.get("required", ())
        }
        for name in unused:
            del schemas[name]


def _schemas() -> dict[str, Any]:
    """Return the schemas that are made of types, by their names on the page."""
    made: dict[str, Any] = {
        "SchemaVersion": {
            "enum": [SCHEMA_VERSION],
            "description": "of the schemas of all answers; docs/compatibility.md",
        }
    }
    version = {"schema_version": {"$ref": f"{_SCHEMAS}SchemaVersion"}}
    for kind, name in _ANSWERS.items():
        entries = answer_entries(kind) or study_entries(kind)
        assert entries is not None, kind
        found = _object_of(kind, entries, made)
        found["required"].insert(0, "schema_version")
        before = _LINE if name in _OF_LINES else {}
        made[name] = found | {"properties": {**before, **version, **found["properties"]}}
    for kind in (*vars(answers).values(), *vars(study).values()):
        if is_typeddict(kind):
            _of_hint(kind, made)
    made["Turn"] = {"oneOf": [_of_hint(each, made) for each in get_args(answers.Turn)]}
    return made


def _object_of(kind: Any, entries: Entries, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the objects with some entries of a type.

    Args:
        kind: the type.
        entries: of the objects.
        made: schemas by their names; those of the parts are added.
    """
    properties: dict[str, Any] = {}
    for each in entries:
        if isinstance(each, tuple):
            name, function = each
            properties[name] = _told(*_returned(function), made)
        elif each[0] == "*":
            inner = _hints(kind)[each[1:]]
            properties |= _object_of(inner, _entries_of(inner), made)["properties"]
        else:
            name, _, way = each.partition("=")
            properties[name] = _at(kind, way or name, made)
    return {
        "type": "object", "description": str(inspect.getdoc(kind)).split("\n")[0].rstrip("."),
        "required": [*properties], "properties": properties,
    }  # fmt: skip


def _entries_of(kind: Any) -> Entries:
    """Return the entries of the objects of a type; none: its values are no objects."""
    found: Entries = ENTRIES.get(getattr(kind, "__name__", ""), ())
    if is_typeddict(kind):
        return tuple(get_type_hints(kind))
    return found or getattr(kind, "_fields", ())


def _at(kind: Any, way: str, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of what a way of attributes leads to, from a type."""
    *path, last = way.split(".")
    missing = False
    for step in path:
        kind = _hints(kind)[step]
        missing |= NoneType in get_args(kind)
        kind = get_args(kind)[0] if NoneType in get_args(kind) else kind
    hint = _hints(kind)[last]
    return _told(hint | None if missing else hint, _said_of(kind, last), made)


def _told(hint: Any, said: str, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, with a description."""
    schema = _of_hint(hint, made)
    return schema if "$ref" in schema or not said else {**schema, "description": said}


def _returned(function: Callable[[Any], Any]) -> tuple[Any, str]:
    """Return the type of what a function returns, and what its docstring says."""
    said = str(inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    hints = get_type_hints(function, include_extras=True)
    return hints["return"], said.rstrip(".").replace("None", "null")


def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the attributes and properties of a type."""
    found = dict(get_type_hints(kind, include_extras=True))
    for base in reversed(kind.__mro__):
        for name, each in vars(base).items():
            if isinstance(each, property):
                found[name] = _returned(each.fget)[0]  # type: ignore[arg-type]
    return found


def _said_of(kind: Any, name: str) -> str:
    """Return what the docstring says of an attribute, or nothing."""
    own = getattr(kind, name, None)
    if isinstance(own, property):
        return _returned(own.fget)[1]  # type: ignore[arg-type]
    text = str(inspect.getdoc(kind)).split("Attributes:\n")[-1].split("\n\n")[0]
    match = re.search(rf"^    {name}: (.*(?:\n        .*)*)", text, re.MULTILINE)
    return " ".join(match[1].split()).rstrip(".").replace("None", "null") if match else ""


def _of_hint(hint: Any, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the values of a type; those of its parts are added to `made`."""
    inside, origin = get_args(hint), get_origin(hint)
    if _entries_of(hint):
        name = _PARTS.get(hint.__name__, hint.__name__)
        if name not in made:
            made[name] = {}  # of a type that has itself as a part
            made[name] = _object_of(hint, _entries_of(hint), made)
        return {"$ref": f"{_SCHEMAS}{name}"}
    if hint == Points:
        return {"$ref": f"{_SCHEMAS}Points"}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [each.value for each in hint]}
    if origin is Literal:
        return {"enum": [*inside]}
    if NoneType in inside or origin is Annotated:
        return _or_null(_of_hint(inside[0], made))
    if origin in (dict, Mapping):
        return {"type": "object"} | (
            {} if inside[1] is Any else {"additionalProperties": _of_hint(inside[1], made)}
        )
    size = {} if origin is not tuple or Ellipsis in inside else _size(len(inside))
    return {"type": "array"} | size | {"items": _of_hint(inside[0], made)}


def _size(n: int) -> dict[str, int]:
    return {"minItems": n, "maxItems": n}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    return {"oneOf": [schema, {"type": "null"}]}


def _plain(setting: Setting) -> dict[str, Any]:
    """Return the schema of a setting with its line of help."""
    default = {} if setting.default in (None, (), False) else {"default": setting.default}
    return {"description": setting.text} | dict(setting.kind.schema) | default


def _schema(setting: Setting) -> dict[str, Any]:
    """Return what a parameter has beside its name. Its default depends on the request."""
    found = _plain(setting)
    if setting.name == "depth":
        found.pop("default")
    return {"description": found.pop("description"), "schema": found}


def _laid_out(value: Any, indent: str = "") -> str:
    """Return JSON as people read it: what fits into a line is one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inside = f"{indent}  "
    if isinstance(value, list):
        entries = [_laid_out(each, inside) for each in value]
    else:
        entries = [
            f"{json.dumps(name)}: {_laid_out(each, inside)}" for name, each in value.items()
        ]
    begin, end = "[]" if isinstance(value, list) else "{}"
    parts = f",\n{inside}".join(entries)
    return f"{begin}\n{inside}{parts}\n{indent}{end}"


def main() -> None:
    """Write the page, and the types that follow from it."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    runpy.run_path(str(Path(__file__).with_name("write_page_types.py")))["main"]()


if __name__ == "__main__":
    main()
