"""The application: it answers each request in a lane, and turns errors into refusals.

A lane is a pool of threads with a limit on the requests that run or wait. The event loop itself
never searches or parses a position. Quick work, long work and the library of matches have a lane
each, so that a rollout or a lock never delays a move.

The application serves the files of the page in `static/`, and no others. The page is available
before the engine is loaded.
"""

import asyncio
import gzip
import hashlib
import re
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from starlette.requests import ClientDisconnect
from starlette.requests import Request as Received
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

import gammon
from gammon_web import answers
from gammon_web.answers import Plain, json_bytes
from gammon_web.guard import Guard, Names, Tell, check_change, line_of
from gammon_web.limits import SECONDS_TO_SEND, SHORT, Limits
from gammon_web.parameters import QUESTION_PARAMETERS
from gammon_web.query import Client, ClientLeftError, Query, client_left
from gammon_web.refusal import Refusal, busy, late, refusal_of
from gammon_web.requests import API, REQUESTS, Request
from gammon_web.shell import STATIC, shell
from gammon_web.stream import Emit, EventStream, Stage, headers_alone

T = TypeVar("T")


#: Threads for quick work, and as many for the library, which other programs may lock. More threads
#: would not help, as Python mostly runs one at a time.
_QUICK_THREADS = 2
#: The most requests that may wait for a thread, of quick and of long work.
_QUICK_WAITING, _LONG_WAITING = 60, 4


