"""The client of a request, who may leave before the answer is there."""

import math
import time

from starlette.types import Receive

from gammon.base.stop import Stop
from gammon_web.refusal import Refusal


class ClientLeftError(Exception):
    """Nobody waits for an answer any more."""


class Client:
    """Tells the work for a request, in another thread, that its client has left.

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
        """Say that the client has left."""
        self.stop.set()

    def check(self, late: float = math.inf) -> None:
        """Go on if the client is still there, and it is not yet too late.

        Args:
            late: a time of `time.monotonic`.

        Raises:
            ClientLeftError: the client is not.
            Refusal: it is later.
        """
        if self.left:
            raise ClientLeftError
        if time.monotonic() > late:
            raise Refusal(504, "timeout", "this takes too long for this server")


async def client_left(receive: Receive) -> None:
    """Return once the client has left. All of the request has been read before."""
    while (await receive())["type"] != "http.disconnect":
        pass
