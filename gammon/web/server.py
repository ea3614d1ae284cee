"""The server: a socket, the event loop, and how both end.

Clients may be slow, or do nothing at all. So each part of a request and of its answer has its
time, and there are never more connections than the system has file descriptors for.
"""

import asyncio
import contextlib
import ipaddress
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Generator
from http import HTTPStatus
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gammon.errors import GammonError
from gammon.web.encoding import encoded
from gammon.web.guard import Tell, line_of
from gammon.web.limits import SECONDS_TO_SEND
from gammon.web.refusal import Refusal, bad, busy

__all__ = ["PORT", "config_of", "listen", "serve", "url_of"]

#: The usual port.
PORT = 8765
#: Bytes of the headers of a request, with its address.
_MOST_HEADERS = 65_536
#: Connections that wait to be taken.
_WAITING = 512
#: Connections at the same time, and file descriptors that are left for all else.
_MOST_CONNECTIONS, _RESERVED = 1000, 64
#: A connection that has waited so long for a request gives way to a new one.
_IDLE = 1.0
#: Seconds in which a client has to read some of an answer.
_SECONDS_TO_READ = 30.0
#: Seconds between two lines about what goes wrong, and between two attempts.
_BETWEEN_LINES, _BETWEEN_ATTEMPTS = 60.0, 1.0
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
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/"


def _whole_answer(refusal: Refusal) -> bytes:
    """Return an answer to a request that was not read, after which the connection ends."""
    body, status = encoded(refusal.json()), HTTPStatus(refusal.status)
    head = (
        f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


class _Protocol(H11Protocol):
    """HTTP whose own errors are JSON too, and whose clients have only so much time."""

    _silent: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def send_400_response(self, msg: str) -> None:
        """Answer a request that is none."""
        self.transport.write(_whole_answer(bad("this is no request of HTTP")))
        self.transport.close()

    @property
    def idle(self) -> float:
        """The seconds for which it has waited for the headers of a request."""
        left = 0.0 if self._silent is None else self._silent.when() - self.loop.time()
        return 0.0 if self._silent is None else SECONDS_TO_SEND - left

    def _watch(self) -> None:
        """Begin or end the wait for the headers of a request."""
        waits = self.cycle is None or self.cycle.response_complete
        if self._silent is not None and not waits:
            self._silent.cancel()
            self._silent = None
        elif self._silent is None and waits:
            self._silent = self.loop.call_later(SECONDS_TO_SEND, self.transport.abort)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
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
        self._unread = self.loop.call_later(_SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """End all waiting."""
        super().connection_lost(exc)
        for timer in (self._silent, self._unread):
            if timer is not None:
                timer.cancel()


def _most_connections() -> int:
    """Return how many connections there may be, so that no file lacks a descriptor."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return _MOST_CONNECTIONS
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    return max(1, min(_MOST_CONNECTIONS, allowed - _RESERVED))


class _Seldom:
    """Tells lines, at most one a minute."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._next = tell, time.monotonic()

    def __call__(self, line: str) -> None:
        """Tell a line, or leave it out."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _BETWEEN_LINES
            self._tell(line)


class _Server(uvicorn.Server):
    """A server that a signal ends, and that then returns.

    It takes connections by itself, one by one: asyncio would take hundreds at once, and write
    a traceback each second where no descriptors are left.

    Args:
        config: of `config_of`.
        tell: called with a line about what goes wrong.
    """

    def __init__(self, config: uvicorn.Config, tell: Tell = lambda line: None) -> None:
        super().__init__(config)
        self._tell = _Seldom(tell)
        self._taking: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        asyncio.get_running_loop().set_exception_handler(self._failed)
        await super().startup([])
        self._taking = [asyncio.create_task(self._take(each)) for each in sockets or ()]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those that there are."""
        for task in self._taking:
            task.cancel()
        await asyncio.gather(*self._taking, return_exceptions=True)
        await super().shutdown(sockets)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self._tell(line_of(error) if error else str(context["message"]))

    async def _take(self, listening: socket.socket) -> None:
        """Take connections, for ever."""
        loop = asyncio.get_running_loop()
        listening.setblocking(False)
        most = _most_connections()
        while True:
            try:
                taken, _ = await loop.sock_accept(listening)
            except ConnectionError:  # it has left already
                continue
            except OSError as error:
                self._tell(f"no connection can be taken: {error.strerror}")
                await asyncio.sleep(_BETWEEN_ATTEMPTS)
                continue
            if not self._has_room(most):
                _turn_away(taken)
                continue
            with contextlib.suppress(OSError):  # it has left already
                await loop.connect_accepted_socket(self._protocol, taken)

    def _protocol(self) -> _Protocol:
        return _Protocol(self.config, self.server_state, self.lifespan.state)

    def _has_room(self, most: int) -> bool:
        """Tell whether there is room for a connection; an idle one gives way to it."""
        connections = [c for c in self.server_state.connections if isinstance(c, _Protocol)]
        if len(connections) < most:
            return True
        idlest = max(connections, key=lambda each: each.idle)
        if idlest.idle < _IDLE:
            return False
        idlest.transport.abort()
        return True

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """End the server at a signal; a second one ends it at once."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def _turn_away(taken: socket.socket) -> None:
    """Tell a connection that there is no room, and end it."""
    with taken, contextlib.suppress(OSError):
        taken.send(_whole_answer(busy("there are too many connections: try again")))
        taken.recv(_MOST_HEADERS)  # else the system would drop what was sent


def config_of(app: ASGIApp) -> uvicorn.Config:
    """Return the settings of a server for an application."""
    return uvicorn.Config(
        app, http=_Protocol, ws="none", lifespan="off", log_level="critical", access_log=False,
        server_header=False, h11_max_incomplete_event_size=_MOST_HEADERS, backlog=_WAITING,
        timeout_graceful_shutdown=_TO_END,
    )  # fmt: skip


def serve(
    app: ASGIApp,
    listening: socket.socket,
    ready: Callable[[], Any],
    tell: Tell = lambda line: None,
) -> None:
    """Serve until a signal comes.

    Args:
        app: answers.
        listening: where requests come in.
        ready: called when they are answered.
        tell: called with a line about what goes wrong, at most one a minute.
    """
    server = _Server(config_of(app), tell)
    sys.setswitchinterval(_SWITCH)

    async def run() -> None:
        serving = asyncio.create_task(server.serve([listening]))
        while not (server.started or serving.done()):
            await asyncio.sleep(0.001)
        if server.started:
            ready()
        await serving

    asyncio.run(run())
