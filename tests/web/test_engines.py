"""The engines behind the answers keep to the limits."""

from gammon_web.engines import engine_for, engine_of, seconds_of
from gammon_web.limits import Limits
from tests.web.asking import asked


def test_they_are_what_a_request_asks_for():
    engine = engine_for(asked("depth=5"))
    assert (engine.depth, engine.cubeful, engine.max_seconds) == (5, True, 30.0)
    assert engine_for(asked("depth=5")) is engine
    assert not engine_for(asked(), cubeful=False).cubeful
    assert engine_for(asked("depth=3")).max_seconds is None
    assert engine_of(2).threads == 2


def test_searches_share_the_seconds_of_a_request():
    assert seconds_of(asked("depth=3"), 5, searches=10) == 3.0
    assert seconds_of(asked("depth=3"), 3, searches=10) is None
    assert Limits(seconds=3.0).long_seconds == 30.0
