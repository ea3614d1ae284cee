"""Analyses: the plays of a roll, the decision about the cube, the best plays of all rolls."""

from typing import Any, NamedTuple

from gammon.formats.position import Position
from gammon.rules.dice import N_ROLLS
from gammon.shown import to_json
from gammon.web.asked import Asked
from gammon.web.client import Client
from gammon.web.engines import engine_for
from gammon.web.stream import Emit, Stage

__all__ = ["analyze", "rolls", "stream"]


class _Question(NamedTuple):
    """A question about a position.

    Attributes:
        position: with its roll, if there is one.
        top: plays whose exact value is wanted.
        plays: others whose exact value is wanted.
        cubeful: whether the cube and the score count.
    """

    position: Position
    top: int
    plays: list[str]
    cubeful: bool

    def answer(self, asked: Asked, depth: int, client: Client) -> dict[str, Any]:
        """Return the answer of a search to a depth."""
        position, dice = self.position, self.position.dice
        if dice is not None:
            engine = engine_for(asked, depth, self.cubeful)
            analysis = engine.analyze(
                position, dice, self.top, plays=self.plays, stop=client.stop
            )
            return to_json(analysis)
        if self.cubeful:
            engine = engine_for(asked, depth)
            return to_json(engine.cube(position, client.stop))
        return _rolls(asked, position, depth, False, client)


def _question(asked: Asked) -> _Question:
    """Return what is asked, after a check of all of it."""
    position = asked.decision()
    plays = asked.plays(position)
    top = asked.whole("top", 5, 1, 10_000)
    return _Question(position, top, plays, not asked.flag("cubeless"))


def analyze(asked: Asked, client: Client) -> dict[str, Any]:
    """Answer `GET /analyze`."""
    return _question(asked).answer(asked, asked.depth, client)


def stream(asked: Asked, client: Client) -> list[Stage]:
    """Answer `GET /analyze/stream`: the analysis to depth 1, 3, ... as each is done."""
    question = _question(asked)

    def stage(depth: int) -> Stage:
        def work(client: Client, emit: Emit) -> None:
            emit("answer", question.answer(asked, depth, client))

        return Stage(depth, work)

    return [stage(depth) for depth in range(1, asked.depth + 1, 2)]


def rolls(asked: Asked, client: Client) -> dict[str, Any]:
    """Answer `GET /rolls`: the best play of each of the 21 rolls."""
    position = asked.decision().with_dice(None)
    return _rolls(asked, position, asked.depth, not asked.flag("cubeless"), client)


def _rolls(
    asked: Asked, position: Position, depth: int, cubeful: bool, client: Client
) -> dict[str, Any]:
    engine = engine_for(asked, depth, cubeful, N_ROLLS)
    return to_json(engine.analyze_rolls(position, stop=client.stop))
