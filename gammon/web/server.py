"""The server: a socket, the event loop, and how both end."""

import asyncio
import contextlib
import ipaddress
import os
import signal
import socket
import sys
from collections.abc import Callable, Generator
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gammon.errors import GammonError

__all__ = ["PORT", "config_of", "listen", "serve", "url_of"]

#: The usual port.
PORT = 8765
#: Bytes of the headers of a request, with its address.
_MOST_HEADERS = 65_536
#: Connections that wait to be taken.
_WAITING = 512
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


class _Protocol(H11Protocol):
    """HTTP whose own errors are JSON too."""

    def send_400_response(self, msg: str) -> None:
        """Answer a request that is none."""
        body = b'{"error":{"code":"invalid_request","message":"this is no request of HTTP"}}'
        head = (
            f"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


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
        app, http=_Protocol, ws="none", lifespan="off", log_level="critical", access_log=False,
        server_header=False, h11_max_incomplete_event_size=_MOST_HEADERS, backlog=_WAITING,
        timeout_graceful_shutdown=_TO_END,
    )  # fmt: skip


def serve(app: ASGIApp, listening: socket.socket, ready: Callable[[], Any]) -> None:
    """Serve until a signal comes.

    Args:
        app: answers.
        listening: where requests come in.
        ready: called when they are answered.
    """
    server = _Server(config_of(app))
    sys.setswitchinterval(_SWITCH)

    async def run() -> None:
        serving = asyncio.create_task(server.serve([listening]))
        while not (server.started or serving.done()):
            await asyncio.sleep(0.001)
        if server.started:
            ready()
        await serving

    asyncio.run(run())
