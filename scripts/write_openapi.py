"""Write gammon_web/openapi.json: what may be asked of the server, and what is answered.

Requests, their parameters and bodies come from `gammon_web.requests`. The answers are the types
that the functions return which answer: TypedDicts beside the functions that make their JSON
(`gammon.view.json`, `gammon_study.view.json`, `gammon_web.answers`), and their docstrings. The
schema of a query in a line of JSON is made from the settings of a `Question`.
"""

import inspect
import json
import re
import runpy
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from gammon.base.settings import Setting, settings_of
from gammon.engine.question import Question
from gammon.rules.board import Points
from gammon.view import SCHEMA_VERSION, json_parts
from gammon.view import json as engine
from gammon_study.view import json as studied
from gammon_web import answers, bgweb, nodots, refusal, study, wildbg
from gammon_web.answers import Plain
from gammon_web.foreign import Named
from gammon_web.parameters import Body, Parameter, Parameters
from gammon_web.refusal import Shape
from gammon_web.requests import REQUESTS, Request

PAGE = Path(__file__).parents[1] / "gammon_web" / "openapi.json"
_WIDTH = 160
_PARAMETERS = "#/components/parameters/"
_SCHEMAS = "#/components/schemas/"
_RESPONSES = "#/components/responses/"
_ABOUT = (
    "A backgammon engine. Points are 26 counts seen from the player on roll: index 25 is that "
    "player's bar, 24 to 1 the points, 0 the opponent's bar; the opponent's checkers count "
    "negative. Equities are those of the player on roll: for money points of the cube, in a "
    "match EMG. Depth counts plies: 1, 3, 5, 7 are GNU Backgammon's 0-, 1-, 2-, 3-ply. Every "
    "error is an object of the schema Error."
)
#: The types of the answers that tell the version of their schema.
_ANSWERS = (
    engine.PlaysJson,
    engine.DecisionJson,
    engine.RollsJson,
    engine.ScoreGridJson,
    engine.PlayGridJson,
    engine.RolloutJson,
    engine.BearoffJson,
    engine.MatchEquitiesJson,
    engine.PositionValueJson,
    engine.PositionValuesJson,
    engine.PlayValuesJson,
    engine.PositionIdsJson,
    studied.ReviewJson,
    studied.StatisticsJson,
    studied.FoundErrorsJson,
    studied.PlayedMatchJson,
)
#: Those that answer queries in lines, which have entries of their own.
_OF_LINES = _ANSWERS[:5]
#: Unions of types, by their names.
_UNIONS = {"Answer": engine.Answer, "Turn": answers.Turn}
#: The schemas of types with another name.
_NAMES = {"Error": "StudiedError", "Payoffs": "Worth"}
_PLAIN = {int: "integer", float: "number", bool: "boolean", str: "string", NoneType: "null"}


def _said(text: str, **schema: Any) -> dict[str, Any]:
    return {**schema, "description": text}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{_SCHEMAS}{name}"}


_ID = _said("any name", type=["string", "integer", "null"])
_INTERIM = _said("whether the answers of lower depths are wanted too", type="boolean")
_LINE = {
    "id": _ref("QueryId"),
    "interim": _said("of a query in a line: a deeper answer follows", type="boolean"),
    "terminated": _said("of a query: it was ended early", type="boolean"),
}
_TEXT, _WHOLE, _NUMBER, _FLAG, _ANY = (
    {"type": kind} for kind in ("string", "integer", "number", "boolean", "object")
)


def _versioned(description: str, optional: str = "", **entries: Any) -> dict[str, Any]:
    """Return the schema of an answer of a command, some entries of which are optional."""
    entries = {"schema_version": _ref("SchemaVersion"), **entries}
    required = [name for name in entries if name not in optional.split()]
    return {"type": "object", "description": description, "required": required, "properties": entries}


