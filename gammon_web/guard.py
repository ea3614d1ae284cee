"""The guard of the server: it refuses requests of strangers, and adds security headers to answers.

A page of another site can make a browser send requests to this machine. The guard refuses requests
to a host name that is not the server's own (which prevents DNS rebinding), and requests from pages
of other origins.
"""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gammon_web.answers import json_bytes
from gammon_web.refusal import Refusal, bad, refusal_of
from gammon_web.shell import SERVED

#: Called with a line about an unexpected error.
Tell = Callable[[str], object]

_ALWAYS = {
    "content-security-policy": SERVED,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


@dataclass(frozen=True)
class Names:
    """The names of the server, and the origins whose pages may use it.

    Attributes:
        hosts: names of this server beside localhost and the loopback addresses.
        any_address: whether every numeric address is a name of this server, too.
        origins: other origins whose pages may ask, such as "https://example.org"; "*": all.
    """

    hosts: tuple[str, ...] = ()
    any_address: bool = False
    origins: tuple[str, ...] = ()

    def has(self, host: str) -> bool:
        """Return whether a header Host names this server, at any port."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in ("localhost", "127.0.0.1", "::1", *map(str.lower, self.hosts)):
            return True
        return self.any_address and _is_address(name)

    def may_ask(self, origin: str, host: str) -> bool:
        """Return whether pages of an origin may send requests to this host."""
        return _is_own(origin, host) or origin in self.origins or "*" in self.origins


def _is_own(origin: str, host: str) -> bool:
    return origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())


def check_change(headers: Headers) -> None:
    """Check that a request that changes the library comes from the server's own page, or a program.

    Pages of other origins may not change the library, not even those that may ask. A form of such a
    page cannot send JSON, and its scripts send an Origin.

    Args:
        headers: the headers of a request that the guard has passed on.

    Raises:
        Refusal: the request is from a page of another origin, or its body is not declared as JSON.
    """
    origin = headers.get("origin")
    if origin is not None and not _is_own(origin, headers["host"]):
        message = "pages of other origins may not change the library"
        raise Refusal(403, "forbidden_origin", message, "Origin")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise bad("expected a body of JSON, with the header Content-Type: application/json", "Content-Type")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def line_of(error: BaseException) -> str:
    """Return an error in one line of ASCII."""
    return f"{type(error).__name__}: {error}".encode("unicode_escape").decode()


def refused(refusal: Refusal) -> Response:
    """Return the answer to a request that is refused."""
    headers = {"cache-control": "no-store", **refusal.headers}
    return Response(json_bytes(refusal.json()), refusal.status, headers, media_type="application/json")


class Guard:
    """An application that passes allowed requests on to another one.

    Args:
        app: the application behind the guard.
        names: the names of the server, and the origins that may use it.
        tell: called with a line about each unexpected error.
        prefix: the beginning of all paths, where the page is. Pages of other origins may link to it.
    """

    def __init__(self, app: ASGIApp, names: Names, tell: Tell = lambda line: None, prefix: str = "") -> None:
        self._app, self._names, self._tell = app, names, tell
        self._page = (prefix, f"{prefix}/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it. Unexpected errors become refusals, too."""
        if scope["type"] != "http":
            return
        authority, path = _parted(scope["path"])
        scope = {**scope, "path": path}
        headers, begun = Headers(scope=scope), False

        async def send_marked(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                answer = MutableHeaders(raw=list(message["headers"]))
                self._mark(answer, headers)
                message = {**message, "headers": answer.raw}
            await send(message)

        try:
            self._check(scope, headers, authority)
            if scope["method"] == "OPTIONS" and "origin" in headers:
                await _preflight(headers)(scope, receive, send_marked)
            else:
                await self._app(scope, receive, send_marked)
        except Exception as error:
            refusal = refusal_of(error)
            if refusal.status == 500:
                self._tell(line_of(error.__cause__ or error))
            if begun:  # the answer cannot be replaced any more
                raise
            await refused(refusal)(scope, receive, send_marked)

    def _check(self, scope: Scope, headers: Headers, authority: str | None) -> None:
        """Raise a `Refusal` if the request is for another host, or from a page of another origin."""
        hosts = headers.getlist("host")
        names = hosts if authority is None else [*hosts, authority]
        if len(hosts) != 1 or not all(map(self._names.has, names)):
            raise Refusal(
                403, "forbidden_host", "this server has another name: see gammon serve --allow-host", "Host"
            )
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if origin is not None:
            foreign = not self._names.may_ask(origin, hosts[0])
        else:
            # A link may open the page in a window of its own, but nothing that takes work.
            page = scope["method"] == "GET" and scope["path"] in self._page
            visit = page and headers.get("sec-fetch-dest") == "document"
            foreign = site not in ("none", "same-origin") and not visit
        if foreign:
            raise Refusal(
                403,
                "forbidden_origin",
                "pages of other origins may not ask: see gammon serve --cors-origin",
                "Origin",
            )

    def _mark(self, answer: MutableHeaders, request: Headers) -> None:
        """Add the headers that every answer has."""
        for name, value in _ALWAYS.items():
            answer.setdefault(name, value)
        origin, host = request.get("origin"), request.get("host", "")
        if not self._names.origins:
            answer.setdefault("cross-origin-resource-policy", "same-origin")
            return
        answer.add_vary_header("Origin")
        if origin is not None and self._names.has(host) and self._names.may_ask(origin, host):
            answer["access-control-allow-origin"] = origin


def _parted(path: str) -> tuple[str | None, str]:
    """Return the authority and the path of a request; the authority is None in the usual form.

    A request to a proxy has the absolute form, with an authority.
    """
    scheme, mark, rest = path.partition("://")
    if not mark or scheme.lower() not in ("http", "https"):
        return None, path
    authority, _, rest = rest.partition("/")
    return authority, f"/{rest}"


def _preflight(headers: Headers) -> Response:
    """Return the answer to a browser's preflight request."""
    answer = Response(
        status_code=204,
        headers={
            "access-control-allow-methods": "GET, POST",
            "access-control-allow-headers": "content-type",
            "access-control-max-age": "600",
        },
    )
    if headers.get("access-control-request-private-network") == "true":
        answer.headers["access-control-allow-private-network"] = "true"
    return answer
