"""JSON values are held to schemas; an entry that a schema does not name is a fault."""

from typing import Any

TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}


def resolved(schema: Any, page: Any) -> Any:
    """The schema that a reference leads to; `page` has all of them."""
    while "$ref" in schema:
        found = page
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


def faults(value: Any, schema: Any, page: Any, where: str = "answer") -> list[str]:
    """The faults of a value by a schema of a page."""
    schema = resolved(schema, page)
    if "oneOf" in schema:
        fits = [not faults(value, each, page) for each in schema["oneOf"]]
        return [] if sum(fits) == 1 else [f"{where} fits {sum(fits)} of oneOf"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r} is none of {schema['enum']}"]
    kinds = schema.get("type", list(TYPES))
    kinds = [kinds] if isinstance(kinds, str) else kinds
    real = [kind for kind in kinds if isinstance(value, TYPES[kind])]
    if (isinstance(value, bool) and "boolean" not in kinds) or not real:
        return [f"{where}: {value!r} is not {kinds}"]
    found = []
    if isinstance(value, dict):
        found += [f"{where}.{name} lacks" for name in schema.get("required", []) if name not in value]
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if inner is not None:
                found += faults(each, inner, page, f"{where}.{name}")
            elif "properties" in schema:
                found.append(f"{where}.{name} is not in the page")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where} has {len(value)} entries")
        for number, each in enumerate(value):
            found += faults(each, schema.get("items", {}), page, f"{where}[{number}]")
    return found
