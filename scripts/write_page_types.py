"""Write gammon_web/answers.d.ts: the types of what the page asks and is answered.

They are made from gammon_web/openapi.json, so that the page's JavaScript repeats none of it.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_WEB = Path(__file__).parents[1] / "gammon_web"
PAGE, TYPES = _WEB / "openapi.json", _WEB / "answers.d.ts"
_API = "/api/v1/"
_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
#: An array of as many entries as this is a tuple with a type for each.
_MOST = 4
_HEAD = """\
/** What the page asks and is answered. `python scripts/write_openapi.py` writes it. */
"""
#: The kinds of requests, in a type each.
_KINDS = {
    "Gets": "By the path, the parameters of a GET and its answer",
    "Posts": "By the path, the body of a POST and its answer",
    "Streams": "By the path, what is asked and the events of the answer",
}
_Schema = Mapping[str, Any]


def written(text: str) -> str:
    """Return the types that follow from the text of openapi.json."""
    page = json.loads(text)
    requests, names = _requests(page), set[str]()
    waiting = _named(requests)
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += _named(page["components"]["schemas"][name])
    schemas = {name: page["components"]["schemas"][name] for name in sorted(names)}
    return "\n".join([_HEAD, *map(_declared, *zip(*(schemas | requests).items(), strict=True))])


def _requests(page: _Schema) -> dict[str, _Schema]:
    """Return the requests of gammon's own API, as if each kind of them were an object."""
    found: dict[str, dict[str, _Schema]] = {kind: {} for kind in _KINDS}
    for path, item in page["paths"].items():
        if not path.startswith(_API) and path != "/health":
            continue
        for request in item.values():
            content = next(iter(request["responses"]["200"]["content"].values()))
            body = request.get("requestBody", {}).get("content", {}).get("application/json")
            parts = {"body": body["schema"]} if body else {"asked": _asked(request, page)}
            if "x-events" in content:
                kind, parts["events"] = "Streams", _object(content["x-events"])
            else:
                kind, parts["answer"] = "Posts" if body else "Gets", content["schema"]
            found[kind][path.removeprefix(_API).removeprefix("/")] = _object(parts)
    return {kind: _object(found[kind]) | {"description": said} for kind, said in _KINDS.items()}


def _asked(request: _Schema, page: _Schema) -> _Schema:
    """Return the parameters of a request, as if they were an object."""
    found = [
        page["components"]["parameters"][each["$ref"].rpartition("/")[2]] if "$ref" in each else each
        for each in request.get("parameters", ())
    ]
    required = [each["name"] for each in found if each.get("required")]
    named: dict[str, _Schema] = {}
    for each in found:  # an object stands for its entries
        named |= each["schema"].get("properties", {each["name"]: each["schema"]})
    return _object(named) | {"required": required}


def _object(properties: _Schema) -> dict[str, Any]:
    return {"type": "object", "required": [*properties], "properties": properties}


def _named(part: Any) -> list[str]:
    """Return the names of the schemas that a part of the page refers to."""
    return re.findall(r'"#/components/schemas/(\w+)"', json.dumps(part))


def _declared(name: str, schema: _Schema) -> str:
    """Return the declaration of a schema."""
    said = _comment(schema)
    if "properties" not in schema:
        return f"{said}export type {name} = {_type(schema)};\n"
    inside = "".join(
        f"{_comment(each, '  ')}  {_key(schema, entry)}: {_type(each)};\n"
        for entry, each in schema["properties"].items()
    )
    return f"{said}export interface {name} {{\n{inside}}}\n"


def _comment(schema: _Schema, indent: str = "") -> str:
    said = schema.get("description", "").replace("*/", "*\\/")
    return f"{indent}/** {said} */\n" if said else ""


def _key(schema: _Schema, entry: str) -> str:
    name = entry if entry.isidentifier() else json.dumps(entry)
    return name if entry in schema.get("required", ()) else f"{name}?"


def _type(schema: _Schema) -> str:
    """Return the type of the values of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "oneOf" in schema:
        return " | ".join(map(_type, schema["oneOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    kinds = schema.get("type", "unknown")
    if isinstance(kinds, list):
        return " | ".join(_type({**schema, "type": kind}) for kind in kinds)
    if kinds == "array":
        inner, size = _type(schema["items"]), schema.get("minItems")
        if size == schema.get("maxItems") and size is not None and size <= _MOST:
            return f"[{', '.join([inner] * size)}]"
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if "properties" in schema:
        inside = (f"{_key(schema, e)}: {_type(s)}" for e, s in schema["properties"].items())
        return f"{{ {'; '.join(inside)} }}" if schema["properties"] else "{}"
    if kinds == "object":
        return f"Record<string, {_type(schema.get('additionalProperties') or {})}>"
    return _PLAIN.get(kinds, "unknown")


def main() -> None:
    """Write the types."""
    TYPES.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
