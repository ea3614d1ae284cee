"""Write the parts of gammon_web/openapi.json that follow from what may be asked and answered.

The parameters of questions, and the schema of a query in a line of JSON, are made from the
settings of `gammon.engine.question.Question`. The schemas of answers are made from the
TypedDicts beside the functions that make their JSON (`gammon.view.json`,
`gammon_study.view.json`, `gammon_web.answers`) and from their docstrings. Every endpoint has
the answer of a server without room. The rest of the page is kept as it is.
"""

import inspect
import json
import re
import runpy
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
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
from gammon.engine.question import Question
from gammon.rules.board import Points
from gammon.view import SCHEMA_VERSION, json_parts
from gammon.view import json as engine
from gammon_study.library.ask import OF_DECISIONS, OF_ERRORS, OF_MATCHES, Selection
from gammon_study.view import json as studied
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
#: The types of the answers that tell the version of their schema.
_ANSWERS = (
    engine.PlaysJson, engine.DecisionJson, engine.RollsJson, engine.ScoreGridJson,
    engine.PlayGridJson, engine.RolloutJson, engine.BearoffJson, engine.MatchEquitiesJson,
    engine.PositionValueJson, engine.PositionValuesJson, engine.PlayValuesJson,
    engine.PositionIdsJson, studied.ReviewJson, studied.StatisticsJson, studied.FoundErrorsJson,
    studied.PlayedMatchJson,
)  # fmt: skip
#: Those that answer queries in lines, which have entries of their own.
_OF_LINES = _ANSWERS[:5]
#: The schemas of types with another name.
_NAMES = {"Error": "StudiedError", "Stakes": "Worth"}
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
    for kind in _ANSWERS:
        found = _object_of(kind, made)
        found["required"].insert(0, "schema_version")
        before = _LINE if kind in _OF_LINES else {}
        found["properties"] = {**before, **version, **found["properties"]}
        made[_name_of(kind)] = found
    for module in (json_parts, engine, studied, answers, study):
        for kind in vars(module).values():
            if is_typeddict(kind) and kind not in _ANSWERS and kind is not engine.AnswerJson:
                _of_hint(kind, made)
    made["Turn"] = {"oneOf": [_of_hint(each, made) for each in get_args(answers.Turn)]}
    return made


def _name_of(kind: Any) -> str:
    return _NAMES.get(kind.__name__, str(kind.__name__).removesuffix("Json"))


def _object_of(kind: Any, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the objects of a type.

    Args:
        kind: a TypedDict; a named tuple or a dataclass, whose fields are the entries.
        made: schemas by their names; those of the parts are added.
    """
    said = _said_of(kind)
    properties = {
        name: _told(hint, said.get(name, ""), made) for name, hint in _hints(kind).items()
    }
    return {
        "type": "object", "description": str(inspect.getdoc(kind)).split("\n")[0].rstrip("."),
        "required": [*properties], "properties": properties,
    }  # fmt: skip


def _is_object(hint: Any) -> bool:
    """Tell whether the values of a type are objects with entries of its own."""
    return is_typeddict(hint) or hasattr(hint, "_fields") or is_dataclass(hint)


def _told(hint: Any, said: str, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, with a description."""
    schema = _of_hint(hint, made)
    return schema if "$ref" in schema or not said else {**schema, "description": said}


def _bases(kind: Any) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Yield the TypedDicts that one extends, each with the types of its variables."""
    for base in vars(kind).get("__orig_bases__", ()):
        origin = get_origin(base) or base
        if is_typeddict(origin):
            variables = getattr(origin, "__parameters__", ())
            yield origin, dict(zip(variables, get_args(base), strict=True))


def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the entries of a type."""
    found = get_type_hints(kind, include_extras=True)
    for _, variables in _bases(kind):
        found = {name: variables.get(hint, hint) for name, hint in found.items()}
    return {name: NoneType if hint is None else hint for name, hint in found.items()}


def _said_of(kind: Any) -> dict[str, str]:
    """Return what docstrings say of the entries of a type, and of those that it extends."""
    said: dict[str, str] = {}
    for base, _ in _bases(kind):
        said |= _said_of(base)
    text = str(inspect.getdoc(kind)).partition("Attributes:\n")[2]
    for name, words in re.findall(r"^    (\w+): (.*(?:\n        .*)*)", text, re.MULTILINE):
        said[name] = " ".join(words.split()).rstrip(".").replace("None", "null")
    return said


def _of_hint(hint: Any, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the values of a type; those of its parts are added to `made`."""
    inside, origin = get_args(hint), get_origin(hint)
    if _is_object(hint):
        name = _name_of(hint)
        if name not in made:
            made[name] = {}  # of a type that has itself as a part
            made[name] = _object_of(hint, made)
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
