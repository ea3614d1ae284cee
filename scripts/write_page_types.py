"""Write gammon_web/answers.d.ts: the types of the page's requests and of their answers.

They are made from gammon_web/openapi.json, so that the page's JavaScript does not repeat them.
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
/** The page's requests and their answers. `python scripts/write_openapi.py` writes it. */
"""
#: The kinds of requests, each a type.
_KINDS = {
    "Gets": "By the path, the parameters of a GET and its answer",
    "Posts": "By the path, the body of a POST and its answer",
    "Streams": "By the path, the parameters, a body of JSON, and the events of the answer",
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
    """Return the requests of gammon's own API, each kind of request as an object."""
    by_kind: dict[str, dict[str, _Schema]] = {kind: {} for kind in _KINDS}
    for path, item in page["paths"].items():
        if not path.startswith(_API) and path != "/health":
            continue
        for request in item.values():
            content = next(iter(request["responses"]["200"]["content"].values()))
            body = request.get("requestBody", {}).get("content", {}).get("application/json")
            parts = {"body": body["schema"]} if body else {}
            if not body or "x-events" in content:
                parts["parameters"] = _parameters(request, page)
            if "x-events" in content:
                kind, parts["events"] = "Streams", _object(content["x-events"])
            else:
                kind, parts["answer"] = "Posts" if body else "Gets", content["schema"]
            by_kind[kind][path.removeprefix(_API).removeprefix("/")] = _object(parts)
    return {
        kind: _object(by_kind[kind]) | {"description": description} for kind, description in _KINDS.items()
    }


def _parameters(request: _Schema, page: _Schema) -> _Schema:
    """Return the parameters of a request as an object."""
    parameters = [
        page["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]
        if "$ref" in parameter
        else parameter
        for parameter in request.get("parameters", ())
    ]
    required = [parameter["name"] for parameter in parameters if parameter.get("required")]
    named: dict[str, _Schema] = {}
    for parameter in parameters:  # an object is replaced by its entries
        named |= parameter["schema"].get("properties", {parameter["name"]: parameter["schema"]})
    return _object(named) | {"required": required}


def _object(properties: _Schema) -> dict[str, Any]:
    return {"type": "object", "required": [*properties], "properties": properties}


def _named(part: Any) -> list[str]:
    """Return the names of the schemas that a part of the page refers to."""
    return re.findall(r'"#/components/schemas/(\w+)"', json.dumps(part))


def _declared(name: str, schema: _Schema) -> str:
    """Return the declaration of a schema."""
    comment = _comment(schema)
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    inside = "".join(
        f"{_comment(part, '  ')}  {_key(schema, entry)}: {_type(part)};\n"
        for entry, part in schema["properties"].items()
    )
    return f"{comment}export interface {name} {{\n{inside}}}\n"


def _comment(schema: _Schema, indent: str = "") -> str:
    description = schema.get("description", "").replace("*/", "*\\/")
    return f"{indent}/** {description} */\n" if description else ""


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
        return " | ".join(json.dumps(value) for value in schema["enum"])
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
