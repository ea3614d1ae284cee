"""Units of work that ask a player for a play, and measure its time."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from gammon.base.store import Unit
from gammon.eval.model_file import network_id
from gammon.formats.position_id import format_position_id, parse_position_id
from gammon.match.player import Mind, mind_of, parse_player
from gammon.rules.board import OPENING, Points
from gammon.rules.terms import CUBELESS
from gammon_lab.experiments.study import Study

#: The roll 31: each player first plays it in the opening position, untimed.
_WARM = 3


class Answer(NamedTuple):
    """The plays of one player.

    Attributes:
        after: the position after the play, seen from the mover.
        seconds: processor time of all threads, the only field that depends on the machine.
    """

    after: Points
    seconds: float


def question(player: str, points: Points, outcome: int) -> Unit:
    """Return the unit with which `ask` asks a player for a play.

    Args:
        player: as for `parse_player`.
        points: 26 counts, seen from the player on roll.
        outcome: the roll, 0..20.
    """
    return {
        "player": player,
        "position": format_position_id(points),
        "outcome": outcome,
        "network": _network(player),
    }


@cache
def _network(player: str) -> str | None:
    """Return the id of a player's network; None if another program plays."""
    parsed = parse_player(player)
    return None if parsed.program else network_id(parsed.model)


@cache
def _warm(player: str) -> None:
    """Start the program of a player, so that no timed answer includes the start."""
    _play(mind_of(parse_player(player)), OPENING, _WARM)


def ask(unit: Unit) -> list[str | float]:
    """Return the Position ID after the play of a player, and the seconds that it took."""
    _warm(unit["player"])
    mind = mind_of(parse_player(unit["player"]))
    points = parse_position_id(unit["position"])
    begun = mind.cpu_seconds()
    after = _play(mind, points, unit["outcome"])
    ended = mind.cpu_seconds()
    assert begun is not None and ended is not None, "the processor time of its process can be read"
    return [format_position_id(after), ended - begun]


def _play(mind: Mind, points: Points, outcome: int) -> Points:
    """Return the position after a player's play, without the cube."""
    (after,) = mind.plays(np.array([points], np.int8), [outcome], [CUBELESS], [0]).tolist()
    return tuple(after)


def _names(unit: Unit) -> Sequence[str]:
    """Return the names of the values that `ask` returns."""
    return "after", "seconds"


def answer_of(result: list[str | float]) -> Answer:
    """Return a result of `ask` as an `Answer`."""
    after, seconds = result
    return Answer(parse_position_id(str(after)), float(seconds))


def answers_of_all(
    study: Study, decisions: Sequence[tuple[Points, int]], players: Sequence[str]
) -> list[dict[str, Answer]]:
    """Return the answers of the players in each decision, by player.

    Args:
        study: stores the answers as `answers`.
        decisions: positions, seen from the player on roll, each with a roll, 0..20.
        players: as for `parse_player`.
    """
    units = [question(name, *decision) for decision in decisions for name in players]
    answers = map(answer_of, study.run(ask, units, "answers", names=_names))
    return [{name: next(answers) for name in players} for _ in decisions]
