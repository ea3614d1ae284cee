"""The server: a socket, the event loop, and how both end.

Clients may be slow, or do nothing at all. So each part of a request and of its answer has its
time, and there are never more connections than the system has file descriptors for.
"""

import asyncio
import contextlib
import ipaddress
import math
import os
import signal
import socket
import sys
from collections.abc import Callable, Generator
from functools import cache
from http import HTTPStatus
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gammon.base.errors import GammonError
from gammon_web.answers import json_bytes
from gammon_web.guard import Tell, line_of
from gammon_web.limits import SECONDS_TO_SEND
from gammon_web.refusal import Refusal, bad, busy

#: The usual port.
PORT = 8765
#: Bytes of the headers of a request, with its address.
_MOST_HEADERS = 65_536
#: Parts of the body of a request: each takes time, however small it is.
_MOST_PARTS = 2000
#: Connections that wait to be taken.
_WAITING = 512
#: Connections at the same time, and file descriptors that are left for all else.
_MOST_CONNECTIONS, _RESERVED = 1000, 64
#: Seconds after which a connection without a request gives way to a new one.
_IDLE = 1.0
#: Seconds between two lines about what goes wrong.
_BETWEEN = 60.0
#: Seconds for which a thread may keep the event loop from Python; a fifth of the usual.
_SWITCH = 0.001
#: Seconds that requests have to end when the server does.
_TO_END = 1


def listen(host: str, port: int | None = None) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: a name or an address of this machine.
        port: of it; the usual one, or another where that is taken, unless there is one.

    Raises:
        GammonError: it is taken, or there is no such address.
    """
    for number in (PORT, 0) if port is None else (port,):
        try:
            return _bound(host, number)
        except OSError as error:
            reason = error
    raise GammonError(f"{host} port {PORT if port is None else port}: {reason.strerror}")


def _bound(host: str, port: int) -> socket.socket:
    # That it is TCP is said, for only then does asyncio send answers without delay.
    wanted = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    family, kind, protocol, _, address = wanted[0]
    found = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would share the port with others
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        found.bind(address)
        found.listen(_WAITING)
    except OSError:
        found.close()
        raise
    return found


def url_of(listening: socket.socket, prefix: str) -> str:
    """Return the address of the page.

    Args:
        listening: the server's socket.
        prefix: of all paths.
    """
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/"


class _PartsError(h11.RemoteProtocolError):
    """The body of a request comes in too many parts."""


class _Connection(h11.Connection):
    """HTTP that counts the parts of each body."""

    _parts = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return what came.

        Raises:
            RemoteProtocolError: it is not HTTP, or a body in too many parts.
        """
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._parts = 0
        elif isinstance(event, h11.Data):
            self._parts += 1
            if self._parts > _MOST_PARTS:
                raise _PartsError(f"the body comes in more than {_MOST_PARTS:,} parts")
        return event


class _Protocol(H11Protocol):
    """HTTP whose own errors are JSON too, and whose clients have a limited time."""

    #: When the client's turn began, to ask or to read, by the clock of the loop.
    _since = math.inf
    _late: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = _Connection(h11.SERVER, _MOST_HEADERS)

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are not a request, or too many parts of a body."""
        error = sys.exception()
        if isinstance(error, _PartsError):
            self._end_with(Refusal(413, "too_large", str(error)))
        else:
            self._end_with(bad("this is not a request of HTTP"))

    def _end_with(self, refusal: Refusal) -> None:
        body, status = json_bytes(refusal.json()), HTTPStatus(refusal.status)
        head = (
            f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _watch(self) -> None:
        """Give the client its time, if it is the client's turn."""
        asks = self.cycle is None or self.cycle.response_complete
        if not (asks or self.flow.write_paused):
            self._rest()
        elif self._late is None:
            self._since = self.loop.time()
            self._late = self.loop.call_later(SECONDS_TO_SEND, self.transport.abort)

    def _rest(self) -> None:
        if self._late is not None:
            self._late.cancel()
        self._since, self._late = math.inf, None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, if there is room; a connection that is idle gives way."""
        super().connection_made(transport)
        if len(self.connections) > _most_connections():
            others = (each for each in self.connections if isinstance(each, _Protocol))
            idlest = min(others, key=lambda each: each._since)
            if self.loop.time() - idlest._since < _IDLE:
                self._end_with(busy("there are too many connections: try again in a second"))
                return
            idlest.transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, maybe with the last of its headers."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for another request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the wait."""
        super().connection_lost(exc)
        self._rest()


@cache
def _most_connections() -> int:
    """Return how many connections there may be, so that no file lacks a descriptor."""
    files = os.sysconf("SC_OPEN_MAX") if hasattr(os, "sysconf") else -1
    return max(1, min(files - _RESERVED, _MOST_CONNECTIONS)) if files > 0 else _MOST_CONNECTIONS


class _Server(uvicorn.Server):
    """A server that a signal ends, and that then returns."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """End the server at a signal; a second one ends it at once."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def config_of(app: ASGIApp) -> uvicorn.Config:
    """Return the settings of a server for an application."""
    return uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=_MOST_HEADERS,
        backlog=1,
        timeout_graceful_shutdown=_TO_END,
    )


def serve(app: ASGIApp, listening: socket.socket, ready: Callable[[], Any], tell: Tell) -> None:
    """Serve until a signal comes.

    Args:
        app: answers.
        listening: where requests come in.
        ready: called when they are answered.
        tell: called with a line about what goes wrong, at most one a minute.
    """
    server, told = _Server(config_of(app)), -math.inf
    sys.setswitchinterval(_SWITCH)

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        if loop.time() - told >= _BETWEEN:
            told = loop.time()
            tell(line_of(context.get("exception") or RuntimeError(context["message"])))

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(failed)
        serving = asyncio.create_task(server.serve([listening]))
        while not (server.started or serving.done()):
            await asyncio.sleep(0.001)
        if server.started:
            # asyncio takes as many connections at once as may wait: it was told one.
            listening.listen(_WAITING)
            ready()
        await serving

    asyncio.run(run())
