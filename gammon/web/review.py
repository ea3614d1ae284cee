"""Reviews of match files, with their progress as events."""

from time import monotonic

from gammon.base.errors import GammonError
from gammon.base.stop import Stop
from gammon.formats.match_file import parse_transcript
from gammon.reviews.review import review
from gammon.shown import to_json
from gammon.web import answers
from gammon.web.asked import Asked
from gammon.web.client import Client
from gammon.web.refusal import refusal_of
from gammon.web.stream import Emit, Stage


def stream(asked: Asked, client: Client) -> list[Stage]:
    """Answer `POST /review`: the match of the body, decision by decision."""
    seed = asked.setting("seed")
    late = monotonic() + asked.limits.long_seconds
    try:
        transcript = parse_transcript(asked.body, lambda game: client.check(late))
    except GammonError as error:
        raise refusal_of(error, "body") from None

    def work(client: Client, emit: Emit) -> None:
        def tell(done: int, of: int) -> None:
            progress: answers.Progress = {"done": done, "of": of}
            emit("progress", progress)

        stop = Stop(asked.limits.long_seconds, client.stop)
        found = review(
            transcript, asked.depth, on_done=tell, stop=stop, level=asked.level, seed=seed
        )
        emit("review", to_json(found))

    return [Stage(asked.depth, work)]
