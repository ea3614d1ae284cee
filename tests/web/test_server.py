"""The socket, and HTTP as it goes over it."""

import asyncio
import socket

import pytest

from gammon.errors import GammonError
from gammon.web import server
from gammon.web.server import listen, url_of


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
        except GammonError:
            pytest.skip("no IPv6 here")


def exchange(app, *requests: bytes) -> list[bytes]:
    """The answers of a server of an application to bytes, each in a connection of its own."""

    async def talk(address):
        answers = []
        for request in requests:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(request)
            answers.append(await reader.read())
            writer.close()
        return answers

    async def run(listening):
        found = server._Server(server.config_of(app))
        serving = asyncio.create_task(found.serve([listening]))
        while not found.started:
            await asyncio.sleep(0.001)
        answers = await talk(listening.getsockname()[:2])
        found.should_exit = True
        await serving
        return answers

    with listen("127.0.0.1", 0) as listening:
        return asyncio.run(run(listening))


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
    answers = exchange(hello, good, *bad)
    assert answers[0].endswith(b"\r\n\r\nhi")
    for answer in answers[1:]:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 "), answer
        assert b"application/json" in head
        assert body.startswith(b'{"error":{"code":"invalid_request"')
