"""Write gammon_web/openapi.json, the description of the server's requests and answers.

Requests, their parameters and bodies come from `gammon_web.requests`. The schemas of the answers
come from the return types of the answering functions: TypedDicts beside the functions that make
their JSON (`gammon.view.json`, `gammon_study.view.json`, `gammon_web.answers`), and their
docstrings. The schema of a query in a line of JSON comes from the settings of a `Question`.
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
from gammon_lab.hypergammon.judge import Judged
from gammon_study.library.decks import ReferencePositions
from gammon_study.library.matches import MatchList
from gammon_study.library.plan import DrillProgress, Plan
from gammon_study.library.stats import Statistics
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
    "negative. Equities are for the player on roll: for money points of the cube, in a "
    "match EMG. Depth counts plies: 1, 3, 5, 7 are GNU Backgammon's 0-, 1-, 2-, 3-ply. Every "
    "error is an object of the schema Error."
)
#: The types of the answers with the version of their schema.
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
    Statistics,
    studied.LargestErrorsJson,
    studied.StoredReviewJson,
    MatchList,
    Plan,
    DrillProgress,
    ReferencePositions,
    studied.PlayedMatchJson,
)
#: The types that answer queries in lines, which have additional entries.
_OF_LINES = _ANSWERS[:5]
#: Unions of types, by their names.
_UNIONS = {"Answer": engine.Answer, "Turn": answers.Turn}
#: The names of schemas that differ from the names of their types.
_NAMES = {"Error": "StudiedError"}
_PLAIN = {int: "integer", float: "number", bool: "boolean", str: "string", NoneType: "null"}


def _described(text: str, **schema: Any) -> dict[str, Any]:
    return {**schema, "description": text}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{_SCHEMAS}{name}"}


_ID = _described("any name", type=["string", "integer", "null"])
_INTERIM = _described("whether to send the answers of lower depths, too", type="boolean")
_LINE = {
    "id": _ref("QueryId"),
    "interim": _described("for a query in a line: a deeper answer follows", type="boolean"),
    "terminated": _described("for a query: it was ended early", type="boolean"),
}
_TEXT, _WHOLE, _NUMBER, _FLAG, _ANY = (
    {"type": kind} for kind in ("string", "integer", "number", "boolean", "object")
)


def _versioned(description: str, optional: str = "", **entries: Any) -> dict[str, Any]:
    """Return the schema of a command's answer; the entries named in `optional` are optional."""
    entries = {"schema_version": _ref("SchemaVersion"), **entries}
    required = [name for name in entries if name not in optional.split()]
    return {"type": "object", "description": description, "required": required, "properties": entries}


