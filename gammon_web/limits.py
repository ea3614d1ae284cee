"""The limits of requests."""

from dataclasses import dataclass
from pathlib import Path

#: A search to this depth takes milliseconds; a deeper one may take long.
SHORT = 3
#: Seconds that a client has to send the body of its request.
SECONDS_TO_SEND = 10.0


@dataclass(frozen=True)
class Limits:
    """The limits of requests.

    Attributes:
        depth: the most plies of a search.
        seconds: the most seconds of a search; a rollout may take ten times as long.
        review_seconds: the most seconds of a review; None: no limit.
        searches: how many long searches, rollouts and reviews can run at the same time.
        threads: processors that share one search.
        body: the most bytes of a request's body.
        library: the file of the library of matches that the page shows, or None.
        editable: whether requests may add matches to the library, remove them and rename players.
    """

    depth: int = 7
    seconds: float = 30.0
    review_seconds: float | None = None
    searches: int = 2
    threads: int = 1
    body: int = 500_000
    library: Path | None = None
    editable: bool = True

    @property
    def long_seconds(self) -> float:
        """The most seconds for a rollout, or for reading a match file."""
        return 10.0 * self.seconds