class Lane:
    """Some threads for one kind of work.

    Args:
        threads: how many requests can run at the same time.
        waiting: how many requests may wait for a thread.

    Attributes:
        inside: how many requests run or wait now.
    """

    def __init__(self, threads: int, waiting: int) -> None:
        self.room = threads + waiting
        self.inside = 0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(threads, "gammon-web")

    def check_room(self) -> None:
        """Raise a `Refusal` if the lane is full."""
        if self.inside >= self.room:
            raise busy()

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function in a thread, and return its result.

        Raises:
            Refusal: the lane is full.
        """
        with self._lock:
            self.check_room()
            try:
                future: Future[T] = self._pool.submit(work)
            except RuntimeError:  # closed
                raise busy("the server ends") from None
            self.inside += 1
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, future: "Future[T]") -> None:
        with self._lock:
            self.inside -= 1

    def close(self) -> None:
        """Drop the waiting work; running work goes on."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class App:
    """The application behind the guard.

    Args:
        limits: the limits of requests.
        tell: called with a line about each unexpected error.

    Attributes:
        limits: the limits of requests.
        warmth: whether the engine is ready.
    """

    def __init__(self, limits: Limits, tell: Tell) -> None:
        self.limits, self._tell = limits, tell
        self.warmth = Warmth(limits)
        self._quick = Lane(_QUICK_THREADS, _QUICK_WAITING)
        self._stored = Lane(_QUICK_THREADS, _QUICK_WAITING)
        self._long = Lane(limits.searches, _LONG_WAITING)
        self._lanes = self._quick, self._stored, self._long
        self._clients: set[Client] = set()

    @property
    def searching(self) -> int:
        """The number of long searches that run or wait."""
        return self._long.inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        request, received = REQUESTS.get((method, path)), Received(scope, receive)
        response: ASGIApp | None
        if request is not None:
            try:
                response = await self._answer(request, received)
            except (Exception, asyncio.CancelledError) as error:
                refusal = self._refusal(error, request)
                refusal.shape = request.shape
                raise refusal from error
        else:
            response = self._plain(method, path, received)
        if response is not None:
            await response(scope, receive, send)

    def _plain(self, method: str, path: str, received: Received) -> Response:
        """Return a file of the page, or the state of the server.

        Raises:
            Refusal: there is nothing at this path, or the method is not allowed.
        """
        methods = sorted({allowed_method for allowed_method, at in REQUESTS if at == path})
        if not methods:
            file = self._file(path, received)
            if method == "GET":
                return file
            methods = ["GET"]
        allowed = sorted({*methods, "HEAD"}) if "GET" in methods else methods
        raise Refusal(
            405,
            "method_not_allowed",
            f"{path} answers {' and '.join(methods)}",
            headers={"Allow": ", ".join(allowed)},
        )

    def _file(self, path: str, received: Received) -> Response:
        known = received.headers.get("if-none-match", "")
        encodings = received.headers.get("accept-encoding", "")
        if path in ("/health", f"{API}/health"):
            return _json(json_bytes(self._health()))
        if path == "/openapi.json":
            return file_response("openapi.json", known, Path(__file__).parent)
        if path == "/":
            return file_response("index.html", known, encodings=encodings)
        if path == "/report.html":
            from gammon_web.report import report_page  # loads the engine

            return Response(report_page(), media_type="text/html")
        if path.startswith("/static/"):
            return file_response(path.removeprefix("/static/"), known, encodings=encodings)
        raise Refusal(404, "not_found", "there is nothing at this path: see openapi.json")

    def _health(self) -> answers.Health:
        return {
            "status": "ok",
            "version": gammon.__version__,
            "model": "leaf",
            "compiled": self.warmth.warm,
            "depth": self.limits.depth,
            "seconds": self.limits.seconds,
            "searches": self.limits.searches,
            "searching": self.searching,
            "library": self.limits.library is not None,
            "editable": self.limits.editable,
        }

    def _refusal(self, error: BaseException, request: Request) -> Refusal:
        """Return the refusal for an error; if the time was over, with a remedy."""
        refusal = refusal_of(error)
        if refusal.status != 504:
            return refusal
        limits = self.limits
        return late(limits.long_seconds if request.long else limits.seconds, limits.seconds)

    def _lane(self, request: Request, query: Query, depth: int) -> Lane:
        """Return the lane for a search to a depth; answers at all scores take long at any depth."""
        long = request.long or depth > SHORT or query.has(QUESTION_PARAMETERS["scores"])
        return self._long if long else self._stored if request.stored else self._quick

    async def _answer(self, request: Request, received: Received) -> ASGIApp | None:
        """Return the answer to a request; None if the client left before."""
        if request.changes:
            check_change(received.headers)
        try:
            # In JSON a match file is a third longer than by itself.
            body = await _body(received, self.limits.body * (2 if request.changes else 1))
        except ClientDisconnect:
            return None
        query_string = received.scope["query_string"]
        query = Query(query_string, body, self.limits, request.known(), request.depth)
        if request.stream:
            return await self._stream(request, query, received)
        lane, client = self._lane(request, query, query.depth), Client()
        work = lane.run(partial(_work, request, query, client))
        return await self._attended(work, client, received)

    async def _attended(self, work: Awaitable[T], client: Client, received: Received) -> T | None:
        """Return the result of work; if the client leaves before, stop the work and return None."""
        task = asyncio.ensure_future(work)
        left = asyncio.ensure_future(client_left(received.receive))
        self._clients.add(client)
        try:
            await asyncio.wait({task, left}, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            self._clients.discard(client)
            if not task.done():
                client.leave()
            task.cancel()
            left.cancel()

    async def _stream(self, request: Request, query: Query, received: Received) -> ASGIApp | None:
        """Return a stream of events, once its lane has room and its handler has prepared it."""
        lane, client = self._lane(request, query, query.depth), Client()
        lane.check_room()
        work = self._quick.run(lambda: request.load()(query, client))
        stages: list[Stage] | None = await self._attended(work, client, received)
        if stages is None:
            return None
        if received.method == "HEAD":
            return headers_alone

        async def produce(emit: Emit) -> None:
            self._clients.add(client)
            try:
                for stage in stages:
                    lane = self._lane(request, query, stage.depth)
                    await lane.run(partial(_run_stage, stage, client, _from_threads(emit)))
            except ClientLeftError:
                pass
            except Exception as error:
                refusal = self._refusal(error, request)
                if refusal.status == 500:
                    self._tell(line_of(error))
                emit("failed", refusal.json()["error"])
            finally:
                self._clients.discard(client)

        return EventStream(produce, client)

    def close(self, seconds: float = 0.0) -> None:
        """Stop all work.

        Args:
            seconds: how long to wait for the work to end.
        """
        for client in list(self._clients):
            client.leave()
        for lane in self._lanes:
            lane.close()
        late = time.monotonic() + seconds
        while any(lane.inside for lane in self._lanes) and time.monotonic() < late:
            time.sleep(0.01)


def _work(request: Request, query: Query, client: Client) -> Response:
    """Return the answer to a request; in a thread."""
    answer = request.load()(query, client)
    if isinstance(answer, Plain):
        data = answer.encode(errors="replace")
        return Response(data, headers={"content-type": "text/plain; charset=utf-8"})
    return _json(json_bytes(answer))


def _run_stage(stage: Stage, client: Client, emit: Emit) -> None:
    """Emit the events of a stage; in a thread."""

    def tell(name: str, value: object) -> None:
        client.check()
        emit(name, json_bytes(value))

    stage.work(client, tell)


def _from_threads(emit: Emit) -> Emit:
    """Return a function that emits from any thread."""
    loop = asyncio.get_running_loop()

    def tell(name: str, value: object) -> None:
        loop.call_soon_threadsafe(emit, name, value)

    return tell


def _json(data: bytes) -> Response:
    return Response(data, headers={"cache-control": "no-store"}, media_type="application/json")


async def _body(received: Received, most: int) -> bytes:
    """Return the body of a request.

    Raises:
        Refusal: it is too long, or does not come.
        ClientDisconnect: the client left before the end of the body.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(SECONDS_TO_SEND):
            async for part in received.stream():
                body += part
                if len(body) > most:
                    raise Refusal(413, "too_large", f"the body is longer than {most:,} bytes")
    except TimeoutError:
        raise Refusal(408, "timeout", "the body of the request did not come") from None
    return bytes(body)


def make_app(
    limits: Limits, names: Names, prefix: str = "", tell: Tell = lambda line: None
) -> tuple[ASGIApp, App]:
    """Return the guarded application, and the application behind the guard.

    Args:
        limits: the limits of requests.
        names: the names of the server, and the origins that may use it.
        prefix: the beginning of all paths, such as "/gammon".
        tell: called with a line about each unexpected error.
    """
    app = App(limits, tell)

    async def prefixed(scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path == prefix:
            await RedirectResponse(f"{prefix}/")(scope, receive, send)
        elif path.startswith(f"{prefix}/"):
            await app({**scope, "path": path.removeprefix(prefix)}, receive, send)
        else:
            raise Refusal(404, "not_found", f"all paths begin with {prefix}/")

    return Guard(prefixed if prefix else app, names, tell, prefix), app


class Warmth:
    """Whether the engine is ready to answer at once.

    Args:
        limits: the limits of requests.

    Attributes:
        warm: whether the engine is ready.
    """

    def __init__(self, limits: Limits) -> None:
        self.warm = False
        self._limits = limits

    def begin(self) -> None:
        """Prepare the engine in a thread of its own, which ends with the process."""
        threading.Thread(target=self._warm_up, name="gammon-warm-up", daemon=True).start()

    def _warm_up(self) -> None:
        from gammon_web.searches import analyze

        for depth in range(1, min(self._limits.depth, SHORT) + 1, 2):
            for dice in ("", "&dice=31"):
                query = f"id=4HPwATDgc/ABMA&depth={depth}{dice}"
                analyze(Query(query.encode(), b"", self._limits, None), Client())
        self.warm = True


_NAME = re.compile(r"(?:[a-z0-9_-]+/)*[a-z0-9_-]+(?:\.[a-z0-9]+)+", re.IGNORECASE)
#: The most characters of a name; much longer names are an error of the system.
_LONGEST = 200
#: A header by which a client refuses gzip.
_UNWANTED = re.compile(r"gzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.IGNORECASE)
#: The system's own table is not used, as it may be wrong.
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
#: The page itself, whose HTML lists the modules.
_PAGE = STATIC / "index.html"
_TEXTS = ("text/", "image/svg")


@lru_cache(maxsize=256)
def _packed(data: bytes) -> bytes:
    """Return the contents of a file, compressed; the cache holds all files of the page."""
    return gzip.compress(data, mtime=0)


def file_response(name: str, known: str = "", folder: Path = STATIC, encodings: str = "") -> Response:
    """Return a file of the page, or the answer 304 if the client has it already.

    Args:
        name: the path below the folder, with slashes.
        known: the client's ETags, from its header If-None-Match.
        folder: the folder of the files.
        encodings: the client's encodings, from its header Accept-Encoding.

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
        data = _packed(data)
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    # The browser caches the file, and asks each time whether it is still valid.
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if tag in known or known.strip() == "*":
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    charset = "; charset=utf-8" if kind.startswith(_TEXTS) else ""
    return Response(data, headers=headers | {"content-type": kind + charset})
