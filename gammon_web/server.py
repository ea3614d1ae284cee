"""The server: a socket, the event loop, and the end of both.

Clients may be slow, or do nothing at all. So each part of a request and of its answer has a time
limit, and the number of connections is limited by the system's file descriptors.
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

#: The default port.
PORT = 8765
#: The most bytes of a request's address and headers.
_MOST_HEADERS = 65_536
#: The most parts of a request's body: each part takes time, however small it is.
_MOST_PARTS = 2000
#: The most connections that wait to be accepted.
_WAITING = 512
#: The most connections at the same time, and the file descriptors reserved for other uses.
_MOST_CONNECTIONS, _RESERVED = 1000, 64
#: Seconds after which a connection without a request gives way to a new one.
_IDLE = 1.0
#: Seconds between two lines about errors.
_BETWEEN = 60.0
#: Seconds after which another thread yields to the event loop; a fifth of Python's default.
_SWITCH = 0.001
#: Seconds that requests have to finish when the server ends.
_TO_END = 1


def listen(host: str, port: int | None = None) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: a name or an address of this machine.
        port: the port; None: the default port, or a free one if that is taken.

    Raises:
        GammonError: the port is taken, or there is no such address.
    """
    for number in (PORT, 0) if port is None else (port,):
        try:
            return _bound(host, number)
        except OSError as error:
            reason = error
    raise GammonError(f"{host} port {PORT if port is None else port}: {reason.strerror}")


def _bound(host: str, port: int) -> socket.socket:
    # TCP is named explicitly, for only then does asyncio send answers without delay.
    wanted = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    family, kind, protocol, _, address = wanted[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows the option would share the port with other programs
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind(address)
        listening.listen(_WAITING)
    except OSError:
        listening.close()
        raise
    return listening


def url_of(listening: socket.socket, prefix: str) -> str:
    """Return the address of the page.

    Args:
        listening: the server's socket.
        prefix: the beginning of all paths.
    """
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/"


class _PartsError(h11.RemoteProtocolError):
    """The body of a request comes in too many parts."""


class _Connection(h11.Connection):
    """An HTTP connection that counts the parts of each body."""

    _parts = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event of the connection.

        Raises:
            RemoteProtocolError: the bytes are not HTTP, or a body has too many parts.
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
    """An HTTP protocol that answers its own errors in JSON, and limits the time of clients."""

    #: The time, by the clock of the loop, since which the client must send or read.
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
        """Start the time limit if the client must send or read; else end it."""
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
        """Wait for a request, if there is room; an idle connection gives way."""
        super().connection_made(transport)
        if len(self.connections) > _most_connections():
            others = (connection for connection in self.connections if isinstance(connection, _Protocol))
            idlest = min(others, key=lambda connection: connection._since)
            if self.loop.time() - idlest._since < _IDLE:
                self._end_with(busy("there are too many connections: try again in a second"))
                return
            idlest.transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request."""
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
        """Continue after the client has read."""
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the wait."""
        super().connection_lost(exc)
        self._rest()


@cache
def _most_connections() -> int:
    """Return the most connections that leave enough file descriptors for other uses."""
    files = os.sysconf("SC_OPEN_MAX") if hasattr(os, "sysconf") else -1
    return max(1, min(files - _RESERVED, _MOST_CONNECTIONS)) if files > 0 else _MOST_CONNECTIONS


class _Server(uvicorn.Server):
    """A server that returns after a signal has ended it."""

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
        app: the application that answers requests.
        listening: the socket for requests.
        ready: called when requests can be answered.
        tell: called with a line about an error, at most once a minute.
    """
    server, last_line = _Server(config_of(app)), -math.inf
    sys.setswitchinterval(_SWITCH)

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal last_line
        if loop.time() - last_line >= _BETWEEN:
            last_line = loop.time()
            tell(line_of(context.get("exception") or RuntimeError(context["message"])))

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(failed)
        serving = asyncio.create_task(server.serve([listening]))
        while not (server.started or serving.done()):
            await asyncio.sleep(0.001)
        if server.started:
            # asyncio accepts `backlog` connections at once, which is 1; many more may wait.
            listening.listen(_WAITING)
            ready()
        await serving

    asyncio.run(run())
