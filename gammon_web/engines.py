"""The engine behind the answers, and how deep and how long a request may have it search."""

from functools import cache

from gammon.engine.engine import Engine
from gammon_web.asked import Asked
from gammon_web.limits import SHORT
from gammon_web.parameters import ASKED


@cache
def engine_of(
    threads: int, depth: int = 5, cubeful: bool = True, seconds: float | None = None, level: str | None = None
) -> Engine:
    """Return an engine, the same one each time.

    Args:
        threads: that share a search.
        depth: plies of a question that does not say so.
        cubeful: whether the cube and the score count in it.
        seconds: `max_seconds` of it.
        level: in place of the depth, or None.
    """
    return Engine(depth, threads=threads, cubeless=not cubeful, max_seconds=seconds, level=level)


def engine_for(asked: Asked, cubeful: bool = True) -> Engine:
    """Return the engine for a request that is not a `Question`.

    Args:
        asked: says the depth, the level, or the strength and its errors.
        cubeful: whether the cube and the score count.

    Raises:
        Refusal: a parameter says what cannot be.
        SettingError: there is a level and a strength.
    """
    limits, seconds = asked.limits, seconds_of(asked, asked.depth)
    engine = engine_of(limits.threads, asked.depth, cubeful, seconds, asked.level)
    strength, seed = asked.value(ASKED["strength"]), asked.value(ASKED["noise_seed"])
    return engine if strength is None else engine.with_errors(seed, strength)


def seconds_of(asked: Asked, depth: int, searches: int = 1) -> float | None:
    """Return the seconds that each of some searches may take; None: any.

    To watch the time of a search takes as long as a short one.

    Args:
        asked: the request, whose limits count.
        depth: plies.
        searches: that share the seconds which a request may take.
    """
    return None if depth <= SHORT else asked.limits.seconds / searches
