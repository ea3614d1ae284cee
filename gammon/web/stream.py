"""Server-sent events: an answer that comes in parts, until the client leaves.

(WHATWG HTML Living Standard, section 9.2, "Server-sent events".)
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.types import Receive, Scope, Send

from gammon.web.client import Client, client_left
from gammon.web.encoding import encoded

__all__ = ["Emit", "EventStream", "Stage"]

#: Seconds of silence after which a comment keeps the connection alive.
_SILENCE = 15.0
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

#: Sends an event: its name, and what it says.
Emit = Callable[[str, object], None]


class Stage(NamedTuple):
    """A part of the work behind a stream.

    Attributes:
        depth: plies, which say in whose lane it belongs.
        work: runs in a thread, and sends events until it is done or the client leaves.
    """

    depth: int
    work: Callable[[Client, Emit], None]


class EventStream:
    """A response of events: those of `produce`, and then `done`.

    Args:
        produce: emits the events.
        client: who may leave.
    """

    def __init__(self, produce: Callable[[Emit], Awaitable[None]], client: Client) -> None:
        self._produce, self._client = produce, client
        self._events: asyncio.Queue[bytes] = asyncio.Queue()

    def _emit(self, name: str, value: object) -> None:
        data = value if isinstance(value, bytes) else encoded(value)
        self._events.put_nowait(b"event: " + name.encode() + b"\ndata: " + data + b"\n\n")

    async def _run(self) -> None:
        await self._produce(self._emit)
        self._emit("done", {})

    async def _send(self, send: Send, producer: "asyncio.Task[None]") -> None:
        """Send what is emitted, as long as more may come."""
        while not (producer.done() and self._events.empty()):
            try:
                part = await asyncio.wait_for(self._events.get(), _SILENCE)
            except TimeoutError:
                part = b": still at it\n\n"
            await send({"type": "http.response.body", "body": part, "more_body": True})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        producer = asyncio.create_task(self._run())
        sender = asyncio.create_task(self._send(send, producer))
        left = asyncio.create_task(client_left(receive))
        try:
            await asyncio.wait({sender, left}, return_when=asyncio.FIRST_COMPLETED)
            if sender.done() and not left.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._client.leave()
            for task in (producer, sender, left):
                task.cancel()
            await asyncio.gather(producer, sender, left, return_exceptions=True)
