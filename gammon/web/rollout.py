"""Rollouts, with their results so far as events."""

from time import perf_counter

from gammon.answers.rolled import Rollout
from gammon.answers.rollout import rollout
from gammon.shown import to_json
from gammon.web.asked import Asked
from gammon.web.client import Client
from gammon.web.limits import MOST_SEEDS, MOST_TRIALS
from gammon.web.refusal import bad
from gammon.web.stream import Emit, Stage

#: Seconds between two results so far.
_BETWEEN = 0.25
#: Candidates of a rollout.
_MOST_TOP = 20


def stream(asked: Asked, client: Client) -> list[Stage]:
    """Answer `GET /rollout/stream`: the rollout so far, several times a second."""
    question = asked.startable()
    trials = asked.whole("trials", 1296, 36, MOST_TRIALS)
    if trials % 36:
        raise bad(f"trials {trials}: expected a multiple of 36", "trials")
    asked.whole("top", 5, 1, _MOST_TOP)
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
            question.placed(), None, question.plays or None, top=question.top,
            cubeless=bool(question.cubeless), stakes=question.stakes,
            move_filter=question.move_filter, on_result=tell, trials=trials,
            depth=asked.depth, seed=seed, truncate=truncate,
            max_seconds=asked.limits.long_seconds, stop=client.stop,
        )  # fmt: skip
        emit("progress", to_json(found))

    return [Stage(asked.depth, work)]
