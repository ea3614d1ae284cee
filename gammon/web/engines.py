"""The engines behind the answers: one for each depth, made when it is first asked for."""

from functools import cache

from gammon.answers.engine import Engine
from gammon.web.asked import Asked
from gammon.web.limits import SHORT

__all__ = ["engine_for", "engine_of"]


@cache
def engine_of(depth: int, cubeful: bool, seconds: float | None, threads: int) -> Engine:
    """Return an engine, the same one each time.

    Args:
        depth: plies.
        cubeful: whether the cube and the score count.
        seconds: that a search of a roll, or a decision about the cube, may take; None: any.
        threads: that share a search.
    """
    return Engine(depth, max_seconds=seconds, threads=threads, cube=cubeful)


def engine_for(
    asked: Asked, depth: int | None = None, cubeful: bool = True, searches: int = 1
) -> Engine:
    """Return the engine for a request.

    Args:
        asked: says the depth, unless there is one.
        depth: plies.
        cubeful: whether the cube and the score count.
        searches: that share the seconds which a request may take.
    """
    plies, limits = asked.depth if depth is None else depth, asked.limits
    # To watch the time of a search takes as long as a short one.
    seconds = None if plies <= SHORT else limits.seconds / searches
    return engine_of(plies, cubeful, seconds, limits.threads)
