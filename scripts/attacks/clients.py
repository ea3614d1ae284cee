"""Bad clients of `gammon serve`: slow ones, idle ones, those that leave, and foreign pages."""

import asyncio
import resource
import time
from collections.abc import Awaitable
from contextlib import suppress

import click
from try_server import API, Server, ask, connected, served

from attacks.faults import Faults
from gammon_web.limits import SECONDS_TO_SEND
from tests.processes import ROOT

#: File descriptors that the server may have.
_FILES = 128
#: Seconds in which others must be answered.
_PATIENCE = 2.0
#: Seconds of processor time that the work for a client that left may still take.
_REST = 0.5
#: Seconds for which the first client of a kind stays, so that compiled code is loaded.
_FIRST = 8.0
_OPENING = "4HPwATDgc/ABMA"
_MATCH = ROOT / "tests/golden/matches/match5.mat"
#: A body in parts of a byte, and seconds for which clients send it again and again.
_CRUMBS, _CRUMBLING = b"1\r\n \r\n" * 490_000 + b"0\r\n\r\n", 8.0
#: Requests whose work takes long, by name.
_LONG = {
    "analyze, depth 7": f"{API}/analyze/stream?id={_OPENING}&dice=66&depth=7",
    "rollout, depth 1": f"{API}/rollout/stream?id={_OPENING}&dice=21&trials=12960&depth=1",
    "rollout, depth 3": f"{API}/rollout/stream?id={_OPENING}&dice=21&trials=12960&depth=3",
    "rollout, depth 5": f"{API}/rollout/stream?id={_OPENING}&dice=21&trials=12960&depth=5",
    "review, depth 5": f"{API}/review?depth=5",
    "review, depth 7": f"{API}/review?depth=7",
}
#: The same kinds of games, for a moment: they compile what is not compiled yet.
_SHORT = [
    f"{API}/rollout/stream?id={_OPENING}&dice=21&trials=36&depth={depth}" for depth in (1, 3)
]
_TARGETS = ("iframe", "frame", "embed", "object", "image", "document")


async def _held(server: Server, count: int, sent: bytes, more: bytes, again: bool) -> int:
    """Open connections that send a part of a request, and then a byte now and then.

    Args:
        server: to be attacked.
        count: connections at a time.
        sent: the part.
        more: the byte.
        again: whether each that the server ends is followed by another one.

    Returns:
        How many were open for longer than a client has time.
    """
    end = time.monotonic() + SECONDS_TO_SEND + _PATIENCE

    async def hold() -> bool:
        reader, writer = await connected(server)
        begun, answer = time.monotonic(), asyncio.create_task(reader.read())
        with suppress(ConnectionError):
            writer.write(sent)
            while time.monotonic() < end and not answer.done():
                writer.write(more)
                await asyncio.wait([answer], timeout=0.5)
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)
        writer.close()
        return time.monotonic() - begun > SECONDS_TO_SEND + _PATIENCE / 2

    async def held() -> int:
        late = int(await hold())
        while again and time.monotonic() < end:
            late += await hold()
        return late

    return sum(await asyncio.gather(*(held() for _ in range(count))))


async def _crumbled(server: Server, count: int) -> int:
    """Send bodies in parts of a byte for a while, `count` clients at a time."""
    end = time.monotonic() + _CRUMBLING
    head = f"POST {API}/score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def crumble() -> None:
        while time.monotonic() < end:
            reader, writer = await connected(server)
            with suppress(ConnectionError):
                writer.write(head.encode() + _CRUMBS)
                await reader.read()
            writer.close()

    await asyncio.gather(*(crumble() for _ in range(count)))
    return 0


async def _asked_meanwhile(server: Server, attack: Awaitable[int], faults: Faults) -> str:
    """Ask for what is quick as long as an attack lasts, and tell how long the answers took."""
    task, found, refused = asyncio.ensure_future(attack), list[float](), 0
    spent = server.processor_seconds()
    begun = time.perf_counter()
    while not task.done():
        asked = time.perf_counter()
        try:
            answer = await asyncio.wait_for(ask(server, "/health"), _PATIENCE)
            refused += answer.status == 503
            if answer.status not in (200, 503):
                faults.add(f"others get {answer.status}")
        except (ConnectionError, asyncio.IncompleteReadError):
            refused += 1
        except TimeoutError:
            faults.add("others get no answer")
        found.append(time.perf_counter() - asked)
        await asyncio.wait([task], timeout=0.1)
    if left := await task:
        faults.add(f"{left} connections are open after their time")
    share = (server.processor_seconds() - spent) / (time.perf_counter() - begun)
    return (
        f"{len(found)} others asked, {refused} were turned away, the slowest answer took "
        f"{max(found):.2f} s; {share:.0%} of a processor"
    )


