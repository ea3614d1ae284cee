"""Try the server of `gammon serve` under load, and with nonsensical requests.

    python scripts/try_server.py fuzz --requests 100000
    python scripts/try_server.py latency --requests 1000
    python scripts/try_server.py stall --searches 4
    python scripts/try_server.py load --clients 200 --seconds 60

Each command starts its own server on a free port, and ends it. The exit code of `fuzz` is 1 if an
answer is not JSON of the right shape, if an answer takes longer than 10 seconds, or if the server
writes to standard error; the exit code of `load` is 1 if an answer is neither 200 nor 503.
"""

import asyncio
import json
import os
import random
import re
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import click

from gammon.base.errors import GammonError
from gammon.commands.group import OneLine
from gammon.commands.options import SEED
from gammon.formats.position import Position
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import ROLLS
from gammon.rules.sequences import plays_of

API = "/api/v1"
#: The longest acceptable time of an answer, in seconds.
PATIENCE = 10.0
PATHS = [
    f"{API}/{name}"
    for name in (
        "position",
        "analyze",
        "analyze/stream",
        "rolls",
        "rollout/stream",
        "turn",
        "resign",
        "dice",
        "match",
        "review",
        "getmoves",
        "health",
    )
]
PATHS += ["/move", "/eval", "/v1/move", "/v1/take", "/v1/health", "/", "/openapi.json"]
NAMES = "id dice depth top play cubeless seed count points trials die1 die2 p0 p6 p25 x_away"
WORDS = [
    "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAE", "31", "66", "70", "", "8/5 6/5", "-1",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "9" * 30, "é", "\0", "%zz", "1e9",
    "None", "true", ":" * 30, "=" * 200, "A" * 2000, "bar/off", "\u202e", "1", "3", "5",
]  # fmt: skip
VALUES: list[object] = [
    None, True, 0, -1, 1e308, "", "31", [], {}, [[]], "x" * 300, "4HPwATDgc/ABMA", [3, 1],
    {"6": 5}, list(OPENING), [0] * 26, {"x": {"6": 5}, "o": {"6": 5}}, "x", "double", 7,
]  # fmt: skip
ENTRIES = (
    "text points dice terms turn length names games board player max-moves positionId "
    "activePlayerColor cubeValue cubeOwner matchScore matchLength crawford"
)
HEADERS = [
    ("Origin", ["null", "http://evil.example", ""]),
    ("Accept", ["*/*", "\x7f"]),
    ("If-None-Match", ["*", '"x"', "W/" * 50]),
    ("X-Long", ["x" * 5000]),
    ("Sec-Fetch-Site", ["cross-site", "none", "?"]),
    ("Range", ["bytes=0-1"]),
    ("Content-Type", ["text/plain", "multipart/form-data"]),
    ("Cookie", ["a=b" * 100]),
    ("Transfer-Encoding", ["gzip"]),
    ("Expect", ["100-continue"]),
    ("Upgrade", ["websocket"]),
]


class Answer(NamedTuple):
    """An answer, and the seconds that it took."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float


class Server(NamedTuple):
    """A running server."""

    process: asyncio.subprocess.Process
    host: str
    port: int

    def megabytes(self) -> float:
        """Return the memory of the server in MB, or nan where it is not known."""
        status = Path(f"/proc/{self.process.pid}/status")
        match = re.search(r"VmRSS:\s*(\d+)", status.read_text()) if status.exists() else None
        return int(match[1]) / 1024 if match else float("nan")

    def processor_seconds(self) -> float:
        """Return the processor time of the server in seconds, or nan where it is not known."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return float("nan")
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def served(*arguments: str) -> AsyncIterator[Server]:
    """Start a server, and wait until its engine is warm."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "gammon",
        "serve",
        "--port",
        "0",
        *arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    try:
        line = (await process.stdout.readline()).decode()
        match = re.search(r"http://([^:]+):(\d+)", line)
        if not match:
            raise GammonError(f"the server does not start: {line!r}")
        server = Server(process, match[1], int(match[2]))
        while not json.loads((await ask(server, "/health")).body)["compiled"]:
            await asyncio.sleep(0.1)
        yield server
        process.terminate()
        errors = (await process.stderr.read()).decode()
        code = await process.wait()
        click.echo(f"the server ended with code {code}, and printed {errors!r}")
        if errors or code:
            raise GammonError("the server printed errors, or failed")
    finally:
        if process.returncode is None:
            process.kill()


async def read_answer(
    reader: asyncio.StreamReader, begun: float, parts: bool = False, head: bool = False
) -> Answer:
    """Read an HTTP answer.

    Args:
        reader: the reader of the connection.
        begun: the time at which the request was sent.
        parts: whether to read all parts of a stream, and not only the first.
        head: whether the request was HEAD, so that there is no body.
    """
    status = 100
    while status < 200:  # interim answers such as 100 Continue come first
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
    pairs = (line.split(": ", 1) for line in lines[1:] if line)
    headers, body = {name.lower(): value for name, value in pairs}, b""
    if head or status in (204, 304):
        pass
    elif "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"]))
    elif headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
            if not parts:
                break
        else:
            await reader.readline()
    return Answer(status, headers, body, time.perf_counter() - begun)


async def connected(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to a server."""
    return await asyncio.open_connection(server.host, server.port, limit=2**22)


