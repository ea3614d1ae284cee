"""A client that leaves stops the work for it."""

import asyncio
import time

import pytest

from gammon_web.client import Client, ClientLeftError, client_left
from gammon_web.refusal import Refusal


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
