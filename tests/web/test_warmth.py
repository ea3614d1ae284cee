"""The warm-up."""

import threading

from gammon_web.limits import Limits
from gammon_web.warmth import Warmth


def test_it_says_when_the_engine_is_ready():
    warmth = Warmth(Limits())
    assert not warmth.warm
    warmth.begin()
    for thread in threading.enumerate():
        if thread.name == "gammon-warm-up":
            assert thread.daemon
            thread.join(300)
    assert warmth.warm
