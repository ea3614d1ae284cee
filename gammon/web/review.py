"""Reviews of match files, with their progress as events."""

from time import perf_counter

from gammon.errors import GammonError
from gammon.formats.match_file import parse_transcript
from gammon.reviews.review import review
from gammon.views.answer import to_json
from gammon.web.asked import Asked
from gammon.web.client import Client
from gammon.web.refusal import Refusal, refusal_of
from gammon.web.stream import Emit, Stage

__all__ = ["stream"]


def stream(asked: Asked) -> list[Stage]:
    """Answer `POST /review`: the match of the body, decision by decision."""
    try:
        transcript = parse_transcript(asked.body)
    except GammonError as error:
        raise refusal_of(error, "body") from None

    def work(client: Client, emit: Emit) -> None:
        begun = perf_counter()

        def tell(done: int, of: int) -> None:
            if perf_counter() - begun > asked.limits.long_seconds:
                raise Refusal(504, "timeout", "the review takes too long for this server")
            emit("progress", {"done": done, "of": of})

        emit("review", to_json(review(transcript, asked.depth, on_done=tell)))

    return [Stage(asked.depth, work)]
