"""Analyses: the plays of a roll, the decision about the cube, the best plays of all rolls."""

from dataclasses import replace
from typing import Any

from gammon.answers.question import Question
from gammon.search import Stop
from gammon.shown import to_json
from gammon.web.asked import Asked
from gammon.web.client import Client
from gammon.web.engines import engine_of, seconds_of
from gammon.web.stream import Emit, Stage


def analyze(asked: Asked, client: Client) -> dict[str, Any]:
    """Answer `GET /analyze`."""
    return _answer(asked, asked.question(), client)


def stream(asked: Asked, client: Client) -> list[Stage]:
    """Answer `GET /analyze/stream`: the analysis to depth 1, 3, ... as each is done."""

    def stage(question: Question) -> Stage:
        def work(client: Client, emit: Emit) -> None:
            emit("answer", _answer(asked, question, client))

        return Stage(question.depth, work)

    question = asked.startable()
    return [*map(stage, question.shallower()), stage(question)]


def rolls(asked: Asked, client: Client) -> dict[str, Any]:
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
