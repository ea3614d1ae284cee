"""The names that a request may have, as `openapi.json` says them.

A name that is misspelt would go unread, and the answer would be one to another question.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from gammon.base.checks import shown
from gammon_web.refusal import Refusal, bad

_Schema = Mapping[str, Any]


@cache
def _page() -> _Schema:
    found: _Schema = json.loads(Path(__file__).with_name("openapi.json").read_bytes())
    return found


class Known(NamedTuple):
    """The names that requests at one path may have.

    Attributes:
        parameters: their names, each with whether it may be repeated.
        body: the schema of their body, where that is JSON; else empty.
    """

    parameters: Mapping[str, bool]
    body: _Schema

    def check_parameters(self, values: Mapping[str, Sequence[str]]) -> None:
        """Raise a `Refusal` if a parameter has an unknown name, or comes too often."""
        for name, given in values.items():
            if name not in self.parameters:
                raise _unknown(name, "a parameter", self.parameters)
            if len(given) > 1 and not self.parameters[name]:
                raise bad(f"{name} comes {len(given)} times: expected it once", name)

    def check_body(self, value: object) -> None:
        """Raise a `Refusal` if an entry of a body has an unknown name.

        Clients of other engines may send more than is read.
        """
        _check(value, self.body)


@cache
def known_at(method: str, path: str) -> Known:
    """Return the names of requests by a method at a path."""
    request = _page()["paths"][path][method.lower()]
    parameters: dict[str, bool] = {}
    for each in map(_resolved, request.get("parameters", ())):
        inside = each["schema"].get("properties", (each["name"],))
        parameters |= dict.fromkeys(inside, each["schema"].get("type") == "array")
    kinds = _resolved(request.get("requestBody", {})).get("content", {})
    return Known(parameters, kinds.get("application/json", {}).get("schema", {}))


def _resolved(schema: _Schema) -> _Schema:
    """Return a part of the page, or the part that it refers to."""
    found, (_, *path) = _page(), schema.get("$ref", "").split("/")
    for name in path:
        found = found[name]
    return found if path else schema


def _check(value: object, schema: _Schema) -> None:
    schema = _resolved(schema)
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
