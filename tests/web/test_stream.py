"""Server-sent events."""

import asyncio
from threading import Event

import pytest

from gammon.base.stop import Stop
from gammon_web import stream
from gammon_web.client import Client
from gammon_web.stream import EventStream
from tests.matches import MATCH5
from tests.processes import comes_true
from tests.web.asking import API, OPENING, application, ask


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
        b'event: answer\ndata: {"a":[1]}\n\n', b"event: answer\ndata: [2]\n\n",
        b"event: done\ndata: {}\n\n", b"",
    ]  # fmt: skip
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