def _table(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": entries}


#: What answers of commands have, and what is in many answers.
_OTHERS = {
    "SchemaVersion": _said("of the schemas of all answers; docs/compatibility.md", enum=[SCHEMA_VERSION]),
    "Points": {"type": "array", "minItems": 26, "maxItems": 26, "items": _WHOLE},
    "QueryId": _said("that of a query in a line; only in its answers", type=["string", "integer", "null"]),
    "Grade": {
        "type": "object",
        "description": "rating is the PR, error its standard error",
        "required": ["decisions", "rating", "error", "best", "blunders"],
        "properties": {"decisions": _WHOLE} | dict.fromkeys(("rating", "error", "best", "blunders"), _NUMBER),
    },
    "Grades": _versioned(
        "gammon grade: of each player, by the phase of the game", players=_table(_table(_ref("Grade")))
    ),
    "Info": _versioned(
        "gammon info; models are cards by file",
        versions=_table({"type": ["string", "null"]}),
        kernels=_said("The variant that runs, or numba, or python.", **_TEXT),
        models=_table(_ANY),
        cache=_TEXT,
    ),
    "Bench": _versioned(
        "gammon bench; what its parts have may change with each version",
        machine=_ANY,
        yardstick=_NUMBER,
        per_second=_ANY,
        decisions={"type": "array", "items": _ANY},
        programs={"type": "array", "items": {"type": "array", "items": _ANY}},
        arrays=_ANY,
        start_up_seconds=_ANY,
        peak_mb=_NUMBER,
    ),
    "LineRefused": _versioned(
        "a line of gammon analyze - that has no answer; a pasted text has input, a query id",
        "id input",
        id=_ref("QueryId"),
        input=_TEXT,
        error=_TEXT,
    ),
    "QueryEnded": _versioned(
        "the answer to a line that ends a query", id=_ref("QueryId"), terminate=_ref("QueryId"), found=_FLAG
    ),
}


def written() -> str:
    """Return the text of the page."""
    made: dict[str, Any] = {}
    schemas = _schemas(made)
    shared = _shared()
    paths: dict[str, Any] = {}
    for (method, path), request in REQUESTS.items():
        if request.shape is not Shape.OWN and "/health" not in paths:
            paths["/health"] = {"get": _health(made)}
        paths.setdefault(path, {})[method.lower()] = _request(request, shared, made)
    page: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "gammon", "version": "1", "description": _ABOUT},
        "servers": [{"url": "."}],
        "paths": paths,
        "components": {
            "parameters": {name: _parameter(each) for name, each in sorted(shared.items())},
            "responses": _refusals(),
            "schemas": dict(sorted((schemas | made).items())),
        },
    }
    _drop_unused(page)
    return f"{_laid_out(page)}\n"


def _shared() -> dict[str, Parameter | Parameters]:
    """Return the parameters of several requests, and those that are several in one."""
    uses = Counter(each for request in REQUESTS.values() for each in request.parameters)
    return {each.name: each for each, times in uses.items() if times > 1 or isinstance(each, Parameters)}


def _parameter(each: Parameter | Parameters) -> dict[str, Any]:
    """Return a parameter as the page has it."""
    about: dict[str, Any] = {"name": each.name, "in": "query"}
    if isinstance(each, Parameters):
        parts = {part.name: _of_parameter(part) for part in each.parts}
        schema = {"type": "object", "properties": parts}
        return {**about, "explode": True, "description": each.text, "schema": schema}
    about |= {"required": True} if each.required else {}
    about |= {"description": each.text} if each.text else {}
    about |= {"schema": each.schema}
    return about | ({"example": each.example} if each.example else {})


def _of_parameter(each: Parameter) -> dict[str, Any]:
    said = {"description": each.text} if each.text else {}
    return {**said, **each.schema}