def _table(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": entries}


#: The exact values of a position, in points per unit of the cube.
_EXACT: dict[str, Any] = {
    "equity": _described("of rolling, without a cube", **_NUMBER),
    "own": _described("of rolling, with the cube at the player on roll", **_NUMBER),
    "centred": _described("of rolling, with the cube in the middle", **_NUMBER),
    "theirs": _described("of rolling, with the cube at the opponent", **_NUMBER),
    "chances": _described(
        "without a cube: to win, to win a gammon or more, a backgammon; to lose a gammon or more, "
        "a backgammon",
        type="array", minItems=5, maxItems=5, items=_NUMBER,
    ),
}  # fmt: skip
_JUDGED = list(Judged._fields)
#: The answers of commands, and parts of many answers.
_OTHERS = {
    "SchemaVersion": _described(
        "the version of the schemas of all answers; docs/python.md", enum=[SCHEMA_VERSION]
    ),
    "Points": {"type": "array", "minItems": 26, "maxItems": 26, "items": _WHOLE},
    "QueryId": _described(
        "the id of a query in a line; only in its answers", type=["string", "integer", "null"]
    ),
    "Grade": {
        "type": "object",
        "description": "rating is the PR, error its standard error",
        "required": ["decisions", "rating", "error", "best", "blunders"],
        "properties": {"decisions": _WHOLE} | dict.fromkeys(("rating", "error", "best", "blunders"), _NUMBER),
    },
    "Grades": _versioned(
        "gammon grade: the grades of each player, by the phase of the game",
        players=_table(_table(_ref("Grade"))),
    ),
    "ExactValue": _versioned(
        "gammon hypergammon ask: a position, before the player on roll doubles or rolls",
        position=_TEXT,
        **_EXACT,
    ),
    "ExactPlays": _versioned(
        "gammon hypergammon ask --dice: the plays of a roll, best first",
        position=_TEXT,
        dice={"type": "array", "minItems": 2, "maxItems": 2, "items": _WHOLE},
        plays={
            "type": "array",
            "items": {
                "type": "object",
                "required": ["play", *_EXACT],
                "properties": {"play": _TEXT, **_EXACT},
            },
        },
    ),
    "JudgedPlayers": _versioned(
        "gammon hypergammon play: each player against perfect play; given is what its decisions gave "
        "away in a game, rating the PR",
        players=_table(
            {"type": "object", "required": _JUDGED, "properties": dict.fromkeys(_JUDGED, _NUMBER)}
        ),
    ),
    "Info": _versioned(
        "gammon info; models are cards by file",
        versions=_table({"type": ["string", "null"]}),
        kernels=_described("The variant that runs, or numba, or python.", **_TEXT),
        models=_table(_ANY),
        cache=_TEXT,
    ),
    "Bench": _versioned(
        "gammon bench; the contents of its parts may change with each version",
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
    """Return the text of openapi.json."""
    components: dict[str, Any] = {}
    schemas = _schemas(components)
    shared = _shared()
    paths: dict[str, Any] = {}
    for (method, path), request in REQUESTS.items():
        if request.shape is not Shape.OWN and "/health" not in paths:
            paths["/health"] = {"get": _health(components)}
        paths.setdefault(path, {})[method.lower()] = _request(request, shared, components)
    page: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "gammon", "version": "1", "description": _ABOUT},
        "servers": [{"url": "."}],
        "paths": paths,
        "components": {
            "parameters": {name: _parameter(parameter) for name, parameter in sorted(shared.items())},
            "responses": _refusals(),
            "schemas": dict(sorted((schemas | components).items())),
        },
    }
    _drop_unused(page)
    return f"{_laid_out(page)}\n"


def _shared() -> dict[str, Parameter | Parameters]:
    """Return the parameters shared by several requests, and the groups of parameters."""
    uses = Counter(parameter for request in REQUESTS.values() for parameter in request.parameters)
    return {
        parameter.name: parameter
        for parameter, times in uses.items()
        if times > 1 or isinstance(parameter, Parameters)
    }


def _parameter(parameter: Parameter | Parameters) -> dict[str, Any]:
    """Return the description of a parameter."""
    about: dict[str, Any] = {"name": parameter.name, "in": "query"}
    if isinstance(parameter, Parameters):
        parts = {part.name: _of_parameter(part) for part in parameter.parts}
        schema = {"type": "object", "properties": parts}
        return {**about, "explode": True, "description": parameter.text, "schema": schema}
    about |= {"required": True} if parameter.required else {}
    about |= {"description": parameter.text} if parameter.text else {}
    about |= {"schema": parameter.schema}
    return about | ({"example": parameter.example} if parameter.example else {})


def _of_parameter(parameter: Parameter) -> dict[str, Any]:
    description = {"description": parameter.text} if parameter.text else {}
    return {**description, **parameter.schema}


def _request(
    request: Request, shared: Mapping[str, Parameter | Parameters], components: dict[str, Any]
) -> dict[str, Any]:
    """Return the description of a request; add the schemas of its answer to `components`."""
    summary, *more = str(inspect.getdoc(request.load)).split("\n\n")
    described: dict[str, Any] = {"summary": _one_line(summary).rstrip(".")}
    if more:
        described["description"] = _one_line(" ".join(more))
    if request.parameters:
        described["parameters"] = [
            {"$ref": f"{_PARAMETERS}{parameter.name}"}
            if shared.get(parameter.name) == parameter
            else _parameter(parameter)
            for parameter in request.parameters
        ]
    if request.body is not None:
        described["requestBody"] = _body(request.body, components)
    full = "MessageFull" if request.shape is Shape.MESSAGE else "Full"
    error = {"$ref": f"{_RESPONSES}{'Message' * (request.shape is Shape.MESSAGE)}Error"}
    responses = {
        "200": {"description": request.answer, "content": _content(request, components)},
        "4XX": error,
        "503": {"$ref": f"{_RESPONSES}{full}"},
    }
    if request.shape is Shape.NODOTS and request.body is not None:
        responses["501"] = error
    if request.late:
        responses["504"] = error
    return {**described, "responses": dict(sorted(responses.items()))}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _body(body: Body, components: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a body; add its schema to `components` if it has a name."""
    if body.name:
        components[body.name] = body.schema
    schema = _ref(body.name) if body.name else body.schema
    kind = "application/json" if body.is_json else "application/octet-stream"
    description = {"description": body.text} if body.text else {}
    return {"required": True, **description, "content": {kind: {"schema": schema}}}


def _content(request: Request, components: dict[str, Any]) -> dict[str, Any]:
    """Return the content of the answer to a request, by the type that its function returns."""
    hint = get_type_hints(request.load(), include_extras=True)["return"]
    answer_type = hint.__metadata__[0] if get_origin(hint) is Annotated else hint
    if request.stream:
        events = {name: _of_hint(kind, components) for name, kind in answer_type.items()}
        events["failed"] = _ref("ErrorBody")
        return {"text/event-stream": {"schema": _TEXT, "x-events": events}}
    if answer_type is Plain:
        return {"text/plain": {"schema": _TEXT}}
    schema = answer_type.ref if isinstance(answer_type, Named) else answer_type
    if not isinstance(schema, Mapping):
        schema = _of_hint(answer_type, components)
    return {"application/json": {"schema": schema}}


def _health(components: dict[str, Any]) -> dict[str, Any]:
    """Return the request for the server's state, which is not in the table of requests."""
    content = {"application/json": {"schema": _of_hint(answers.Health, components)}}
    return {
        "summary": "The server's state and limits",
        "responses": {"200": {"description": "Its state", "content": content}},
    }


def _refusals() -> dict[str, Any]:
    """Return the answers to refused requests."""
    responses: dict[str, Any] = {}
    for name in ("Error", "MessageError"):
        content = {"application/json": {"schema": _ref(name)}}
        responses[name] = {"description": "The request is refused", "content": content}
    for name, error in (("Full", "Error"), ("MessageFull", "MessageError")):
        responses[name] = {
            "description": "The server is full",
            "headers": {"Retry-After": {"schema": _WHOLE}},
            "content": responses[error]["content"],
        }
    return responses


def _drop_unused(page: dict[str, Any]) -> None:
    """Delete the schemas that are neither answers nor part of another description."""
    schemas, unused = page["components"]["schemas"], {""}
    while unused:
        text = json.dumps(page)
        unused = {
            name
            for name, schema in schemas.items()
            if f'"{_SCHEMAS}{name}"' not in text
            and name != "Query"
            and "schema_version" not in schema.get("required", ())
        }
        for name in unused:
            del schemas[name]


def _schemas(components: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas of whole answers; add the schemas of their parts to `components`."""
    settings = settings_of(Question).values()
    schemas: dict[str, Any] = _OTHERS | {
        "Query": {
            "type": "object",
            "description": "a line of gammon analyze - that asks for an answer",
            "additionalProperties": False,
            "required": ["position"],
            "properties": {"id": _ID, "interim": _INTERIM}
            | {setting.entry: _of_setting(setting) for setting in settings},
        }
    }
    for kind in _ANSWERS:
        schema = _object_of(kind, components)
        schema["required"].insert(0, "schema_version")
        before = _LINE if kind in _OF_LINES else {}
        version = {"schema_version": _ref("SchemaVersion")}
        schema["properties"] = {**before, **version, **schema["properties"]}
        schemas[_name_of(kind)] = schema
    for module in (json_parts, engine, studied, answers, study, refusal):
        for kind in vars(module).values():
            if is_typeddict(kind) and kind not in _ANSWERS and kind is not engine.AnswerJson:
                _of_hint(kind, components)
    for module in (wildbg, bgweb, nodots):
        named = (value for value in vars(module).values() if isinstance(value, Named))
        schemas |= {answer.name: answer.schema for answer in named}
    for name, union in _UNIONS.items():
        schemas[name] = {"oneOf": [_of_hint(member, components) for member in get_args(union)]}
    return schemas


def _name_of(kind: Any) -> str:
    return _NAMES.get(kind.__name__, str(kind.__name__).removesuffix("Json"))


def _object_of(kind: Any, components: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the objects of a type.

    Args:
        kind: a TypedDict; a named tuple or a dataclass, whose fields are the entries.
        components: schemas by their names; the schemas of the parts are added.
    """
    descriptions = _descriptions_of(kind)
    properties = {
        name: _with_description(hint, descriptions.get(name, ""), components)
        for name, hint in _hints(kind).items()
    }
    needs = getattr(kind, "__required_keys__", properties)
    return {
        "type": "object",
        "description": str(inspect.getdoc(kind)).split("\n")[0].rstrip("."),
        "required": [name for name in properties if name in needs],
        "properties": properties,
    }


def _is_object(hint: Any) -> bool:
    """Return whether the values of a type are objects with named entries."""
    return is_typeddict(hint) or hasattr(hint, "_fields") or is_dataclass(hint)


def _with_description(hint: Any, description: str, components: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, with a description."""
    schema = _of_hint(hint, components)
    return schema if "$ref" in schema or not description else {**schema, "description": description}


def _bases(kind: Any) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Yield the bases of a TypedDict, each with the types of its variables."""
    for base in vars(kind).get("__orig_bases__", ()):
        origin = get_origin(base) or base
        if is_typeddict(origin):
            variables = getattr(origin, "__parameters__", ())
            yield origin, dict(zip(variables, get_args(base), strict=True))


def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the entries of a type."""
    hints = get_type_hints(kind, include_extras=True)
    for _, variables in _bases(kind):
        hints = {name: variables.get(hint, hint) for name, hint in hints.items()}
    return {name: NoneType if hint is None else hint for name, hint in hints.items()}


def _descriptions_of(kind: Any) -> dict[str, str]:
    """Return the descriptions of the entries of a type and its bases, from their docstrings."""
    descriptions: dict[str, str] = {}
    for base, _ in _bases(kind):
        descriptions |= _descriptions_of(base)
    text = str(inspect.getdoc(kind)).partition("Attributes:\n")[2]
    for name, words in re.findall(r"^    (\w+): (.*(?:\n        .*)*)", text, re.MULTILINE):
        descriptions[name] = " ".join(words.split()).rstrip(".").replace("None", "null")
    return descriptions


def _of_hint(hint: Any, components: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the values of a type; add the schemas of its parts to `components`."""
    inside, origin = get_args(hint), get_origin(hint)
    for name, union in _UNIONS.items():
        if hint == union:
            return _ref(name)
    if _is_object(hint):
        name = _name_of(hint)
        if hint not in _ANSWERS and name not in components:
            components[name] = {}  # for a type that contains itself
            components[name] = _object_of(hint, components)
        return _ref(name)
    if hint == Points:
        return _ref("Points")
    if origin is NotRequired:
        return _of_hint(inside[0], components)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if origin is Literal:
        return {"enum": [*inside]}
    if NoneType in inside or origin is Annotated:
        return _or_null(_of_hint(inside[0], components))
    if origin in (dict, Mapping):
        return {"type": "object"} | (
            {} if inside[1] is Any else {"additionalProperties": _of_hint(inside[1], components)}
        )
    size = {} if origin is not tuple or Ellipsis in inside else _size(len(inside))
    return {"type": "array"} | size | {"items": _of_hint(inside[0], components)}


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
    """Return JSON as people read it: a value that fits into a line is on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inside = f"{indent}  "
    if isinstance(value, list):
        entries = [_laid_out(entry, inside) for entry in value]
    else:
        entries = [f"{json.dumps(name)}: {_laid_out(entry, inside)}" for name, entry in value.items()]
    begin, end = "[]" if isinstance(value, list) else "{}"
    parts = f",\n{inside}".join(entries)
    return f"{begin}\n{inside}{parts}\n{indent}{end}"


def main() -> None:
    """Write openapi.json, and the types of the page that follow from it."""
    PAGE.write_text(written(), encoding="utf-8")
    runpy.run_path(str(Path(__file__).with_name("write_page_types.py")))["main"]()


if __name__ == "__main__":
    main()
