"""The socket, and HTTP as it goes over it."""

import asyncio
import contextlib
import json
import os
import socket

import pytest

from gammon.base.errors import GammonError
from gammon_web import server
from gammon_web.server import listen, url_of


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
        b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET /\xff\x00 HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/9\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 70_000,
    ]  # fmt: skip

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


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nX: ", WHOLE, WHOLE + b"GET / HTTP/1.1\r\nX: "]
)
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
