"""The files of the page: what stands in `static/`, and nothing else."""

import gzip
import hashlib
import re
from pathlib import Path

from starlette.responses import Response

from gammon_web.refusal import Refusal
from gammon_web.shell import STATIC, shell

_NAME = re.compile(r"(?:[a-z0-9_-]+/)*[a-z0-9_-]+(?:\.[a-z0-9]+)+", re.IGNORECASE)
#: The characters of a name, at most: a system fails at much longer ones.
_LONGEST = 200
#: No gzip, for a client that gives it no weight.
_UNWANTED = re.compile(r"gzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.IGNORECASE)
#: Written out, because the system's own table may be spoilt.
_TYPES = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
    ".json": "application/json", ".mjs": "text/javascript", ".png": "image/png",
    ".svg": "image/svg+xml", ".txt": "text/plain", ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}  # fmt: skip
#: The page itself, which names its modules.
_PAGE = STATIC / "index.html"
_TEXTS = ("text/", "image/svg")


def file_response(
    name: str, known: str = "", folder: Path = STATIC, encodings: str = ""
) -> Response:
    """Return a file of the page, or the word that the client has it already.

    Args:
        name: below the folder, with slashes.
        known: the ETags that the client has, by its header If-None-Match.
        folder: of the files.
        encodings: those that the client reads, by its header Accept-Encoding.

    Raises:
        Refusal: there is no such file.
    """
    path = folder / name
    kind = _TYPES.get(path.suffix.lower())
    is_name = len(name) <= _LONGEST and _NAME.fullmatch(name)
    if kind is None or not is_name or not path.is_file():
        raise Refusal(404, "not_found", "there is no such file")
    data = shell().encode() if path == _PAGE else path.read_bytes()
    wanted = "gzip" in encodings and not _UNWANTED.search(encodings)
    packed = wanted and kind.startswith(_TEXTS)
    if packed:
        data = gzip.compress(data, mtime=0)
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    # It is kept, and asked about each time.
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if tag in known or known.strip() == "*":
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    charset = "; charset=utf-8" if kind.startswith(_TEXTS) else ""
    return Response(data, headers=headers | {"content-type": kind + charset})
