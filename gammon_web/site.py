"""The page without a server: static files for any web server, with the engine among them."""

import gzip
import hashlib
import json
from pathlib import Path

from gammon.base.files import write_bytes
from gammon_adapters.embed.packed_engine import TERMS
from gammon_adapters.embed.script import script_files
from gammon_web.report import report_page
from gammon_web.shell import LOCAL, STATIC, shell

_HEAD = f"""\
<meta http-equiv="Content-Security-Policy" content="{LOCAL}">
<meta name="engine" content="static/engine/worker.js">
<link rel="manifest" href="manifest.webmanifest">
"""
#: The place in the head of the page before which the lines above are inserted.
_PLACE = "<title>"
_MANIFEST = {
    "name": "gammon",
    "short_name": "gammon",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#ffffff",
    "theme_color": "#ffffff",
    "description": "A backgammon board with an engine: analyze, play, review.",
    "icons": [{"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}


def site_files(model: str) -> dict[str, bytes]:
    """Return the files of the page, by their paths with slashes.

    The engine's files are compressed, so that they are small with any web server.

    Args:
        model: the name of the network.

    Raises:
        LibraryError: the WebAssembly modules are missing.
        ModelError: there is no such model.
    """
    page = shell("server")
    keeper = (STATIC / "sw.js").read_text(encoding="utf-8")
    contents = {
        f"static/{path.relative_to(STATIC).as_posix()}": path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file() and path.name not in ("index.html", "sw.js")
    }
    for name, data in script_files(model).items():
        if name.endswith(".js"):
            contents[f"static/engine/{name}"] = data
        else:
            contents[f"static/engine/{name}.gz"] = gzip.compress(data, mtime=0)
    assert page.count(_PLACE) == 1, "the page has a title"
    contents["index.html"] = page.replace(_PLACE, _HEAD + _PLACE).encode()
    contents["report.html"] = report_page().encode()
    contents |= {terms.name: terms.read_bytes() for terms in TERMS}
    contents["manifest.webmanifest"] = json.dumps(_MANIFEST, indent=1).encode()
    digest = hashlib.sha256()
    for name, data in sorted(contents.items()):
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    paths = ["./", *(name for name in contents if name != "index.html")]
    keeper = keeper.replace("gammon-VERSION", f"gammon-{digest.hexdigest()[:16]}")
    keeper = keeper.replace("FILES = []", f"FILES = {json.dumps(paths)}")
    return contents | {"sw.js": keeper.encode()}


def write_site(folder: Path, model: str) -> dict[str, int]:
    """Write the page into a folder, which is created if it is missing.

    Args:
        folder: the folder of the page.
        model: the name of the network.

    Returns:
        The bytes of each file, by its path.

    Raises:
        LibraryError, ModelError: as for `site_files`.
        GammonError: the system refuses to write.
    """
    files = site_files(model)
    for name, data in files.items():
        write_bytes(folder / name, data)
    return {name: len(data) for name, data in files.items()}
