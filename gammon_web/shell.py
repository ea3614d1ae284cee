"""The shell of the page: its HTML file, in whole or in part, and its security policies."""

import re
from pathlib import Path

#: The folder of the page's files.
STATIC = Path(__file__).with_name("static")
_PARTS = (
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)
#: The content security policy of a server's answers; no other page may frame them.
SERVED = "; ".join((*_PARTS, "script-src 'self'", "frame-ancestors 'none'"))
#: The policy of a page without a server, where a worker compiles WebAssembly.
LOCAL = "; ".join((*_PARTS, "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"))


#: The place for the list of the page's modules, which a browser then fetches at once.
_MODULES = "<!-- modules -->"
#: The modules that start a page and a report, which script elements name.
_STARTS = ("main.js", "report.js")
#: The texts in English; those of other languages are fetched by those who want them.
_ENGLISH = "en.js"


def shell(*missing: str) -> str:
    """Return the page.

    Args:
        missing: what the page lacks, `server` or `engine`; the parts that need it are left out.
    """
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    page = page.replace(_MODULES, "\n".join(_preloads()))
    for name in missing:
        page, count = re.subn(f" *<!-- {name} -->.*?<!-- /{name} -->\n", "", page, flags=re.S)
        assert count, f"parts of the page need {name}"
    return page


def _preloads() -> list[str]:
    """Return the link elements for the page's modules."""
    paths = [path for folder in ("board", "js") for path in (STATIC / folder).rglob("*.js")]
    names = [
        path.relative_to(STATIC).as_posix()
        for path in paths
        if path.name not in _STARTS and (path.parent.name != "texts" or path.name == _ENGLISH)
    ]
    return [f'<link rel="modulepreload" href="static/{name}">' for name in sorted(names)]
