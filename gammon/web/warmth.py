"""The warm-up: the engine is compiled and loaded while the page is there already."""

import threading

__all__ = ["Warmth"]


class Warmth:
    """Whether the engine is ready to answer at once.

    Attributes:
        warm: whether it is.
    """

    def __init__(self) -> None:
        self.warm = False

    def begin(self) -> None:
        """Make it ready in a thread of its own, which ends with the process."""
        threading.Thread(target=self._warm_up, name="gammon-warm-up", daemon=True).start()

    def _warm_up(self) -> None:
        from gammon.prepare import prepare

        prepare()
        from gammon.engine import Engine
        from gammon.formats.position import Position

        opening = Position.opening()
        Engine(3).analyze(opening, (3, 1))
        Engine(3).cube(opening)
        self.warm = True
