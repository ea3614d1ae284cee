"""Write the parts of gammon/web/openapi.json that follow from what may be asked.

The parameters of questions, and the schema of a query in a line of JSON, are made from the
settings of `gammon.answers.question.Question`. The rest of the page is kept as it is.
"""

import json
from pathlib import Path
from typing import Any

from gammon.answers.question import Question
from gammon.base.settings import Setting, settings_of

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
    return f"{_laid_out(page)}\n"


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
