"""The client of a request, who may leave before the answer is there."""

import math
import threading
import time
from typing import TYPE_CHECKING

from starlette.types import Receive

from gammon.web.refusal import Refusal

if TYPE_CHECKING:
    from gammon.search.stop import Stop

__all__ = ["Client", "ClientLeftError", "client_left"]


class ClientLeftError(Exception):
    """Nobody waits for an answer any more."""


class Client:
    """Tells the work for a request, in another thread, that its client has left.

    Attributes:
        left: whether the client has.
    """

    def __init__(self) -> None:
        self.left = False
        self._lock = threading.Lock()
        self._stop: Stop | None = None

    @property
    def stop(self) -> "Stop":
        """Ends searches when the client leaves. The first use loads the engine."""
        from gammon.search.stop import Stop

        with self._lock:
            if self._stop is None:
                self._stop = Stop()
            if self.left:
                self._stop.set()
            return self._stop

    def leave(self) -> None:
        """Say that the client has left."""
        with self._lock:
            self.left = True
            if self._stop is not None:
                self._stop.set()

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
