"""Analyses, rollouts and reviews, whose results so far are events."""

from dataclasses import replace
from time import monotonic, perf_counter
from typing import Any

from gammon.base.errors import GammonError
from gammon.engine.question import Question
from gammon.engine.rolled import Rollout
from gammon.engine.rollout import rollout
from gammon.search import Stop
from gammon.view import to_json
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.reviews.passes import review_passes
from gammon_web import answers
from gammon_web.asked import Asked
from gammon_web.client import Client
from gammon_web.engines import engine_of, seconds_of
from gammon_web.kept import Kept
from gammon_web.limits import MOST_SEEDS, MOST_TRIALS
from gammon_web.refusal import Refusal, bad, refusal_of
from gammon_web.stream import Emit, Stage

#: Seconds between two results of a rollout so far.
_BETWEEN = 0.25
#: Candidates of a rollout.
_MOST_TOP = 20
#: What reviews have found, so that one which did not come to its end goes on.
_REVIEWED = Kept(20_000)


def analyze(asked: Asked, client: Client) -> dict[str, Any]:
    """Answer `GET /analyze`: the plays of a roll, or the decision about the cube."""
    return _answer(asked, asked.question(), client)


def analysis_stages(asked: Asked, client: Client) -> list[Stage]:
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


def rollout_stages(asked: Asked, client: Client) -> list[Stage]:
    """Answer `GET /rollout/stream`: the rollout so far, several times a second."""
    question = asked.startable()
    trials = asked.whole("trials", 1296, 36, MOST_TRIALS)
    if trials % 36:
        more = trials + -trials % 36
        raise bad(f"trials {trials}: expected a multiple of 36, such as {more}", "trials")
    top = asked.whole("top", question.top, 1, _MOST_TOP)
    seed = asked.whole("seed", 1, 0, MOST_SEEDS - 1)
    truncate = asked.whole("truncate", 0, 0, 1000) or None

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


def review_stages(asked: Asked, client: Client) -> list[Stage]:
    """Answer `POST /review`: the match of the body, quickly first, then as deep as asked."""
    seed = asked.setting("seed")
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
        for found in review_passes(
            transcript, _REVIEWED, stop, asked.depth, asked.level, seed, tell
        ):
            client.check()
            if found.left and not found.choices:
                raise Refusal(
                    504, "timeout", "the time was over before a decision was analyzed: gammon "
                    "serve --seconds gives more",
                )  # fmt: skip
            emit("review", to_json(found))

    return [Stage(asked.depth, work)]