def _request(
    request: Request, shared: Mapping[str, Parameter | Parameters], made: dict[str, Any]
) -> dict[str, Any]:
    """Return a request as the page has it; the schemas of its answer are added to `made`."""
    summary, *more = str(inspect.getdoc(request.load)).split("\n\n")
    found: dict[str, Any] = {"summary": _one_line(summary).rstrip(".")}
    if more:
        found["description"] = _one_line(" ".join(more))
    if request.parameters:
        found["parameters"] = [
            {"$ref": f"{_PARAMETERS}{each.name}"} if shared.get(each.name) == each else _parameter(each)
            for each in request.parameters
        ]
    if request.body is not None:
        found["requestBody"] = _body(request.body, made)
    full = "MessageFull" if request.shape is Shape.MESSAGE else "Full"
    error = {"$ref": f"{_RESPONSES}{'Message' * (request.shape is Shape.MESSAGE)}Error"}
    responses = {
        "200": {"description": request.answer, "content": _content(request, made)},
        "4XX": error,
        "503": {"$ref": f"{_RESPONSES}{full}"},
    }
    if request.shape is Shape.NODOTS and request.body is not None:
        responses["501"] = error
    if request.late:
        responses["504"] = error
    return {**found, "responses": dict(sorted(responses.items()))}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _body(body: Body, made: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a request; its schema is added to `made` if it has a name."""
    if body.name:
        made[body.name] = body.schema
    schema = _ref(body.name) if body.name else body.schema
    kind = "application/json" if body.is_json else "application/octet-stream"
    said = {"description": body.text} if body.text else {}
    return {"required": True, **said, "content": {kind: {"schema": schema}}}


def _content(request: Request, made: dict[str, Any]) -> dict[str, Any]:
    """Return what the answer to a request is, by the type that its function returns."""
    hint = get_type_hints(request.load(), include_extras=True)["return"]
    told = hint.__metadata__[0] if get_origin(hint) is Annotated else hint
    if request.stream:
        events = {name: _of_hint(kind, made) for name, kind in told.items()}
        events["failed"] = _ref("ErrorBody")
        return {"text/event-stream": {"schema": _TEXT, "x-events": events}}
    if told is Plain:
        return {"text/plain": {"schema": _TEXT}}
    schema = told.ref if isinstance(told, Named) else told
    if not isinstance(schema, Mapping):
        schema = _of_hint(told, made)
    return {"application/json": {"schema": schema}}


def _health(made: dict[str, Any]) -> dict[str, Any]:
    """Return the request for how the server is, which no function of the table answers."""
    content = {"application/json": {"schema": _of_hint(answers.Health, made)}}
    return {
        "summary": "How the server is, and what it allows",
        "responses": {"200": {"description": "Its state", "content": content}},
    }


def _refusals() -> dict[str, Any]:
    """Return the answers to requests that are refused."""
    found: dict[str, Any] = {}
    for name in ("Error", "MessageError"):
        content = {"application/json": {"schema": _ref(name)}}
        found[name] = {"description": "The request is refused", "content": content}
    for name, error in (("Full", "Error"), ("MessageFull", "MessageError")):
        found[name] = {
            "description": "All places are taken",
            "headers": {"Retry-After": {"schema": _WHOLE}},
            "content": found[error]["content"],
        }
    return found


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


def _schemas(made: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas that stand for themselves; their parts are added to `made`."""
    settings = settings_of(Question).values()
    schemas: dict[str, Any] = _OTHERS | {
        "Query": {
            "type": "object",
            "description": "a line of gammon analyze - that asks for an answer",
            "additionalProperties": False,
            "required": ["position"],
            "properties": {"id": _ID, "interim": _INTERIM}
            | {each.entry: _of_setting(each) for each in settings},
        }
    }
    for kind in _ANSWERS:
        found = _object_of(kind, made)
        found["required"].insert(0, "schema_version")
        before = _LINE if kind in _OF_LINES else {}
        version = {"schema_version": _ref("SchemaVersion")}
        found["properties"] = {**before, **version, **found["properties"]}
        schemas[_name_of(kind)] = found
    for module in (json_parts, engine, studied, answers, study, refusal):
        for kind in vars(module).values():
            if is_typeddict(kind) and kind not in _ANSWERS and kind is not engine.AnswerJson:
                _of_hint(kind, made)
    for module in (wildbg, bgweb, nodots):
        named = (each for each in vars(module).values() if isinstance(each, Named))
        schemas |= {each.name: each.schema for each in named}
    for name, union in _UNIONS.items():
        schemas[name] = {"oneOf": [_of_hint(each, made) for each in get_args(union)]}
    return schemas


def _name_of(kind: Any) -> str:
    return _NAMES.get(kind.__name__, str(kind.__name__).removesuffix("Json"))


def _object_of(kind: Any, made: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the objects of a type.

    Args:
        kind: a TypedDict; a named tuple or a dataclass, whose fields are the entries.
        made: schemas by their names; those of the parts are added.
    """
    said = _said_of(kind)
    properties = {name: _told(hint, said.get(name, ""), made) for name, hint in _hints(kind).items()}
    needs = getattr(kind, "__required_keys__", properties)
    return {
        "type": "object",
        "description": str(inspect.getdoc(kind)).split("\n")[0].rstrip("."),
        "required": [name for name in properties if name in needs],
        "properties": properties,
    }


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
    for name, union in _UNIONS.items():
        if hint == union:
            return _ref(name)
    if _is_object(hint):
        name = _name_of(hint)
        if hint not in _ANSWERS and name not in made:
            made[name] = {}  # of a type that has itself as a part
            made[name] = _object_of(hint, made)
        return _ref(name)
    if hint == Points:
        return _ref("Points")
    if origin is NotRequired:
        return _of_hint(inside[0], made)
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


def _of_setting(setting: Setting) -> dict[str, Any]:
    """Return the schema of a setting with its line of help."""
    default = {} if setting.default in (None, (), False) else {"default": setting.default}
    return {"description": setting.text} | dict(setting.kind.schema) | default


def _laid_out(value: Any, indent: str = "") -> str:
    """Return JSON as people read it: what fits into a line is one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inside = f"{indent}  "
    if isinstance(value, list):
        entries = [_laid_out(each, inside) for each in value]
    else:
        entries = [f"{json.dumps(name)}: {_laid_out(each, inside)}" for name, each in value.items()]
    begin, end = "[]" if isinstance(value, list) else "{}"
    parts = f",\n{inside}".join(entries)
    return f"{begin}\n{inside}{parts}\n{indent}{end}"


def main() -> None:
    """Write the page, and the types that follow from it."""
    PAGE.write_text(written(), encoding="utf-8")
    runpy.run_path(str(Path(__file__).with_name("write_page_types.py")))["main"]()


if __name__ == "__main__":
    main()
