"""The shell of the page: its one file of HTML, in whole or in part, and what may be loaded."""

import re
from pathlib import Path

#: The folder of the page's files, which stand beside the server that gives them out.
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
#: The content security policy of a server's answers, which no other page may frame.
SERVED = "; ".join((*_PARTS, "script-src 'self'", "frame-ancestors 'none'"))
#: That of a page without a server, where a worker compiles WebAssembly.
LOCAL = "; ".join((*_PARTS, "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"))


#: Where the page's modules are named, which a browser then asks for at once.
_MODULES = "<!-- modules -->"
#: The modules that start a page, the second one that of a report: scripts name them.
_STARTS = ("main.js", "report.js")


def shell(*missing: str) -> str:
    """Return the page.

    Args:
        missing: `server`, `engine`: the parts that need them are left out.
    """
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    page = page.replace(_MODULES, "\n".join(_preloads()))
    for name in missing:
        page, count = re.subn(f" *<!-- {name} -->.*?<!-- /{name} -->\n", "", page, flags=re.S)
        assert count, f"parts of the page need {name}"
    return page


def _preloads() -> list[str]:
    """Return the lines that name the page's modules."""
    found = [path for folder in ("board", "js") for path in (STATIC / folder).glob("*.js")]
    names = [path.relative_to(STATIC).as_posix() for path in found if path.name not in _STARTS]
    return [f'<link rel="modulepreload" href="static/{name}">' for name in sorted(names)]
