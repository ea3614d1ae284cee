"""Lanes: a number of works at once, a number that wait, and no more."""

import asyncio
import threading

import pytest

from gammon_web.lane import Lane
from gammon_web.refusal import Refusal


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
