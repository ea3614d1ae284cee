"""Server-sent events: an answer that comes in parts, until the client leaves.

(WHATWG HTML Living Standard, section 9.2, "Server-sent events".)
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

from starlette.types import Receive, Scope, Send

from gammon_web.answers import json_bytes
from gammon_web.query import Client, client_left
from gammon_web.refusal import refusal_of

#: Seconds between two comments, which keep the connection alive.
_PULSE = 15.0
_COMMENT = b": still at it\n\n"
#: Seconds that a client has to read the last events when the server ends.
_TO_READ = 1.0
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

#: A function that sends an event: its name and its value.
Emit = Callable[[str, object], None]


class Stage(NamedTuple):
    """A part of the work behind a stream.

    Attributes:
        depth: plies of its search, by which its lane is chosen.
        work: runs in a thread, and sends events until it is done or the client leaves.
    """

    depth: int
    work: Callable[[Client, Emit], None]


class EventStream:
    """A response with the events of `produce`, and then `done`.

    Args:
        produce: emits the events.
        client: the client, who may leave.
    """

    def __init__(self, produce: Callable[[Emit], Awaitable[None]], client: Client) -> None:
        self._produce, self._client = produce, client
        self._parts: asyncio.Queue[bytes | None] = asyncio.Queue()

    def _emit(self, name: str, value: object) -> None:
        self._parts.put_nowait(_event(name, value))

    async def _run(self) -> None:
        """Put the events into the queue, and None at the end."""
        try:
            await self._produce(self._emit)
            self._emit("done", {})
        finally:
            self._parts.put_nowait(None)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(_PULSE)
            self._parts.put_nowait(_COMMENT)

    async def _send(self, send: Send) -> None:
        """Send the parts of the queue up to None."""
        while (part := await self._parts.get()) is not None:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        sender = asyncio.create_task(self._send(send))
        left = asyncio.create_task(client_left(receive))
        others = [asyncio.create_task(coroutine) for coroutine in (self._run(), self._beat())]
        try:
            await asyncio.wait({sender, left}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError as error:  # the server ends
            last = _event("failed", refusal_of(error).json()["error"]) + _event("done", {})
            message = {"type": "http.response.body", "body": last, "more_body": False}
            with suppress(TimeoutError):
                await asyncio.wait_for(send(message), _TO_READ)
        finally:
            self._client.leave()
            for task in (sender, left, *others):
                task.cancel()
            await asyncio.gather(sender, left, *others, return_exceptions=True)


async def headers_alone(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer HEAD: send the headers of a stream, and no events."""
    await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _event(name: str, value: object) -> bytes:
    data = value if isinstance(value, bytes) else json_bytes(value)
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
