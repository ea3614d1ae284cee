"""The socket and HTTP over it: lanes, streams, clients that leave, and pages of others."""

import asyncio
import contextlib
import json
import os
import socket
import threading
import time
from base64 import b64encode
from threading import Event

import pytest

from gammon.base.errors import GammonError
from gammon.base.stop import Stop
from gammon_web import server, stream
from gammon_web.app import Lane, make_app
from gammon_web.guard import Guard, Names
from gammon_web.limits import Limits
from gammon_web.query import Client, ClientLeftError, client_left
from gammon_web.refusal import Refusal
from gammon_web.requests import REQUESTS
from gammon_web.server import listen, url_of
from gammon_web.shell import LOCAL, SERVED
from gammon_web.stream import EventStream
from tests.matches import MATCH5
from tests.processes import comes_true
from tests.web.asking import API, HOST, OPENING, application, ask, post

# The socket, and HTTP as it goes over it.


def test_another_port_where_the_usual_one_is_taken(monkeypatch):
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(server, "PORT", port)
        with listen("127.0.0.1") as found:
            assert found.getsockname()[1] not in (0, port)
        with pytest.raises(GammonError, match=f"127.0.0.1 port {port}: Address already in use"):
            listen("127.0.0.1", port)


def test_answers_are_sent_without_delay():
    """A head and a body in two parts would wait for each other: 40 ms each time."""

    async def delays():
        seen = asyncio.Queue()

        async def connected(reader, writer):
            sock = writer.get_extra_info("socket")
            seen.put_nowait(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listen("127.0.0.1", 0) as listening:
            async with await asyncio.start_server(connected, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                nodelay = await seen.get()
                writer.close()
                return nodelay

    assert asyncio.run(delays()) == 1


def test_no_such_address():
    with pytest.raises(GammonError, match=r"no-such-host\.invalid port 1"):
        listen("no-such-host.invalid", 1)
    with pytest.raises(GammonError):
        listen("192.0.2.1", 0)


def test_addresses():
    with listen("127.0.0.1", 0) as found:
        assert url_of(found, "/x") == f"http://127.0.0.1:{found.getsockname()[1]}/x/"
    with listen("0.0.0.0", 0) as found:
        assert url_of(found, "") == f"http://127.0.0.1:{found.getsockname()[1]}/"
    if socket.has_ipv6:
        try:
            with listen("::1", 0) as found:
                assert url_of(found, "") == f"http://[::1]:{found.getsockname()[1]}/"
            with listen("::", 0) as found:  # at which 127.0.0.1 is not answered
                assert url_of(found, "") == f"http://[::1]:{found.getsockname()[1]}/"
        except GammonError:
            pytest.skip("no IPv6 here")


async def talking(app, talk):
    """Let a function talk to a server of an application, by its address."""
    with listen("127.0.0.1", 0) as listening:
        found = server._Server(server.config_of(app))
        serving = asyncio.create_task(found.serve([listening]))
        while not found.started:
            await asyncio.sleep(0.001)
        try:
            return await asyncio.wait_for(talk(listening.getsockname()[:2]), 30.0)
        finally:
            found.should_exit = True
            await serving


async def hello(scope, receive, send):
    headers = [(b"content-length", b"2"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hi"})


def test_requests_and_what_is_none():
    good = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    bad = [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET /\xff\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 70_000,
    ]

    async def talk(address):
        answers = []
        for request in (good, *bad):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(request)
            answers.append(await reader.read())
            writer.close()
        return answers

    answers = asyncio.run(talking(hello, talk))
    assert answers[0].endswith(b"\r\n\r\nhi")
    for answer in answers[1:]:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 "), answer
        assert b"application/json" in head
        assert body.startswith(b'{"error":{"code":"invalid_request"')


async def reading(scope, receive, send):
    """Answer with the number of bytes of the body."""
    count, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        count, more = count + len(message["body"]), message["more_body"]
    said = str(count).encode()
    headers = [(b"content-length", str(len(said)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": said})


async def early(scope, receive, send):
    """Answer before the body has come."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("app", [reading, early])
def test_a_body_in_thousands_of_parts_is_refused(app):
    """Each part takes time, so parts of a byte once kept the server from all others."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    crumb, end = b"1\r\n \r\n", b"0\r\n\r\n"

    async def talk(address):
        reader, writer = await asyncio.open_connection(*address)
        for _ in range(2):  # each request has a count of its own
            writer.write(head + crumb * server._MOST_PARTS + end)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 20")
            if app is reading:
                assert await reader.readexactly(4) == b"2000"
        writer.write(head + crumb * (server._MOST_PARTS + 1))
        answer = await received(reader)
        writer.close()
        return answer

    head, _, body = asyncio.run(talking(app, talk)).rpartition(b"\r\n\r\n")
    assert b"HTTP/1.1 413 " in head
    error = {"code": "too_large", "message": "the body comes in more than 2,000 parts"}
    assert json.loads(body)["error"] == error


async def received(reader):
    """All that comes before the end, which a byte that nobody has taken makes a reset."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := await reader.read(1000):
            parts.append(part)
    return b"".join(parts)


WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nX: ", WHOLE, WHOLE + b"GET / HTTP/1.1\r\nX: "])
def test_a_client_that_sends_no_whole_request_is_left(sent, monkeypatch):
    """Not after one answer, either, and however often another byte comes."""
    monkeypatch.setattr(server, "SECONDS_TO_SEND", 0.3)

    async def talk(address):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(sent)
        answers = asyncio.create_task(received(reader))
        while not answers.done():
            if sent and sent != WHOLE:
                writer.write(b"x")
            await asyncio.sleep(0.02)
        writer.close()
        return await answers

    async def kept(scope, receive, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    found = asyncio.run(talking(kept, talk))
    assert found.count(b"HTTP/1.1 204") == sent.count(WHOLE)


def test_a_client_that_does_not_read_is_left(monkeypatch):
    monkeypatch.setattr(server, "SECONDS_TO_SEND", 0.3)
    ended = asyncio.Event()

    async def endless(scope, receive, send):
        headers = [(b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        left = asyncio.create_task(receive())
        while not left.done() or (await left)["type"] != "http.disconnect":
            if left.done():
                left = asyncio.create_task(receive())
            message = {"type": "http.response.body", "body": b"x" * 100_000, "more_body": True}
            await send(message)
            await asyncio.sleep(0)
        ended.set()

    async def talk(address):
        _, writer = await asyncio.open_connection(*address, limit=1000)
        writer.write(WHOLE)
        await ended.wait()
        writer.close()

    asyncio.run(talking(endless, talk))


def test_connections_beyond_the_limit(monkeypatch):
    """Idle ones give way. Where all have work, one more is told so."""
    monkeypatch.setattr(server, "_most_connections", lambda: 3)
    monkeypatch.setattr(server, "_IDLE", 0.0)
    free, inside = asyncio.Event(), []

    async def waits(scope, receive, send):
        inside.append(scope)
        await free.wait()
        await hello(scope, receive, send)

    async def talk(address):
        idle = [await asyncio.open_connection(*address) for _ in range(20)]
        busy = [await asyncio.open_connection(*address) for _ in range(3)]
        for _, writer in busy:
            writer.write(WHOLE)
        while len(inside) < 3:
            await asyncio.sleep(0.001)
        assert [await reader.read() for reader, _ in idle] == [b""] * 20
        reader, writer = await asyncio.open_connection(*address)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert json.loads(body)["error"]["code"] == "busy"
        free.set()
        for reader, _ in busy:
            assert (await reader.read()).endswith(b"hi")
        reader, writer = await asyncio.open_connection(*address)
        writer.write(WHOLE)
        assert (await reader.read()).endswith(b"hi")

    asyncio.run(talking(waits, talk))


def test_connections_leave_files_for_all_else(monkeypatch):
    monkeypatch.setattr(os, "sysconf", lambda name: 128)
    assert server._most_connections.__wrapped__() == 64
    monkeypatch.setattr(os, "sysconf", lambda name: 10)
    assert server._most_connections.__wrapped__() == 1
    for many in (10**6, -1):
        monkeypatch.setattr(os, "sysconf", lambda name, many=many: many)
        assert server._most_connections.__wrapped__() == 1000


# Nobody else's page can use the server.

POSITION = f"{API}/position?id={OPENING}"
#: A body of each request that changes the library.
BODIES = {
    "answer": {"ask": "pips", "xgid": OPENING, "deck": "races", "note": "", "answer": "1"},
    "note": {"xgid": OPENING, "text": "a note", "tags": []},
    "remove": {"digest": "0" * 64},
    "rename": {"player": "Ann", "name": "Anna"},
    "add": {"file": "a.mat", "data": b64encode(MATCH5.read_bytes()).decode()},
}
OPEN, _ = make_app(Limits(), Names(origins=("https://board.example",)))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost:8765", "LOCALHOST", "[::1]:8765"])
def test_its_own_names(host):
    assert ask(POSITION, headers={"host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "10.0.0.1", "",
        "localhost@evil.example", "evil.example#localhost", "[::1", "localhost.", "a b",
        "::1", "0.0.0.0",
    ],
)  # fmt: skip
def test_a_foreign_host_is_refused(host):
    found = ask(POSITION, headers={"host": host})
    assert (found.status, found.error["code"]) == (403, "forbidden_host")


@pytest.mark.parametrize("scheme", ["http", "https", "HTTP"])
def test_the_absolute_form_of_a_request(scheme):
    for authority in ("localhost:9765", "127.0.0.1", "[::1]:8765"):
        assert ask(f"{scheme}://{authority}{POSITION}").json == ask(POSITION).json
        for end in ("", "/"):
            found = ask(f"{scheme}://{authority}{end}")
            assert found.headers["content-type"] == "text/html; charset=utf-8"
    for authority in ("evil.example", "localhost@evil.example", ""):
        found = ask(f"{scheme}://{authority}{POSITION}")
        assert (found.status, found.error["code"]) == (403, "forbidden_host")
    foreign = {"host": "evil.example"}
    assert ask(f"{scheme}://localhost{POSITION}", headers=foreign).status == 403
    assert ask(f"ftp://localhost{POSITION}").status == 404
    prefixed, _ = make_app(Limits(), Names(), "/bot")
    assert ask(f"{scheme}://localhost/bot/health", app=prefixed).status == 200


def test_names_that_were_given():
    app, _ = make_app(Limits(), Names(hosts=("Board.Example",)))
    assert ask(POSITION, app=app, headers={"host": "board.example:443"}).status == 200
    app, _ = make_app(Limits(), Names(any_address=True))
    assert ask(POSITION, app=app, headers={"host": "10.0.0.1:8765"}).status == 200
    assert ask(POSITION, app=app, headers={"host": "evil.example"}).status == 403
    app, _ = make_app(Limits(), Names(origins=("*",)))
    assert ask(POSITION, app=app, headers={"origin": "https://evil.example"}).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://localhost:3000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"},
        {"origin": "http://127.0.0.1"},
        {"origin": "http://127.0.0.1:87650"},
    ],
)
@pytest.mark.parametrize("target", [POSITION, "/", "/health", "/nothing"])
def test_a_foreign_origin_is_refused(target, headers):
    found = ask(target, headers=headers)
    assert (found.status, found.error["code"]) == (403, "forbidden_origin")
    assert "access-control-allow-origin" not in found.headers


def test_its_own_pages_and_links_from_elsewhere():
    own = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert ask(POSITION, headers=own).status == 200
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert ask("/", headers=link).status == 200
    assert ask(f"{API}/position", b"{}", headers=link).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("target", ["iframe", "frame", "embed", "object", "document", ""])
def test_a_page_from_elsewhere_starts_no_work_by_a_frame_or_a_link(site, target):
    visit = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": target}
    rollout = f"{API}/rollout/stream?id={OPENING}&dice=31&depth=1&trials=36"
    for path in (rollout, f"{API}/analyze?id={OPENING}", "/move?die1=1", "/v1/health"):
        found = ask(path, headers=visit)
        assert (found.status, found.error["code"]) == (403, "forbidden_origin")
    page = 200 if target == "document" else 403
    assert ask("/", headers=visit).status == page
    prefixed, _ = make_app(Limits(), Names(), "/bot")
    assert ask("/bot/", app=prefixed, headers=visit).status == page
    assert ask(f"/bot{API}/dice", app=prefixed, headers=visit).status == 403


def test_an_origin_that_may_ask():
    ours = {"origin": "https://board.example", "sec-fetch-site": "cross-site"}
    found = ask(POSITION, app=OPEN, headers=ours)
    assert found.status == 200
    assert found.headers["access-control-allow-origin"] == "https://board.example"
    assert found.headers["vary"] == "Origin"
    assert "cross-origin-resource-policy" not in found.headers
    other = ask(POSITION, app=OPEN, headers={"origin": "https://evil.example"})
    assert other.status == 403
    assert "access-control-allow-origin" not in other.headers
    assert ask("/nothing", app=OPEN, headers=ours).headers["access-control-allow-origin"]


@pytest.mark.parametrize("path", [path for (_, path), request in REQUESTS.items() if request.changes])
def test_the_library_is_changed_by_its_own_page_alone(path):
    """Also where pages of another origin may ask, and by JSON alone, which no form can send."""
    own = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    for headers, status, code in (
        (own, 404, "not_found"),  # there is no library
        ({}, 404, "not_found"),
        ({"content-type": "Application/JSON; charset=utf-8"}, 404, "not_found"),
        ({"origin": "https://board.example"}, 403, "forbidden_origin"),
        ({"origin": "null"}, 403, "forbidden_origin"),
        (own | {"content-type": "text/plain"}, 400, "invalid_request"),
        (own | {"content-type": ""}, 400, "invalid_request"),
    ):
        for app in (OPEN, None) if code != "forbidden_origin" else (OPEN,):
            found = post(path, BODIES[path.rpartition("/")[2]], app=app, headers=headers)
            error = found.events[0][1] if found.status == 200 else found.error
            assert (error["code"], found.status in (200, status)) == (code, True), headers


def test_every_request_that_writes_into_the_library_is_known_as_one():
    writing = {path for (method, path), request in REQUESTS.items() if method == "POST" and request.stored}
    assert writing <= {path for (_, path), request in REQUESTS.items() if request.changes}


def test_a_browser_asks_before():
    asks = {
        "origin": "https://board.example",
        "access-control-request-method": "POST",
        "access-control-request-private-network": "true",
    }
    found = ask(f"{API}/position", method="OPTIONS", app=OPEN, headers=asks)
    assert (found.status, found.body) == (204, b"")
    assert found.headers["access-control-allow-origin"] == "https://board.example"
    assert found.headers["access-control-allow-methods"] == "GET, POST"
    assert found.headers["access-control-allow-private-network"] == "true"
    assert ask(f"{API}/position", method="OPTIONS", headers=asks).status == 403


def test_what_every_answer_says():
    for target in ("/", POSITION, "/nothing"):
        found = ask(target)
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in found.headers


def test_an_error_of_ours_is_one_line_and_no_traceback():
    told = []

    async def broken(scope, receive, send):
        raise ZeroDivisionError("two\nlines")

    found = ask("/x", app=Guard(broken, Names(), told.append))
    assert (found.status, found.error["code"]) == (500, "internal")
    assert "lines" not in found.body.decode()
    assert told == ["ZeroDivisionError: two\\nlines"]


def test_what_is_no_request_of_http_is_left_alone():
    async def nothing():
        raise AssertionError

    asyncio.run(Guard(nothing, Names())({"type": "lifespan"}, nothing, nothing))


# Lanes: a number of works at once, a number that wait, and no more.


def test_work_is_done_elsewhere():
    lane = Lane(1, 0)
    assert asyncio.run(lane.run(threading.get_ident)) != threading.get_ident()
    assert lane.inside == 0


def test_errors_come_back_and_leave_the_place():
    lane = Lane(1, 0)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(lane.run(lambda: 1 // 0))
    assert lane.inside == 0


def test_there_is_room_for_so_much():
    lane, go = Lane(1, 1), threading.Event()

    async def three():
        first = asyncio.ensure_future(lane.run(go.wait))
        second = asyncio.ensure_future(lane.run(go.wait))
        await asyncio.sleep(0)
        assert lane.inside == 2
        with pytest.raises(Refusal) as caught:
            await lane.run(go.wait)
        go.set()
        await asyncio.gather(first, second)
        return caught.value

    refusal = asyncio.run(three())
    assert (refusal.status, refusal.headers) == (503, {"Retry-After": "1"})


def test_work_under_way_keeps_its_place_though_nobody_waits_for_it():
    lane, begun, go = Lane(1, 1), threading.Event(), threading.Event()

    def work():
        begun.set()
        go.wait()

    async def leave():
        first = asyncio.ensure_future(lane.run(work))
        second = asyncio.ensure_future(lane.run(work))
        await asyncio.to_thread(begun.wait)
        first.cancel()
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        return lane.inside

    assert asyncio.run(leave()) == 1  # what had not begun is gone
    go.set()


# A client that leaves stops the work for it.


def test_one_whose_time_is_over():
    Client().check(time.monotonic() + 60)
    with pytest.raises(Refusal, match="too long"):
        Client().check(time.monotonic() - 1)


@pytest.mark.parametrize("asked", [True, False])
def test_one_that_leaves_stops_a_search(asked):
    """Whether the search had asked for its stop before, or not."""
    client = Client()
    client.check()
    if asked:
        assert not client.stop.is_set()
    client.leave()
    assert client.stop.is_set()
    with pytest.raises(ClientLeftError):
        client.check()


def test_the_server_is_told():
    messages = [{"type": "http.disconnect"}, {"type": "http.request"}]

    async def receive():
        return messages.pop()

    asyncio.run(client_left(receive))
    assert messages == []


# Server-sent events.


def run(produce, leaves=None, sent=None):
    """The parts that an event stream sends, and its client, which leaves after some of them."""
    sent, client, gone = [] if sent is None else sent, Client(), asyncio.Event()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)
        if leaves is not None and len(sent) > leaves:
            gone.set()

    asyncio.run(EventStream(produce, client)({}, receive, send))
    return sent, client


def test_events_and_the_end():
    async def produce(emit):
        emit("answer", {"a": [1]})
        await asyncio.sleep(0)
        emit("answer", b"[2]")

    sent, client = run(produce)
    assert sent[0]["status"] == 200
    assert [message["body"] for message in sent[1:]] == [
        b'event: answer\ndata: {"a":[1]}\n\n',
        b"event: answer\ndata: [2]\n\n",
        b"event: done\ndata: {}\n\n",
        b"",
    ]
    assert [message["more_body"] for message in sent[1:]] == [True, True, True, False]
    assert client.left


def test_the_client_leaves():
    ended = []

    async def produce(emit):
        emit("answer", 1)
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(True)

    sent, client = run(produce, leaves=1)
    assert [message.get("body") for message in sent[1:]] == [b"event: answer\ndata: 1\n\n"]
    assert client.left
    assert ended == [True]


def test_a_comment_keeps_the_connection_alive(monkeypatch):
    monkeypatch.setattr(stream, "_PULSE", 0.01)

    sent = []

    async def produce(emit):
        while len(sent) < 2:
            await asyncio.sleep(0.001)

    run(produce, sent=sent)
    assert sent[1]["body"].startswith(b":")
    assert sent[-2]["body"] == b"event: done\ndata: {}\n\n"


def test_an_end_that_nobody_expected_ends_it():
    async def produce(emit):
        emit("answer", 1)
        raise ZeroDivisionError

    sent, client = run(produce)
    assert [message["body"] for message in sent[1:]] == [b"event: answer\ndata: 1\n\n", b""]
    assert client.left


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (f"rollout/stream?id={OPENING}&dice=66&depth=5&trials=12960", None),
        (f"rollout/stream?id={OPENING}&depth=1&trials=12960", None),
        (f"analyze/stream?id={OPENING}&dice=66&depth=7", None),
        ("review?depth=7", MATCH5.read_bytes()),
    ],
)
def test_a_client_that_leaves_ends_its_work(target, body, monkeypatch):
    """Two of these take hours, the others a minute."""
    guarded, app = application(depth=7, seconds=3600.0)
    begun, telling = Event(), Stop.telling

    def noticed(stop, tell):
        begun.set()
        return telling(stop, tell)

    monkeypatch.setattr(Stop, "telling", noticed)
    assert ask(f"{API}/{target}", body, app=guarded, leave=begun).status == 200
    assert comes_true(lambda: app.searching == 0, 20.0)


# The content security policies allow what the page needs, and no more.


def directives(policy: str) -> dict[str, set[str]]:
    found = [each.split() for each in policy.split("; ")]
    assert len({name for name, *_ in found}) == len(found)
    return {name: set(sources) for name, *sources in found}


def test_the_page_without_a_server_may_compile_the_module() -> None:
    served, local = directives(SERVED), directives(LOCAL)
    assert local["script-src"] - served["script-src"] == {"'wasm-unsafe-eval'"}
    changed = {name for name in local if local[name] != served.get(name)}
    assert changed == {"script-src", "worker-src"}
    assert set(served) - set(local) == {"frame-ancestors"}


def test_nothing_is_loaded_from_elsewhere() -> None:
    allowed = {"'none'", "'self'", "'wasm-unsafe-eval'", "data:", "blob:"}
    for policy in (SERVED, LOCAL):
        assert set().union(*directives(policy).values()) <= allowed
