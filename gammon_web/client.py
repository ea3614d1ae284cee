"""The client of a request, who may leave before the answer is ready."""

import math
import time

from starlette.types import Receive

from gammon.base.stop import Stop
from gammon_web.refusal import Refusal


class ClientLeftError(Exception):
    """The client has left, so nobody waits for the answer."""


class Client:
    """Signals to the work for a request, in another thread, that its client has left.

    Attributes:
        stop: ends the work when the client leaves.
    """

    def __init__(self) -> None:
        self.stop = Stop()

    @property
    def left(self) -> bool:
        """Whether the client has left."""
        return self.stop.is_set()

    def leave(self) -> None:
        """Signal that the client has left."""
        self.stop.set()

    def check(self, late: float = math.inf) -> None:
        """Raise an error if the client has left, or the time is over.

        Args:
            late: the end of the time, by `time.monotonic`.

        Raises:
            ClientLeftError: the client has left.
            Refusal: the time is over.
        """
        if self.left:
            raise ClientLeftError
        if time.monotonic() > late:
            raise Refusal(504, "timeout", "this takes too long for this server")


async def client_left(receive: Receive) -> None:
    """Return once the client has left. Call this after all of the request is read."""
    while (await receive())["type"] != "http.disconnect":
        pass
