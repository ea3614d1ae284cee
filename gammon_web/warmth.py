"""The warm-up: the engine is loaded while the page is there already."""

import threading

from gammon_web.limits import SHORT, Limits


class Warmth:
    """Whether the engine is ready to answer at once.

    Args:
        limits: on what requests may ask for.

    Attributes:
        warm: whether it is.
    """

    def __init__(self, limits: Limits) -> None:
        self.warm = False
        self._limits = limits

    def begin(self) -> None:
        """Make it ready in a thread of its own, which ends with the process."""
        threading.Thread(target=self._warm_up, name="gammon-warm-up", daemon=True).start()

    def _warm_up(self) -> None:
        from gammon_web.asked import Asked
        from gammon_web.client import Client
        from gammon_web.searches import analyze

        for depth in range(1, min(self._limits.depth, SHORT) + 1, 2):
            for dice in ("", "&dice=31"):
                query = f"id=4HPwATDgc/ABMA&depth={depth}{dice}"
                analyze(Asked(query.encode(), b"", self._limits, None), Client())
        self.warm = True
