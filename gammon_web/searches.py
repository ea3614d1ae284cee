"""Analyses, rollouts and reviews, whose results so far are events.

What is annotated beside a return type is the JSON of the answer, or of each event of a stream:
the page of the API is made from it.
"""

import threading
from dataclasses import replace
from time import monotonic, perf_counter
from typing import Annotated, Any

from gammon.base.errors import GammonError
from gammon.engine.question import Question
from gammon.engine.rolled import Rollout
from gammon.engine.rollout import rollout
from gammon.search import Stop
from gammon.view import to_json
from gammon.view.json import Answer, RolloutJson, RollsJson
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.reviews.passes import review_passes
from gammon_study.view.json import ReviewJson
from gammon_web import answers
from gammon_web.asked import Asked
from gammon_web.client import Client
from gammon_web.engines import engine_of, seconds_of
from gammon_web.parameters import ROLLED_TOP, SEED, TRIALS, TRUNCATE
from gammon_web.refusal import Refusal, refusal_of
from gammon_web.stream import Emit, Stage


class Kept(dict[str, list[Any]]):
    """Lists by their keys. Where they have too many entries in all, the oldest lists go.

    Args:
        most: entries of all lists, at most; the latest list stays in any case.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self._entries = most, 0
        self._lock = threading.Lock()

    def __setitem__(self, key: str, value: list[Any]) -> None:
        with self._lock:
            self._entries += len(value) - len(self.pop(key, ()))
            super().__setitem__(key, value)
            while self._entries > self._most and len(self) > 1:
                self._entries -= len(self.pop(next(iter(self))))


#: Seconds between two results of a rollout so far.
_BETWEEN = 0.25
#: What reviews have found, so that one which did not come to its end goes on.
_REVIEWED = Kept(20_000)


def analyze(asked: Asked, client: Client) -> Annotated[dict[str, Any], Answer]:
    """Answer `GET /analyze`: the plays of a roll, or the decision about the cube."""
    return _answer(asked, asked.question(), client)


def analysis_stages(asked: Asked, client: Client) -> Annotated[list[Stage], {"answer": Answer}]:
    """Answer `GET /analyze/stream`: the analysis to depth 1, 3, ... as each is done."""

    def stage(question: Question) -> Stage:
        def work(client: Client, emit: Emit) -> None:
            emit("answer", _answer(asked, question, client))

        return Stage(question.depth, work)

    question = asked.startable()
    return [*map(stage, question.shallower()), stage(question)]


def rolls(asked: Asked, client: Client) -> Annotated[dict[str, Any], RollsJson]:
    """Answer `GET /rolls`: the best play of each of the 21 rolls."""
    question = asked.question().settled()
    position = question.placed().with_dice(None)
    return _answer(asked, replace(question, position=position, rolls=True), client)


def _answer(asked: Asked, question: Question, client: Client) -> dict[str, Any]:
    seconds = seconds_of(asked, question.depth, question.searches)
    limits = [each for each in (seconds, question.max_seconds) if each is not None]
    question = replace(question, max_seconds=min(limits, default=None))
    # Hundreds of short searches take long, too.
    stop = client.stop if question.scores is None else Stop(asked.limits.seconds, client.stop)
    return to_json(engine_of(asked.limits.threads).answer(question, stop=stop))


def rollout_stages(asked: Asked, client: Client) -> Annotated[list[Stage], {"progress": RolloutJson}]:
    """Answer `GET /rollout/stream`: the rollout so far, several times a second."""
    question = asked.startable()
    trials, top, seed = asked.value(TRIALS), asked.value(ROLLED_TOP), asked.value(SEED)
    truncate = asked.value(TRUNCATE) or None

    def work(client: Client, emit: Emit) -> None:
        told = 0.0

        def tell(found: Rollout) -> None:
            nonlocal told
            client.check()
            if perf_counter() - told >= _BETWEEN:
                told = perf_counter()
                emit("progress", to_json(found))

        found = rollout(
            question.placed(), None, question.plays or None, top=top,
            cubeless=bool(question.cubeless), stakes=question.stakes,
            move_filter=question.move_filter, on_result=tell, trials=trials,
            depth=asked.depth, seed=seed, truncate=truncate,
            max_seconds=asked.limits.long_seconds, stop=client.stop,
        )  # fmt: skip
        emit("progress", to_json(found))

    return [Stage(asked.depth, work)]


def review_stages(
    asked: Asked, client: Client
) -> Annotated[list[Stage], {"progress": answers.Progress, "review": ReviewJson}]:
    """Answer `POST /review`: the match of the body, quickly first, then as deep as asked."""
    seed = asked.value(SEED)
    late = monotonic() + asked.limits.long_seconds
    try:
        transcript = parse_transcript(asked.body, lambda game: client.check(late))
    except GammonError as error:
        raise refusal_of(error, "body") from None

    def work(client: Client, emit: Emit) -> None:
        def tell(done: int, of: int, depth: int) -> None:
            progress: answers.Progress = {"done": done, "of": of, "depth": depth}
            emit("progress", progress)

        stop = Stop(asked.limits.review_seconds, client.stop)
        for found in review_passes(transcript, _REVIEWED, stop, asked.depth, asked.level, seed, tell):
            client.check()
            if found.left and not found.choices:
                raise Refusal(
                    504,
                    "timeout",
                    "the time was over before a decision was analyzed: gammon serve --seconds gives more",
                )
            emit("review", to_json(found))

    return [Stage(asked.depth, work)]