async def ask(server: Server, target: str, parts: bool = True) -> Answer:
    """Send one request in its own connection, and return the answer."""
    reader, writer = await connected(server)
    begun = time.perf_counter()
    writer.write(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    try:
        return await read_answer(reader, begun, parts)
    finally:
        writer.close()


def positions(count: int, seed: int) -> list[str]:
    """Return the XGIDs of positions with a roll, from random games."""
    rng, xgids, points = random.Random(seed), list[str](), OPENING
    while len(xgids) < count:
        dice = rng.choice(ROLLS)
        xgids.append(Position(points, dice=dice).xgid)
        points = flipped(rng.choice(list(plays_of(points, dice))))
        if is_over(points):
            points = OPENING
    return xgids


async def crowd(
    server: Server,
    targets: Sequence[str],
    clients: int,
    seconds: float,
    seed: int,
    heard: Callable[[str, Answer], None] = lambda target, answer: None,
    samples: int = 6,
    whole: float = 1.0,
) -> tuple[Counter[int], list[float]]:
    """Have many clients send requests at once, each client one request after the other.

    Args:
        server: the server.
        targets: the targets of requests, without the position at their end.
        clients: the number of clients.
        seconds: the time for which they send requests.
        seed: the seed of the requests.
        heard: called with the target of each good answer, and the answer.
        samples: how often the server's memory is read.
        whole: the share of streams that are read to the end.

    Returns:
        The number of answers by status, 0 for no answer; and the memory of the server, in MB.
    """
    texts = [quote(text) for text in positions(500, seed)]
    statuses, memory = Counter[int](), list[float]()
    late = time.perf_counter() + seconds

    async def client(rng: random.Random) -> None:
        while time.perf_counter() < late:
            target = rng.choice(targets)
            parts = rng.random() < whole
            try:
                answer = await ask(server, target + rng.choice(texts), parts)
            except (OSError, asyncio.IncompleteReadError):
                statuses[0] += 1
                continue
            statuses[answer.status] += 1
            if answer.status == 200:
                heard(target, answer)
            else:
                await asyncio.sleep(float(answer.headers.get("retry-after", "1")))

    work = asyncio.gather(*(client(random.Random(f"{seed} {n}")) for n in range(clients)))
    while not work.done():
        await asyncio.wait([work], timeout=seconds / samples)
        memory.append(server.megabytes())
    await work
    return statuses, memory


def noise(rng: random.Random) -> bytes:
    """Return a nonsensical request; some are not HTTP at all."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.randrange(1, 200)) + b"\r\n\r\n"
    path = rng.choice(PATHS) + rng.choice([""] * 15 + ["/", "x", "/../..", "%00", "%2e"])
    words = [
        rng.choice(WORDS) if rng.random() < 0.8 else "".join(rng.choices(string.printable, k=8))
        for _ in range(rng.randrange(5))
    ]
    pairs = [f"{rng.choice(NAMES.split())}={quote(word, safe='/:=+')}" for word in words]
    method = rng.choice(["GET"] * 10 + ["POST"] * 8 + ["PUT", "HEAD", "OPTIONS", "BREW"])
    head = [f"{method} {path}?{'&'.join(pairs)} HTTP/1.1"]
    host = "localhost" if rng.random() < 0.95 else rng.choice(["evil.example", "", "a b", "[::"])
    head.append(f"Host: {host}")
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        name, values = rng.choice(HEADERS)
        head.append(f"{name}: {rng.choice(values)}")
    body = b""
    if method in ("POST", "PUT"):
        value = {name: rng.choice(VALUES) for name in rng.sample(ENTRIES.split(), 5)}
        body = json.dumps(value).encode()
        if rng.random() < 0.3:
            body = body[: rng.randrange(len(body))] + rng.randbytes(rng.randrange(5))
        if rng.random() < 0.01:
            body = b"[" * 600_000
        head.append(f"Content-Length: {len(body)}")
    return "\r\n".join(head).encode("latin-1", "replace") + b"\r\n\r\n" + body


def fault_of(answer: Answer, head: bool) -> str:
    """Return a description of the fault in an answer, or an empty text."""
    if answer.seconds > PATIENCE:
        return f"{answer.seconds:.1f} s"
    if answer.status >= 500 and answer.status not in (501, 503):
        return f"status {answer.status}"
    if answer.status < 400 or head:
        return ""
    try:
        error = json.loads(answer.body)["error"]
    except (ValueError, KeyError, TypeError):
        return f"no JSON error: {answer.body[:80]!r}"
    texts = all(isinstance(text, str) and text for text in error.values())
    wanted = {"code", "message"} <= set(error) <= {"code", "message", "field"}
    return "" if texts and wanted else f"another error: {error}"


@click.group()
def main() -> None:
    """Try the server."""


@main.command(cls=OneLine)
@click.option("--requests", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--connections", type=click.IntRange(1), default=8, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def fuzz(requests: int, connections: int, seed: int) -> None:
    """Send nonsensical requests; each must get an answer in the right shape."""
    statuses: Counter[int] = Counter()
    faults: list[str] = []
    slowest = 0.0
    left = requests

    async def talk(server: Server, rng: random.Random) -> None:
        nonlocal left, slowest
        while left > 0:
            reader, writer = await connected(server)
            for _ in range(50):
                if left <= 0:
                    break
                left -= 1
                request, begun = noise(rng), time.perf_counter()
                head = request.startswith(b"HEAD")
                try:
                    writer.write(request)
                    answer = await asyncio.wait_for(read_answer(reader, begun, head=head), 2 * PATIENCE)
                except TimeoutError:
                    faults.append(f"no answer: {request[:300]!r}")
                    break
                except (asyncio.IncompleteReadError, ConnectionError):
                    statuses[0] += 1  # closed, after bytes that were not a request
                    break
                statuses[answer.status] += 1
                slowest = max(slowest, answer.seconds)
                if fault := fault_of(answer, head):
                    faults.append(f"{fault}: {request[:300]!r}")
                chunked = "transfer-encoding" in answer.headers
                if chunked or answer.headers.get("connection") == "close":
                    break
            writer.close()

    async def run() -> None:
        limits = ("--depth", "3", "--seconds", "0.5")
        async with served(*limits) as server:
            memory, begun = [f"{server.megabytes():.0f}"], time.perf_counter()
            rngs = [random.Random(f"{seed} {number}") for number in range(connections)]
            talks = asyncio.gather(*(talk(server, rng) for rng in rngs))
            while not talks.done():
                await asyncio.wait([talks], timeout=15)
                memory.append(f"{server.megabytes():.0f}")
            await talks
            seconds = time.perf_counter() - begun
            health = json.loads((await ask(server, "/health")).body)
            click.echo(f"{requests:,} requests in {seconds:.0f} s, the slowest {slowest:.2f} s")
            click.echo(f"statuses {dict(sorted(statuses.items()))}; 0: closed without an answer")
            click.echo(f"memory {', '.join(memory)} MB; at the end {health}")

    asyncio.run(run())
    click.echo(f"{len(faults)} faults")
    for fault in faults[:20]:
        click.echo(fault)
    if faults:
        raise click.ClickException("see above")


def print_quantiles(name: str, seconds: Sequence[float]) -> None:
    """Print the quantiles of latencies."""
    ordered = sorted(seconds)
    at = [ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in (0.5, 0.95, 0.99)]
    texts = ", ".join(f"{1e3 * value:.1f}" for value in (*at, ordered[-1]))
    click.echo(f"{name:28} {len(ordered):7,} answers; 50, 95, 99, 100 %: {texts} ms")


@main.command(cls=OneLine)
@click.option("--requests", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def latency(requests: int, seed: int) -> None:
    """Send one request after the other: positions, and analyses to depth 1 and 3."""

    async def run() -> None:
        async with served() as server:
            texts = [quote(text) for text in positions(requests, seed)]
            reader, writer = await connected(server)
            for path in ("/health?", f"{API}/position?", *(f"{API}/analyze?depth={d}&" for d in (1, 3))):
                seconds, spent = [], server.processor_seconds()
                for text in texts:
                    begun = time.perf_counter()
                    line = f"GET {path}id={text} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    writer.write(line.encode())
                    answer = await read_answer(reader, begun)
                    assert answer.status == 200, answer
                    seconds.append(answer.seconds)
                print_quantiles(path, seconds)
                spent = (server.processor_seconds() - spent) / len(texts)
                click.echo(f"{'':28} {1e3 * spent:.2f} ms of processor time each")
            writer.close()

    asyncio.run(run())


@main.command(cls=OneLine)
@click.option("--searches", type=click.IntRange(1), default=4, show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=20.0, show_default=True)
def stall(searches: int, seconds: float) -> None:
    """Request /health, which only needs the event loop, while searches to depth 7 run."""

    async def run() -> None:
        limits = ("--searches", str(searches), "--depth", "7", "--seconds", str(seconds + 30))
        async with served(*limits) as server:
            text = quote(Position(OPENING, dice=(6, 6)).xgid)
            target = f"{API}/analyze/stream?depth=7&id={text}"
            tasks = [asyncio.create_task(ask(server, target)) for _ in range(searches)]
            await asyncio.sleep(3)
            reader, writer = await connected(server)
            latencies, late = [], time.perf_counter() + seconds
            while time.perf_counter() < late:
                begun = time.perf_counter()
                writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = await read_answer(reader, begun)
                latencies.append(answer.seconds)
                await asyncio.sleep(0.005)
            print_quantiles(f"/health, {searches} searches", latencies)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.close()
            begun = time.perf_counter()
            while json.loads((await ask(server, "/health")).body)["searching"]:
                await asyncio.sleep(0.002)
            click.echo(f"all searches ended {1e3 * (time.perf_counter() - begun):.0f} ms later")

    asyncio.run(run())


@main.command(cls=OneLine)
@click.option("--clients", type=click.IntRange(1), default=200, show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=60.0, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def load(clients: int, seconds: float, seed: int) -> None:
    """Have many clients send all kinds of requests at once."""
    kinds = {
        "position": (6, f"{API}/position?id="),
        "depth 1": (6, f"{API}/analyze?depth=1&id="),
        "depth 3": (3, f"{API}/analyze?depth=3&id="),
        "turn": (3, f"{API}/turn?depth=1&id="),
        "stream to 5": (1, f"{API}/analyze/stream?depth=5&id="),
        "page": (1, "/?"),
    }
    targets = [target for weight, target in kinds.values() for _ in range(weight)]
    latencies: dict[str, list[float]] = {target: [] for target in targets}

    async def run() -> Counter[int]:
        async with served() as server:
            statuses, memory = await crowd(
                server,
                targets,
                clients,
                seconds,
                seed,
                lambda target, answer: latencies[target].append(answer.seconds),
            )
            for kind, (_, target) in kinds.items():
                if latencies[target]:
                    print_quantiles(kind, latencies[target])
            click.echo(f"statuses {dict(sorted(statuses.items()))}")
            click.echo(f"memory {', '.join(f'{megabytes:.0f}' for megabytes in memory)} MB")
            return statuses

    statuses = asyncio.run(run())
    if set(statuses) - {200, 503}:
        raise click.ClickException("another status than 200 and 503")


if __name__ == "__main__":
    main()
