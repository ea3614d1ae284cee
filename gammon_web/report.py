"""The page as one file that opens anywhere: with a review inside, or errors, and no engine."""

import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from gammon.formats.words import several
from gammon.view import to_json
from gammon.view.json_parts import encoded
from gammon_study.library.export import StudiedChoice
from gammon_study.reviews.review import Review
from gammon_study.view.json import studied_choice_json
from gammon_web.shell import STATIC, shell

_PLACE = '<script type="application/json" id="given">null</script>'
_ENTRY = "js/report.js"
#: The lines of a module that import, pass on, export, and fetch.
_IMPORT = re.compile(r'^(import|export) (?:({[^}]*}) from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_FETCHED = re.compile(r'new URL\("([^"]+)", import\.meta\.url\)')
_SHEET = re.compile(r'<link rel="stylesheet" href="static/([^"]+)">\n')
_PRELOAD = re.compile(r'<link rel="preload"[^>]*>\n')
_PICTURE = "static/icon.svg"


def page_of(answer: Review | Sequence[StudiedChoice], player: int | None = None) -> str:
    """Return the report of a review, or a page of errors of many matches, in their order.

    Args:
        answer: a review, or errors.
        player: 0 or 1, whose decisions of a review are listed at first; None: those of both.
    """
    if isinstance(answer, Review):
        return _page_of({**to_json(answer), "player": player})
    title = several(len(answer), "error")
    choices = encoded([studied_choice_json(choice) for choice in answer])
    return _page_of({"title": title, "choices": choices})


def _page_of(given: dict[str, Any]) -> str:
    # No text of a stranger ends the script that it is in.
    data = json.dumps(given, separators=(",", ":")).replace("<", "\\u003c")
    return report_page().replace(_PLACE, _PLACE.replace("null", data))


@cache
def report_page() -> str:
    """Return the page without anything inside: null stands where that belongs.

    Its policy lets a browser run the page's one script, known by its hash, and load nothing.
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
    """Return the modules that the page needs as one: a function each, behind those it needs."""
    made: dict[str, str] = {}
    begun: set[str] = set()

    def add(here: str) -> None:
        assert here not in begun or here in made, f"{here} imports itself by way of others"
        if here in begun:
            return
        begun.add(here)
        exports: list[str] = []

        def imported(match: re.Match[str]) -> str:
            kind, names, other = match[1], match[2], _beside(here, match[3])
            add(other)
            if kind == "export":
                exports.extend(f'{each}: modules["{other}"].{each}' for each in _names(names))
                return ""
            return f'const {names} = modules["{other}"];' if names else ""

        def exported(match: re.Match[str]) -> str:
            exports.append(match[2])
            return match[1]

        def fetched(match: re.Match[str]) -> str:
            return f'"{_url(_text(_beside(here, match[1])), "text/css")}"'

        text = _IMPORT.sub(imported, _text(here))
        text = _FETCHED.sub(fetched, _EXPORT.sub(exported, text))
        after = f"return {{ {', '.join(exports)} }};"
        made[here] = f'modules["{here}"] = (() => {{\n{text}{after}\n}})();\n'

    add(_ENTRY)
    found = f"const modules = {{}};\n{''.join(made.values())}"
    assert not re.search("</script|^(?:im|ex)port ", found, re.MULTILINE), "one script"
    return found


def _names(braced: str) -> list[str]:
    return re.findall(r"\w+", braced)


def _beside(here: str, name: str) -> str:
    """Return the path of a file that another one names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(here), name))


def _text(name: str) -> str:
    """Return a file of the page."""
    return (STATIC / name).read_text(encoding="utf-8")


def _url(text: str, kind: str) -> str:
    """Return an address that holds the text itself."""
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"


def _hash(text: str) -> str:
    """Return how a policy names a text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
