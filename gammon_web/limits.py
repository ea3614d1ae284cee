"""Limits: what requests may ask for."""

from dataclasses import dataclass
from pathlib import Path

#: A search to this depth takes milliseconds, and a deeper one may take long.
SHORT = 3
#: Seconds that a client has to send the body of its request.
SECONDS_TO_SEND = 10.0


@dataclass(frozen=True)
class Limits:
    """The most that requests may ask for.

    Attributes:
        depth: plies of a search, at most.
        seconds: that a search may take; a rollout takes ten times as long.
        review_seconds: that a review may take, or None: it goes on to its end.
        searches: long searches, rollouts and reviews at the same time.
        threads: processors that share one search.
        body: bytes of a request's body.
        library: the file of the library of matches that the page shows, or None.
    """

    depth: int = 5
    seconds: float = 30.0
    review_seconds: float | None = None
    searches: int = 2
    threads: int = 1
    body: int = 500_000
    library: Path | None = None

    @property
    def long_seconds(self) -> float:
        """The seconds that a rollout, or the reading of a match file, may take."""
        return 10.0 * self.seconds
