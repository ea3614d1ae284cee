"""Analyses, rollouts and reviews. Streams send their intermediate results as events.

An annotation of a return type has the JSON of the answer, or of each event of a stream;
openapi.json is made from it.
"""

import threading
from dataclasses import replace
from functools import cache
from time import monotonic, perf_counter
from typing import Annotated, Any

from gammon.base.errors import GammonError
from gammon.engine.engine import Engine
from gammon.engine.question import Question
from gammon.engine.rolled import Rollout
from gammon.engine.rollout import rollout
from gammon.search import Stop
from gammon.view import to_json
from gammon.view.json import Answer, RolloutJson, RollsJson
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.reviews.review import review_passes
from gammon_study.view.json import ReviewJson
from gammon_web import answers
from gammon_web.limits import SHORT
from gammon_web.parameters import QUESTION_PARAMETERS, ROLLED_TOP, SEED, TRIALS, TRUNCATE
from gammon_web.query import Client, Query
from gammon_web.refusal import Refusal, refusal_of
from gammon_web.stream import Emit, Stage


@cache
def engine_of(
    threads: int, depth: int = 5, cubeful: bool = True, seconds: float | None = None, level: str | None = None
) -> Engine:
    """Return an engine, cached for the next call.

    Args:
        threads: how many threads share a search.
        depth: the default depth, in plies.
        cubeful: whether the cube and the score count by default.
        seconds: the default of `max_seconds`.
        level: in place of the depth, or None.
    """
    return Engine(depth, threads=threads, cubeless=not cubeful, max_seconds=seconds, level=level)


def engine_for(query: Query, cubeful: bool = True) -> Engine:
    """Return the engine for a request that is not a `Question`.

    Args:
        query: gives the depth or the level, and the strength with the seed of its noise.
        cubeful: whether the cube and the score count.

    Raises:
        Refusal: a parameter is invalid.
        SettingError: the request has both a level and a strength.
    """
    limits, seconds = query.limits, seconds_of(query, query.depth)
    engine = engine_of(limits.threads, query.depth, cubeful, seconds, query.level)
    strength, seed = (
        query.value(QUESTION_PARAMETERS["strength"]),
        query.value(QUESTION_PARAMETERS["noise_seed"]),
    )
    return engine if strength is None else engine.with_errors(seed, strength)


def seconds_of(query: Query, depth: int, searches: int = 1) -> float | None:
    """Return the most seconds of each search; None: no limit.

    Short searches have no limit, as watching the time would take as long as the search.

    Args:
        query: the request, which has the limits.
        depth: plies of a search.
        searches: how many searches share the seconds of the request.
    """
    return None if depth <= SHORT else query.limits.seconds / searches


class ListCache(dict[str, list[Any]]):
    """A cache of lists by their keys. If all lists have too many entries, the oldest lists go.

    Args:
        most: the most entries of all lists together; the latest list stays in any case.
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


#: Seconds between two events of a rollout.
_BETWEEN = 0.25
#: The results of reviews, so that an unfinished review can continue, and a reviewed match be added.
REVIEWED = ListCache(20_000)


def analyze(query: Query, client: Client) -> Annotated[dict[str, Any], Answer]:
    """Answer `GET /analyze`: the plays of a roll, or the decision about the cube."""
    return _answer(query, query.question(), client)


def analysis_stages(query: Query, client: Client) -> Annotated[list[Stage], {"answer": Answer}]:
    """Answer `GET /analyze/stream`: the analysis to depth 1, 3, ..., as soon as each is ready."""

    def stage(question: Question) -> Stage:
        def work(client: Client, emit: Emit) -> None:
            emit("answer", _answer(query, question, client))

        return Stage(question.depth, work)

    question = query.startable()
    return [*map(stage, question.shallower()), stage(question)]


def rolls(query: Query, client: Client) -> Annotated[dict[str, Any], RollsJson]:
    """Answer `GET /rolls`: the best play of each of the 21 rolls."""
    question = query.question().settled()
    position = question.placed().with_dice(None)
    return _answer(query, replace(question, position=position, rolls=True), client)


def _answer(query: Query, question: Question, client: Client) -> dict[str, Any]:
    seconds = seconds_of(query, question.depth, question.searches)
    limits = [limit for limit in (seconds, question.max_seconds) if limit is not None]
    question = replace(question, max_seconds=min(limits, default=None))
    # Hundreds of short searches take long, too.
    stop = client.stop if question.scores is None else Stop(query.limits.seconds, client.stop)
    return to_json(engine_of(query.limits.threads).answer(question, stop=stop))


def rollout_stages(query: Query, client: Client) -> Annotated[list[Stage], {"progress": RolloutJson}]:
    """Answer `GET /rollout/stream`: the present state of the rollout, several times a second."""
    question = query.startable()
    trials, top, seed = query.value(TRIALS), query.value(ROLLED_TOP), query.value(SEED)
    truncate = query.value(TRUNCATE) or None

    def work(client: Client, emit: Emit) -> None:
        last_emit = 0.0

        def tell(rolled: Rollout) -> None:
            nonlocal last_emit
            client.check()
            if perf_counter() - last_emit >= _BETWEEN:
                last_emit = perf_counter()
                emit("progress", to_json(rolled))

        rolled = rollout(
            question.placed(), None, question.plays or None, top=top,
            cubeless=bool(question.cubeless), stakes=question.stakes,
            move_filter=question.move_filter, on_result=tell, trials=trials,
            depth=query.depth, seed=seed, truncate=truncate,
            max_seconds=query.limits.long_seconds, stop=client.stop,
        )  # fmt: skip
        emit("progress", to_json(rolled))

    return [Stage(query.depth, work)]


def review_stages(
    query: Query, client: Client
) -> Annotated[list[Stage], {"progress": answers.Progress, "review": ReviewJson}]:
    """Answer `POST /review`: the match of the body, quickly first, then to the full depth."""
    seed = query.value(SEED)
    late = monotonic() + query.limits.long_seconds
    try:
        transcript = parse_transcript(query.body, lambda game: client.check(late))
    except GammonError as error:
        raise refusal_of(error, "body") from None

    def work(client: Client, emit: Emit) -> None:
        def tell(done: int, total: int, depth: int) -> None:
            progress: answers.Progress = {"done": done, "total": total, "depth": depth}
            emit("progress", progress)

        stop = Stop(query.limits.review_seconds, client.stop)
        for reviewed in review_passes(transcript, REVIEWED, stop, query.depth, query.level, seed, tell):
            client.check()
            if reviewed.unfinished and not reviewed.choices:
                raise Refusal(
                    504,
                    "timeout",
                    "the time was over before a decision was analyzed: gammon serve --seconds gives more",
                )
            emit("review", to_json(reviewed))

    return [Stage(query.depth, work)]
