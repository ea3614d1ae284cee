"""Write the parts of gammon/web/openapi.json that follow from what may be asked and answered.

The parameters of questions, and the schema of a query in a line of JSON, are made from the
settings of `gammon.answers.question.Question`. The schemas of the parts of answers are made
from `gammon.shown.entries`, the types of the attributes and their docstrings. The rest of the
page is kept as it is.
"""

import inspect
import json
import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_origin, get_type_hints

from gammon.answers.analysis import Candidate
from gammon.answers.cube import CubeDecision, CubeValue
from gammon.answers.question import Question
from gammon.base.settings import Setting, settings_of
from gammon.eval.equity import Probabilities
from gammon.reviews.totals import ErrorSums, Totals
from gammon.rules.board import Points
from gammon.shown.entries import ENTRIES

__all__ = ["main", "written"]

PAGE = Path(__file__).parents[1] / "gammon" / "web" / "openapi.json"
_WIDTH = 160
_PARAMETERS = "#/components/parameters/"
#: By the path, the settings of a question that its requests do not take.
_LEFT_OUT = {
    "/api/v1/analyze": set[str](),
    "/api/v1/analyze/stream": set[str](),
    "/api/v1/rolls": {"dice", "top", "plays", "rolls", "scores"},
    "/api/v1/rollout/stream": {"top", "max_seconds", "rolls", "scores"},
}
EMPTY: Mapping[str, Any] = MappingProxyType({})
#: The types whose schemas are made, and their names there.
_NAMES: dict[Any, str] = {
    Candidate: "Candidate", Probabilities: "Probabilities", CubeValue: "CubeValue",
    CubeDecision: "Cube", ErrorSums: "Errors", Totals: "Totals",
}  # fmt: skip
_PLAIN = {int: "integer", float: "number", bool: "boolean", str: "string"}
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
    for path, left_out in _LEFT_OUT.items():
        request = page["paths"][path]["get"]
        made = [each.word for name, each in served.items() if name not in left_out]
        ours = {_PARAMETERS + word for word in ("id", *(s.word for s in settings.values()))}
        own = [each for each in request["parameters"] if each.get("$ref") not in ours]
        request["parameters"] = [{"$ref": _PARAMETERS + word} for word in ("id", *made)] + own
    page["components"]["schemas"]["Query"] = {
        "type": "object",
        "description": "a line of gammon analyze - that asks for an answer",
        "additionalProperties": False,
        "required": ["position"],
        "properties": {"id": _ID, "interim": _INTERIM}
        | {each.entry: _plain(each) for each in settings.values()},
    }
    page["components"]["schemas"] |= _schemas()
    rolls = page["components"]["schemas"]["Rolls"]["properties"]["rolls"]
    chance = {"dice": {"type": "string"}, "probability": {"type": "number"}}
    rolls["items"] = _object_of(Candidate, chance)
    return f"{_laid_out(page)}\n"


def _schemas() -> dict[str, Any]:
    """Return the schemas that are made of types, by their names on the page."""
    pair = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}}
    result = {"type": ["number", "null"]}
    return {name: _object_of(kind) for kind, name in _NAMES.items()} | {
        "AtScore": _object_of(Candidate, {"away": pair})
        | {"description": "the best play at a score"},
        "ReviewedPlayer": _object_of(
            Totals,
            {"name": {"type": "string"}},
            {"result": result, "luck_adjusted_result": result},
        )
        | {"description": "of a player in the match; results are chances to win it, or points"},
    }


def _object_of(
    kind: Any, before: Mapping[str, Any] = EMPTY, after: Mapping[str, Any] = EMPTY
) -> dict[str, Any]:
    """Return the schema of an object with the entries of a type, and others around them."""
    made: dict[str, Any] = {}
    for each in ENTRIES.get(kind.__name__) or kind._fields:
        name, _, way = each.partition("=")
        owner = kind
        *path, last = (way or name).split(".")
        for step in path:
            owner = _hints(owner)[step]
        schema, said = _of_hint(_hints(owner)[last]), _said_of(owner, last)
        made[name] = schema if "$ref" in schema or not said else {**schema, "description": said}
    properties = {**before, **made, **after}
    return {
        "type": "object", "description": str(inspect.getdoc(kind)).split("\n")[0].rstrip("."),
        "required": [*properties], "properties": properties,
    }  # fmt: skip


def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the attributes and properties of a type."""
    found = dict(get_type_hints(kind))
    for name, each in vars(kind).items():
        if isinstance(each, property):
            found[name] = get_type_hints(each.fget)["return"]
    return found


def _said_of(kind: Any, name: str) -> str:
    """Return what the docstring says of an attribute, or nothing."""
    own = vars(kind).get(name)
    if isinstance(own, property):
        found = str(inspect.getdoc(own)).split("\n\n")[0].replace("\n", " ").rstrip(".")
        return found.replace("None", "null")
    text = str(inspect.getdoc(kind)).split("Attributes:\n")[-1].split("\n\n")[0]
    match = re.search(rf"^    {name}: (.*(?:\n        .*)*)", text, re.MULTILINE)
    return " ".join(match[1].split()).rstrip(".").replace("None", "null") if match else ""


def _of_hint(hint: Any) -> dict[str, Any]:
    """Return the schema of the values of a type."""
    inside = get_args(hint)
    if hint in _NAMES:
        return {"$ref": f"#/components/schemas/{_NAMES[hint]}"}
    if hint == Points:
        return {"$ref": "#/components/schemas/Points"}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [each.value for each in hint]}
    if type(None) in inside:
        found = _of_hint(inside[0])
        if "type" in found:
            return {"type": [found["type"], "null"]}
        return {"enum": [*found["enum"], None]} if "enum" in found else _or_null(found)
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": _of_hint(inside[1])}
    size = {} if Ellipsis in inside else {"minItems": len(inside), "maxItems": len(inside)}
    return {"type": "array"} | size | {"items": _of_hint(inside[0])}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
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
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
