"""Limits."""

from gammon.web.limits import Limits


def test_long_work_has_more_time():
    assert Limits(seconds=3.0).long_seconds == 30.0