async def _leave(server: Server, name: str, seconds: float, faults: Faults) -> float:
    """Ask for long work, leave after a while, and return how long the work then goes on.

    On a machine that does other work, that is more than the processor time that it takes.
    """
    _, writer = await connected(server)
    body = _MATCH.read_bytes() if "review" in name else b""
    head = "POST" if body else "GET"
    writer.write(
        f"{head} {_LONG[name]} HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
        + body
    )
    await writer.drain()
    await asyncio.sleep(seconds)
    writer.close()
    left, spent = time.perf_counter(), server.processor_seconds()
    while b'"searching":0' not in (await ask(server, "/health")).body.replace(b" ", b""):
        if server.processor_seconds() - spent > 10 * _REST:
            break
        await asyncio.sleep(0.005)
    took, spent = time.perf_counter() - left, server.processor_seconds() - spent
    if spent > _REST:
        faults.add(f"{name}: {spent:.1f} s of work after its client has left")
    return took


async def _status(server: Server, path: str, *headers: str) -> int:
    reader, writer = await connected(server)
    lines = "".join(f"{line}\r\n" for line in ("Host: localhost", *headers))
    writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
    status = int((await reader.readline()).split()[1])
    writer.close()
    return status


async def _frames(server: Server, faults: Faults) -> int:
    """Ask as a page of another site makes a browser ask; count the requests."""
    count = 0
    for path in (*_LONG.values(), f"{API}/dice", "/openapi.json", "/"):
        for target in _TARGETS:
            for site in ("cross-site", "same-site"):
                count += 1
                status = await _status(
                    server, path, f"Sec-Fetch-Site: {site}", f"Sec-Fetch-Dest: {target}",
                    "Sec-Fetch-Mode: navigate",
                )  # fmt: skip
                wanted = 200 if (path, target) == ("/", "document") else 403
                if status != wanted:
                    faults.add(f"{path} in a {target} of another site: status {status}")
    return count


async def _attacks(times: int, connections: int, faults: Faults) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, hard))
    async with served("--depth", "7", "--seconds", "3600") as server:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        part = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        for name, sent, more, again in (
            ("idle", b"", b"", False),
            ("slow", part, b"x", False),
            ("slow, again and again,", part, b"x", True),
        ):
            attack = _held(server, connections, sent, more, again)
            told = await _asked_meanwhile(server, attack, faults)
            click.echo(f"{connections} {name} connections, {_FILES} descriptors: {told}")
        for number in (1, 8):
            told = await _asked_meanwhile(server, _crumbled(server, number), faults)
            click.echo(f"{number} clients whose bodies come in parts of a byte: {told}")
        for target in _SHORT:
            await ask(server, target)
        for name in _LONG:
            stays = (_FIRST, *(0.5 + 0.1 * number for number in range(times)))
            first, *took = [await _leave(server, name, stay, faults) for stay in stays]
            middle = sorted(took)[len(took) // 2]
            click.echo(
                f"{name}: left {times} times, its work ended {middle * 1e3:.0f} ms later, at "
                f"most {max(took) * 1e3:.0f}; that of the first one {first * 1e3:.0f}"
            )
        click.echo(f"{await _frames(server, faults)} requests as of foreign pages")


@click.command()
@click.option("--times", type=click.IntRange(1), default=10, show_default=True)
@click.option("--connections", type=click.IntRange(1), default=400, show_default=True)
def clients(times: int, connections: int) -> None:
    """Hold connections to a server, leave its work, and ask as pages of other sites do."""
    faults = Faults()
    asyncio.run(_attacks(times, connections, faults))
    faults.end(f"{times} times {len(_LONG)} clients that leave, {connections} that hold")
