"""Requests to the application in this process, as a server of HTTP would pass them on."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Event
from typing import Any
from urllib.parse import quote, urlencode

from starlette.types import ASGIApp

from gammon_web.app import App, make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from gammon_web.query import Query

HOST = "127.0.0.1:8765"
OPENING = "4HPwATDgc/ABMA"
API = "/api/v1"
#: The words of applications about errors that nobody expected.
TOLD: list[str] = []


@dataclass
class Answer:
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, str]:
        """The error, after a look at its shape."""
        error = self.json["error"]
        assert set(error) <= {"code", "message", "field"}
        assert all(isinstance(each, str) and each for each in error.values())
        assert "\n" not in error["message"]
        return error

    @property
    def events(self) -> list[tuple[str, Any]]:
        found = []
        for block in self.body.decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines())
            if "event" in lines:
                found.append((lines["event"], json.loads(lines["data"])))
        return found


@cache
def application(**limits: Any) -> tuple[ASGIApp, App]:
    """An application that stands for all tests of its limits."""
    return make_app(Limits(**({"depth": 3} | limits)), Names(), tell=TOLD.append)


def ask(
    target: str,
    body: bytes | None = None,
    *,
    app: ASGIApp | None = None,
    method: str | None = None,
    headers: dict[str, str] | None = None,
    leave: bool | Event = False,
    soon: bool = False,
    **parameters: Any,
) -> Answer:
    """Ask for a path; with a body it is a POST.

    The client may `leave` when the first part of the answer has come, or at an event, or
    `soon`: after a tenth of a second.
    """
    path, _, query = target.partition("?")
    query = query or urlencode(parameters, doseq=True, quote_via=quote)
    sent = {"host": HOST} | (headers or {})
    scope = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
        "method": method or ("GET" if body is None else "POST"),
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
    }
    asked = _asked(app or application()[0], scope, body or b"", leave, soon)
    # Where a browser is open, this thread has a loop of events already.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asked).result()


async def _asked(app: ASGIApp, scope: Any, body: bytes, leave: bool | Event, soon: bool) -> Answer:
    parts: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]
    came, gone = asyncio.Event(), asyncio.Event()
    answer = Answer(0, {}, b"")

    async def receive() -> Any:
        if parts:
            return parts.pop()
        while isinstance(leave, Event) and not leave.is_set():
            await asyncio.sleep(0.01)
        if soon:
            await asyncio.sleep(0.1)
        elif not isinstance(leave, Event):
            await (came if leave else gone).wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {a.decode(): b.decode() for a, b in message["headers"]}
        else:
            answer.body += message["body"]
            came.set()
            if not message.get("more_body"):
                gone.set()

    await asyncio.wait_for(app(scope, receive, send), 300)
    return answer


def post(target: str, value: object, **more: Any) -> Answer:
    """Post a JSON value."""
    more["headers"] = {"content-type": "application/json"} | more.get("headers", {})
    return ask(target, json.dumps(value).encode(), **more)


def asked(query: str = "", body: bytes = b"", depth: int = 1, most: int = 5) -> Query:
    """The question of a request, of a server that goes to a depth."""
    return Query(query.encode(), body, Limits(most), None, depth)
