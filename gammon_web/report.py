"""The page as one file without an engine, which contains a review or a list of errors."""

import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from gammon.formats.context import several
from gammon.view import to_json
from gammon.view.json_parts import encoded
from gammon_study.library.export import StudiedChoice
from gammon_study.reviews.review import Review
from gammon_study.view.json import studied_choice_json
from gammon_web.shell import STATIC, shell

_PLACE = '<script type="application/json" id="given">null</script>'
_ENTRY = "js/report.js"
#: What imports in a module, exports what it imports, imports if it is wanted, exports, and fetches.
_IMPORT = re.compile(r'^(import|export) (?:({[^}]*}) from )?"([^"]+)";$', re.MULTILINE)
_IMPORTED = re.compile(r'\bawait import\("([^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_FETCHED = re.compile(r'new URL\("([^"]+)", import\.meta\.url\)')
_SHEET = re.compile(r'<link rel="stylesheet" href="static/([^"]+)">\n')
_PRELOAD = re.compile(r'<link rel="preload"[^>]*>\n')
_PICTURE = "static/icon.svg"


def page_of(answer: Review | Sequence[StudiedChoice], player: int | None = None) -> str:
    """Return the report of a review, or a page with errors of many matches, in their order.

    Args:
        answer: a review, or errors.
        player: the player whose decisions a review lists at first, 0 or 1; None: both players.
    """
    if isinstance(answer, Review):
        return _page_of({**to_json(answer), "player": player})
    title = several(len(answer), "error")
    choices = encoded([studied_choice_json(choice) for choice in answer])
    return _page_of({"title": title, "choices": choices})


def _page_of(given: dict[str, Any]) -> str:
    # A text from elsewhere must not end the script element that contains it.
    data = json.dumps(given, separators=(",", ":")).replace("<", "\\u003c")
    return report_page().replace(_PLACE, _PLACE.replace("null", data))


@cache
def report_page() -> str:
    """Return the page with null in place of the data.

    Its content security policy allows only the page's one script, by its hash, and no requests.
    """
    page = shell("engine", "server")
    styles = "".join(_text(name) for name in _SHEET.findall(page))
    script = _script()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(styles)}",
            "img-src data:",
            "connect-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head, _, body = _PRELOAD.sub("", _SHEET.sub("", page)).partition("<title>")
    entry = '<script type="module" src="static/js/main.js"></script>\n'
    assert body.count(entry) == 1, "the page starts by its script"
    inside = f'<style>{styles}</style>\n{_PLACE}\n<script type="module">{script}</script>\n'
    head += f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    picture = _url(_text("icon.svg"), "image/svg+xml")
    return f"{head}<title>{body.replace(entry, inside)}".replace(_PICTURE, picture)


def _script() -> str:
    """Return the page's modules as one script: a function each, after the modules it imports."""
    modules: dict[str, str] = {}
    begun: set[str] = set()

    def add(module: str) -> None:
        assert module not in begun or module in modules, f"{module} imports itself by way of others"
        if module in begun:
            return
        begun.add(module)
        exports: list[str] = []

        def imported(match: re.Match[str]) -> str:
            kind, names, imported_module = match[1], match[2], _beside(module, match[3])
            add(imported_module)
            if kind == "export":
                exports.extend(f'{export}: modules["{imported_module}"].{export}' for export in _names(names))
                return ""
            return f'const {names} = modules["{imported_module}"];' if names else ""

        def exported(match: re.Match[str]) -> str:
            exports.append(match[2])
            return match[1]

        def fetched(match: re.Match[str]) -> str:
            return f'"{_url(_text(_beside(module, match[1])), "text/css")}"'

        def wanted(match: re.Match[str]) -> str:
            imported_module = _beside(module, match[1])
            add(imported_module)
            return f'modules["{imported_module}"]'

        text = _IMPORTED.sub(wanted, _IMPORT.sub(imported, _text(module)))
        text = _FETCHED.sub(fetched, _EXPORT.sub(exported, text))
        after = f"return {{ {', '.join(exports)} }};"
        modules[module] = f'modules["{module}"] = await (async () => {{\n{text}{after}\n}})();\n'

    add(_ENTRY)
    script = f"const modules = {{}};\n{''.join(modules.values())}"
    assert not re.search("</script|^(?:im|ex)port ", script, re.MULTILINE), "one script"
    return script


def _names(braced: str) -> list[str]:
    return re.findall(r"\w+", braced)


def _beside(module: str, name: str) -> str:
    """Return the path of a file from its name relative to a module."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), name))


def _text(name: str) -> str:
    """Return a file of the page."""
    return (STATIC / name).read_text(encoding="utf-8")


def _url(text: str, kind: str) -> str:
    """Return a data URL with the text."""
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"


def _hash(text: str) -> str:
    """Return the hash of a text for a content security policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
